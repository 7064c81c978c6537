"""Searches in the background, as their rows tell of them. Instants are milliseconds since the Unix epoch."""

from typing import Final, Literal, cast

import msgspec
from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.admin_tables import Job
from server.store.deals import Wish
from server.store.ids import is_id

State = Literal["running", "done", "cancelled", "failed"]

#: A search whose runner has given no sign of life for so long has failed.
STALE_MS: Final = 60_000


class JobRow(msgspec.Struct, frozen=True):
    """A search: ``done`` of at most ``total`` deals looked at, ``found`` the ids of those that fit."""

    id: str
    admin_id: str | None
    wish: Wish
    state: State
    done: int
    total: int
    found: tuple[str, ...]
    error: str | None
    created_at: int
    beat_at: int
    ended_at: int | None


_JOB: Final = tuple(getattr(Job, name) for name in JobRow.__struct_fields__)
_WISH: Final = msgspec.json.Decoder(Wish)
_FOUND: Final = msgspec.json.Decoder(tuple[str, ...])


async def begin(conn: AsyncConnection, job_id: str, admin_id: str | None, wish: Wish, total: int, now_ms: int) -> None:
    """Store a search that runs from now on."""
    await conn.execute(
        insert(Job).values(
            id=job_id,
            admin_id=admin_id,
            wish=msgspec.json.encode(wish).decode(),
            state="running",
            done=0,
            total=total,
            found="[]",
            created_at=now_ms,
            beat_at=now_ms,
        )
    )


async def progress(conn: AsyncConnection, job_id: str, done: int, found: tuple[str, ...], now_ms: int) -> bool:
    """Note how far a search is; False where it runs no more, because somebody has cancelled it."""
    noted = await conn.execute(
        update(Job)
        .where(Job.id == job_id, Job.state == "running")
        .values(done=done, found=msgspec.json.encode(found).decode(), beat_at=now_ms)
    )
    return noted.rowcount == 1


async def end(conn: AsyncConnection, job_id: str, state: State, now_ms: int, error: str | None = None) -> bool:
    """Note that a search has ended; False where it had ended before."""
    ended = await conn.execute(
        update(Job).where(Job.id == job_id, Job.state == "running").values(state=state, ended_at=now_ms, error=error)
    )
    return ended.rowcount == 1


async def job(conn: AsyncConnection, job_id: str, now_ms: int) -> JobRow | None:
    """The search of an id, None where there is none."""
    if not is_id(job_id):
        return None
    row = (await conn.execute(select(*_JOB).where(Job.id == job_id))).first()
    return None if row is None else _row(tuple(row), now_ms)


async def latest(conn: AsyncConnection, limit: int, now_ms: int) -> list[JobRow]:
    """The latest searches, that begun last first."""
    rows = await conn.execute(select(*_JOB).order_by(Job.created_at.desc(), Job.id.desc()).limit(limit))
    return [_row(tuple(row), now_ms) for row in rows]


async def running(conn: AsyncConnection, now_ms: int) -> int:
    """How many searches run, in whatever process."""
    alive = select(func.count()).where(Job.state == "running", Job.beat_at > now_ms - STALE_MS)
    return int((await conn.execute(alive)).scalar_one())


def _row(values: tuple[object, ...], now_ms: int) -> JobRow:
    named = dict(zip(JobRow.__struct_fields__, values, strict=True))
    row = JobRow(
        **named | {"wish": _WISH.decode(cast(str, named["wish"])), "found": _FOUND.decode(cast(str, named["found"]))}  # type: ignore[arg-type]
    )
    if row.state == "running" and row.beat_at <= now_ms - STALE_MS:
        return msgspec.structs.replace(row, state="failed", error="whoever ran it is gone", ended_at=row.beat_at)
    return row
