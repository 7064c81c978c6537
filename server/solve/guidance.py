"""What a player who practises is told of a position: whether it can be won, and by which moves.

The budgets count nodes, so one position has one answer on every machine; made for worker processes, so all pickles.
"""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from server.core.cards import Card
from server.core.moves import Move
from server.core.position import Position
from server.games import ruleset
from server.solve import solve
from server.solve.solution import Budget

#: Nodes that a search for one position may look at, by family: one to three seconds of one core.
NODES: Final[Mapping[str, int]] = MappingProxyType(
    {"pyramid": 60_000, "thirteen": 120_000, "bakers-dozen": 60_000, "foursquare": 2_500}
)


class Guidance(NamedTuple):
    """A verdict, None where it is not decided, and a winning line where one is known."""

    winnable: bool | None
    line: tuple[Move, ...]


def budget(pause: Callable[[], None], nodes: int) -> Budget:
    """So many nodes; ``pause`` is called every few of them and may raise to end the search."""

    def now_ms() -> float:
        pause()
        return 0.0

    return Budget(now_ms, ms=math.inf, nodes=nodes)


def guided(pause: Callable[[], None], key: str, version: int, piles: Mapping[str, tuple[Card, ...]]) -> Guidance:
    """What can be said of a position with its true cards. A ruleset without a solver is not decided.

    Raises ``ruleset/unknown``, and what ``pause`` raises.
    """
    rules = ruleset(key, version)
    found = solve(rules, Position(piles), budget(pause, NODES.get(rules.family, 0)), par=False)
    return Guidance(found.winnable, found.witness)
