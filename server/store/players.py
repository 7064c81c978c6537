"""Players and their sessions. Instants are milliseconds since the Unix epoch."""

from typing import Final

import msgspec
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.ids import is_id
from server.store.tables import Player, Session


class PlayerRow(msgspec.Struct, frozen=True):
    """A player as stored; ``kind`` is ``guest``, ``account`` or ``bot``."""

    id: str
    kind: str
    name: str
    created_at: int


#: So many players are looked through for a name.
_LOOKED_AT: Final = 100_000

_PLAYER: Final = (Player.id, Player.kind, Player.name, Player.created_at)


async def create_player(
    conn: AsyncConnection, player_id: str, kind: str, name: str, now_ms: int, *, name_key: str | None = None
) -> PlayerRow:
    """Store a new player. ``name_key`` is the collision key of an account's name, and unique."""
    await conn.execute(insert(Player).values(id=player_id, kind=kind, name=name, name_key=name_key, created_at=now_ms))
    return PlayerRow(player_id, kind, name, now_ms)


async def player(conn: AsyncConnection, player_id: str) -> PlayerRow | None:
    """The player of that id, None where there is none."""
    if not is_id(player_id):
        return None
    row = (await conn.execute(select(*_PLAYER).where(Player.id == player_id))).first()
    return None if row is None else PlayerRow(*row)


async def blocked_at(conn: AsyncConnection, player_id: str) -> int | None:
    """Since when a player is blocked. In a writing transaction he is not blocked before its end."""
    query = select(Player.blocked_at).where(Player.id == player_id)
    return (await conn.execute(query.with_for_update(read=True))).scalar()


async def found(conn: AsyncConnection, text: str, limit: int) -> list[tuple[PlayerRow, int | None]]:
    """Players of an id, or whose name contains a text in any case, latest first; with the instant of a block.

    At most ``limit``, out of the latest hundred thousand.
    """
    query = select(*_PLAYER, Player.blocked_at).order_by(Player.id.desc()).limit(limit)
    if is_id(text):
        query = query.where(Player.id == text)
    elif text:
        recent = select(Player.id).order_by(Player.id.desc()).limit(_LOOKED_AT).scalar_subquery()
        query = query.where(Player.id.in_(recent), func.lower(Player.name).contains(text.lower(), autoescape=True))
    return [(PlayerRow(*row[:-1]), row[-1]) for row in await conn.execute(query)]


async def rename_player(conn: AsyncConnection, player_id: str, name: str, *, name_key: str | None = None) -> bool:
    """Change a player's name; False where there is no such player."""
    if not is_id(player_id):
        return False
    changed = await conn.execute(update(Player).where(Player.id == player_id).values(name=name, name_key=name_key))
    return changed.rowcount == 1


async def become_account(conn: AsyncConnection, player_id: str, name: str, name_key: str, now_ms: int) -> bool:
    """Make an account of a guest, under a name of its own; False where there is no such guest.

    What he played before stays a guest's on the boards: see :mod:`server.store.lanes`.
    """
    if not is_id(player_id):
        return False
    changed = await conn.execute(
        update(Player)
        .where(Player.id == player_id, Player.kind == "guest")
        .values(kind="account", name=name, name_key=name_key, account_since=now_ms)
    )
    return changed.rowcount == 1


async def create_session(
    conn: AsyncConnection, token_hash: bytes, player_id: str, now_ms: int, expires_at: int
) -> None:
    """Store a login. ``token_hash`` is the SHA-256 of its opaque token."""
    await conn.execute(
        insert(Session).values(
            token_hash=token_hash,
            player_id=player_id,
            created_at=now_ms,
            last_seen_at=now_ms,
            expires_at=expires_at,
        )
    )


async def player_by_session(conn: AsyncConnection, token_hash: bytes, now_ms: int) -> PlayerRow | None:
    """Whose login that is; None for an unknown or expired one."""
    row = (
        await conn.execute(
            select(*_PLAYER)
            .join(Session, Session.player_id == Player.id)
            .where(Session.token_hash == token_hash, Session.expires_at > now_ms)
        )
    ).first()
    return None if row is None else PlayerRow(*row)


async def last_seen(conn: AsyncConnection, token_hash: bytes) -> int | None:
    """The instant at which a login was last noted as used; None for an unknown one."""
    return (await conn.execute(select(Session.last_seen_at).where(Session.token_hash == token_hash))).scalar()


async def touch_session(conn: AsyncConnection, token_hash: bytes, now_ms: int, expires_at: int) -> None:
    """Note that a login was used, and when it now expires."""
    await conn.execute(
        update(Session)
        .where(Session.token_hash == token_hash, Session.last_seen_at < now_ms)
        .values(last_seen_at=now_ms, expires_at=expires_at)
    )


async def delete_session(conn: AsyncConnection, token_hash: bytes) -> bool:
    """Log out; False where there was no such login."""
    gone = await conn.execute(delete(Session).where(Session.token_hash == token_hash))
    return gone.rowcount == 1


async def delete_expired_sessions(conn: AsyncConnection, now_ms: int) -> int:
    """Forget the logins that have expired; the answer is their number."""
    return (await conn.execute(delete(Session).where(Session.expires_at <= now_ms))).rowcount
