"""Layer by layer to a goal, with only the most promising states of each layer: the width bounds what it costs."""

from collections.abc import Callable
from typing import TypeVar

from server.solve.shortest import LOST, Problem, Way, way_to
from server.solve.solution import Budget

S = TypeVar("S", bound=tuple[int, ...])


def beam(
    problem: Problem[S],
    start: S,
    budget: Budget,
    *,
    width: int,
    worth: Callable[[S], int],
    below: int | None = None,
) -> Way[S]:
    """The first way that a beam comes to, layer by layer of cost; steps cost 0 or 1.

    ``worth`` is less for states of more promise. ``proven`` as in :func:`server.solve.shortest.shortest`: nothing was
    left out for want of width, so the way is the cheapest, or none costs less than ``below``.
    """
    parents: dict[S, S] = {}
    seen = {start}
    layer = [start]
    whole = True
    cost = 0
    while layer:
        following: dict[S, int] = {}
        while layer:
            state = layer.pop()
            if problem.is_goal(state):
                return Way(way_to(state, parents), cost, proven=whole)
            if not budget.take():
                return Way((), 0, proven=False)
            for after, step in problem.followers(state):
                if after in seen and (step or following.pop(after, None) is None):
                    continue  # known, and not from the layer below where this step reaches it within the present one
                left = problem.estimate(after)
                if left == LOST or (below is not None and cost + step + left >= below):
                    continue
                seen.add(after)
                parents[after] = state
                if step:
                    following[after] = worth(after)
                else:
                    layer.append(after)
        layer = sorted(following, key=following.__getitem__, reverse=True)[-width:]
        whole = whole and len(layer) == len(following)
        cost += 1
    return Way((), 0, proven=whole)
