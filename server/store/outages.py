"""Outages: times in which no worker lived, taken off the time of open attempts (DESIGN 6). All in milliseconds."""

from sqlalchemy import delete, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.challenges import insert_or_leave
from server.store.tables import Heartbeat, Outage


async def beat(conn: AsyncConnection, worker: str, now_ms: int) -> None:
    """Note that a worker is alive."""
    values = {"worker": worker, "at": now_ms}
    dialect = postgresql if conn.dialect.name == "postgresql" else sqlite
    await conn.execute(
        dialect.insert(Heartbeat).values(values).on_conflict_do_update(index_elements=["worker"], set_=values)
    )


async def last_beat(conn: AsyncConnection) -> int | None:
    """The instant at which some worker was last known to be alive, None where none ever was."""
    return (await conn.execute(select(func.max(Heartbeat.at)))).scalar_one()


async def record_outage(conn: AsyncConnection, began_at: int, ended_at: int) -> bool:
    """Store an outage, from the last heartbeat to the next start; whether this call has stored it.

    Of several workers that start at once and saw the same heartbeat, one stores it. The heartbeats of workers that
    died before are forgotten. ValueError where it does not end after it began.
    """
    if ended_at <= began_at:
        raise ValueError("an outage ends after it began")
    await conn.execute(delete(Heartbeat).where(Heartbeat.at < began_at))
    made = await conn.execute(insert_or_leave(conn, Outage).values(began_at=began_at, ended_at=ended_at))
    return made.rowcount == 1


async def credit_ms(conn: AsyncConnection, started_at: int, now_ms: int) -> int:
    """How much of the time between two instants lay in outages; what two of them share counts once."""
    rows = await conn.execute(
        select(Outage.began_at, Outage.ended_at)
        .where(Outage.ended_at > started_at, Outage.began_at < now_ms)
        .order_by(Outage.began_at)
    )
    credit, counted_to = 0, started_at
    for began_at, ended_at in rows:
        begin, end = max(began_at, counted_to), min(ended_at, now_ms)
        if end > begin:
            credit += end - begin
            counted_to = end
    return credit
