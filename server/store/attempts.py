"""Attempts: their start, their logs, and who has which. Moves are stored by the recorder, not here."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import BigInteger, Select, func, insert, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.errors import GameError
from server.store.challenges import insert_or_leave
from server.store.ids import is_id
from server.store.tables import RANKED, Attempt, Challenge, LogEntry, Number, Player


class AttemptRow(msgspec.Struct, frozen=True):
    """An attempt as stored: its start and the summary of its log. ``number`` never leaves the server.

    ``started_at`` and ``finished_at`` are instants; ``last_at_ms`` is the time of the last entry, counted from the
    start. ``undo_policy`` is ``counted``, ``none`` or ``free`` (C8).
    """

    number: int
    id: str
    challenge_id: str
    player_id: str
    ranked: bool
    undo_policy: str
    started_at: int
    seq: int
    moves: int
    undos: int
    progress: int
    last_at_ms: int
    over: str | None
    finished_at: int | None


_ATTEMPT: Final = tuple(getattr(Attempt, name) for name in AttemptRow.__struct_fields__)


async def start_attempt(
    conn: AsyncConnection,
    attempt_id: str,
    challenge_id: str,
    player_id: str,
    *,
    ranked: bool,
    undo_policy: str,
    now_ms: int,
    progress: int = 0,
) -> tuple[AttemptRow, bool]:
    """Start an attempt; the answer is the one that stands, and whether it is new.

    A player has one ranked attempt at a challenge, for ever: however many starts arrive at once, one is stored and
    all get that one. ``progress`` is that of the deal. Raises ``challenge/unknown``, and ``challenge/closed`` for a
    ranked attempt that is not there yet when the challenge has been closed or is void.
    """
    if ranked and await _closed(conn, challenge_id):
        standing = await ranked_attempt(conn, player_id, challenge_id)
        if standing is None:
            raise GameError("challenge/closed", "the challenge can no longer be started")
        return standing, False
    values = {
        "id": attempt_id,
        "challenge_id": challenge_id,
        "player_id": player_id,
        "ranked": ranked,
        "undo_policy": undo_policy,
        "started_at": now_ms,
        "seq": 0,
        "moves": 0,
        "undos": 0,
        "progress": progress,
        "last_at_ms": 0,
    }
    made = await conn.execute(insert_or_leave(conn, Attempt).values(values).returning(*_ATTEMPT))
    if (row := made.first()) is not None:
        return AttemptRow(*row), True
    standing = await ranked_attempt(conn, player_id, challenge_id) if ranked else await attempt(conn, attempt_id)
    assert standing is not None, "an attempt that could not be stored stands already"
    return standing, False


async def attempt(conn: AsyncConnection, attempt_id: str) -> AttemptRow | None:
    """The attempt of that id, None where there is none."""
    if not is_id(attempt_id):
        return None
    return await _one(conn, select(*_ATTEMPT).where(Attempt.id == attempt_id))


async def log(conn: AsyncConnection, attempt_id: str) -> list[tuple[str, int]]:
    """The log of an attempt in order: text and milliseconds since the start. Empty for an unknown one."""
    if not is_id(attempt_id):
        return []
    rows = await conn.execute(
        select(LogEntry.text, LogEntry.at_ms)
        .join(Attempt, Attempt.number == LogEntry.attempt)
        .where(Attempt.id == attempt_id)
        .order_by(LogEntry.seq)
    )
    return [(text, at_ms) for text, at_ms in rows]


async def ranked_attempt(conn: AsyncConnection, player_id: str, challenge_id: str) -> AttemptRow | None:
    """A player's ranked attempt at a challenge, None before its start."""
    return await _one(
        conn,
        select(*_ATTEMPT).where(Attempt.challenge_id == challenge_id, Attempt.player_id == player_id, RANKED),
    )


async def count_open(conn: AsyncConnection, challenge_id: str) -> int:
    """How many ranked attempts at a challenge are open."""
    counted = select(func.count()).where(Attempt.challenge_id == challenge_id, Attempt.over.is_(None), RANKED)
    return int((await conn.execute(counted)).scalar_one())


async def mark_over(conn: AsyncConnection, attempt_id: str, over: str, now_ms: int) -> None:
    """End an attempt that has no log: a deal without a first move is lost as it lies (C7)."""
    await conn.execute(
        update(Attempt)
        .where(Attempt.id == attempt_id, Attempt.seq == 0, Attempt.over.is_(None))
        .values(over=over, finished_at=now_ms)
    )


