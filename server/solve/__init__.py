"""Searches over whole deals: whether a position can be won, by which line, and in how few moves.

One solver per family. Whatever a solver finds is played through the rules before anybody hears of it. Searches take
from milliseconds to minutes: in a server they belong into a worker process, never onto the event loop.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

from server.core.moves import Move
from server.core.position import Position
from server.core.rules import Outcome, Rules
from server.errors import SolverError
from server.solve.bakers_dozen import solve_bakers_dozen
from server.solve.foursquare import solve_foursquare
from server.solve.pyramid import solve_pyramid
from server.solve.solution import Budget, Line, Solution

__all__ = ["SOLVERS", "SOLVER_VERSION", "Budget", "Solution", "Solver", "played", "solve", "usual_ms"]

#: Stored with what a solver has said, so that it can be told which one said it.
SOLVER_VERSION: Final = 1


class Search(Protocol):
    """Searches one family: from a position that is open, within a budget."""

    def __call__(self, rules: Rules, position: Position, budget: Budget, *, par: bool) -> Line:
        """What can be said of the position; without ``par`` the first winning line is enough."""


class Solver(NamedTuple):
    """The search of a family, and the milliseconds that it is given where nobody says otherwise."""

    search: Search
    usual_ms: int


#: The solvers by the family of rulesets that they know. A ruleset of another family is not decided.
SOLVERS: Final[Mapping[str, Solver]] = MappingProxyType(
    {
        "pyramid": Solver(solve_pyramid, 10_000),
        "thirteen": Solver(solve_pyramid, 10_000),
        "bakers-dozen": Solver(solve_bakers_dozen, 5_000),
        "foursquare": Solver(solve_foursquare, 1_000),
    }
)


def usual_ms(rules: Rules) -> int:
    """The usual budget of a ruleset in milliseconds; 0 where it has no solver."""
    solver = SOLVERS.get(rules.family)
    return 0 if solver is None else solver.usual_ms


def solve(rules: Rules, position: Position, budget: Budget, *, par: bool = True) -> Solution:
    """Whether a position (with its true cards) can be won, how, and in how few moves.

    Moves are never taken back: what an undo could repair does not count. Without ``par`` the first line found is
    enough, and the search for a shorter one is left out. Raises :class:`SolverError` where the rules refuse the line.
    """
    outcome = rules.outcome(position)
    solver = SOLVERS.get(rules.family)
    if outcome is Outcome.WON:
        line = Line(True, par_exact=True)
    elif outcome is not Outcome.OPEN:
        line = Line(False)
    elif solver is None:
        line = Line(None)
    else:
        line = solver.search(rules, position, budget, par=par)
    last = played(rules, position, line.moves)
    won = rules.verdict(last) is Outcome.WON
    return Solution(
        winnable=line.winnable,
        par=len(line.moves) if won else None,
        par_exact=won and line.par_exact,
        score=rules.score(last) if won else None,
        witness=line.moves,
        nodes=budget.nodes,
        ms=budget.spent_ms,
    )


def played(rules: Rules, position: Position, moves: Sequence[Move]) -> Position:
    """The position after a winning line, each move of which the rules accept; without moves, the position itself.

    Raises :class:`SolverError` where a move is not legal or the line does not win.
    """
    for index, move in enumerate(moves):
        if move not in rules.moves(position):
            raise SolverError(f"{rules.key}: move {index} of the line, {move}, is not legal")
        position = position.after(rules.steps(position, move))
    if moves and rules.verdict(position) is not Outcome.WON:
        raise SolverError(f"{rules.key}: the line does not win")
    return position
