"""Foursquare: build a 4x4 square of piles with every top face up (F1-F10)."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from operator import itemgetter
from types import MappingProxyType
from typing import ClassVar, Final

from server.core.cards import DOWN, Card
from server.core.deck import SHORT_40
from server.core.layout import Layout, PileSpec
from server.core.moves import Move
from server.core.position import EMPTY, Flip, Pile, Position, Shift, Step
from server.core.rules import Memo, Outcome, RankKey, Rules, UndoPolicy, hide_face_down
from server.games._texts import HONESTY, UNDO_NONE

#: Side of the grid of cells; the first pile lies in its middle, so that a square may grow in any direction.
GRID: Final = 7
#: Side of the square to be built, and the most cards of a pile.
SIDE: Final = 4
PILES: Final = SIDE * SIDE
#: More tops than these face down lose (F6).
DOWN_LIMIT: Final = 4

CELLS: Final = tuple(f"{column}{row}" for column in "abcdefg" for row in range(1, GRID + 1))
START: Final = "d4"
HAND: Final = "h"
STOCK: Final = "s"

_cell_piles: Final = itemgetter(*CELLS)
_PLACED: Final = {cell: Shift(HAND, cell, 1) for cell in CELLS}
_FLIPPED: Final = {cell: Flip(cell) for cell in CELLS}
_DRAWN: Final = Shift(STOCK, HAND, 1, "up")
_ROWS: Final = {cell: tuple(c for c in CELLS if c[1] == cell[1] and c != cell) for cell in CELLS}
_COLUMNS: Final = {cell: tuple(c for c in CELLS if c[0] == cell[0] and c != cell) for cell in CELLS}

# Pile heights as one byte a cell, translated to 1 where a card may go onto the pile (F2), and to 1 where a pile is.
_STACKABLE: Final = bytes(1 if 0 < height < SIDE else 0 for height in range(256))
_OCCUPIED: Final = bytes(1 if height else 0 for height in range(256))


@lru_cache(maxsize=50_000)
def _growth(occupied: bytes) -> int:
    """Bytes, as a number, with 1 for every empty cell that a new pile may take (F2); ``occupied`` has 1 for piles."""
    taken = [divmod(index, GRID) for index in range(len(CELLS)) if occupied[index]]
    columns = [column for column, _ in taken]
    rows = [row for _, row in taken]
    growth = bytearray(len(CELLS))
    for column, row in taken:
        for x, y in ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)):
            fits = max(columns) - SIDE < x < min(columns) + SIDE and max(rows) - SIDE < y < min(rows) + SIDE
            if fits and 0 <= x < GRID and 0 <= y < GRID and not occupied[x * GRID + y]:
                growth[x * GRID + y] = 1
    return int.from_bytes(growth)


def _tops(p: Position) -> list[Card]:
    return [pile[-1] for pile in _cell_piles(p.piles) if pile]


def _up(tops: list[Card]) -> int:
    return sum([top < DOWN for top in tops])


def _layout(title: str) -> Layout:
    """The grid of which only the used and the reachable part is shown; hand and stock beside it, or above it."""

    def cells(left: float, above: float) -> list[PileSpec]:
        return [PileSpec(c, "cell", left + index // GRID, above + index % GRID) for index, c in enumerate(CELLS)]

    wide = [PileSpec(HAND, "hand", 0, 0), PileSpec(STOCK, "stock", 0, 1.25), *cells(1.5, 0)]
    tall = [PileSpec(HAND, "hand", 2.5, 0), PileSpec(STOCK, "stock", 3.75, 0), *cells(0, 1.25)]
    return Layout(title, PILES, tuple(wide), tuple(tall), {"cell": ((HAND, "@1"),)}, fit="cell")


def _text(turns: str) -> tuple[str, ...]:
    return (
        "Build a square of four by four piles with every top card face up, and use as few cards as you can.",
        "# Play",
        "40 cards, ace to 10. The first lies on the table, and you place the others one by one as they come.",
        (
            "- Place the card beside a pile (above, below, left or right), as long as all piles fit into four columns"
            " and four rows; or onto a pile of one to three cards, even when its top lies face down."
        ),
        (
            "- Then look at the other piles of the row, face-up tops only. If your card is higher than all of them or"
            " lower than all of them, or none lies face up, the tops turn over: up to down, down to up. Gaps do not"
            " matter, and an equal rank is neither higher nor lower."
        ),
        "- The column is judged and turned in the same way, on its own.",
        turns,
        (
            "- You win when sixteen piles stand and all tops are up. You lose when more than four tops are down, or"
            " when the cards run out."
        ),
        "Cards that you have seen stay known: a turned card can still be read.",
        "# Undo and notices",
        UNDO_NONE,
        "The table tells you when too few cards are left for sixteen piles.",
        "# How it ranks",
        (
            "Players who won come first, by score: the cards not placed, 24 at best. Equal scores are ordered by time."
            " Everybody else follows by the number of piles with the top up."
        ),
        *HONESTY,
    )


class Foursquare(Rules):
    """The usual game: only the other piles of a line turn (F4, F5)."""

    key = "foursquare"
    family = "foursquare"
    title = "Foursquare"
    daily: ClassVar[int | None] = 6
    deck = SHORT_40
    closed = (STOCK,)
    undo = UndoPolicy.NONE  # the next card would be known (F8)
    rankings = MappingProxyType(dict.fromkeys(("main", "moves"), (RankKey.SCORE, RankKey.TIME)))  # F9
    layout = _layout(title)
    text = _text("- The card just placed never turns.")
    #: Whether the placed card turns with its line (F10).
    placed_turns: ClassVar[bool] = False

    def deal(self, cards: Sequence[Card]) -> Position:
        """Card 1 face up on d4, card 2 in the hand, the rest face down with card 3 on top (F1)."""
        piles: dict[str, Pile] = dict.fromkeys(CELLS, EMPTY)
        piles[START] = (cards[0],)
        piles[HAND] = (cards[1],)
        piles[STOCK] = tuple([c | DOWN for c in cards[:1:-1]])
        return Position(piles)

    def moves(self, p: Position) -> list[Move]:
        """The cells that may take the card in hand (F2), by column and row."""
        if not p.piles[HAND]:
            return []
        heights = bytes(map(len, _cell_piles(p.piles)))
        cells = int.from_bytes(heights.translate(_STACKABLE)) | _growth(heights.translate(_OCCUPIED))
        return list(compress(CELLS, cells.to_bytes(len(CELLS))))

    def steps(self, p: Position, m: Move) -> tuple[Step, ...]:
        """Place the card (F3), turn row and column (F4, F5), then turn up the next card unless all is over (F6)."""
        piles = p.piles
        placed = piles[HAND][-1] >> 2
        tops = _tops(p)
        down = len(tops) - _up(tops)
        under = piles[m]
        count = len(tops) if under else len(tops) + 1
        if under and under[-1] >= DOWN:
            down -= 1
        steps: list[Step] = [_PLACED[m]]
        placed_is_down = False
        for line in (_ROWS[m], _COLUMNS[m]):
            others = [(cell, piles[cell][-1]) for cell in line if piles[cell]]
            up = [top >> 2 for _, top in others if top < DOWN]
            if not up or placed > max(up) or placed < min(up):
                steps += [_FLIPPED[cell] for cell, _ in others]
                down += 2 * len(up) - len(others)
                if self.placed_turns and others:
                    steps.append(_FLIPPED[m])
                    placed_is_down = not placed_is_down
        down += placed_is_down
        won = count == PILES and not down
        if not won and down <= DOWN_LIMIT and piles[STOCK]:
            steps.append(_DRAWN)
        return tuple(steps)

    def verdict(self, p: Position) -> Outcome:
        """Open while a card is in the hand; else won with 16 piles and all tops up, or lost (F6)."""
        if p.piles[HAND]:
            return Outcome.OPEN
        return Outcome.WON if _up(_tops(p)) == PILES else Outcome.LOST

    def progress(self, p: Position) -> int:
        """Piles with the top up, 0-16 (F9)."""
        return _up(_tops(p))

    def score(self, p: Position) -> int | None:
        """Cards not placed of a won position, 24 at best (F8)."""
        return len(p.piles[STOCK]) if self.verdict(p) is Outcome.WON else None

    def winnable(self, view: Position, memo: Memo, *, patient: bool = False) -> bool | None:
        """False when more piles are missing than cards are left, the hand included; else not told (F8)."""
        missing = PILES - len(_tops(view))
        return False if missing > len(view.piles[STOCK]) + len(view.piles[HAND]) else None

    def view_pile(self, name: str, pile: Pile) -> Pile:
        """Cards that have been seen stay known, also when they lie face down; the stock never was (F7, C9)."""
        return hide_face_down(pile) if name == STOCK else pile


class FoursquareAll(Foursquare):
    """The source read to the letter: the placed card turns with its line (F10)."""

    key = "foursquare-all"
    title = "Foursquare, all turn"
    daily = None
    layout = _layout(title)
    text = _text(
        "- Where a line with at least one other pile turns, the card just placed turns with it, the row first. So it"
        " ends face down when only one of the two lines turns."
    )
    placed_turns = True
