"""Can a pyramid be cleared when every card outside it may be used at any time? The exact test of P10.

With unlimited turns of the stock the order of draws does not matter, so this decides ``pyramid`` and its variations;
where the stock is passed once it can still prove a loss (T5). Only ranks matter, and how many cards of a rank lie
outside follows from the cards on the table and the foundation, so nothing hidden is looked at.

Matching ranks form six classes (ace and queen, 2 and jack, ...). Of a class let ``a`` and ``b`` cards of the two ranks
lie in the pyramid, and let ``t`` pairs not be removed yet (four at the deal). There are ``t - b`` cards outside for the
``a`` cards, so at least ``a + b - t`` pairs must be made inside the pyramid: the *need* of the class. A removal with a
card from outside leaves the need as it is, a pair inside lowers it by one. A class without need is free: each of its
cards has a partner of its own outside. A state is therefore the set of held cells and six needs.
"""

from typing import Final

from server.core.cards import KING
from server.core.position import Pile
from server.core.rules import Undecided
from server.games._pyramid_table import BELOW, COVERS, FULL, SHAPES, SIZE, Shape, shape_of

#: Ranks 0-11 match when they add up to this (P3, P6).
MATCH: Final = 11
CLASSES: Final = 6

# A state is one integer: 28 bits of held cells, then three bits for each of the six needs.
_NEED_BITS: Final = 3
_NEED: Final = 7
# Where the need of each rank's class stands; that of a king, behind all others, is always 0.
_SHIFTS: Final = (
    *(SIZE + _NEED_BITS * min(rank, MATCH - rank) for rank in range(MATCH + 1)),
    SIZE + _NEED_BITS * CLASSES,
)

# The rank of every card that lies face up, to look up many at once.
_RANKS: Final = bytes(card >> 2 for card in range(256))

#: States that a search may visit while a move waits for it; one takes about 10 microseconds.
HASTY: Final = 200
#: States kept for one attempt before the sets are begun anew.
KEPT: Final = 100_000


