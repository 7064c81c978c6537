"""The solver of every game on the pyramid: winnable and par, both exact where the budget allows."""

from collections.abc import Iterator
from typing import Final, Protocol

from server.core.cards import rank
from server.core.moves import Move
from server.core.position import Position
from server.core.rules import Rules
from server.games._pyramid_family import PyramidFamily
from server.games._pyramid_table import FOUNDATION, STOCK, WASTES, cell_piles, shape_of
from server.solve.one_waste import OneWaste
from server.solve.pyramid_board import Board
from server.solve.pyramid_living import Living
from server.solve.shortest import Problem, Way, shortest
from server.solve.solution import Budget, Line
from server.solve.three_wastes import ThreeWastes

#: Nodes that may be spent on a better line before the search for the best one begins.
_BETTER_NODES: Final = 2_000


class _Table(Problem[int], Protocol):
    def moves(self, before: int, after: int, cost: int) -> Iterator[Move]: ...


def solve_pyramid(rules: Rules, position: Position, budget: Budget, *, par: bool) -> Line:
    """The verdict and the shortest line of a game on the pyramid, from any position that is not decided.

    Where the stock may be turned over without end the order-free test decides (P10), whatever the budget; where it is
    passed once (T1) the search does. Without ``par`` the first line found is enough.
    """
    if not isinstance(rules, PyramidFamily):
        raise TypeError(f"{rules.key} is no game on the pyramid")
    piles = position.piles
    living = Living(cell_piles(piles), piles[FOUNDATION], last_covers=rules.last_covers)
    if not living.start:
        return Line(False)
    table, start = _table(rules, position, living)
    way = shortest(table, start, budget, guide=_hasty)
    if not way.states:
        return Line(True if rules.turns_over else False if way.proven else None)
    exact = False
    if par:
        better = shortest(table, start, budget, guide=_less_hasty, nodes=_BETTER_NODES, below=way.cost)
        way = better if better.states else way
        best = shortest(table, start, budget, below=way.cost)
        way = best if best.states else way
        exact = best.proven
    return Line(True, tuple(_moves(table, way)), exact)


def _hasty(_state: int, cost: int, left: int) -> int:
    """Trusts the estimates far too much: the first line in a few hundred nodes."""
    return cost + 3 * left


def _less_hasty(_state: int, cost: int, left: int) -> int:
    return cost + 2 * left


def _table(rules: PyramidFamily, position: Position, living: Living) -> tuple[_Table, int]:
    """The search problem of a position, and its first state."""
    cells = cell_piles(position.piles)
    board = Board([rank(pile[-1]) if pile else -1 for pile in cells], last_covers=rules.last_covers)
    mask = shape_of(cells).mask
    wastes = [[rank(c) for c in position.piles[waste]] for waste in WASTES[: rules.wastes]]
    stock = [rank(c) for c in reversed(position.piles[STOCK])]
    if rules.ends_with_stock:
        del stock[-1:]  # to turn up the last card is to lose (T7)
    if rules.wastes == 1:
        table = OneWaste(
            board,
            wastes[0] + stock,
            turns_over=rules.turns_over,
            open_stock=rules.open_stock,
            living=living,
        )
        return table, table.start(mask, len(wastes[0]))
    lanes = ThreeWastes(board, wastes, stock, turns_over=rules.turns_over, living=living)
    return lanes, lanes.start(mask)


def _moves(table: _Table, way: Way[int]) -> Iterator[Move]:
    for before, after in zip(way.states, way.states[1:], strict=False):
        cost = min(cost for following, cost in table.followers(before) if following == after)
        yield from table.moves(before, after, cost)
