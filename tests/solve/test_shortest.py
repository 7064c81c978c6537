"""Best-first search and budgets: the cheapest way is found, and nothing is called proven that is not."""

from random import Random

import pytest

from server.solve.shortest import LOST, shortest
from server.solve.solution import Budget
from tests.solve.small import nodes


class Graph:
    """A random graph; its goals are the numbers from 90 on. ``slack`` makes the estimates too low, never too high."""

    def __init__(self, seed: int, slack: int) -> None:
        rng = Random(seed)
        self.edges = {n: [(rng.randrange(100), rng.randrange(4)) for _ in range(rng.randrange(4))] for n in range(100)}
        self.true = self._true()
        self.low = {n: max(0, left - rng.randrange(slack + 1)) for n, left in self.true.items()}

    def _true(self) -> dict[int, int]:
        left = dict.fromkeys(range(90, 100), 0)
        changed = True
        while changed:
            changed = False
            for n, edges in self.edges.items():
                for other, cost in edges:
                    if other in left and left[other] + cost < left.get(n, 10_000):
                        left[n] = left[other] + cost
                        changed = True
        return left

    def is_goal(self, state: int) -> bool:
        return state >= 90

    def followers(self, state: int) -> list[tuple[int, int]]:
        return self.edges[state]

    def estimate(self, state: int) -> int:
        return self.low.get(state, LOST)


class Blind(Graph):
    """The same without knowing what is lost."""

    def estimate(self, state: int) -> int:
        return self.low.get(state, 0)


def greedy(_state: int, _cost: int, left: int) -> int:
    return left


@pytest.mark.parametrize("kind", [Graph, Blind])
@pytest.mark.parametrize("slack", [0, 3, 100])
def test_the_cheapest_way_is_found_also_where_estimates_are_not_consistent(kind: type[Graph], slack: int) -> None:
    found = 0
    for seed in range(60):
        graph = kind(seed, slack)
        way = shortest(graph, 0, nodes(10_000))
        assert way.proven
        assert bool(way.states) is (0 in graph.true)
        if way.states:
            found += 1
            assert way.cost == graph.true[0]
            assert way.states[0] == 0
            assert graph.is_goal(way.states[-1])
            assert way.cost == sum(
                min(cost for other, cost in graph.edges[a] if other == b)
                for a, b in zip(way.states, way.states[1:], strict=False)
            )
    assert 10 < found < 60


def test_below_looks_for_cheaper_ways_only() -> None:
    for seed in range(60):
        graph = Graph(seed, 3)
        if 0 in graph.true:
            assert shortest(graph, 0, nodes(10_000), below=graph.true[0] + 1).cost == graph.true[0]
            way = shortest(graph, 0, nodes(10_000), below=graph.true[0])
            assert (way.states, way.proven) == ((), True)


def test_a_guided_way_is_a_way_and_proves_nothing_but_that_there_is_none() -> None:
    for seed in range(60):
        graph = Blind(seed, 3)
        way = shortest(graph, 0, nodes(10_000), guide=greedy)
        if 0 in graph.true:
            assert way.cost >= graph.true[0]
            assert not way.proven
        else:
            assert (way.states, way.proven) == ((), True)


def test_a_search_without_nodes_left_proves_nothing() -> None:
    graph = next(graph for graph in map(_deep, range(100)) if graph is not None)
    assert shortest(graph, 0, nodes(10_000), nodes=1) == shortest(graph, 0, nodes(1))
    way = shortest(graph, 0, nodes(1))
    assert (way.states, way.proven) == ((), False)


def _deep(seed: int) -> Graph | None:
    graph = Blind(seed, 3)
    return graph if graph.true.get(0, 0) > 4 else None


def test_a_budget_of_time_ends_with_the_clock_and_never_comes_back() -> None:
    now = 1_000.0
    budget = Budget(lambda: now, ms=50)
    assert all(budget.take() for _ in range(500))
    now = 1_050.0
    assert sum(budget.take() for _ in range(500)) < 64
    now = 900.0
    assert not budget.take()
    assert budget.over
    now = 1_070.5
    assert budget.spent_ms == 70.5


def test_a_budget_of_nodes_counts_them() -> None:
    budget = nodes(3)
    assert [budget.take() for _ in range(5)] == [True, True, True, False, False]
    assert budget.over
    free = Budget(lambda: 0.0)
    assert all(free.take() for _ in range(1_000))
    assert free.nodes == 1_000