class OrderFree:
    """The test for one attempt; keeps what it has proved, so that following a winning line costs a look-up."""

    __slots__ = (
        "_at",
        "_known",
        "_last_covers",
        "_lost",
        "_of_rank",
        "_partners",
        "_ranks",
        "_seen",
        "_verdict",
        "_visits",
        "_won",
    )

    def __init__(self, *, last_covers: bool) -> None:
        """``last_covers``: a card may be paired with its own last cover (``pyramid-cover``)."""
        self._last_covers = last_covers
        self._ranks = [-1] * SIZE
        self._of_rank = [0] * (KING + 1)
        self._partners = [0] * SIZE
        self._known = 0
        self._won: set[int] = set()
        self._lost: set[int] = set()
        self._seen: tuple[tuple[Pile, ...], Pile] | None = None
        self._at = 0
        self._verdict = False
        self._visits = 0

    def clearable(self, cells: tuple[Pile, ...], foundation: Pile, *, patient: bool = False) -> bool:
        """Whether the pyramid of these cells can be cleared, given what has been removed.

        Raises :class:`Undecided` where that takes more than :data:`HASTY` states and the caller is not patient.
        """
        seen = (cells, foundation)
        if seen != self._seen:  # a draw changes neither
            if len(self._won) + len(self._lost) > KEPT:
                self._won.clear()
                self._lost.clear()
            if not self._follows(cells, foundation):
                self._visits = SIZE**SIZE if patient else HASTY
                state = self._state(cells, foundation)
                self._verdict = self._search(state)
                self._at = state
            self._seen = seen
        return self._verdict

    def _follows(self, cells: tuple[Pile, ...], foundation: Pile) -> bool:
        """Whether these cells come from those seen last by one removal that cannot change the verdict.

        A loss stays a loss until something is undone, and cards of a class without need are missed by nobody.
        """
        if self._seen is None:
            return False
        before = self._seen[1]
        if not 1 <= len(foundation) - len(before) <= 2 or foundation[: len(before)] != before:
            return False
        mask = shape_of(cells).mask
        gone = self._at & FULL ^ mask
        if not gone or gone & mask:
            return False
        if self._verdict:
            ranks, left = self._ranks, gone
            while left:
                cell = left.bit_length() - 1
                if self._at >> _SHIFTS[ranks[cell]] & _NEED:
                    return False
                left ^= 1 << cell
        self._at ^= gone
        return True

    def clearable_from(self, state: int) -> bool:
        """The patient answer for a state behind the position asked about last: held cells, then the six needs."""
        self._visits = SIZE**SIZE
        return self._search(state)

    def _state(self, cells: tuple[Pile, ...], foundation: Pile) -> int:
        state = shape_of(cells).mask
        of_rank = self._of_rank
        if state & ~self._known:  # at first, and where an undo brings back cells that were never seen
            for cell, pile in enumerate(cells):
                if pile and self._ranks[cell] < 0:
                    self._ranks[cell] = pile[-1] >> 2
                    of_rank[pile[-1] >> 2] |= 1 << cell
            self._learn_partners()
            self._known |= state
        removed = bytes(foundation).translate(_RANKS)
        for rank in range(CLASSES):
            inside = (state & (of_rank[rank] | of_rank[MATCH - rank]) & FULL).bit_count()
            need = inside - (4 - removed.count(rank))
            if need > 0:
                state |= need << _SHIFTS[rank]
        return state

    def _learn_partners(self) -> None:
        """For every cell the matching cells that it can ever be paired with inside the pyramid."""
        for cell, rank in enumerate(self._ranks):
            if 0 <= rank < KING:
                matching = self._of_rank[MATCH - rank]
                never = sum(1 << other for other in range(SIZE) if matching >> other & 1 and self._apart(cell, other))
                self._partners[cell] = matching & ~never

    def _apart(self, cell: int, other: int) -> bool:
        upper, lower = min(cell, other), max(cell, other)
        if self._last_covers and COVERS[upper] >> lower & 1:
            return False
        return bool(BELOW[upper] >> lower & 1)

    def _search(self, state: int) -> bool:
        state, pairs = self._reduced(state)
        mask = state & FULL
        if not mask or state in self._won:
            return True
        if state in self._lost or self._hopeless(state):
            return False
        self._visits -= 1
        if self._visits < 0:
            raise Undecided
        ranks = self._ranks
        for first, second in pairs:
            if self._search((state ^ (1 << first | 1 << second)) - (1 << _SHIFTS[ranks[first]])):
                self._won.add(state)
                return True
        for cell in SHAPES[mask].exposed:
            rank = ranks[cell]
            # A card may take a partner from outside while the others of its rank can still meet the need.
            if (mask & self._of_rank[rank]).bit_count() > state >> _SHIFTS[rank] & _NEED and self._search(
                state ^ 1 << cell
            ):
                self._won.add(state)
                return True
        self._lost.add(state)
        return False

    def _reduced(self, state: int) -> tuple[int, list[tuple[int, int]]]:
        """The state after every removal that cannot hurt, and the pairs that can be made inside it.

        A king, or a card of a class without need, only blocks others; a card that no partner inside can ever meet needs
        one from outside in any case. A pair that holds the last card of a rank in the
        pyramid cannot hurt either: had its cards gone with other partners, the partner of the other one could take
        the card outside that this pair spares.
        """
        ranks = self._ranks
        of_rank = self._of_rank
        while True:
            mask = state & FULL
            shape = SHAPES[mask]
            for cell in shape.exposed:
                rank = ranks[cell]
                need = state >> _SHIFTS[rank] & _NEED
                if not need:
                    state ^= 1 << cell
                elif not self._partners[cell] & state:
                    if (state & of_rank[rank]).bit_count() <= need:
                        return state, []  # neither a partner inside nor one to spare outside
                    state ^= 1 << cell
            if state & FULL != mask:
                continue
            pairs = self._pairs(shape)
            for first, second in pairs:
                rank = ranks[first]
                if (mask & of_rank[rank]).bit_count() == 1 or (mask & of_rank[MATCH - rank]).bit_count() == 1:
                    state = (state ^ (1 << first | 1 << second)) - (1 << _SHIFTS[rank])
                    break
            else:
                return state, pairs

    def _hopeless(self, state: int) -> bool:
        """Whether a class has fewer cards that can still meet a partner inside than its need asks for."""
        for rank in range(CLASSES):
            need = state >> _SHIFTS[rank] & _NEED
            if need:
                meeting = 0
                met = 0
                held = state & self._of_rank[rank]
                while held:
                    cell = held.bit_length() - 1
                    held ^= 1 << cell
                    if partners := self._partners[cell] & state:
                        meeting += 1
                        met |= partners
                if meeting < need or met.bit_count() < need:
                    return True
        return False

    def _pairs(self, shape: Shape) -> list[tuple[int, int]]:
        ranks = self._ranks
        pairs = []
        waiting: dict[int, list[int]] = {}
        for cell in shape.exposed:
            rank = ranks[cell]
            pairs += [(other, cell) for other in waiting.get(MATCH - rank, ())]
            waiting.setdefault(rank, []).append(cell)
        if self._last_covers:
            pairs += [(up, low) for up, low in shape.last_covers if ranks[up] + ranks[low] == MATCH]
        return pairs
