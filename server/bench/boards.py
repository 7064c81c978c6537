"""S8: a board of a million results among a thousand boards, beside a board of a thousand in the same database."""

# ruff: noqa: S311, S608 - the same players every time, and statements put together from constants

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Final, NamedTuple, cast

from sqlalchemy import Table, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from server.bench import databases
from server.bench.figures import Bar, Figure, Say, median
from server.store import boards, ladder, migrate, tallies
from server.store.engine import Store
from server.store.tables import Attempt, Result

#: Results of the large board, of the one beside it, and of each of the others.
LARGE: Final = 1_000_000
SMALL: Final = 1_000
OTHER: Final = 100
BOARDS: Final = 1_000
ROUNDS: Final = 40
LIMIT: Final = 50
#: Milliseconds that a single figure may take.
PROMPT: Final = Bar(20, 5, at_least=False)
PAGES: Final = Bar(3, 1.5, at_least=False)

#: Numbers from 1 to `:count`, on both databases.
_NUMBERS: Final = (
    "WITH RECURSIVE numbers (n) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < :count)"
)

#: An id with the number in its last digits, by database.
_ID: Final = {"sqlite": "printf('%032x', {})", "postgresql": "CAST(lpad(to_hex({}), 32, '0') AS uuid)"}
_CHALLENGES: Final = 1 << 40


class Size(NamedTuple):
    """How much is measured: results of the large and the small board, other boards, and rounds."""

    large: int = LARGE
    small: int = SMALL
    others: int = BOARDS - 2
    rounds: int = ROUNDS


SMOKE: Final = Size(20_000, 1_000, 8, 5)


def board_id(number: int) -> str:
    """The id of the challenge of that number, from 1."""
    return row_id(_CHALLENGES + number)


def row_id(number: int) -> str:
    """The id with that number in its last digits."""
    digits = f"{number:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


async def s8(*, smoke: bool, say: Say) -> list[Figure]:
    """Page, own rank, total and the page about oneself, of both boards in turns, on both databases."""
    size = SMOKE if smoke else Size()
    figures = await _on("SQLite", databases.sqlite(), size, say)
    return figures + await _on("PostgreSQL", databases.postgres(), size, say)


async def _on(name: str, database: AbstractAsyncContextManager[str], size: Size, say: Say) -> list[Figure]:
    async with database as url:
        await asyncio.to_thread(migrate.upgrade, url)
        began = time.perf_counter()
        await fill(url, size)
        store = await Store.open(url)
        try:
            say(f"{name}: {size.large:,} results and {size.others + 2:,} boards in {time.perf_counter() - began:.0f} s")
            return await _measured(name, store, size)
        finally:
            await store.close()


async def fill(url: str, size: Size) -> None:
    """Make the boards: 1 is the large one, 2 the small one. Their players are numbered from 1.

    Not through a store: no statement of a server may take as long as these.
    """
    engine = create_async_engine(url)
    try:
        async with engine.begin() as conn:
            await _fill(conn, size)
        async with engine.connect() as conn:  # what a database does by itself in time
            settled = await conn.execution_options(isolation_level="AUTOCOMMIT")
            await settled.execute(text("VACUUM ANALYZE" if conn.dialect.name == "postgresql" else "ANALYZE"))
    finally:
        await engine.dispose()


async def _fill(conn: AsyncConnection, size: Size) -> None:
    dialect = conn.dialect.name
    own = _ID[dialect]
    # Indices are quicker made at once than row by row.
    indices = [index for table in (Attempt, Result) for index in cast(Table, table.__table__).indexes]
    for index in indices:
        await conn.run_sync(index.drop)
    await _numbered(
        conn,
        f"INSERT INTO players (id, kind, name, created_at) {_NUMBERS} SELECT {own.format('n')},"
        " CASE n % 10 WHEN 0 THEN 'bot' WHEN 1 THEN 'account' ELSE 'guest' END, 'Player ' || n, n FROM numbers",
        size.large,
    )
    await _numbered(
        conn,
        "INSERT INTO challenges (id, kind, ruleset, rules_version, deal_version, seed, commitment, opens_at,"
        f" created_at) {_NUMBERS} SELECT {own.format(f'{_CHALLENGES} + n')}, 'event', 'pyramid', 1, 1,"
        f" '{'0' * 32}', '{'0' * 64}', 500000, 0 FROM numbers",
        size.others + 2,
    )
    first = 0
    for number in range(1, size.others + 3):
        count = size.large if number == 1 else size.small if number == 2 else OTHER
        await _fill_board(conn, dialect, number, count, first)
        first += count
    for index in indices:
        await conn.run_sync(index.create)
    await conn.execute(text(tallies.count_in("results")))


