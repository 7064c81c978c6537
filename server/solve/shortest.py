"""Best-first search for the cheapest way to a goal, shared by the solvers.

States are small integers or tuples that hash quickly; costs and estimates are whole numbers, so the queue is a row of
buckets. Of equal priorities the newest comes first, which dives to a goal as soon as the bound allows one.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from server.solve.solution import Budget

#: An estimate that says that no goal can be reached.
LOST: Final = -1

S = TypeVar("S", bound=Hashable)


class Problem(Protocol[S]):
    """A graph with costs, seen from one state at a time."""

    def is_goal(self, state: S) -> bool:
        """Whether the search ends here."""

    def followers(self, state: S) -> Iterable[tuple[S, int]]:
        """The states that follow, each with the cost of the step to it."""

    def estimate(self, state: S) -> int:
        """At most the cost of the cheapest way to a goal; :data:`LOST` where none exists."""


@dataclass(frozen=True, slots=True)
class Way(Generic[S]):
    """The outcome of a search.

    ``states`` lead from the start to a goal and are empty where none was found; ``proven``: there is none that costs
    less (with no states: none at all below the limit), so a search that ran out of budget proves nothing.
    """

    states: tuple[S, ...]
    cost: int
    proven: bool


def shortest(
    problem: Problem[S],
    start: S,
    budget: Budget,
    *,
    guide: Callable[[S, int, int], int] | None = None,
    below: int | None = None,
    nodes: int | None = None,
) -> Way[S]:
    """The cheapest way from ``start`` to a goal (A*).

    A ``guide`` gives the priority (less is sooner) from a state, its cost and its estimate, in place of the sum of the
    last two: quick where it is good, but the way found may not be the cheapest. Only ways that cost less than
    ``below`` are looked for. ``nodes`` bounds this search within the budget.
    """
    first = problem.estimate(start)
    if first == LOST or (below is not None and first >= below):
        return Way((), 0, proven=True)
    costs: dict[S, int] = {start: 0}
    parents: dict[S, S] = {}
    closed: set[S] = set()
    buckets: defaultdict[int, list[S]] = defaultdict(list)
    priority = first if guide is None else guide(start, 0, first)
    buckets[priority].append(start)
    waiting = 1
    followers, estimate = problem.followers, problem.estimate
    while waiting:
        while not (bucket := buckets[priority]):
            del buckets[priority]
            priority += 1
        state = bucket.pop()
        waiting -= 1
        if state in closed:  # it was reached more cheaply since
            continue
        cost = costs[state]
        if problem.is_goal(state):
            return Way(way_to(state, parents), cost, proven=guide is None)
        closed.add(state)
        if not budget.take() or (nodes is not None and len(closed) > nodes):
            return Way((), 0, proven=False)
        for following, step in followers(state):
            reached = cost + step
            known = costs.get(following)
            if known is not None and known <= reached:
                continue
            left = estimate(following)
            if left == LOST:
                costs[following] = LOST  # cheaper than any cost: never looked at again
                continue
            if below is not None and reached + left >= below:
                continue
            costs[following] = reached
            parents[following] = state
            closed.discard(following)  # an estimate that is not consistent can close a state too early
            key = reached + left if guide is None else guide(following, reached, left)
            buckets[key].append(following)
            waiting += 1
            if key < priority:
                priority = key
    return Way((), 0, proven=True)


def way_to(last: S, parents: dict[S, S]) -> tuple[S, ...]:
    """The states that lead to one, by the parents that a search has noted."""
    states = [last]
    while (before := parents.get(states[-1])) is not None:
        states.append(before)
    return tuple(reversed(states))
