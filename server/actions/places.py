"""A player's place on the main board of a challenge."""

from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection

from server.store import attempts, boards


class Place(NamedTuple):
    """Rank ``rank`` of ``of`` results."""

    rank: int
    of: int


async def place_of(conn: AsyncConnection, challenge_id: str, player_id: str) -> Place | None:
    """The place of a player's result, None where he has none."""
    line = await boards.line(conn, challenge_id, "main", player_id)
    return None if line is None else Place(line.rank, await boards.total(conn, challenge_id))


async def players_of(conn: AsyncConnection, challenge_id: str) -> int:
    """How many play or have played a challenge: those on its board, and those whose attempts are open."""
    return await boards.total(conn, challenge_id) + await attempts.count_open(conn, challenge_id)
