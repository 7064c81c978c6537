"""Following: whose lines a player reads on the boards of friends."""

from typing import NamedTuple

from server.actions.house import Services
from server.errors import GameError
from server.store import follows, players
from server.store.players import PlayerRow


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