async def _fill_board(conn: AsyncConnection, dialect: str, number: int, count: int, first: int) -> None:
    """Attempts and results of the players 1 to ``count``, with attempt numbers after ``first``."""
    own, challenge = _ID[dialect], f"{_ID[dialect].format(_CHALLENGES + number)}"
    attempt = own.format(f"{2 << 40} + {first} + n")
    won = "n % 5 < 3"
    times = "20000 + n * 7919 % 1800003"
    moves = "30 + n * 31 % 97"
    await _numbered(
        conn,
        "INSERT INTO attempts (number, id, challenge_id, player_id, ranked, undo_policy, started_at, seq, moves, undos,"
        f" progress, last_at_ms, over, finished_at) {_NUMBERS} SELECT {first} + n, {attempt}, {challenge},"
        f" {own.format('n')}, true, 'counted', 0, {moves}, {moves}, 0, n % 28, {times},"
        f" CASE WHEN {won} THEN 'won' ELSE 'lost' END, n * 104729 % 86400000 FROM numbers",
        count,
    )
    await _numbered(
        conn,
        "INSERT INTO results (attempt, challenge_id, player_id, ruleset, lane, outcome, time_ms, moves, undos,"
        f" progress, finished_at, class, main_1, main_2, moves_1, moves_2) {_NUMBERS} SELECT {first} + n, {challenge},"
        f" {own.format('n')}, 'pyramid', CASE n % 10 WHEN 0 THEN 2 WHEN 1 THEN 1 ELSE 0 END,"
        f" CASE WHEN {won} THEN 'won' ELSE 'lost' END, {times}, {moves}, 0, n % 28, n * 104729 % 86400000,"
        f" CASE WHEN {won} THEN 0 ELSE 1 END, CASE WHEN {won} THEN {times} ELSE 28 - n % 28 END,"
        f" CASE WHEN {won} THEN {moves} ELSE 0 END, CASE WHEN {won} THEN {moves} ELSE 28 - n % 28 END,"
        f" CASE WHEN {won} THEN {times} ELSE 0 END FROM numbers",
        count,
    )


async def _numbered(conn: AsyncConnection, statement: str, count: int) -> None:
    await conn.execute(text(statement), {"count": count})


async def _measured(name: str, store: Store, size: Size) -> list[Figure]:
    dice = random.Random(8)
    asked: dict[str, Callable[[AsyncConnection, str, str], Awaitable[object]]] = {
        "first page": lambda conn, board, player: ladder.page(conn, boards.of_challenge(board, "main"), LIMIT),
        "own rank": lambda conn, board, player: boards.line(conn, board, "main", player),
        "total": lambda conn, board, player: boards.total(conn, board),
        "around me": lambda conn, board, player: boards.around(conn, board, "main", player, LIMIT),
    }
    large: dict[str, list[float]] = {what: [] for what in (*asked, "next page")}
    small: dict[str, list[float]] = {what: [] for what in large}
    for turn in range(size.rounds + 2):
        for number, count, times in ((1, size.large, large), (2, size.small, small)):
            board, player = board_id(number), row_id(dice.randint(1, count))
            for what, ask in asked.items():
                async with store.reading() as conn:
                    began = time.perf_counter()
                    await ask(conn, board, player)
                    took = time.perf_counter() - began
                if turn >= 2:  # the first ones fill caches
                    times[what].append(took * 1000)
            async with store.reading() as conn:
                here = await boards.around(conn, board, "main", player, LIMIT)
                after = None if here is None else here.next
                began = time.perf_counter()
                await boards.page(conn, board, "main", LIMIT, after=after)
                if turn >= 2:
                    times["next page"].append((time.perf_counter() - began) * 1000)
    return [_figure(name, what, median(large[what]), median(small[what])) for what in large]


def _figure(name: str, what: str, large: float, small: float) -> Figure:
    measured, baseline = f"{large:.2f} ms", f"{small:.2f} ms of {SMALL:,} results"
    if "page" in what:
        return Figure(f"{name}, {what}", measured, baseline, large / small, "times the baseline", PAGES)
    return Figure(f"{name}, {what}", measured, baseline, large, "ms", PROMPT)
