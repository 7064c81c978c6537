"""The pyramid of one deal as bit masks: what can be removed from a set of held cells, and what that must cost.

Only ranks matter. A rank is 0 (ace) to 12 (king); two ranks match when they add up to :data:`MATCH`. Matching ranks
form six classes. In a class no more pairs can be made inside the pyramid than a matching of its held cells has, so the
other cells need partners from outside: a bound on the removals, and on the cards that stock and waste must give.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from server.core.cards import KING
from server.games._pyramid_table import BELOW, COVERS, SHAPES, SIZE

#: Ranks 0-11 match when they add up to this (P3, P6).
MATCH: Final = 11
RANKS: Final = KING + 1


class Group(NamedTuple):
    """One class of matching ranks: how many cards of ``low`` and of ``high`` it needs from outside at the least.

    ``pairs`` is the number of pairs inside the pyramid that this supposes.
    """

    low: int
    low_needed: int
    high: int
    high_needed: int
    pairs: int


class Link(NamedTuple):
    """A cell that can only leave with a card from outside.

    ``rank`` is the rank it needs, ``before`` are the links (by index) that must have left, ``room`` tells for each
    rank how many outside cards other cells could take until then.
    """

    rank: int
    before: tuple[int, ...]
    room: tuple[int, ...]


class Facts(NamedTuple):
    """What a set of held cells implies.

    ``kings`` are the uncovered ones and ``pairs`` the bits of every pair inside the pyramid; ``wanted`` lists (rank,
    bits of uncovered cells that match it). ``removals`` is the fewest removals that can clear the cells, ``needed``
    lists (rank, number) of the outside cards that the fewest removals take; ``room`` tells for each rank how many
    cells could take an outside card of it. ``links`` are the cells that only a card from outside can remove, each
    behind those that cover it.
    """

    kings: int
    pairs: tuple[int, ...]
    wanted: tuple[tuple[int, tuple[int, ...]], ...]
    removals: int
    needed: tuple[tuple[int, int], ...]
    room: tuple[int, ...]
    groups: tuple[Group, ...]
    links: tuple[Link, ...]


def _matching(left: Sequence[int], right: Sequence[int], partners: Sequence[int]) -> int:
    """The greatest number of disjoint pairs between two sets of cells."""
    taken: dict[int, int] = {}

    def pair(cell: int, tried: set[int]) -> bool:
        for other in right:
            if partners[cell] >> other & 1 and other not in tried:
                tried.add(other)
                if other not in taken or pair(taken[other], tried):
                    taken[other] = cell
                    return True
        return False

    return sum(pair(cell, set()) for cell in left)


class Board:
    """The cells of one deal; works out the facts of a mask once, of the 1,430 that can occur."""

    def __init__(self, ranks: Sequence[int], *, last_covers: bool = False) -> None:
        """``ranks`` of the 28 cells, -1 for those that are empty; ``last_covers`` as ``pyramid-cover`` has it."""
        self.ranks: Final = tuple(ranks)
        self._last_covers = last_covers
        self._partners = [sum(1 << other for other in range(SIZE) if self._may_pair(c, other)) for c in range(SIZE)]
        self._facts: dict[int, Facts] = {}

    def facts(self, mask: int) -> Facts:
        """The facts of a set of held cells."""
        facts = self._facts.get(mask)
        if facts is None:
            facts = self._facts[mask] = self._found(mask)
        return facts

    def _may_pair(self, cell: int, other: int) -> bool:
        if self.ranks[cell] < 0 or self.ranks[other] < 0 or self.ranks[cell] + self.ranks[other] != MATCH:
            return False
        upper, lower = min(cell, other), max(cell, other)
        return not BELOW[upper] >> lower & 1 or (self._last_covers and bool(COVERS[upper] >> lower & 1))

    def _found(self, mask: int) -> Facts:
        ranks = self.ranks
        held = [cell for cell in range(SIZE) if mask >> cell & 1]
        of_rank: list[list[int]] = [[cell for cell in held if ranks[cell] == rank] for rank in range(RANKS)]
        groups = []
        for low in range((MATCH + 1) // 2):
            below, above = of_rank[low], of_rank[MATCH - low]
            pairs = _matching(below, above, self._partners)
            groups.append(Group(low, len(above) - pairs, MATCH - low, len(below) - pairs, pairs))
        needed = [need for g in groups for need in ((g.low, g.low_needed), (g.high, g.high_needed)) if need[1]]
        exposed = SHAPES[mask].exposed
        wanted: dict[int, tuple[int, ...]] = {}
        for cell in exposed:
            if ranks[cell] != KING:
                wanted[MATCH - ranks[cell]] = (*wanted.get(MATCH - ranks[cell], ()), 1 << cell)
        return Facts(
            kings=sum(1 << cell for cell in exposed if ranks[cell] == KING),
            pairs=self._pairs(mask),
            wanted=tuple(wanted.items()),
            removals=len(of_rank[KING]) + sum(g.low_needed + g.high_needed + g.pairs for g in groups),
            needed=tuple(needed),
            room=(*(len(of_rank[MATCH - rank]) for rank in range(MATCH + 1)), 4),
            groups=tuple(groups),
            links=self._links(mask, held),
        )

    def _pairs(self, mask: int) -> tuple[int, ...]:
        shape = SHAPES[mask]
        ranks = self.ranks
        pairs = [
            1 << cell | 1 << other
            for index, cell in enumerate(shape.exposed)
            for other in shape.exposed[:index]
            if ranks[cell] + ranks[other] == MATCH
        ]
        if self._last_covers:
            pairs += [1 << up | 1 << low for up, low in shape.last_covers if ranks[up] + ranks[low] == MATCH]
        return tuple(pairs)

    def _links(self, mask: int, held: Sequence[int]) -> tuple[Link, ...]:
        ranks = self.ranks
        alone = [cell for cell in reversed(held) if ranks[cell] != KING and not self._partners[cell] & mask]
        links = []
        for cell in alone:
            before = [other for other in alone if BELOW[cell] >> other & 1]
            nearest = [other for other in before if not any(BELOW[third] >> other & 1 for third in before)]
            room = [0] * MATCH + [0, 4]
            for other in held:
                if other != cell and ranks[other] != KING and not BELOW[other] >> cell & 1:
                    room[MATCH - ranks[other]] += 1
            links.append(Link(MATCH - ranks[cell], tuple(alone.index(other) for other in nearest), tuple(room)))
        return tuple(links)
