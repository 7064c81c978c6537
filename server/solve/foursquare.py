"""The solver of Foursquare: a beam over the known stock, widened until the budget is spent."""

from collections.abc import Callable, Sequence
from typing import Final
from zlib import crc32

from server.core.cards import rank
from server.core.position import Position
from server.core.rules import Rules
from server.games.foursquare import CELLS, HAND, PILES, STOCK, Foursquare
from server.solve.solution import Budget, Line
from server.solve.square import Square, square_of

#: Widths of the beams; each next one is tried while the budget lasts.
WIDTHS: Final = (30, 120, 480, 1_920, 7_680)
#: Up to so many piles, mirror pictures are looked for: later ones hardly come from one beginning.
_MIRRORED_PILES: Final = 5

#: A placed cell and the placements ahead of it.
_Trail = tuple[int, "_Trail"] | None


def solve_foursquare(rules: Rules, position: Position, budget: Budget, *, par: bool) -> Line:
    """The best win found, that is the one with the fewest cards, from any position that is not decided.

    It is exact where every pile takes one card, or where no beam had to leave anything out; a loss is proved in the
    latter case alone. Without ``par`` the first beam that wins is enough.
    """
    if not isinstance(rules, Foursquare):
        raise TypeError(f"{rules.key} is no Foursquare")
    start = square_of(position)
    cards = [rank(c) + 1 for c in (*position.piles[HAND], *reversed(position.piles[STOCK]))]
    missing = PILES - start.piles
    best: tuple[int, ...] = ()
    for width in WIDTHS:
        # A line of as many cards is known: only a shorter one is of use.
        found, whole = _beam(start, cards[: len(best) - 1] if best else cards, width, budget, rules.placed_turns)
        best = found or best
        if whole or len(best) == missing or (best and not par) or budget.over:
            exact = whole or len(best) == missing
            break
    else:
        exact = False
    if not best:
        return Line(False if exact else None)
    return Line(True, tuple(CELLS[at] for at in best), exact)


def careless_score(rules: Rules, position: Position, chance: Callable[[], float]) -> int:
    """What a player scores who takes the placement that looks best at once, equals by chance; 0 where he loses.

    ``chance`` gives numbers from 0 up to 1.
    """
    if not isinstance(rules, Foursquare):
        raise TypeError(f"{rules.key} is no Foursquare")
    square = square_of(position)
    cards = [rank(c) + 1 for c in (*position.piles[HAND], *reversed(position.piles[STOCK]))]
    for number, card in enumerate(cards):
        tables = [
            after
            for at in square.cells()
            if (after := square.after(at, card, placed_turns=rules.placed_turns)) is not None
        ]
        if not tables:
            return 0
        _, _, square = min((_unlike(after), chance(), after) for after in tables)
        if square.piles == PILES and not square.down:
            return len(cards) - number - 1
    return 0


def _unlike(square: Square) -> int:
    """How far a table is from a win; less is better."""
    return 3 * square.down - 10 * square.piles


def _beam(
    start: Square, cards: Sequence[int], width: int, budget: Budget, placed_turns: bool
) -> tuple[tuple[int, ...], bool]:
    """The cells of the first win that a beam comes to, none where it finds none; and whether it left nothing out."""
    beam: list[tuple[Square, _Trail]] = [(start, None)]
    whole = True
    for number, card in enumerate(cards):
        left = len(cards) - number - 1
        following: dict[Square, _Trail] = {}
        for square, trail in beam:
            if not budget.take():
                return (), False
            for at in square.cells():
                after = square.after(at, card, placed_turns=placed_turns)
                if after is None or after in following:
                    continue
                piles = after.piles
                if piles == PILES and not after.down:
                    return _cells((at, trail)), whole
                if PILES - piles <= left:
                    following[after] = (at, trail)
        beam = _best(following, width)
        whole = whole and len(beam) == len(following)
        if not beam:
            break
    return (), whole


def _best(following: dict[Square, _Trail], width: int) -> list[tuple[Square, _Trail]]:
    """The tables with most piles and fewest closed tops, of mirror pictures only one.

    Equals are mixed (by a checksum, the same on every machine), or all of a narrow beam would come from one parent.
    """
    squares = sorted(following, key=lambda square: (_unlike(square), crc32(square.tops)))
    if squares and squares[0].piles <= _MIRRORED_PILES:
        squares = list({square.picture(): square for square in squares}.values())
    return [(square, following[square]) for square in squares[:width]]


def _cells(trail: _Trail) -> tuple[int, ...]:
    cells = []
    while trail is not None:
        at, trail = trail
        cells.append(at)
    return tuple(reversed(cells))
