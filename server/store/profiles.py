"""What a player's page is made of: results by ruleset, days, months, the latest games. Nothing here is stored twice."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Select, SQLColumnExpression, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.play.attempt import ENDINGS
from server.store.tables import Attempt, Challenge, DailyPoints, LogEntry, Outage, Result

#: Players whose dates are read at once.
_TOGETHER: Final = 500

#: Outcomes that are no finish: the challenge closed on the attempt.
_UNFINISHED: Final = "closed"


class Game(msgspec.Struct, frozen=True):
    """A result with its challenge. Times in milliseconds, ``finished_at`` and ``opens_at`` are instants.

    ``points`` are those of a closed daily, None for all else.
    """

    attempt_id: str
    challenge_id: str
    kind: str
    ruleset: str
    date: str | None
    closed: bool
    outcome: str
    time_ms: int
    moves: int
    undos: int
    progress: int
    score: int | None
    finished_at: int
    points: int | None


def _games(player_id: str) -> Select[*tuple[Any, ...]]:
    return (
        select(
            Attempt.id,
            Challenge.id,
            Challenge.kind,
            Challenge.ruleset,
            Challenge.date,
            Challenge.closed_at.is_not(None),
            Result.outcome,
            Result.time_ms,
            Result.moves,
            Result.undos,
            Result.progress,
            Result.score,
            Result.finished_at,
            DailyPoints.points,
        )
        .select_from(Result)
        .join(Attempt, Attempt.number == Result.attempt)
        .join(Challenge, Challenge.id == Result.challenge_id)
        .outerjoin(DailyPoints, DailyPoints.attempt == Result.attempt)
        .where(Result.player_id == player_id)
    )


async def games(conn: AsyncConnection, player_id: str, *, latest: int) -> list[Game]:
    """A player's latest games, the one that ended last first."""
    rows = await conn.execute(
        _games(player_id).order_by(Result.finished_at.desc(), Result.attempt.desc()).limit(latest)
    )
    return [_game(row) for row in rows]


async def dailies_between(conn: AsyncConnection, player_id: str, first: str, last: str) -> list[Game]:
    """A player's results of dailies from a date to another (``YYYY-MM-DD``), by date and ruleset."""
    rows = await conn.execute(
        _games(player_id)
        .where(Challenge.kind == "daily", Challenge.date.between(first, last))
        .order_by(Challenge.date, Challenge.ruleset)
    )
    return [_game(row) for row in rows]


async def figures(conn: AsyncConnection, player_id: str) -> list[tuple[str, str, int, int, int | None]]:
    """Ruleset, outcome, time, moves and score of all of a player's results."""
    figures = (Result.ruleset, Result.outcome, Result.time_ms, Result.moves, Result.score)
    rows = await conn.execute(select(*figures).where(Result.player_id == player_id))
    return [(row[0], row[1], row[2], row[3], row[4]) for row in rows]


async def finished_dates(conn: AsyncConnection, player_id: str) -> list[str]:
    """The dates (``YYYY-MM-DD``) whose ranked daily a player has finished: the date is the challenge's (DESIGN 6)."""
    rows = await conn.execute(
        select(Challenge.date)
        .join(Result, Result.challenge_id == Challenge.id)
        .where(Result.player_id == player_id, Challenge.kind == "daily", Result.outcome != _UNFINISHED)
        .distinct()
        .order_by(Challenge.date)
    )
    return [str(date) for date in rows.scalars()]


async def finished_dates_of(conn: AsyncConnection, player_ids: Sequence[str]) -> dict[str, list[str]]:
    """As :func:`finished_dates`, of several players; who has finished none is missing."""
    found: dict[str, list[str]] = {}
    for start in range(0, len(player_ids), _TOGETHER):
        rows = await conn.execute(
            select(Result.player_id, Challenge.date)
            .join(Challenge, Challenge.id == Result.challenge_id)
            .where(
                Result.player_id.in_(player_ids[start : start + _TOGETHER]),
                Challenge.kind == "daily",
                Result.outcome != _UNFINISHED,
            )
            .distinct()
        )
        for player_id, date in rows:
            found.setdefault(player_id, []).append(str(date))
    return found


async def who_missed(conn: AsyncConnection, date: str, since: str) -> list[str]:
    """Who has finished a daily from the date ``since`` on and before ``date``, but none of ``date``."""
    there = Result.outcome != _UNFINISHED
    daily = select(Result.player_id).join(Challenge, Challenge.id == Result.challenge_id)
    daily = daily.where(Challenge.kind == "daily", there)
    before = daily.where(Challenge.date >= since, Challenge.date < date)
    rows = await conn.execute(before.except_(daily.where(Challenge.date == date)))
    return sorted(rows.scalars())


async def excused_dates(conn: AsyncConnection, first: str, now_ms: int) -> list[str]:
    """The dates from a date on that have a void daily, or one that was extended and can be finished still."""
    extended = Challenge.closed_at.is_(None) & (Challenge.closes_at > now_ms) & (Challenge.opens_at <= now_ms)
    rows = await conn.execute(
        select(Challenge.date)
        .where(Challenge.kind == "daily", Challenge.date >= first, Challenge.voided_at.is_not(None) | extended)
        .distinct()
    )
    return [str(date) for date in rows.scalars()]


async def outages_between(conn: AsyncConnection, first_ms: int, last_ms: int) -> list[tuple[int, int]]:
    """The outages that touch the time between two instants: their beginnings and ends."""
    rows = await conn.execute(
        select(Outage.began_at, Outage.ended_at).where(Outage.ended_at > first_ms, Outage.began_at < last_ms)
    )
    return [(row.began_at, row.ended_at) for row in rows]


async def counted(
    conn: AsyncConnection, challenge_id: str, column: SQLColumnExpression[Any], *, won: bool
) -> list[tuple[int, int]]:
    """How often each value of a results column occurs in a challenge, among the wins or among all."""
    query = select(column, func.count()).where(Result.challenge_id == challenge_id).group_by(column)
    rows = await conn.execute(query.where(Result.outcome == "won") if won else query)
    return [(row[0], row[1]) for row in rows]


async def sampled(conn: AsyncConnection, challenge_id: str, total: int, most: int) -> list[int]:
    """The numbers of at most ``most`` of a challenge's ``total`` results, spread evenly over their attempts."""
    step = -(-total // most) or 1
    numbers = select(Result.attempt, func.row_number().over(order_by=Result.attempt).label("place")).where(
        Result.challenge_id == challenge_id
    )
    places = numbers.subquery()
    rows = await conn.execute(
        select(places.c.attempt).where((places.c.place - 1) % step == 0).order_by(places.c.attempt).limit(most)
    )
    return list(rows.scalars())


async def times_of(conn: AsyncConnection, numbers: Sequence[int]) -> dict[int, list[int]]:
    """At what time each move and undo of some attempts was made, in milliseconds since their start."""
    rows = await conn.execute(
        select(LogEntry.attempt, LogEntry.at_ms)
        .where(LogEntry.attempt.in_(numbers), LogEntry.text.not_in(ENDINGS))
        .order_by(LogEntry.attempt, LogEntry.seq)
    )
    times: dict[int, list[int]] = {}
    for attempt, at_ms in rows:
        times.setdefault(attempt, []).append(at_ms)
    return times


def _game(row: Sequence[Any]) -> Game:
    values = list(row)
    values[5] = bool(values[5])
    return Game(*values)
