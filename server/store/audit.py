"""The audit log: what admins did, written in the transaction of what they did, and never changed.

No seed and no name of a player may stand in an entry: entries are for ever.
"""

from typing import Any, Final

import msgspec
from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.admin_tables import Audit


class Entry(msgspec.Struct, frozen=True):
    """An entry as stored; ``before`` and ``after`` are JSON texts. ``admin_id`` None is who owns the machine."""

    number: int
    at: int
    admin_id: str | None
    admin: str
    role: str
    via: str
    action: str
    target: str
    before: str | None
    after: str | None
    reason: str | None


_ENTRY: Final = tuple(getattr(Audit, name) for name in Entry.__struct_fields__)


async def append(
    conn: AsyncConnection,
    *,
    at: int,
    admin_id: str | None,
    admin: str,
    role: str,
    via: str,
    action: str,
    target: str,
    before: object = None,
    after: object = None,
    reason: str | None = None,
) -> int:
    """Write an entry; its number, which is larger than that of every earlier one."""
    written = await conn.execute(
        insert(Audit)
        .values(
            at=at,
            admin_id=admin_id,
            admin=admin,
            role=role,
            via=via,
            action=action,
            target=target,
            before=_json(before),
            after=_json(after),
            reason=reason,
        )
        .returning(Audit.number)
    )
    return int(written.scalar_one())


async def page(
    conn: AsyncConnection,
    *,
    limit: int,
    before: int | None = None,
    action: str | None = None,
    admin: str | None = None,
    target: str | None = None,
) -> list[Entry]:
    """At most ``limit`` entries, latest first, from below the number ``before``; narrowed by what is given."""
    query = select(*_ENTRY).order_by(Audit.number.desc()).limit(limit)
    conditions = {Audit.action: action, Audit.admin: admin, Audit.target: target}
    for column, value in conditions.items():
        if value is not None:
            query = query.where(column == value)
    if before is not None:
        query = query.where(Audit.number < before)
    return [Entry(*row) for row in await conn.execute(query)]


async def since(conn: AsyncConnection, number: int, limit: int) -> list[Entry]:
    """At most ``limit`` entries above a number, oldest first."""
    rows = await conn.execute(select(*_ENTRY).where(Audit.number > number).order_by(Audit.number).limit(limit))
    return [Entry(*row) for row in rows]


async def latest(conn: AsyncConnection) -> int:
    """The number of the latest entry, 0 where there is none."""
    return int((await conn.execute(select(func.coalesce(func.max(Audit.number), 0)))).scalar_one())


def _json(value: Any) -> str | None:
    return None if value is None else msgspec.json.encode(value, order="sorted").decode()
