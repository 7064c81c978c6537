"""The part of a rebuild that is about seasons: points of closed dailies and standings, compared and corrected."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store import challenges, seasons, tallies
from server.store.engine import Store
from server.store.tables import Attempt


class Difference(msgspec.Struct, frozen=True):
    """Something that is not what the logs say.

    ``place`` is an attempt's id, or the scope of a season or tally; ``what`` names what differs. A ``log`` that does
    not replay cannot be corrected: nothing says what it should be.
    """

    place: str
    what: str
    stored: int | str | None
    computed: int | str | None


async def compare_seasons(store: Store, *, fix: bool) -> list[Difference]:
    """What of the points of closed dailies and of the standings is not what the results say, corrected with ``fix``.

    After the results: these must be right before anything can follow from them.
    """
    differences: list[Difference] = []
    async with store.reading() as conn:
        closed = await challenges.closed_dailies(conn)
    for daily in closed:
        async with store.reading() as conn:
            wrong = await seasons.wrong_points(conn, daily)
            places = await _places(conn, [number for number, _, _ in wrong])
        differences += [Difference(places[number], "points", stored, true) for number, stored, true in wrong]
        if wrong and fix:
            async with store.writing() as conn:
                await seasons.write_points(conn, daily)
    async with store.reading() as conn:
        every = await seasons.seasons(conn)
    for season in every:
        async with store.reading() as conn:
            number = await seasons.wrong_standings(conn, *season)
        if number:
            differences.append(Difference(tallies.scope_of_season(*season[2:]), "wrong standings", number, 0))
            if fix:
                async with store.writing() as conn:
                    await seasons.write_standings(conn, *season)
    return differences


async def _places(conn: AsyncConnection, numbers: Sequence[int]) -> dict[int, str]:
    """The ids of attempts by their numbers."""
    rows = await conn.execute(select(Attempt.number, Attempt.id).where(Attempt.number.in_(numbers)))
    return {row.number: row.id for row in rows}
