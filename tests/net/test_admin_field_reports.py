"""R41, R46 and R47 with admins at work: what they do is never felt by who plays, and no day is made twice."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from server.actions.dates import iso, midnight_ms
from server.clock import ManualClock, SystemClock
from server.store import stock
from server.store.rebuild import Difference, rebuild
from tests.net.pastimes import WIN, day_of, get, give_up, go_to
from tests.store.seeding import deal_row
from tests.support.live_server import DAY, HOUR, LiveServer, counted_seeds, live_server

API = "/api/v1/admin"
KEY = WIN.ruleset


@pytest.fixture
async def server(sqlite_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    """A running server without limits, by the real time, as commands beside it have it."""
    async with live_server(sqlite_url, tmp_path, SystemClock(), sandbox=True) as running:
        yield running


async def command(*words: str) -> int:
    """A command of ``samedeal admin`` as a process beside the server; its exit code."""
    program = "from server.cli import main; main()"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", program, "admin", *words, stdout=DEVNULL)
    return await process.wait()


async def stop(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@pytest.mark.slow
async def test_r41_fifty_finish_at_once_while_an_admin_stores_a_batch_and_boards_are_read(
    server: LiveServer, sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds, first = counted_seeds("r41"), datetime.now(UTC).date() + timedelta(days=5)
    lines = [f"{first + timedelta(days=number)},foursquare,{seeds()}" for number in range(380)]
    batch = tmp_path / "seeds.csv"
    await asyncio.to_thread(batch.write_text, "\n".join(lines))
    database = ("--database-url", sqlite_url)
    others = ("--ruleset", "thirteen", "--ruleset", "thirteen-3", "--ruleset", "bakers-dozen")
    challenge = await server.make_challenge("pyramid", counted_seeds("deal")())
    players = [await server.player(f"Player {number}") for number in range(50)]
    admin = await server.admin("owner", "ada", player=players[0])
    states = [await player.start(challenge) for player in players]
    for player, state in zip(players, states, strict=True):
        await player.play(state["attempt"], state["legal"][0])

    async def read_boards() -> None:
        async with server.http() as http:
            while True:
                read.append((await http.get(f"/api/v1/boards/challenge/{challenge}")).status_code)

    async def resign(number: int) -> None:
        answer = await players[number].resign(states[number]["attempt"])
        assert answer["t"] == "played", answer

    read, commits = list[int](), list[float]()
    monkeypatch.setattr(server.app.services.recorder, "_on_commit", lambda _, seconds: commits.append(seconds))
    with capture_logs() as log:
        readers = [asyncio.get_running_loop().create_task(read_boards()) for _ in range(3)]
        imported = asyncio.get_running_loop().create_task(command("import", str(batch), "--as", "ada", *database))
        last = first + timedelta(days=99)
        filled = asyncio.get_running_loop().create_task(command("fill", str(first), str(last), *others, *database))
        await asyncio.gather(*(resign(number) for number in range(1, 50)))
        body = {"reason": "a rehearsal", "dry_run": True}
        rehearsed = await admin.post(f"{API}/challenges/{challenge}/void", json=body)
        assert rehearsed.json()["attempts_after"] == {"void": 50}
        await resign(0)
        assert (await imported, await filled) == (0, 0)
        for reader in readers:
            await stop(reader)
    assert [line for line in log if line["log_level"] in ("warning", "error")] == []
    assert set(read) == {200}
    assert max(commits) < 5
    assert (await get(server, f"/boards/challenge/{challenge}"))["total"] == 50
    shown = await admin.get(f"{API}/calendar", params={"first": str(first), "last": str(first)})
    assert {cell["ruleset"]: cell["source"] for cell in shown.json()["cells"]}["foursquare"] == "seed"
    found: list[Difference] = []
    await rebuild(server.app.services.store, fix=False, tell=found.append)
    assert found == []
    await admin.aclose()
    for player in players:
        await player.close()


async def test_a_command_beside_the_server_is_told_to_those_who_play_and_watch(
    server: LiveServer, sqlite_url: str
) -> None:
    """Within two heartbeats: the server reads in the audit log what another process has done."""
    async with server.playing("Ada") as ada, server.playing("Ben") as ben:
        challenge = await server.make_challenge("pyramid", WIN.seed)
        state = await ada.start(challenge)
        await give_up(ben, challenge)
        await ada.ask("board.watch", challenge=challenge)
        until = iso(server.clock.now_ms() + 2 * DAY)
        words = ("--reason", "a test", "--database-url", sqlite_url)
        assert await command("extend", challenge, "--until", until, *words) == 0
        told = await ada.told("state")
        assert told["challenge"]["closes_at"] > state["challenge"]["closes_at"]
        assert await command("block", ben.welcome["player"]["id"], *words) == 0
        assert (await ada.told("board"))["total"] == 0
        assert await command("void", challenge, *words) == 0
        assert (await ada.told("state"))["over"] == "void"


async def test_r46_a_daily_over_midnight_is_booked_on_its_day_whatever_admins_plan(
    sqlite_url: str, tmp_path: Path
) -> None:
    clock = ManualClock(midnight_ms(date(2026, 3, 11)) - 30_000)
    async with live_server(sqlite_url, tmp_path, clock, sandbox=True) as server, server.playing("Ada") as ada:
        deal = deal_row(seed=WIN.seed, ruleset=KEY, difficulty="expert")
        async with server.app.services.store.writing() as conn:
            assert await stock.add(conn, deal)
        async with await server.admin("owner") as admin:
            old = await ada.start(f"daily/today/{KEY}")
            await ada.play(old["attempt"], "s")
            planned = await admin.put(f"{API}/calendar/2026-03-12/{KEY}", json={"version": 0, "deal": deal.id})
            assert planned.status_code == 200
            late = await admin.put(f"{API}/calendar/2026-03-11/{KEY}", json={"version": 0, "difficulty": "easy"})
            assert late.json()["code"] == "calendar/locked"
            server.manual.advance(60_000)
            await server.manual.parked(3)
            body = {"reason": "a rehearsal", "dry_run": True}
            answer = await admin.post(f"{API}/challenges/{old['challenge']['id']}/void", json=body)
            assert answer.status_code == 200
            played = await ada.play(old["attempt"], "s")
            assert (played["t"], played["at_ms"]) == ("played", 60_000)
            result = (await ada.resign(old["attempt"]))["result"]
            assert (result["rank"], result["time_ms"]) == (1, 60_000)
            assert (await get(server, f"/boards/daily/2026-03-10/{KEY}"))["total"] == 1
            assert (await get(server, f"/boards/daily/2026-03-11/{KEY}"))["total"] == 0
            new = await ada.start(f"daily/today/{KEY}")
            assert (new["challenge"]["date"], new["seq"]) == ("2026-03-11", 0)
            assert new["commitment"] not in (old["commitment"], deal.commitment)
            tomorrow = await get(server, "/dailies/tomorrow")
            assert next(one for one in tomorrow["dailies"] if one["ruleset"] == KEY)["commitment"] == deal.commitment


@pytest.mark.parametrize("change", ["2026-03-29", "2026-10-25"])
async def test_r47_hour_by_hour_over_a_change_of_clocks_while_admins_plan(
    sqlite_url: str, tmp_path: Path, change: str
) -> None:
    day = date.fromisoformat(change)
    start = midnight_ms(day) - 12 * HOUR
    async with (
        live_server(sqlite_url, tmp_path, ManualClock(start), sandbox=True) as server,
        server.playing("Ada") as ada,
        await server.admin("seeder") as admin,
    ):
        commitments: dict[str, set[str]] = {}
        for hour in range(0, 48, 2):
            if hour:
                server.manual.set(start + hour * HOUR)
                await server.manual.parked(3)
            now = day_of(server)
            span = {"first": str(now), "last": str(now + timedelta(days=4))}
            assert (await admin.post(f"{API}/calendar/fill", json=span)).status_code == 200
            body = await get(server, "/dailies/today")
            for daily in body["dailies"]:
                commitments.setdefault(f"{body['date']}/{daily['ruleset']}", set()).add(daily["commitment"])
            if hour in (0, 24, 46):
                await give_up(ada, f"daily/today/{KEY}")
        assert len(commitments) == 3 * 6
        assert {len(seen) for seen in commitments.values()} == {1}
        profile = await get(server, f"/players/{ada.welcome['player']['id']}")
        assert profile["streak"]["current"] == 3


async def test_two_servers_that_close_the_same_day_leave_one_of_everything(database_url: str, tmp_path: Path) -> None:
    async with live_server(database_url, tmp_path, sandbox=True) as one, one.playing("Ada") as ada:
        daily = await ada.start(f"daily/today/{KEY}")
        await ada.play(daily["attempt"], daily["legal"][0])
        second = LiveServer(database_url, tmp_path, ManualClock(one.manual.now_ms()), sandbox=True)
        await second.start()
        try:
            later = midnight_ms(day_of(one) + timedelta(days=1)) + HOUR
            one.manual.set(later)
            second.manual.set(later)
            await asyncio.gather(one.manual.parked(3), second.manual.parked(3))
            await go_to(one, day_of(one), 2 * HOUR)
        finally:
            await second.stop()
        async with one.app.services.store.reading() as conn:
            query = "SELECT date, ruleset, count(*) FROM challenges WHERE kind = 'daily' GROUP BY date, ruleset"
            counted = [tuple(row) for row in await conn.execute(text(query))]
        assert {count for _, _, count in counted} == {1}
        assert len(counted) == 3 * 6
        board = await get(one, f"/boards/daily/{daily['challenge']['date']}/{KEY}")
        assert (board["total"], board["challenge"]["closed"]) == (1, True)
        season = await get(one, f"/boards/season/all/{KEY}")
        assert [row["points"] for row in season["rows"]] == [500]
        found: list[Difference] = []
        await rebuild(one.app.services.store, fix=False, tell=found.append)
        assert found == []
