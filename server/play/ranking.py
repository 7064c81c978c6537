"""The total order of results (C10): one function for every board.

Two classes: won, ordered by the ruleset's keys, and all others, ordered by progress alone. Every key is an integer
where smaller is better, so a database index gives the order. Equal keys are an equal rank.
"""

from typing import Final, Literal, NamedTuple

from server.core.rules import RankKey, Rules
from server.play.attempt import Attempt, Over

By = Literal["main", "moves"]
BOARDS: Final[tuple[By, ...]] = ("main", "moves")

WON: Final = 0
OTHERS: Final = 1

#: Number of keys behind the class; a board has a column for each.
KEYS: Final = 2


class Result(NamedTuple):
    """What an attempt came to: the figures that boards show and order by. Times in milliseconds."""

    outcome: Over
    time_ms: int
    moves: int
    undos: int
    progress: int
    score: int | None


class Order(NamedTuple):
    """The place of a result on a board; smaller is better, compared from left to right."""

    klass: int
    first: int
    second: int


def result_of(attempt: Attempt) -> Result | None:
    """The result of an attempt that is over, None while it is open."""
    if attempt.over is None:
        return None
    return Result(attempt.over, attempt.at_ms, attempt.moves, attempt.undos, attempt.progress, attempt.score)


def stands_on_board(attempt: Attempt) -> bool:
    """Whether an attempt stands on its challenge's boards: it has ended with at least one move in its log, unvoided."""
    return attempt.over is not None and attempt.over != "void" and attempt.moves > 0


def order(rules: Rules, by: By, result: Result) -> Order:
    """The place of a result in a board of its ruleset (C10, P11, F9)."""
    if result.outcome != "won":
        return Order(OTHERS, rules.layout.maximum - result.progress, 0)
    keys = [_key(key, result) for key in rules.rankings[by]]
    return Order(WON, *(keys + [0] * KEYS)[:KEYS])


def _key(key: RankKey, result: Result) -> int:
    if key is RankKey.TIME:
        return result.time_ms
    if key is RankKey.MOVES:
        return result.moves
    return -(result.score or 0)