async def ranked_attempts(conn: AsyncConnection, player_id: str, challenge_ids: Sequence[str]) -> dict[str, AttemptRow]:
    """A player's ranked attempts at several challenges, by challenge; those not started are missing."""
    rows = await conn.execute(
        select(*_ATTEMPT).where(Attempt.challenge_id.in_(challenge_ids), Attempt.player_id == player_id, RANKED)
    )
    return {row.challenge_id: AttemptRow(*row) for row in rows}


async def open_attempts(conn: AsyncConnection, challenge_id: str, *, limit: int) -> list[AttemptRow]:
    """At most ``limit`` of the open ranked attempts at a challenge: those to be ended when it closes."""
    rows = await conn.execute(
        select(*_ATTEMPT)
        .where(Attempt.challenge_id == challenge_id, Attempt.over.is_(None), RANKED)
        .order_by(Attempt.number)
        .limit(limit)
    )
    return [AttemptRow(*row) for row in rows]


async def open_attempts_of(conn: AsyncConnection, player_id: str, *, limit: int) -> list[AttemptRow]:
    """At most ``limit`` of a player's open attempts, latest start first."""
    rows = await conn.execute(
        select(*_ATTEMPT)
        .where(Attempt.player_id == player_id, Attempt.over.is_(None))
        .order_by(Attempt.number.desc())
        .limit(limit)
    )
    return [AttemptRow(*row) for row in rows]


async def ranked_at(conn: AsyncConnection, challenge_id: str, after: int, limit: int) -> list[tuple[AttemptRow, str]]:
    """At most ``limit`` ranked attempts at a challenge after the one of a number, each with its player's name."""
    rows = await conn.execute(
        select(*_ATTEMPT, Player.name)
        .join(Player, Player.id == Attempt.player_id)
        .where(Attempt.challenge_id == challenge_id, RANKED, Attempt.number > after)
        .order_by(Attempt.number)
        .limit(limit)
    )
    return [(AttemptRow(*row[:-1]), row[-1]) for row in rows]


async def open_at(conn: AsyncConnection, player_id: str, challenge_id: str) -> AttemptRow | None:
    """A player's latest open attempt at a challenge, ranked or not; None where he has none."""
    return await _one(
        conn,
        select(*_ATTEMPT)
        .where(Attempt.player_id == player_id, Attempt.over.is_(None), Attempt.challenge_id == challenge_id)
        .order_by(Attempt.number.desc())
        .limit(1),
    )


async def copy_log_prefix(conn: AsyncConnection, source_id: str, target: AttemptRow) -> None:
    """Give a new attempt the first ``target.seq`` entries of another's log, and the counts of ``target``.

    For practice from a position of a closed attempt; its time begins there, so the copied entries take none.
    ValueError where the source is shorter.
    """
    copied = await conn.execute(
        insert(LogEntry).from_select(
            ["attempt", "seq", "text", "at_ms"],
            select(literal(target.number, Number), LogEntry.seq, LogEntry.text, literal(0, BigInteger))
            .join(Attempt, Attempt.number == LogEntry.attempt)
            .where(Attempt.id == source_id, LogEntry.seq < target.seq),
        )
    )
    if copied.rowcount != target.seq:
        raise ValueError(f"{copied.rowcount} entries to copy, {target.seq} wanted")
    await conn.execute(
        update(Attempt)
        .where(Attempt.number == target.number)
        .values(seq=target.seq, moves=target.moves, undos=target.undos, progress=target.progress)
    )


async def _closed(conn: AsyncConnection, challenge_id: str) -> bool:
    """Whether a challenge has been closed or is void; if not, that lasts until this transaction ends.

    See ``mark_closed``.
    """
    row = (
        await conn.execute(
            select(Challenge.closed_at, Challenge.voided_at)
            .where(Challenge.id == challenge_id)
            .with_for_update(read=True)
        )
    ).first()
    if row is None:
        raise GameError("challenge/unknown", "no such challenge")
    return row.closed_at is not None or row.voided_at is not None


async def _one(conn: AsyncConnection, query: Select[*tuple[Any, ...]]) -> AttemptRow | None:
    row = (await conn.execute(query)).first()
    return None if row is None else AttemptRow(*row)
