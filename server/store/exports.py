"""What can be taken away as files: results and moves of closed challenges, a batch at a time."""

from typing import Any, Final

import msgspec
from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.tables import RANKED, Attempt, Challenge, LogEntry, Player, Result


class Choice(msgspec.Struct, frozen=True):
    """Which closed challenges: opened from an instant up to, but not at, another; of a ruleset, kind or id."""

    first_ms: int | None = None
    end_ms: int | None = None
    ruleset: str | None = None
    kind: str | None = None
    challenge_id: str | None = None


class ResultLine(msgspec.Struct, frozen=True):
    """A result with its challenge and player."""

    number: int
    challenge_id: str
    kind: str
    ruleset: str
    date: str | None
    attempt_id: str
    player_id: str
    player: str
    player_kind: str
    outcome: str
    time_ms: int
    moves: int
    undos: int
    progress: int
    score: int | None
    started_at: int
    finished_at: int


class MoveLine(msgspec.Struct, frozen=True):
    """An entry of a log with its attempt."""

    number: int
    challenge_id: str
    ruleset: str
    date: str | None
    attempt_id: str
    player_id: str
    over: str | None
    seq: int
    move: str
    at_ms: int


_RESULT: Final = (
    *(Result.attempt, Challenge.id, Challenge.kind, Challenge.ruleset, Challenge.date, Attempt.id),
    *(Player.id, Player.name, Player.kind, Result.outcome, Result.time_ms, Result.moves, Result.undos),
    *(Result.progress, Result.score, Attempt.started_at, Result.finished_at),
)


async def results(conn: AsyncConnection, choice: Choice, after: int, limit: int) -> list[ResultLine]:
    """At most ``limit`` results in the order of their attempts, after the attempt of a number."""
    query = (
        select(*_RESULT)
        .select_from(Result)
        .join(Challenge, Challenge.id == Result.challenge_id)
        .join(Attempt, Attempt.number == Result.attempt)
        .join(Player, Player.id == Result.player_id)
        .where(Result.attempt > after)
        .order_by(Result.attempt)
        .limit(limit)
    )
    return [ResultLine(*row) for row in await conn.execute(_chosen(query, choice))]


async def moves(
    conn: AsyncConnection, choice: Choice, after: int, limit: int
) -> tuple[int | None, list[list[MoveLine]]]:
    """The logs of at most ``limit`` ranked attempts, void ones too, after the attempt of a number.

    And the number of the last one, None where no further ones follow.
    """
    query = (
        select(Attempt.number, Challenge.id, Challenge.ruleset, Challenge.date, Attempt.id)
        .add_columns(Attempt.player_id, Attempt.over)
        .join(Challenge, Challenge.id == Attempt.challenge_id)
        .where(Attempt.number > after, RANKED)
        .order_by(Attempt.number)
        .limit(limit)
    )
    heads = {row[0]: row for row in await conn.execute(_chosen(query, choice))}
    logs: dict[int, list[MoveLine]] = {number: [] for number in heads}
    entries = (
        select(LogEntry.attempt, LogEntry.seq, LogEntry.text, LogEntry.at_ms)
        .where(LogEntry.attempt.in_(heads))
        .order_by(LogEntry.attempt, LogEntry.seq)
    )
    for number, *entry in await conn.execute(entries):
        logs[number].append(MoveLine(*heads[number], *entry))
    return (max(heads) if len(heads) == limit else None), list(logs.values())


def _chosen(query: Select[*tuple[Any, ...]], choice: Choice) -> Select[*tuple[Any, ...]]:
    query = query.where(Challenge.closed_at.is_not(None), Challenge.kind.in_(("daily", "event", "race")))
    if choice.first_ms is not None:
        query = query.where(Challenge.opens_at >= choice.first_ms)
    if choice.end_ms is not None:
        query = query.where(Challenge.opens_at < choice.end_ms)
    for column, value in (
        (Challenge.ruleset, choice.ruleset),
        (Challenge.kind, choice.kind),
        (Challenge.id, choice.challenge_id),
    ):
        if value is not None:
            query = query.where(column == value)
    return query
