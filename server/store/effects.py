"""What stands at one moment because of a challenge: results with their ranks, and season points of its players.

Two of these, before and after, say exactly what a ruling changes.
"""

from datetime import date
from typing import Final

import msgspec
from sqlalchemy import bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store import periods
from server.store.challenges import ChallengeRow
from server.store.tables import RANKED, Attempt, Player, Result, Standing

_PLACE: Final = func.rank().over(order_by=(Result.klass, Result.main_1, Result.main_2))
_RANKS: Final = select(Result.player_id, _PLACE).where(Result.challenge_id == bindparam("challenge"))
_COUNT: Final = select(Attempt.over, func.count()).where(Attempt.challenge_id == bindparam("challenge"), RANKED)


class Standings(msgspec.Struct, frozen=True):
    """What stands: ranks by player on the main board, season points by period and player, attempts by how they ended.

    ``over`` counts the ranked attempts, the open ones under ``open``.
    """

    ranks: dict[str, int]
    points: dict[tuple[str, str], int]
    over: dict[str, int]


async def standings(conn: AsyncConnection, challenge: ChallengeRow, players: tuple[str, ...] = ()) -> Standings:
    """What stands because of a challenge, for those on its board and for ``players`` besides."""
    ranks = {player_id: int(place) for player_id, place in await conn.execute(_RANKS, {"challenge": challenge.id})}
    points: dict[tuple[str, str], int] = {}
    if challenge.date is not None:
        day = date.fromisoformat(challenge.date)
        keys = (periods.week_of(day).key, periods.month_of(day).key, periods.ALL)
        own = sorted({*ranks, *players})
        query = select(Standing.period, Standing.player_id, Standing.points).where(
            Standing.period.in_(keys),
            Standing.ruleset == challenge.ruleset,
            Standing.who == 0,
            Standing.player_id.in_(bindparam("players", expanding=True)),
        )
        for start in range(0, len(own), 500):
            for period, player_id, earned in await conn.execute(query, {"players": own[start : start + 500]}):
                points[period, player_id] = earned
    rows = await conn.execute(_COUNT.group_by(Attempt.over), {"challenge": challenge.id})
    return Standings(ranks, points, {over or "open": int(count) for over, count in rows})


async def names(conn: AsyncConnection, player_ids: list[str]) -> dict[str, str]:
    """The names of players by id."""
    found: dict[str, str] = {}
    for start in range(0, len(player_ids), 500):
        query = select(Player.id, Player.name).where(Player.id.in_(player_ids[start : start + 500]))
        found |= {row.id: row.name for row in await conn.execute(query)}
    return found
