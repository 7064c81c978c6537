"""Can a pyramid be cleared when the stock is used up and every waste card is known? Exact, for T5.

What is left then is small: a set of held cells and the heights of the wastes, which only their top cards ever leave.
"""

from typing import Final

from server.core.cards import KING
from server.core.position import Pile
from server.core.rules import Undecided
from server.games._pyramid_table import FULL, SHAPES, SIZE, shape_of

#: Ranks 0-11 match when they add up to this (P3, P6).
MATCH: Final = 11

# A state is one integer: 28 bits of held cells, then five bits for the height of each waste.
_HEIGHT_BITS: Final = 5
_HEIGHT: Final = 31

#: States that a search may visit while a move waits for it; one takes about 4 microseconds.
HASTY: Final = 500


class OnePass:
    """The search for one attempt, from the draw of the last stock card on. Keeps what it has proved."""

    __slots__ = ("_lost", "_ranks", "_visits", "_wastes", "_won")

    def __init__(self, *, wastes: int) -> None:
        """``wastes``: number of waste piles."""
        self._ranks = [-1] * SIZE
        self._wastes: list[list[int]] = [[] for _ in range(wastes)]
        self._won: set[int] = set()
        self._lost: set[int] = set()
        self._visits = 0

    def clearable(self, cells: tuple[Pile, ...], wastes: tuple[Pile, ...], *, patient: bool = False) -> bool:
        """Whether the pyramid can be cleared from here, without another draw.

        Raises :class:`Undecided` where that takes more than :data:`HASTY` states and the caller is not patient.
        """
        state = shape_of(cells).mask
        for cell, pile in enumerate(cells):
            if pile:
                self._ranks[cell] = pile[-1] >> 2
        for index, pile in enumerate(wastes):
            ranks = [c >> 2 for c in pile]
            known = self._wastes[index]
            if known[: len(ranks)] != ranks:
                if ranks[: len(known)] != known:  # an undo in practice went behind the last draw
                    self._won.clear()
                    self._lost.clear()
                self._wastes[index] = ranks
            state |= len(ranks) << SIZE + _HEIGHT_BITS * index
        self._visits = 1 << 40 if patient else HASTY
        return self._search(state)

    def _search(self, state: int) -> bool:
        state = self._without_kings(state)
        if not state & FULL or state in self._won:
            return True
        if state in self._lost:
            return False
        self._visits -= 1
        if self._visits < 0:
            raise Undecided
        for following in self._followers(state):
            if self._search(following):
                self._won.add(state)
                return True
        self._lost.add(state)
        return False

    def _available(self, state: int) -> list[tuple[int, int]]:
        """Rank of every card that can be used, and what its removal subtracts from the state."""
        ranks = self._ranks
        available = [(ranks[cell], 1 << cell) for cell in SHAPES[state & FULL].exposed]
        for index, waste in enumerate(self._wastes):
            shift = SIZE + _HEIGHT_BITS * index
            if height := state >> shift & _HEIGHT:
                available.append((waste[height - 1], 1 << shift))
        return available

    def _without_kings(self, state: int) -> int:
        """The state after the removal of kings, which only block others (P7)."""
        while kings := sum(bit for rank, bit in self._available(state) if rank == KING):
            state -= kings
        return state

    def _followers(self, state: int) -> list[int]:
        following = []
        waiting: dict[int, list[int]] = {}
        for rank, bit in self._available(state):
            following += [state - other - bit for other in waiting.get(MATCH - rank, ())]
            waiting.setdefault(rank, []).append(bit)
        return following
