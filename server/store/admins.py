"""Admins, their tokens, and whom they play as. Instants are milliseconds since the Unix epoch."""

import hmac
from collections.abc import Sequence
from typing import Any, Final, Literal, cast

import msgspec
from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.admin_tables import Admin, AdminPlayer, AdminToken, Bar
from server.store.challenges import insert_or_leave
from server.store.ids import is_id

Role = Literal["owner", "seeder", "moderator", "auditor"]
Why = Literal["prepared", "previewed"]


class AdminRow(msgspec.Struct, frozen=True):
    """An admin as stored. ``player_id`` is whom he plays as, None where nobody is named."""

    id: str
    name: str
    role: Role
    created_at: int
    revoked_at: int | None
    player_id: str | None


_LATEST: Final = (
    select(AdminPlayer.player_id)
    .where(AdminPlayer.admin_id == Admin.id)
    .order_by(AdminPlayer.since.desc(), AdminPlayer.player_id.desc())
    .limit(1)
    .correlate(Admin)
    .scalar_subquery()
)
_ADMIN: Final = (Admin.id, Admin.name, Admin.role, Admin.created_at, Admin.revoked_at, _LATEST)


async def create(conn: AsyncConnection, admin_id: str, name: str, role: Role, now_ms: int) -> bool:
    """Store an admin; False where the name is taken, also by one who was revoked."""
    values = {"id": admin_id, "name": name, "role": role, "created_at": now_ms}
    return (await conn.execute(insert_or_leave(conn, Admin).values(values))).rowcount == 1


async def is_taken(conn: AsyncConnection, name: str) -> bool:
    """Whether an admin has, or had, a name that differs from this one by capitals at most."""
    found = await conn.execute(select(Admin.id).where(func.lower(Admin.name) == name.lower()).limit(1))
    return found.first() is not None


async def named(conn: AsyncConnection, name: str) -> AdminRow | None:
    """The admin of a name, revoked ones too."""
    return await _one(conn, Admin.name == name)


async def every(conn: AsyncConnection) -> list[AdminRow]:
    """All admins, by name."""
    return [_row(row) for row in await conn.execute(select(*_ADMIN).order_by(Admin.name))]


async def owners(conn: AsyncConnection) -> int:
    """How many owners are not revoked. Their rows are locked: nobody takes away the last two at once."""
    rows = await conn.execute(
        select(Admin.id).where(Admin.role == "owner", Admin.revoked_at.is_(None)).order_by(Admin.id).with_for_update()
    )
    return len(rows.all())


async def set_role(conn: AsyncConnection, admin_id: str, role: Role) -> None:
    """Give an admin another role."""
    await conn.execute(update(Admin).where(Admin.id == admin_id).values(role=role))


async def revoke(conn: AsyncConnection, admin_id: str, now_ms: int) -> None:
    """Let an admin sign in no more; his tokens and sessions are gone."""
    await conn.execute(update(Admin).where(Admin.id == admin_id).values(revoked_at=now_ms))
    await drop_tokens(conn, admin_id)


async def add_token(
    conn: AsyncConnection, token_hash: bytes, admin_id: str, now_ms: int, expires_at: int | None
) -> None:
    """Store what an admin is known by: a token, or with ``expires_at`` the session of a browser."""
    await conn.execute(
        insert(AdminToken).values(
            token_hash=token_hash,
            admin_id=admin_id,
            kind="token" if expires_at is None else "session",
            created_at=now_ms,
            expires_at=expires_at,
        )
    )


async def drop_tokens(conn: AsyncConnection, admin_id: str) -> None:
    """Forget all tokens and sessions of an admin."""
    await conn.execute(delete(AdminToken).where(AdminToken.admin_id == admin_id))


async def drop_token(conn: AsyncConnection, token_hash: bytes) -> None:
    """Forget one session; without effect where there is none."""
    await conn.execute(delete(AdminToken).where(AdminToken.token_hash == token_hash, AdminToken.kind == "session"))


async def drop_expired(conn: AsyncConnection, now_ms: int) -> None:
    """Forget the sessions that have expired."""
    await conn.execute(delete(AdminToken).where(AdminToken.expires_at <= now_ms))


async def by_token(
    conn: AsyncConnection, token_hash: bytes, now_ms: int, *, session: bool | None = None
) -> AdminRow | None:
    """Whose token it is, None for an unknown, expired or revoked one; ``session`` narrows it to one kind."""
    query = (
        select(*_ADMIN, AdminToken.token_hash, AdminToken.kind)
        .join(AdminToken, AdminToken.admin_id == Admin.id)
        .where(AdminToken.token_hash == token_hash, Admin.revoked_at.is_(None))
        .where(AdminToken.expires_at.is_(None) | (AdminToken.expires_at > now_ms))
    )
    row = (await conn.execute(query)).first()
    if row is None or not hmac.compare_digest(bytes(row.token_hash), token_hash):
        return None
    if session is not None and (row.kind == "session") != session:
        return None
    return _row(row[:-2])


async def bind(conn: AsyncConnection, admin_id: str, player_id: str, now_ms: int) -> None:
    """Note whom an admin plays as from now on; whom he played as before stays barred with him."""
    await conn.execute(delete(AdminPlayer).where(AdminPlayer.admin_id == admin_id, AdminPlayer.player_id == player_id))
    await conn.execute(insert(AdminPlayer).values(admin_id=admin_id, player_id=player_id, since=now_ms))


async def bar(conn: AsyncConnection, admin_id: str, commitments: Sequence[str], why: Why, now_ms: int) -> None:
    """Note that an admin knows deals, by their commitments."""
    rows = [{"commitment": one, "admin_id": admin_id, "why": why, "at": now_ms} for one in commitments]
    if rows:
        await conn.execute(insert_or_leave(conn, Bar), rows)


async def is_barred(conn: AsyncConnection, commitment: str, player_id: str) -> bool:
    """Whether a player is, or was, an admin who knows the deal of a commitment."""
    row = await conn.execute(
        select(Bar.why)
        .join(AdminPlayer, AdminPlayer.admin_id == Bar.admin_id)
        .where(Bar.commitment == commitment, AdminPlayer.player_id == player_id)
        .limit(1)
    )
    return row.first() is not None


async def _one(conn: AsyncConnection, condition: ColumnElement[bool]) -> AdminRow | None:
    row = (await conn.execute(select(*_ADMIN).where(condition))).first()
    return None if row is None else _row(row)


async def by_id(conn: AsyncConnection, admin_id: str) -> AdminRow | None:
    """The admin of an id, None where there is none."""
    return await _one(conn, Admin.id == admin_id) if is_id(admin_id) else None


def _row(row: Sequence[Any]) -> AdminRow:
    admin_id, name, role, created_at, revoked_at, player_id = row
    return AdminRow(admin_id, name, cast(Role, role), created_at, revoked_at, player_id)
