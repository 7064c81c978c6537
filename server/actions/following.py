"""Following: whose lines a player reads on the boards of friends."""

from typing import Final, NamedTuple
from uuid import UUID

from server.actions.house import Services
from server.errors import GameError
from server.store import cursors, follows, players
from server.store.players import PlayerRow

#: The name of the cursors of this list, and how many numbers they have.
_CURSORS: Final = "followers"
_SIZE: Final = 5


class Followers(NamedTuple):
    """A page of those who follow somebody. ``next`` is the cursor of the page after it, None at the end."""

    players: list[PlayerRow]
    total: int
    next: str | None


class Followed(NamedTuple):
    """A player, whether one follows him now, and how many do."""

    player: PlayerRow
    followed: bool
    followers: int


async def follow(services: Services, player_id: str, other_id: str) -> Followed:
    """Follow somebody. Raises ``not_found``, ``follow/full``, or ``protocol/malformed`` for oneself."""
    if other_id == player_id:
        raise GameError("protocol/malformed", "nobody follows himself")
    async with services.store.writing() as conn:
        other = await players.player(conn, other_id)
        if other is None:
            raise GameError("not_found", "no such player")
        await follows.follow(conn, player_id, other.id, services.clock.now_ms())
        return Followed(other, True, await follows.followers(conn, other.id))


async def unfollow(services: Services, player_id: str, other_id: str) -> Followed:
    """Follow somebody no more. Raises ``not_found``."""
    async with services.store.writing() as conn:
        other = await players.player(conn, other_id)
        if other is None:
            raise GameError("not_found", "no such player")
        await follows.unfollow(conn, player_id, other.id)
        return Followed(other, False, await follows.followers(conn, other.id))


async def following(services: Services, player_id: str) -> list[PlayerRow]:
    """Whom somebody follows, by name."""
    async with services.store.reading() as conn:
        return await follows.followed(conn, player_id)


async def followers(services: Services, player_id: str, limit: int, after: str | None) -> Followers:
    """Who follows somebody, the latest first. Raises ``protocol/malformed`` for a cursor that no page gave."""
    place = None if after is None else _place(cursors.read(after, _CURSORS, _SIZE))
    async with services.store.reading() as conn:
        total = await follows.followers(conn, player_id)
        found = await follows.followed_by(conn, player_id, limit + 1, place)
    page = found[:limit]
    return Followers([row for row, _ in page], total, _cursor(*page[-1]) if len(found) > limit else None)


def _cursor(player: PlayerRow, since: int) -> str:
    """The cursor of a follower: the instant, and his id as four numbers."""
    number = UUID(player.id).int
    return cursors.write(_CURSORS, (since, *(number >> shift & 0xFFFF_FFFF for shift in (96, 64, 32, 0))))


def _place(cursor: cursors.Place) -> tuple[int, str]:
    since, *parts = cursor
    if any(not 0 <= part < 1 << 32 for part in parts):
        raise cursors.malformed()
    return since, str(UUID(int=sum(part << shift for part, shift in zip(parts, (96, 64, 32, 0), strict=True))))
