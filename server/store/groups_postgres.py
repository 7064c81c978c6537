"""Groups of entries on PostgreSQL: one statement, which is one transaction and one round trip.

The statement locks the attempts in the order of their numbers, so that two workers with the same attempts wait for
each other and never in a circle; after the wait it looks at the attempt as the other left it, and the fence holds.
"""

# ruff: noqa: S608 - the statements are put together from constants

from collections.abc import Sequence
from typing import Any, Final

import asyncpg
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.store import tallies
from server.store.engine import Store, settle
from server.store.entries import Append, PoisonedError, encode
from server.store.lanes import LANE

_BATCH: Final = """
batch AS MATERIALIZED (
    SELECT place - 1 AS place, (e ->> 0)::bigint AS attempt, (e ->> 1)::integer AS seq, e ->> 2 AS text,
        (e ->> 3)::bigint AS at_ms, (e ->> 4)::integer AS moves, (e ->> 5)::integer AS undos,
        (e ->> 6)::integer AS progress, e -> 7 ->> 0 AS over, (e -> 7 ->> 1)::bigint AS finished_at,
        (e -> 7 ->> 2)::integer AS score, (e -> 7 ->> 3)::smallint AS class, (e -> 7 ->> 4)::bigint AS main_1,
        (e -> 7 ->> 5)::bigint AS main_2, (e -> 7 ->> 6)::bigint AS moves_1, (e -> 7 ->> 7)::bigint AS moves_2
    FROM jsonb_array_elements($1::text::jsonb) WITH ORDINALITY AS rows (e, place)
)"""

_COMMIT: Final = f"""
WITH {_BATCH},
fence AS (
    SELECT a.number, a.ranked, a.challenge_id, a.player_id, batch.*
    FROM batch JOIN attempts AS a ON a.number = batch.attempt
    WHERE a.seq = batch.seq AND (a.over IS NULL OR (batch.text = 'void' AND a.over <> 'void'))
    ORDER BY a.number FOR UPDATE OF a
),
kept AS (
    INSERT INTO log (attempt, seq, text, at_ms) SELECT number, seq, text, at_ms FROM fence
    ON CONFLICT DO NOTHING RETURNING attempt
),
fit AS MATERIALIZED (SELECT fence.* FROM fence JOIN kept ON kept.attempt = fence.number),
summary AS (
    UPDATE attempts SET seq = fit.seq + 1, moves = fit.moves, undos = fit.undos, progress = fit.progress,
        last_at_ms = fit.at_ms, over = coalesce(fit.over, attempts.over),
        finished_at = coalesce(fit.finished_at, attempts.finished_at)
    FROM fit WHERE attempts.number = fit.number
),
added AS (
    INSERT INTO results (attempt, challenge_id, player_id, ruleset, lane, outcome, time_ms, moves, undos, progress,
        score, finished_at, class, main_1, main_2, moves_1, moves_2)
    SELECT number, challenge_id, player_id, ruleset, {LANE}, over, at_ms, moves, undos, progress,
        score, finished_at, class, main_1, main_2, moves_1, moves_2
    FROM fit JOIN challenges AS c ON c.id = challenge_id JOIN players AS p ON p.id = player_id
    WHERE over <> 'void' AND ranked AND moves > 0
    ON CONFLICT DO NOTHING RETURNING *
),
counted AS ({tallies.count_in("added")})
SELECT place FROM batch WHERE place NOT IN (SELECT place FROM fit) ORDER BY place
"""

_CHOSEN: Final = (
    "results WHERE attempt IN (SELECT number FROM attempts WHERE over = 'void' AND number = ANY($1::bigint[]))"
)
_COUNT_OUT: Final = tallies.count_out(_CHOSEN)
_REMOVE: Final = f"DELETE FROM {_CHOSEN}"

_STANDING: Final = f"""
WITH {_BATCH}
SELECT place FROM batch JOIN attempts AS a ON a.number = batch.attempt
JOIN log ON log.attempt = a.number AND log.seq = batch.seq AND log.text = batch.text AND log.at_ms = batch.at_ms
ORDER BY place
"""

#: What PostgreSQL says of an entry, in contrast to what it says of itself or of the line.
_FAULTS_OF_ENTRIES: Final = (
    asyncpg.DataError,
    asyncpg.IntegrityConstraintViolationError,
    UnicodeError,
    OverflowError,
)


class PostgresGroups:
    """The groups of a PostgreSQL store; see :class:`server.store.entries.Groups`.

    One connection is kept for all groups, and replaced when it fails.
    """

    def __init__(self, store: Store) -> None:
        assert isinstance(store.recorder, AsyncEngine)
        self._engine = store.recorder
        self._held: tuple[AsyncConnection, Any] | None = None

    async def commit(self, entries: Sequence[Append]) -> Sequence[int]:
        """Store entries of different attempts; see the protocol."""
        group = encode(entries)
        voided = [entry.attempt for entry in entries if entry.ending and entry.ending.over == "void"]
        driver = await self._driver()
        try:
            if not voided:
                return _places(await driver.fetch(_COMMIT, group))
            async with driver.transaction():
                refused = _places(await driver.fetch(_COMMIT, group))
                await driver.execute(_COUNT_OUT, voided)
                await driver.execute(_REMOVE, voided)
                return refused
        except _FAULTS_OF_ENTRIES as error:
            raise PoisonedError(type(error).__name__) from error
        except BaseException:
            await settle(self._drop())
            raise

    async def standing(self, entries: Sequence[Append]) -> Sequence[int]:
        """The indices of entries that stand in the log exactly as given."""
        driver = await self._driver()
        try:
            return _places(await driver.fetch(_STANDING, encode(entries)))
        except BaseException:
            await settle(self._drop())
            raise

    async def close(self) -> None:
        """Give the connection back; the engine closes it."""
        if self._held is not None:
            conn, _ = self._held
            self._held = None
            await conn.close()

    async def _drop(self) -> None:
        """Close the connection, of which nobody knows what it is good for; the next group opens another."""
        if self._held is not None:
            await self._held[0].invalidate()
            await self.close()

    async def _driver(self) -> Any:
        if self._held is None:
            conn = await self._engine.connect()
            self._held = conn, (await conn.get_raw_connection()).driver_connection
        return self._held[1]


def _places(rows: Sequence[Any]) -> list[int]:
    return [int(row[0]) for row in rows]
