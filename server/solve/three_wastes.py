"""Lines of the games with three wastes: Solitaire 13 three at a time, Pyramid with three wastes.

A state is one integer: 28 bits of held cells, 24 bits of the cards that are still in stock or wastes, the number of
draws, and the *round*: the order in which the cards lie, which a turn of the stock changes (P5: the first waste comes
first). Within a round the draws alone tell where every card lies.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from server.core.cards import KING
from server.core.moves import Move
from server.games._pyramid_table import CELLS, FULL, SIZE, STOCK, WASTES
from server.solve.pyramid_board import MATCH, RANKS, Board, Facts
from server.solve.pyramid_living import Living
from server.solve.shortest import LOST

_AT: Final = SIZE
_OUTSIDE: Final = (1 << 24) - 1
_DRAWS: Final = SIZE + 24
_DRAW_BITS: Final = 4
_DRAW: Final = 15
_ROUND: Final = _DRAWS + _DRAW_BITS
_WASTES: Final = len(WASTES)


class Round:
    """An order of the outside cards: those in the wastes at its beginning, then the stock in drawing order."""

    def __init__(self, wastes: Sequence[Sequence[int]], stock: Sequence[int]) -> None:
        """Ranks of the cards, wastes bottom first."""
        self.order: Final = (*(rank for waste in wastes for rank in waste), *stock)
        self.of_rank: Final = [sum(1 << at for at, r in enumerate(self.order) if r == rank) for rank in range(RANKS)]
        in_wastes = len(self.order) - len(stock)
        #: Bits of the cards that lie, or will lie, on each waste; of two cards the later one has the higher bit.
        self.lanes: Final = [0] * _WASTES
        at = 0
        for lane, waste in enumerate(wastes):
            self.lanes[lane] |= (1 << at + len(waste)) - (1 << at)
            at += len(waste)
        for index in range(len(stock)):
            self.lanes[index % _WASTES] |= 1 << in_wastes + index
        #: Bits of the cards that have left the stock after each number of draws.
        self.drawn: Final = [
            (1 << min(in_wastes + _WASTES * draws, len(self.order))) - 1
            for draws in range(-(-len(stock) // _WASTES) + 1)
        ]

    def cards(self, bits: int) -> tuple[int, ...]:
        """The ranks of some cards, earlier ones first."""
        return tuple(rank for at, rank in enumerate(self.order) if bits >> at & 1)


class ThreeWastes:
    """The search problem of one deal with three wastes."""

    def __init__(
        self,
        board: Board,
        wastes: Sequence[Sequence[int]],
        stock: Sequence[int],
        *,
        turns_over: bool,
        living: Living | None = None,
    ) -> None:
        """Ranks of the wastes, bottom first, and of the stock, first drawn first."""
        self._board = board
        self._turns_over = turns_over
        self._living = living
        self._rounds = [Round(wastes, stock)]
        self._numbers: dict[tuple[int, ...], int] = {}

    def start(self, mask: int) -> int:
        """The state with these held cells and the cards as they were given."""
        return mask | (1 << len(self._rounds[0].order)) - 1 << _AT

    def is_goal(self, state: int) -> bool:
        """Whether the pyramid is empty (P9)."""
        return not state & FULL

    def estimate(self, state: int) -> int:
        """The removals and draws that are still needed at the least."""
        mask, outside, draws = state & FULL, state >> _AT & _OUTSIDE, state >> _DRAWS & _DRAW
        facts = self._board.facts(mask)
        now = self._rounds[state >> _ROUND]
        wasted = now.drawn[draws]
        reachable = outside if self._turns_over else self._reachable(now, facts, outside, wasted)
        last = 0
        for rank, number in facts.needed:
            cards = now.of_rank[rank] & reachable
            if cards.bit_count() < number:
                return LOST
            number -= (cards & wasted).bit_count()
            if number > 0:
                cards &= ~wasted
                while number > 1:
                    cards &= cards - 1
                    number -= 1
                if cards & -cards > last:
                    last = cards & -cards
        if self._living is not None and not self._living.clearable(mask, facts, outside, now.of_rank):
            return LOST
        needed = 0
        while last & ~now.drawn[draws + needed]:
            needed += 1
        return facts.removals + needed

    def _reachable(self, now: Round, facts: Facts, outside: int, wasted: int) -> int:
        """The outside cards without those that lie under a card which nothing can ever remove."""
        stuck = 0
        for rank in range(KING):
            if not facts.room[rank] and not now.of_rank[MATCH - rank] & outside:
                stuck |= now.of_rank[rank]
        stuck &= outside & wasted
        if stuck:
            for lane in now.lanes:
                if buried := stuck & lane:
                    outside &= ~(lane & (1 << buried.bit_length() - 1) - 1)
        return outside

    def followers(self, state: int) -> Iterable[tuple[int, int]]:
        """The states behind one removal or one draw. An uncovered king goes first: it only blocks (P7)."""
        mask, outside, draws = state & FULL, state >> _AT & _OUTSIDE, state >> _DRAWS & _DRAW
        facts = self._board.facts(mask)
        if kings := facts.kings:
            return [(state ^ kings, kings.bit_count())]
        found = [(state ^ pair, 1) for pair in facts.pairs]
        now = self._rounds[state >> _ROUND]
        tops = [
            (now.order[held.bit_length() - 1], 1 << held.bit_length() - 1)
            for lane in now.lanes
            if (held := outside & now.drawn[draws] & lane)
        ]
        for index, (rank, card) in enumerate(tops):
            if rank == KING:
                found.append((state ^ card << _AT, 1))
            for wanted, cells in facts.wanted:
                if wanted == rank:
                    found += [(state ^ (card << _AT | cell), 1) for cell in cells]
            found += [(state ^ (card | other) << _AT, 1) for r, other in tops[:index] if r + rank == MATCH]
        if draws + 1 < len(now.drawn):
            found.append((state + (1 << _DRAWS), 1))
        elif self._turns_over and outside:
            found.append((self._turned(mask, outside, now), 1))
        return found

    def _turned(self, mask: int, outside: int, now: Round) -> int:
        """The state behind a turn of the stock: the next round begins with empty wastes."""
        order = tuple(rank for lane in now.lanes for rank in now.cards(outside & lane))
        number = self._numbers.get(order)
        if number is None:
            number = self._numbers[order] = len(self._rounds)
            self._rounds.append(Round(((),) * _WASTES, order))
        return mask | (1 << len(order)) - 1 << _AT | number << _ROUND

    def moves(self, before: int, after: int, cost: int) -> Iterator[Move]:
        """The moves of the step between two states that follow each other."""
        if (before ^ after) >> _DRAWS:
            yield STOCK
            return
        gone = (before ^ after) & FULL
        used = (before ^ after) >> _AT & _OUTSIDE
        cells = [CELLS[cell] for cell in range(SIZE) if gone >> cell & 1]
        lanes = self._rounds[before >> _ROUND].lanes
        wastes = [waste for waste, lane in zip(WASTES, lanes, strict=True) if used & lane]
        if cost == len(cells) and not wastes:  # kings, or a single one
            yield from cells
        else:
            yield "".join((*cells, *wastes))
