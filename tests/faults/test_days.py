"""Two processes that make or close the same days at once, and a kill half-way: no day, deal or end twice."""

import asyncio
import signal
import sys
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from server.store import migrate, stock
from server.store.engine import Store
from server.store.rebuild import Difference, rebuild
from tests.faults.served import ROOT
from tests.store.seeding import deal_row
from tests.support.live_server import DAY, NOON, live_server

KEYS = ["pyramid", "thirteen", "thirteen-3", "bakers-dozen", "bakers-dozen-kings", "foursquare"]
FIRST = date(2031, 5, 1)
DAYS = 6
#: Fewer than are asked for: at the end both processes reach for the last ones.
DEALS = 5


async def lay_in(url: str) -> None:
    await asyncio.to_thread(migrate.upgrade, url)
    store = await Store.open(url)
    async with store.writing() as conn:
        for key in KEYS:
            for _ in range(DEALS + 2):  # with those of today and tomorrow
                assert await stock.add(conn, deal_row(key))
    await store.close()


async def maker(url: str, folder: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.faults.daymaker", url, str(folder), FIRST.isoformat(), str(DAYS)),
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def check(url: str) -> None:
    """Every date has each ruleset once, and what the stock has given belongs to the one challenge that took it."""
    store = await Store.open(url)
    async with store.reading() as conn:
        made = (await conn.execute(text("SELECT date, ruleset, seed FROM challenges WHERE kind = 'daily'"))).all()
        used = (
            await conn.execute(
                text("SELECT c.ruleset, c.seed, s.ruleset, s.seed FROM stock s JOIN challenges c ON c.id = s.used_by")
            )
        ).all()
        unused = (await conn.execute(text("SELECT count(*) FROM stock WHERE used_by IS NULL"))).scalar_one()
    await store.close()
    days = [(FIRST + timedelta(days=number)).isoformat() for number in range(DAYS)]
    counted = Counter((row.date, row.ruleset) for row in made)
    assert set(counted.values()) == {1}
    assert {(day, key) for day in days for key in KEYS} <= set(counted)
    assert len({row.seed for row in made}) == len(made)
    assert all((row[0], row[1]) == (row[2], row[3]) for row in used)
    assert len({row[1] for row in used}) == len(used)
    # All that was there was taken, and nothing else was lost of it.
    assert (len(used), unused) == (len(KEYS) * (DEALS + 2), 0)


@pytest.mark.timeout(240)
async def test_two_processes_that_make_the_same_days_at_once(database_url: str, tmp_path: Path) -> None:
    await lay_in(database_url)
    makers = [await maker(database_url, tmp_path) for _ in range(2)]
    outputs = await asyncio.gather(*(process.communicate() for process in makers))
    assert [process.returncode for process in makers] == [0, 0]
    assert all(len(out.split()) == DAYS for out, _ in outputs)
    await check(database_url)


@pytest.mark.timeout(240)
async def test_a_kill_half_way_leaves_what_the_next_start_completes(database_url: str, tmp_path: Path) -> None:
    await lay_in(database_url)
    first = await maker(database_url, tmp_path)
    assert first.stdout is not None
    for _ in range(2):
        assert await first.stdout.readline()
    first.send_signal(signal.SIGKILL)
    await first.wait()
    second = await maker(database_url, tmp_path)
    out, _ = await second.communicate()
    assert (second.returncode, len(out.split())) == (0, DAYS)
    await check(database_url)


# --- closing -------------------------------------------------------------------------------------------------------

#: More than are closed together, so that a kill finds some closed and others open.
PLAYERS = 70


async def leave_open(url: str, folder: Path) -> None:
    """A server on which many play the dailies of one day and leave them unfinished."""
    async with live_server(url, folder, sandbox=True) as server:
        for number in range(PLAYERS):
            async with server.playing() as player:
                state = await player.start(f"daily/today/{KEYS[number % 2]}")
                await player.play(state["attempt"], state["legal"][0])


async def closer(url: str, folder: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.faults.daycloser", url, str(folder), str(NOON + 2 * DAY)),
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def check_closed(url: str) -> None:
    """Every attempt ended once, with the close; every result and every point is what the logs say."""
    store = await Store.open(url)
    async with store.reading() as conn:
        left = (await conn.execute(text("SELECT count(*) FROM attempts WHERE over IS NULL"))).scalar_one()
        ends = (
            (await conn.execute(text("SELECT count(*) FROM log WHERE text = 'close' GROUP BY attempt"))).scalars().all()
        )
        unclosed = (
            await conn.execute(
                text("SELECT count(*) FROM challenges WHERE closed_at IS NULL AND closes_at <= :now"),
                {"now": NOON + 2 * DAY},
            )
        ).scalar_one()
    assert (left, unclosed, ends) == (0, 0, [1] * PLAYERS)
    found: list[Difference] = []
    await rebuild(store, fix=False, tell=found.append)
    await store.close()
    assert found == []


@pytest.mark.timeout(240)
async def test_two_processes_that_close_the_same_day_at_once(database_url: str, tmp_path: Path) -> None:
    await leave_open(database_url, tmp_path)
    closers = [await closer(database_url, tmp_path) for _ in range(2)]
    await asyncio.gather(*(process.communicate() for process in closers))
    assert [process.returncode for process in closers] == [0, 0]
    await check_closed(database_url)


@pytest.mark.timeout(240)
async def test_a_kill_while_a_day_is_closed_leaves_what_the_next_start_completes(
    database_url: str, tmp_path: Path
) -> None:
    await leave_open(database_url, tmp_path)
    first = await closer(database_url, tmp_path)
    assert first.stdout is not None
    assert await first.stdout.readline()
    first.send_signal(signal.SIGKILL)
    await first.wait()
    second = await closer(database_url, tmp_path)
    out, _ = await second.communicate()
    assert (second.returncode, 0 < len(out.split()) < PLAYERS) == (0, True)
    await check_closed(database_url)
