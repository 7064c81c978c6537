"""Who follows whom: friends are those whom a player follows, and himself."""

from typing import Final

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.errors import GameError
from server.store.challenges import insert_or_leave
from server.store.players import PlayerRow
from server.store.tables import Follow, Player

#: So many players can be followed: boards of friends are put together when they are read.
MOST: Final = 500


async def follow(conn: AsyncConnection, follower_id: str, followed_id: str, now_ms: int) -> None:
    """Follow a player from now on; twice is the same as once. Raises ``follow/full`` past :data:`MOST`."""
    values = {"follower_id": follower_id, "followed_id": followed_id, "since": now_ms}
    made = await conn.execute(insert_or_leave(conn, Follow).values(values))
    if made.rowcount and await following(conn, follower_id) > MOST:
        raise GameError("follow/full", f"nobody follows more than {MOST} players")


async def unfollow(conn: AsyncConnection, follower_id: str, followed_id: str) -> None:
    """Follow a player no more; without effect where that was not so."""
    await conn.execute(delete(Follow).where(Follow.follower_id == follower_id, Follow.followed_id == followed_id))


async def follows(conn: AsyncConnection, follower_id: str, followed_id: str) -> bool:
    """Whether one player follows another."""
    found = await conn.execute(
        select(Follow.since).where(Follow.follower_id == follower_id, Follow.followed_id == followed_id)
    )
    return found.first() is not None


async def following(conn: AsyncConnection, follower_id: str) -> int:
    """How many players somebody follows."""
    counted = select(func.count()).select_from(Follow).where(Follow.follower_id == follower_id)
    return int((await conn.execute(counted)).scalar_one())


async def followers(conn: AsyncConnection, followed_id: str) -> int:
    """How many follow a player."""
    counted = select(func.count()).select_from(Follow).where(Follow.followed_id == followed_id)
    return int((await conn.execute(counted)).scalar_one())


async def followed(conn: AsyncConnection, follower_id: str) -> list[PlayerRow]:
    """Whom somebody follows, by name."""
    rows = await conn.execute(
        select(Player.id, Player.kind, Player.name, Player.created_at)
        .join(Follow, Follow.followed_id == Player.id)
        .where(Follow.follower_id == follower_id)
        .order_by(Player.name, Player.id)
    )
    return [PlayerRow(*row) for row in rows]


async def followed_by(
    conn: AsyncConnection, followed_id: str, limit: int, after: tuple[int, str] | None
) -> list[tuple[PlayerRow, int]]:
    """At most ``limit`` of those who follow a player, and since when; the latest first.

    ``after`` is the instant and the player of the last one of the page before.
    """
    query = (
        select(Player.id, Player.kind, Player.name, Player.created_at, Follow.since)
        .join(Follow, Follow.follower_id == Player.id)
        .where(Follow.followed_id == followed_id)
    )
    if after is not None:
        since, player_id = after
        query = query.where((Follow.since < since) | ((Follow.since == since) & (Follow.follower_id > player_id)))
    rows = await conn.execute(query.order_by(Follow.since.desc(), Follow.follower_id).limit(limit))
    return [(PlayerRow(*row[:4]), row[4]) for row in rows]
