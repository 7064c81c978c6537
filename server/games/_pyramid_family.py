"""What all games on the pyramid share: table, moves and steps. The rulesets themselves are in pyramid and thirteen."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from server.core.cards import DOWN, HIDDEN, KING, Card
from server.core.deck import FRENCH_52
from server.core.moves import Move, split
from server.core.position import EMPTY, Pile, Position, Shift, Step
from server.core.rules import Memo, Outcome, Rules
from server.games._order_free import OrderFree
from server.games._pyramid_table import APEX, CELLS, FOUNDATION, SIZE, STOCK, WASTES, cell_piles, shape_of

#: Places that a removal can take a card from, in canonical order (P6): cells, wastes, then an open stock.
SOURCES: Final = (*CELLS, *WASTES, STOCK)
_WASTE_SLOTS: Final = tuple((SOURCES.index(waste), waste) for waste in WASTES)
_STOCK_SLOT: Final = SOURCES.index(STOCK)

#: Canonical text of a pair by the indices of its two sources, lower index first.
_PAIRS: Final = tuple(tuple(first + second for second in SOURCES) for first in SOURCES)

#: Two cards match when their ranks, counted from 0, add up to this: ace to jack 1-11, queen 12, together 13 (P3, P6).
_MATCH: Final = 11

_TO_FOUNDATION: Final = {name: Shift(name, FOUNDATION, 1) for name in SOURCES}
_REMOVALS: Final[Mapping[Move, tuple[Step, ...]]] = {
    **{name: (_TO_FOUNDATION[name],) for name in SOURCES if name != STOCK},
    **{
        _PAIRS[i][j]: (_TO_FOUNDATION[SOURCES[i]], _TO_FOUNDATION[SOURCES[j]])
        for j in range(len(SOURCES))
        for i in range(j)
    },
}
#: Every accepted spelling of every removal and the canonical one (C5): a pair whose names both end in digits may be
#: sent either way round.
_SPELLINGS: Final[Mapping[str, Move]] = {
    **{move: move for move in _REMOVALS},
    **{SOURCES[j] + SOURCES[i]: _PAIRS[i][j] for j in range(_STOCK_SLOT) for i in range(j)},
    STOCK: STOCK,
}

_DRAWS: Final = tuple(Shift(STOCK, waste, 1, "up") for waste in WASTES)
_OPEN_DRAWS: Final = tuple(Shift(STOCK, waste, 1) for waste in WASTES)


class PyramidFamily(Rules):
    """A game on the pyramid (P1-P9). The options say what sets one ruleset apart from the others."""

    deck = FRENCH_52
    closed = (STOCK,)
    #: Waste piles; a draw lays one card on each in turn, as far as the stock goes.
    wastes: ClassVar[int] = 1
    #: Whether an empty stock is refilled from the waste (P5).
    turns_over: ClassVar[bool] = True
    #: Whether the game ends the moment the last stock card is turned up (T7).
    ends_with_stock: ClassVar[bool] = False
    #: Whether the stock lies face up and its top card may be paired (``pyramid-open``).
    open_stock: ClassVar[bool] = False
    #: Whether a card may be paired with its own last cover (``pyramid-cover``).
    last_covers: ClassVar[bool] = False

    def deal(self, cards: Sequence[Card]) -> Position:
        """28 cards to the pyramid, the rest to the stock with the first of them on top (P1)."""
        piles: dict[str, Pile] = {cell: (c,) for cell, c in zip(CELLS, cards, strict=False)}
        rest = cards[: SIZE - 1 : -1]
        piles[STOCK] = tuple(rest) if self.open_stock else tuple([c | DOWN for c in rest])
        for waste in WASTES[: self.wastes]:
            piles[waste] = EMPTY
        piles[FOUNDATION] = EMPTY
        return Position(piles)

    def moves(self, p: Position) -> list[Move]:
        """Kings alone (P7), pairs in the pyramid, pairs with a waste or an open stock (P6), then the draw (P4, P5).

        Of a waste only the top is available (P3), and a closed stock offers no card at all (P8).
        """
        piles = p.piles
        cells = cell_piles(piles)
        shape = shape_of(cells)
        if not shape.mask:
            return []
        available = [(slot, cells[slot][0] >> 2) for slot in shape.exposed]
        for slot, waste in _WASTE_SLOTS[: self.wastes]:
            if pile := piles[waste]:
                available.append((slot, pile[-1] >> 2))
        kings: list[Move] = []
        pairs: list[Move] = []
        waiting: dict[int, list[int]] = {}
        for slot, rank in available:
            if rank == KING:
                kings.append(SOURCES[slot])
            else:
                if partners := waiting.get(_MATCH - rank):
                    pairs += [_PAIRS[other][slot] for other in partners]
                waiting.setdefault(rank, []).append(slot)
        stock = piles[STOCK]
        if self.open_stock and stock:
            pairs += [_PAIRS[other][_STOCK_SLOT] for other in waiting.get(_MATCH - (stock[-1] >> 2), ())]
        if self.last_covers:
            pairs += [
                _PAIRS[parent][child]
                for parent, child in shape.last_covers
                if (cells[parent][0] >> 2) + (cells[child][0] >> 2) == _MATCH
            ]
        moves = kings + pairs
        if stock or (self.turns_over and any(piles[waste] for waste in WASTES[: self.wastes])):
            moves.append(STOCK)
        return moves

    def steps(self, p: Position, m: Move) -> tuple[Step, ...]:
        """Removed cards go to the foundation; ``s`` draws, or turns the wastes over when the stock is empty (P4-P7)."""
        if m != STOCK:
            return _REMOVALS[m]
        left = len(p.piles[STOCK])
        if left:
            draws = _OPEN_DRAWS if self.open_stock else _DRAWS
            return draws[: min(left, self.wastes)]
        # The cards of w1 are to be drawn first again, so they are turned over last.
        wastes = reversed(WASTES[: self.wastes])
        return tuple(step for waste in wastes for step in self._turned_over(waste, p.piles[waste]))

    def _turned_over(self, waste: str, pile: Pile) -> tuple[Step, ...]:
        """A waste back onto the stock so that its draw order stays (P5); an open stock takes the cards as they lie."""
        if self.open_stock:
            return (Shift(waste, STOCK, 1),) * len(pile)
        return (Shift(waste, STOCK, len(pile), "over"),) if pile else ()

    def verdict(self, p: Position) -> Outcome:
        """Won when the pyramid is empty, whatever stock and waste hold (P9)."""
        return Outcome.OPEN if p.piles[APEX] else Outcome.WON

    def progress(self, p: Position) -> int:
        """Pyramid cards removed, 0-28 (P11)."""
        return SIZE - sum(map(len, cell_piles(p.piles)))

    def winnable(self, view: Position, memo: Memo, *, patient: bool = False) -> bool | None:
        """The order-free test, exact where the stock may be turned over without end (P10)."""
        return self._clearable(view, memo, patient=patient)

    def _clearable(self, view: Position, memo: Memo, *, patient: bool) -> bool:
        test = memo.get(OrderFree)
        if test is None:
            test = memo[OrderFree] = OrderFree(last_covers=self.last_covers)
        return bool(test.clearable(cell_piles(view.piles), view.piles[FOUNDATION], patient=patient))

    def view_pile(self, name: str, pile: Pile) -> Pile:
        """Only the stock hides anything: all of a closed one, all but the top card of an open one (C9)."""
        if name != STOCK or not pile:
            return pile
        return (HIDDEN,) * (len(pile) - 1) + pile[-1:] if self.open_stock else (HIDDEN,) * len(pile)

    def canonical(self, text: str) -> Move:
        """The canonical spelling: lower cell first, a cell before a waste (C5). Raises ``move/syntax`` (C6)."""
        known = _SPELLINGS.get(text)
        if known is None:
            split(text)
            return text
        return known
