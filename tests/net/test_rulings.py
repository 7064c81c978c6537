"""Void, exclude, extend and block: what they tell beforehand is what they do, and everything after follows."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.actions.dates import iso
from server.store.rebuild import Difference, rebuild
from tests.net.pastimes import SECOND, WIN, day_of, get, give_up, go_to, make_daily, win_daily
from tests.support.live_server import DAY, HOUR, LiveServer, live_server

KEY = WIN.ruleset


@pytest.fixture
async def server(database_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    """A running server without limits, on both databases."""
    async with live_server(database_url, tmp_path, sandbox=True) as running:
        yield running


async def no_difference(server: LiveServer) -> None:
    found: list[Difference] = []
    await rebuild(server.app.services.store, fix=False, tell=found.append)
    assert found == []


async def post(http: httpx.AsyncClient, path: str, **body: Any) -> Any:
    answer = await http.post(f"/api/v1/admin{path}", json=body)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


async def audit(http: httpx.AsyncClient, **query: Any) -> list[Any]:
    answer = await http.get("/api/v1/admin/audit", params=query)
    assert answer.status_code == 200, answer.text
    return list(answer.json()["entries"])


def places(board: Any) -> list[tuple[int, str]]:
    return [(row["rank"], row["player"]["name"]) for row in board["rows"]]


async def test_a_void_daily_leaves_day_season_records_and_breaks_no_streak(server: LiveServer) -> None:
    first = day_of(server) + timedelta(days=2)
    days = [first + timedelta(days=number) for number in range(3)]
    challenges = [await make_daily(server, day) for day in days]
    async with server.playing("Ada") as ada, server.playing("Ben") as ben:
        for day, challenge in zip(days, challenges, strict=True):
            await go_to(server, day)
            await win_daily(server, ada, challenge, 10 * SECOND)
            await win_daily(server, ben, challenge, 20 * SECOND)
        await go_to(server, days[-1] + timedelta(days=1))
        ada_id = ada.welcome["player"]["id"]
        assert (await get(server, f"/players/{ada_id}"))["streak"]["current"] == 3
        before = await get(server, f"/boards/season/all/{KEY}")

        moderator = await server.admin("moderator")
        path = f"/challenges/{challenges[1]}/void"
        told = await post(moderator, path, reason="a broken deal", dry_run=True)
        assert await get(server, f"/boards/season/all/{KEY}") == before
        assert await audit(moderator) == await audit(moderator, action="admin.create")
        done = await post(moderator, path, reason="a broken deal")
        assert {**told, "dry_run": False} == done
        assert done["attempts_before"] == {"won": 2}
        assert done["attempts_after"] == {"void": 2}
        assert [(row["name"], row["before"], row["after"]) for row in done["ranks"]["shown"]] == [
            ("Ada", 1, None),
            ("Ben", 2, None),
        ]
        assert {
            (row["name"], row["period"], row["after"]) for row in done["points"]["shown"] if row["period"] == "all"
        } == {
            ("Ada", "all", 1500),
            ("Ben", "all", 500),
        }
        assert [(row["name"], row["before"], row["after"]) for row in done["streaks"]["shown"]] == [
            ("Ada", 3, 2),
            ("Ben", 3, 2),
        ]

        board = await get(server, f"/boards/challenge/{challenges[1]}")
        assert (board["total"], board["challenge"]["void"]) == (0, True)
        assert (await get(server, f"/boards/records/{KEY}"))["total"] == 4
        assert (await get(server, f"/boards/season/all/{KEY}"))["rows"][0]["points"] == 1500
        streak = (await get(server, f"/players/{ada_id}"))["streak"]
        assert (streak["current"], streak["freezes"]) == (2, 0)
        (entry,) = await audit(moderator, action="challenge.void")
        assert entry["target"] == f"daily/{days[1]}/{KEY}"
        assert entry["reason"] == "a broken deal"
        again = await moderator.post(f"/api/v1/admin{path}", json={"reason": "again"})
        assert (again.status_code, again.json()["code"]) == (409, "challenge/void")
        await no_difference(server)
        await moderator.aclose()


async def test_a_void_tells_the_streaks_of_those_who_missed_the_day_as_well(server: LiveServer) -> None:
    first = day_of(server) + timedelta(days=2)
    days = [first + timedelta(days=number) for number in range(3)]
    challenges = [await make_daily(server, day) for day in days]
    async with (
        server.playing("Ada") as ada,
        server.playing("Ben") as ben,
        server.playing("Cem") as cem,
        await server.admin("moderator") as moderator,
    ):
        for number, day in enumerate(days):
            await go_to(server, day)
            for player, missed in ((ada, 1), (ben, None), (cem, 0)):
                if missed != number:
                    await give_up(player, challenges[number])
        await go_to(server, days[-1] + timedelta(days=1))
        streaks = {}
        for player in (ada, ben, cem):
            streaks[player] = (await get(server, f"/players/{player.welcome['player']['id']}"))["streak"]["current"]
        assert list(streaks.values()) == [1, 3, 2]
        path = f"/challenges/{challenges[1]}/void"
        told = await post(moderator, path, reason="a broken deal", dry_run=True)
        done = await post(moderator, path, reason="a broken deal")
        assert {**told, "dry_run": False} == done
        shown = [(row["name"], row["before"], row["after"]) for row in done["streaks"]["shown"]]
        assert sorted(shown) == [("Ada", 1, 2), ("Ben", 3, 2), ("Cem", 2, 1)]
        for player, change in zip((ada, ben, cem), sorted(shown), strict=True):
            profile = await get(server, f"/players/{player.welcome['player']['id']}")
            assert profile["streak"]["current"] == change[2]


async def test_a_void_of_a_running_daily_is_told_to_those_who_play_it_and_watch_its_board(server: LiveServer) -> None:
    async with server.playing("Ada") as ada, server.playing("Ben") as ben, server.playing("Cem") as cem:
        state = await ada.start(f"daily/today/{KEY}")
        await ada.play(state["attempt"], state["legal"][0])
        await give_up(ben, f"daily/today/{KEY}")
        watched = await cem.ask("board.watch", challenge=state["challenge"]["id"])
        assert watched["total"] == 1
        owner = await server.admin("owner")
        await post(owner, f"/challenges/{state['challenge']['id']}/void", reason="a broken deal")
        assert (await ada.told("state"))["over"] == "void"
        assert (await cem.told("board"))["total"] == 0
        assert (await ada.play(state["attempt"], state["legal"][0]))["code"] == "attempt/over"
        refused = await cem.start(f"daily/today/{KEY}")
        assert refused["code"] == "challenge/closed"
        await go_to(server, day_of(server) + timedelta(days=1))
        assert (await get(server, f"/boards/season/all/{KEY}"))["total"] == 0
        await no_difference(server)
        await owner.aclose()


async def test_r50_an_excluded_result_and_a_blocked_player_let_everybody_behind_move_up(server: LiveServer) -> None:
    day = day_of(server) + timedelta(days=2)
    challenge = await make_daily(server, day)
    await go_to(server, day)
    async with server.playing("Ada") as ada, server.playing("Ben") as ben, server.playing("Cem") as cem:
        first = await win_daily(server, ada, challenge, 10 * SECOND)
        await win_daily(server, ben, challenge, 20 * SECOND)
        await win_daily(server, cem, challenge, 30 * SECOND)
        await go_to(server, day + timedelta(days=1))
        moderator = await server.admin("moderator")
        told = await post(moderator, f"/attempts/{first}/exclude", reason="two people", dry_run=True)
        assert [(row["name"], row["before"], row["after"]) for row in told["ranks"]["shown"]] == [
            ("Ada", 1, None),
            ("Ben", 2, 1),
            ("Cem", 3, 2),
        ]
        assert places(await get(server, f"/boards/challenge/{challenge}")) == [(1, "Ada"), (2, "Ben"), (3, "Cem")]
        await post(moderator, f"/attempts/{first}/exclude", reason="two people")
        assert places(await get(server, f"/boards/challenge/{challenge}")) == [(1, "Ben"), (2, "Cem")]
        assert places(await get(server, f"/boards/season/all/{KEY}")) == [(1, "Ben"), (2, "Cem")]

        ben_id = ben.welcome["player"]["id"]
        blocked = await post(moderator, f"/players/{ben_id}/block", reason="a program")
        assert (blocked["attempts"], blocked["found"]["blocked_at"]) == (1, iso(server.manual.now_ms()))
        assert places(await get(server, f"/boards/challenge/{challenge}")) == [(1, "Cem")]
        assert places(await get(server, f"/boards/season/all/{KEY}")) == [(1, "Cem")]
        assert places(await get(server, f"/boards/records/{KEY}")) == [(1, "Cem")]
        assert (await get(server, f"/players/{ben_id}"))["games"] == []
        assert (await ben.start(f"daily/today/{KEY}"))["code"] == "challenge/barred"
        assert (await ben.ask("practice", ruleset=KEY))["t"] == "state"
        assert (await post(moderator, f"/players/{ben_id}/block", reason="a program"))["attempts"] == 0
        assert len(await audit(moderator, action="player.block")) == 1
        await post(moderator, f"/players/{ben_id}/unblock", reason="a mistake")
        assert (await ben.start(f"daily/today/{KEY}"))["t"] == "state"
        await no_difference(server)
        await moderator.aclose()


async def test_a_block_that_was_cut_off_is_finished_at_the_next_start(database_url: str, tmp_path: Path) -> None:
    async with live_server(database_url, tmp_path, sandbox=True) as server, server.playing("Ada") as ada:
        await give_up(ada, f"daily/today/{KEY}")
        services = server.app.services
        from server.store import withdrawals

        async with services.store.writing() as conn:
            assert await withdrawals.block(conn, ada.welcome["player"]["id"], services.clock.now_ms())
        assert (await get(server, f"/boards/daily/today/{KEY}"))["total"] == 1
        clock = server.clock
    async with live_server(database_url, tmp_path, clock, sandbox=True) as server:
        await server.app.services.settled()
        assert (await get(server, f"/boards/daily/today/{KEY}"))["total"] == 0
        await no_difference(server)


async def test_an_extended_daily_is_started_and_finished_later_and_stays_of_its_day(server: LiveServer) -> None:
    day = day_of(server)
    async with server.playing("Ada") as ada, server.playing("Ben") as ben:
        state = await ada.start(f"daily/today/{KEY}")
        challenge = state["challenge"]["id"]
        await ada.play(state["attempt"], "s")
        owner = await server.admin("owner")
        until = server.manual.now_ms() + DAY
        body = {"reason": "the line was down", "until": iso(until)}
        told = await post(owner, f"/challenges/{challenge}/extend", dry_run=True, **body)
        assert (told["ends_at"], told["closes_at"]) == (iso(until), iso(until + HOUR))
        assert (await get(server, f"/challenges/{challenge}"))["closes_at"] == state["challenge"]["closes_at"]
        await post(owner, f"/challenges/{challenge}/extend", **body)
        assert (await ada.told("state"))["challenge"]["closes_at"] == iso(until + HOUR)
        await go_to(server, day + timedelta(days=1), 11 * HOUR)
        assert (await ada.play(state["attempt"], "s"))["t"] == "played"
        assert (await ben.start(f"daily/{day}/{KEY}"))["challenge"]["date"] == day.isoformat()
        await ada.resign(state["attempt"])
        await go_to(server, day + timedelta(days=1), 14 * HOUR)
        closed = await get(server, f"/challenges/{challenge}")
        assert closed["closed"] is True
        late = await owner.post(f"/api/v1/admin/challenges/{challenge}/extend", json=body)
        assert (late.status_code, late.json()["code"]) == (409, "challenge/closed")
        await no_difference(server)
        await owner.aclose()
