"""Shortest lines of the games with one waste: Pyramid, its open and last-cover variations, Solitaire 13.

A state is one integer: 28 bits of held cells, 24 bits of the cards that are still in stock or waste, and the place in
their order up to which they have been drawn. The order never changes (P5), so that is all. Draws are no states of
their own: a step removes something, and costs the draws that bring its card to the top of the waste.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from server.core.cards import KING
from server.core.moves import Move
from server.games._pyramid_table import CELLS, FULL, SIZE, STOCK, WASTES
from server.solve.one_waste_draws import Draws
from server.solve.pyramid_board import MATCH, Board
from server.solve.pyramid_living import Living

_AT: Final = SIZE
_OUTSIDE: Final = (1 << 24) - 1
_DRAWN: Final = SIZE + 24
_WASTE: Final = WASTES[0]


class OneWaste:
    """The search problem of one deal with one waste."""

    def __init__(
        self,
        board: Board,
        order: Sequence[int],
        *,
        turns_over: bool,
        open_stock: bool = False,
        living: Living | None = None,
    ) -> None:
        """``order``: ranks of waste and stock in the order of drawing. ``living`` knows which masks can be cleared."""
        self._board = board
        self._order = tuple(order)
        self._of_rank = [sum(1 << at for at, r in enumerate(order) if r == rank) for rank in range(KING + 1)]
        self._turns_over = turns_over
        self._open_stock = open_stock
        self._draws = Draws(self._order, self._of_rank, turns_over=turns_over, open_stock=open_stock)
        self._living = living

    def start(self, mask: int, drawn: int) -> int:
        """The state with these held cells, ``drawn`` of the cards in the waste and the others in the stock."""
        return mask | (1 << len(self._order)) - 1 << _AT | drawn << _DRAWN

    def is_goal(self, state: int) -> bool:
        """Whether the pyramid is empty (P9)."""
        return not state & FULL

    def estimate(self, state: int) -> int:
        """The removals and draws that are still needed at the least."""
        mask, outside = state & FULL, state >> _AT & _OUTSIDE
        facts = self._board.facts(mask)
        draws = self._draws.needed(facts, outside, state >> _DRAWN)
        if draws < 0 or (self._living is not None and not self._living.clearable(mask, facts, outside, self._of_rank)):
            return -1
        return facts.removals + draws

    def followers(self, state: int) -> Iterable[tuple[int, int]]:
        """The states behind one removal, with its cost in moves. An uncovered king goes first: it only blocks (P7)."""
        mask, outside, drawn = state & FULL, state >> _AT & _OUTSIDE, state >> _DRAWN
        facts = self._board.facts(mask)
        if kings := facts.kings:
            return [(state ^ kings, kings.bit_count())]
        found = [(state ^ pair, 1) for pair in facts.pairs]
        waste = (1 << drawn) - 1
        ahead = outside & ~waste
        whole_turn = ahead.bit_count() + 1
        for rank, cells in (*facts.wanted, (KING, (0,))):
            cards = self._of_rank[rank] & outside
            while cards:
                card = cards & -cards
                cards ^= card
                if card > waste:
                    cost = (ahead & (card - 1)).bit_count() + 2
                elif card.bit_length() == drawn:
                    cost = 1
                elif self._turns_over:
                    cost = whole_turn + (outside & (card - 1)).bit_count() + 2
                else:
                    continue
                if self._open_stock and cost > 1 and rank != KING:
                    cost -= 1  # it is taken from the stock itself
                left = outside ^ card
                behind = left << _AT | (left & (card - 1)).bit_length() << _DRAWN
                found += [(behind | mask ^ cell, cost) for cell in cells]
        if self._open_stock:
            found += self._pairs_of_stock_and_waste(mask, outside, drawn)
        return found

    def _pairs_of_stock_and_waste(self, mask: int, outside: int, drawn: int) -> Iterator[tuple[int, int]]:
        """The pairs ``w1s`` of an open stock."""
        below = 0
        for at, rank in enumerate(self._order):
            card = 1 << at
            if not outside & card:
                continue
            if below and self._order[below.bit_length() - 1] + rank == MATCH:
                cost = self._reach(outside, drawn, below.bit_length())
                if cost is not None:
                    left = outside ^ card ^ below
                    yield mask | left << _AT | (left & (card - 1)).bit_length() << _DRAWN, cost + 1
            below = card

    def _reach(self, outside: int, drawn: int, wanted: int) -> int | None:
        """Draws and turns until ``wanted`` of the places have been drawn; None where they cannot be again."""
        if wanted >= drawn:
            return (outside & (1 << wanted) - (1 << drawn)).bit_count()
        if not self._turns_over:
            return None
        return (outside >> drawn).bit_count() + 1 + (outside & (1 << wanted) - 1).bit_count()

    def moves(self, before: int, after: int, cost: int) -> Iterator[Move]:
        """The moves of the step between two states that follow each other."""
        gone = (before ^ after) & FULL
        used = (before ^ after) >> _AT & _OUTSIDE
        yield from [STOCK] * (cost - max(1, gone.bit_count() if not used and self._all_kings(gone) else 1))
        cells = [CELLS[cell] for cell in range(SIZE) if gone >> cell & 1]
        if not used:
            yield from cells if self._all_kings(gone) else ["".join(cells)]
        elif not gone:
            yield _WASTE if used.bit_count() == 1 else _WASTE + STOCK
        else:
            direct = self._open_stock and used.bit_length() != before >> _DRAWN
            yield cells[0] + (STOCK if direct else _WASTE)

    def _all_kings(self, cells: int) -> bool:
        return all(self._board.ranks[cell] == KING for cell in range(SIZE) if cells >> cell & 1)
