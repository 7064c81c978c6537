"""The admin's API: signing in, planning days, lists of seeds, previews, events, files."""

import asyncio
import csv
import io
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from structlog.testing import capture_logs

from server.actions.dates import iso
from server.store import challenges, stock
from server.store.rebuild import Difference, rebuild
from tests.net.pastimes import SECOND, WIN, day_of, get, give_up, go_to
from tests.store.seeding import deal_row
from tests.support.live_server import HOUR, LiveServer, counted_seeds, live_server

KEY = WIN.ruleset
API = "/api/v1/admin"


@pytest.fixture
async def server(database_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    """A running server without limits, on both databases."""
    async with live_server(database_url, tmp_path, sandbox=True) as running:
        yield running


def ok(answer: httpx.Response) -> Any:
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


async def cell(http: httpx.AsyncClient, day: str, key: str = KEY) -> Any:
    shown = ok(await http.get(f"{API}/calendar", params={"first": day, "last": day}))
    return next(one for one in shown["cells"] if one["ruleset"] == key)


async def certified(server: LiveServer, difficulty: str, seed: str | None = WIN.seed, key: str = KEY) -> str:
    """A deal in stock, by itself that of the shared winning line, called as hard as is wanted; its id."""
    deal = deal_row(seed=seed, ruleset=key, difficulty=difficulty)
    async with server.app.services.store.writing() as conn:
        assert await stock.add(conn, deal)
    return deal.id


# --- signing in ----------------------------------------------------------------------------------------------------


async def test_a_browser_signs_in_with_a_token_and_a_cookie_that_only_our_pages_may_use(server: LiveServer) -> None:
    async with await server.admin("owner", "ada") as owner, server.http() as browser:
        token = owner.headers["Authorization"].removeprefix("Bearer ")
        origin = {"Origin": server.base_url}
        assert code(await browser.post(f"{API}/session", json={"token": "x" * 43}, headers=origin)) == (
            401,
            "auth/invalid",
        )
        elsewhere = await browser.post(
            f"{API}/session", json={"token": token}, headers={"Origin": "http://evil.example"}
        )
        assert code(elsewhere) == (403, "auth/forbidden")
        signed = await browser.post(f"{API}/session", json={"token": token}, headers=origin)
        assert ok(signed)["role"] == "owner"
        cookie = signed.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert token not in cookie
        assert ok(await browser.get(f"{API}/session"))["name"] == "ada"
        fill = {"first": "2026-03-20", "last": "2026-03-20"}
        for headers in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
            assert code(await browser.post(f"{API}/calendar/fill", json=fill, headers=headers)) == (
                403,
                "auth/forbidden",
            )
        assert ok(await browser.post(f"{API}/calendar/fill", json=fill, headers=origin))["planned"] == 6
        session = browser.cookies["samedeal-admin"]
        async with server.http(session) as thief:
            assert code(await thief.get(f"{API}/session")) == (401, "auth/invalid")  # a cookie is no token
        assert (await browser.delete(f"{API}/session", headers=origin)).status_code == 204
        browser.cookies.set("samedeal-admin", session)
        assert code(await browser.get(f"{API}/session")) == (401, "auth/invalid")


async def test_few_attempts_to_sign_in_are_allowed(sqlite_url: str, tmp_path: Path) -> None:
    async with live_server(sqlite_url, tmp_path) as server, server.http() as browser:
        origin = {"Origin": server.base_url}
        answers = [await browser.post(f"{API}/session", json={"token": "x"}, headers=origin) for _ in range(11)]
        assert [answer.status_code for answer in answers] == [401] * 10 + [429]
        assert int(answers[-1].headers["retry-after"]) > 0


async def test_nobody_looks_like_another_in_the_audit_log(server: LiveServer) -> None:
    async with await server.admin("owner", "ada") as owner:
        for name, refusal in (("console", (422, "name/invalid")), ("Console", (422, "name/invalid"))):
            assert code(await owner.post(f"{API}/admins", json={"name": name, "role": "auditor"})) == refusal
        assert code(await owner.post(f"{API}/admins", json={"name": "ADA", "role": "auditor"})) == (409, "admin/exists")


async def test_tokens_are_renewed_and_revoked_at_once_and_one_owner_remains(server: LiveServer) -> None:
    async with await server.admin("owner", "ada") as owner, await server.admin("seeder", "ben") as ben:
        assert code(await owner.delete(f"{API}/admins/ada")) == (409, "admin/last_owner")
        assert code(await owner.patch(f"{API}/admins/ada", json={"role": "auditor"})) == (409, "admin/last_owner")
        assert code(await owner.post(f"{API}/admins", json={"name": "ben", "role": "auditor"})) == (409, "admin/exists")
        fresh = ok(await owner.post(f"{API}/admins/ben/token"))["token"]
        assert code(await ben.get(f"{API}/session")) == (401, "auth/invalid")
        async with server.http(fresh) as again:
            assert ok(await again.get(f"{API}/session"))["role"] == "seeder"
            assert ok(await owner.patch(f"{API}/admins/ben", json={"role": "auditor"}))["role"] == "auditor"
            assert ok(await again.get(f"{API}/session"))["role"] == "auditor"
            assert (await owner.delete(f"{API}/admins/ben")).status_code == 204
            assert code(await again.get(f"{API}/session")) == (401, "auth/invalid")
        assert code(await owner.post(f"{API}/admins", json={"name": "ben", "role": "auditor"})) == (409, "admin/exists")
        (found,) = (one for one in ok(await owner.get(f"{API}/admins"))["admins"] if one["name"] == "ben")
        assert found["revoked_at"] == iso(server.manual.now_ms())


# --- the calendar --------------------------------------------------------------------------------------------------


async def test_days_are_scheduled_moved_swapped_and_cleared_by_version(server: LiveServer) -> None:
    async with await server.admin("seeder") as http:
        first, second = "2026-03-20", "2026-03-21"
        assert (await cell(http, first))["source"] == "rule"
        planned = ok(await http.put(f"{API}/calendar/{first}/{KEY}", json={"version": 0, "difficulty": "expert"}))
        assert (planned["source"], planned["difficulty"], planned["state"]) == ("difficulty", "expert", "coming")
        stale = await http.put(f"{API}/calendar/{first}/{KEY}", json={"version": 0, "difficulty": "easy"})
        assert code(stale) == (409, "calendar/stale")
        pair = {"ruleset": KEY, "first_version": planned["version"], "second_version": 0}
        moved = ok(await http.post(f"{API}/calendar/move", json={"first": first, "second": second, "cells": [pair]}))
        assert [one["source"] for one in moved["cells"]] == ["rule", "difficulty"]
        other = ok(await http.put(f"{API}/calendar/{first}/{KEY}", json={"version": 0, "difficulty": "easy"}))
        pair = {
            "ruleset": KEY,
            "first_version": other["version"],
            "second_version": moved["cells"][1]["version"],
        }
        taken = await http.post(f"{API}/calendar/move", json={"first": first, "second": second, "cells": [pair]})
        assert code(taken) == (409, "calendar/taken")
        swapped = ok(await http.post(f"{API}/calendar/swap", json={"first": first, "second": second, "cells": [pair]}))
        assert [one["difficulty"] for one in swapped["cells"]] == ["expert", "easy"]
        again = await http.post(f"{API}/calendar/swap", json={"first": first, "second": second, "cells": [pair]})
        assert code(again) == (409, "calendar/stale")
        version = swapped["cells"][0]["version"]
        cleared = ok(await http.delete(f"{API}/calendar/{first}/{KEY}", params={"version": version}))
        assert (cleared["source"], cleared["version"]) == ("rule", 0)


async def test_two_admins_who_plan_the_same_day_at_once_are_told_apart(server: LiveServer) -> None:
    async with await server.admin("seeder") as ada, await server.admin("owner") as ben:
        path = f"{API}/calendar/2026-03-20/{KEY}"
        answers = await asyncio.gather(
            *(
                http.put(path, json={"version": 0, "difficulty": level})
                for level in ("easy", "hard")
                for http in (ada, ben)
            )
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        winner = next(answer.json() for answer in answers if answer.status_code == 200)
        assert (await cell(ada, "2026-03-20"))["version"] == winner["version"]


async def test_past_running_and_published_days_cannot_be_planned(server: LiveServer) -> None:
    async with await server.admin("seeder") as http:
        for day in ("2026-03-09", "2026-03-10", "2026-03-11", "2027-06-01"):  # it is noon of the tenth
            answer = await http.put(f"{API}/calendar/{day}/{KEY}", json={"version": 0, "difficulty": "easy"})
            assert code(answer) == (409, "calendar/locked"), day
        assert (await cell(http, "2026-03-10"))["state"] == "running"
        assert (await cell(http, "2026-03-11"))["state"] == "published"
        filled = ok(await http.post(f"{API}/calendar/fill", json={"first": "2026-03-10", "last": "2026-03-13"}))
        assert (filled["planned"], filled["kept"]) == (12, 12)
        again = ok(await http.post(f"{API}/calendar/fill", json={"first": "2026-03-10", "last": "2026-03-13"}))
        assert (again["planned"], again["kept"]) == (0, 24)


async def test_a_planned_deal_is_the_one_of_its_day_and_its_seed_is_shown_to_nobody(server: LiveServer) -> None:
    day = day_of(server) + timedelta(days=3)
    with capture_logs() as log:
        deal = await certified(server, "hard")
        async with await server.admin("owner") as http:
            (listed,) = ok(await http.get(f"{API}/deals", params={"ruleset": KEY, "difficulty": "hard"}))["deals"]
            assert listed["id"] == deal
            planned = ok(await http.put(f"{API}/calendar/{day}/{KEY}", json={"version": 0, "deal": deal}))
            assert (planned["source"], planned["deal"], planned["difficulty"]) == ("deal", deal, "hard")
            assert ok(await http.get(f"{API}/deals", params={"ruleset": KEY}))["deals"] == []
            twice = await http.put(f"{API}/calendar/{day + timedelta(days=1)}/{KEY}", json={"version": 0, "deal": deal})
            assert code(twice) == (409, "deal/used")
            told = [
                (await http.get(f"{API}/{path}")).text
                for path in (
                    f"calendar?first={day}&last={day}",
                    f"deals?ruleset={KEY}",
                    "audit",
                    "audit/export",
                    "events",
                    "stock",
                )
            ]
            await go_to(server, day)
            assert (await cell(http, day.isoformat()))["difficulty"] == "hard"
        challenge = (await get(server, f"/dailies/{day}"))["dailies"][0]
        assert (challenge["ruleset"], challenge["seed"]) == (KEY, None)
        await go_to(server, day + timedelta(days=1))
        assert (await get(server, f"/challenges/{challenge['id']}"))["seed"] == WIN.seed
    assert WIN.seed not in str(log) + "".join(told)


# --- lists of seeds ------------------------------------------------------------------------------------------------


async def test_a_list_of_seeds_is_stored_whole_or_not_at_all_with_a_message_for_each_bad_line(
    server: LiveServer,
) -> None:
    fresh = counted_seeds("list")
    good = [WIN.seed, fresh()]
    async with server.playing("Ada") as ada, await server.admin("seeder", player=ada) as http:
        await server.make_challenge(KEY, good[1])
        lines = [
            "date,ruleset,seed",
            f"2026-03-20,{KEY},{good[0]}",
            f"2026-03-21,{KEY},{good[1]}",
            f"2026-03-20,{KEY},{fresh()}",
            f"2026-03-09,{KEY},{fresh()}",
            f"2026-03-22,chess,{fresh()}",
            f"2026-03-23,{KEY},ABC",
            f"2026-02-30,{KEY},{fresh()}",
            "2026-03-24",
            f"2026-03-11,{KEY},{fresh()}",
            f"2026-03-25,{KEY},{good[0]}",
        ]
        body = {"text": "\n".join(lines)}
        refused = ok(await http.post(f"{API}/calendar/import", json=body))
        assert (refused["stored"], refused["planned"]) == (False, 1)
        assert {one["line"]: one["code"] for one in refused["refused"]} == {
            3: "deal/used",
            4: "calendar/taken",
            5: "calendar/locked",
            6: "ruleset/unknown",
            7: "seed/invalid",
            8: "admin/dates",
            9: "protocol/malformed",
            10: "calendar/locked",
            11: "deal/used",
        }
        assert good[0] not in str(refused)
        assert (await cell(http, "2026-03-20"))["source"] == "rule"

        objects = {"text": json.dumps({"date": "2026-03-20", "ruleset": KEY, "seed": good[0]}), "format": "ndjson"}
        rehearsed = ok(await http.post(f"{API}/calendar/import", json={**objects, "dry_run": True}))
        assert (rehearsed["stored"], rehearsed["planned"]) == (False, 1)
        stored = ok(await http.post(f"{API}/calendar/import", json=objects))
        assert (stored["stored"], stored["planned"], stored["unchanged"]) == (True, 1, 0)
        planned = await cell(http, "2026-03-20")
        assert planned["source"] == "seed"
        again = ok(await http.post(f"{API}/calendar/import", json=objects))
        assert (again["stored"], again["planned"], again["unchanged"]) == (True, 0, 1)
        assert (await cell(http, "2026-03-20"))["version"] == planned["version"]

        await go_to(server, day_of(server) + timedelta(days=10))
        assert ok(await http.post(f"{API}/calendar/import", json=objects))["unchanged"] == 1
        assert (await ada.start(f"daily/2026-03-20/{KEY}"))["code"] == "challenge/barred"
        async with server.playing("Ben") as ben:
            assert (await ben.start(f"daily/2026-03-20/{KEY}"))["t"] == "state"


async def test_nobody_imports_or_previews_without_somebody_to_bar(server: LiveServer) -> None:
    async with await server.admin("seeder") as http:
        assert code(await http.post(f"{API}/calendar/import", json={"text": ""})) == (409, "admin/unbound")
        answer = await http.post(f"{API}/previews", json={"date": "2026-03-20", "ruleset": KEY})
        assert code(answer) == (409, "admin/unbound")


# --- previews ------------------------------------------------------------------------------------------------------


async def test_a_preview_leaves_no_result_tells_no_seed_and_bars_its_player(server: LiveServer) -> None:
    day = day_of(server) + timedelta(days=3)
    deal = await certified(server, "hard")
    async with (
        server.playing("Ada") as ada,
        server.playing("Ben") as ben,
        await server.admin("owner", player=ada) as http,
    ):
        ok(await http.put(f"{API}/calendar/{day}/{KEY}", json={"version": 0, "deal": deal}))
        preview = ok(await http.post(f"{API}/previews", json={"date": day.isoformat(), "ruleset": KEY}))
        state = await ada.sync(preview["attempt"])
        assert (state["challenge"]["kind"], state["ranked"]) == ("practice", False)
        for move in WIN.moves:
            played = await ada.play(preview["attempt"], move)
        assert played["over"] == "won"
        record = await get(server, f"/attempts/{preview['attempt']}", ada.token)
        assert record.get("seed") is None
        assert (await get(server, f"/boards/records/{KEY}"))["total"] == 0
        assert (await ben.sync(preview["attempt"]))["code"] == "attempt/not_yours"
        # Another name does not help: the admin is barred, whoever he says he is.
        ok(await http.put(f"{API}/session/player", json={"token": ben.token}))
        await go_to(server, day)
        for player in (ada, ben):
            assert (await player.start(f"daily/{day}/{KEY}"))["code"] == "challenge/barred"
        late = await http.post(f"{API}/previews", json={"date": day.isoformat(), "ruleset": KEY})
        assert code(late) == (409, "challenge/closed")
        assert (await get(server, f"/attempts/{preview['attempt']}", ada.token)).get("seed") is None


# --- events --------------------------------------------------------------------------------------------------------


def evening(server: LiveServer, **more: Any) -> dict[str, Any]:
    now = server.manual.now_ms()
    return {"name": "Club night", "opens_at": iso(now + HOUR), "ends_at": iso(now + 5 * HOUR), **more}


async def test_an_event_opens_is_played_and_adds_up(server: LiveServer) -> None:
    await certified(server, "easy")
    await certified(server, "hard", None, "foursquare")
    async with server.playing("Ada") as ada, server.playing("Ben") as ben, await server.admin("seeder") as http:
        deals = [{"ruleset": KEY, "difficulty": "easy"}, {"ruleset": "foursquare"}]
        made = ok(await http.post(f"{API}/events", json=evening(server, deals=deals)))
        assert (made["state"], len(made["challenges"])) == ("coming", 2)
        first, second = (one["id"] for one in made["challenges"])
        assert (await ada.start(first))["code"] == "challenge/not_open"
        async with server.http() as visitor:
            early = await visitor.get(f"/api/v1/events/{made['id']}/board")
        assert code(early) == (409, "challenge/not_open")
        assert "seed" not in json.dumps(await get(server, "/events"))
        changed = ok(await http.patch(f"{API}/events/{made['id']}", json={"name": "Club evening"}))
        assert changed["name"] == "Club evening"
        assert (await get(server, f"/challenges/{first}"))["event"] == {"id": made["id"], "name": "Club evening"}
        server.manual.advance(2 * HOUR)
        late = await http.patch(f"{API}/events/{made['id']}", json={"name": "Club night"})
        assert code(late) == (409, "event/opened")
        state = await ada.start(first)
        assert (state["challenge"]["kind"], state["ranked"]) == ("event", True)
        for move in WIN.moves:
            await ada.play(state["attempt"], move)
        await give_up(ben, first)
        await give_up(ben, second)
        board = await get(server, f"/events/{made['id']}/board")
        rows = [(row["rank"], row["player"]["name"], row["points"], row["played"], row["won"]) for row in board["rows"]]
        assert sorted(rows) == [(1, "Ada", 750, 1, 1), (1, "Ben", 750, 2, 0)]
        assert board["event"]["state"] == "open"
        await go_to(server, day_of(server) + timedelta(days=1))
        assert (await get(server, f"/events/{made['id']}"))["state"] == "closed"
        assert (await get(server, f"/challenges/{first}"))["seed"] == WIN.seed
        assert (await get(server, f"/boards/season/all/{KEY}"))["total"] == 0


async def test_a_deal_with_a_seed_of_ones_own_is_unranked(server: LiveServer) -> None:
    async with server.playing("Ada") as ada, await server.admin("seeder") as http:
        made = ok(await http.post(f"{API}/events", json=evening(server, deals=[{"ruleset": KEY, "seed": WIN.seed}])))
        again = await http.post(f"{API}/events", json=evening(server, deals=[{"ruleset": KEY, "seed": WIN.seed}]))
        assert code(again) == (409, "deal/used")
        server.manual.advance(2 * HOUR)
        challenge = made["challenges"][0]["id"]
        assert (await get(server, f"/challenges/{challenge}"))["ranked"] is False
        state = await ada.start(challenge)
        assert (state["ranked"], (await ada.start(challenge))["attempt"]) == (False, state["attempt"])
        for move in WIN.moves:
            await ada.play(state["attempt"], move)
        assert (await ada.start(challenge))["attempt"] != state["attempt"]
        assert (await get(server, f"/boards/challenge/{challenge}"))["total"] == 0
        assert (await get(server, f"/boards/records/{KEY}"))["total"] == 0


async def test_an_event_ranks_on_proved_deals_only(server: LiveServer) -> None:
    """Where the stock has none there is none: no deal is taken that may be lost, nor one of another level."""
    await certified(server, "hard")
    async with await server.admin("seeder") as http:
        for deal in ({"ruleset": "thirteen-strict"}, {"ruleset": KEY, "difficulty": "easy"}):
            refused = await http.post(f"{API}/events", json=evening(server, deals=[{"ruleset": KEY}, deal]))
            assert code(refused) == (409, "deal/none")
        assert ok(await http.get(f"{API}/events"))["events"] == []
        made = ok(await http.post(f"{API}/events", json=evening(server, deals=[{"ruleset": KEY}])))
        (challenge,) = made["challenges"]
    async with server.app.services.store.reading() as conn:
        stored = await challenges.challenge(conn, challenge["id"])
    assert stored is not None
    assert (stored.seed, stored.unranked) == (WIN.seed, False)


async def test_current_events_run_or_open_within_a_week_and_are_not_called_off(server: LiveServer) -> None:
    fresh = counted_seeds("current")

    async def names() -> list[str]:
        return [event["name"] for event in (await get(server, "/events", current=True))["events"]]

    hours_ahead = {"soon": 6 * 24, "running": 1, "far": 20 * 24, "called off": 2}
    async with await server.admin("seeder") as http:
        made = {}
        for name, hours in hours_ahead.items():
            opens = server.manual.now_ms() + hours * HOUR
            body = {"name": name, "opens_at": iso(opens), "ends_at": iso(opens + 5 * HOUR)}
            deals = [{"ruleset": KEY, "seed": fresh()}]
            made[name] = ok(await http.post(f"{API}/events", json={**body, "deals": deals}))["id"]
        ok(await http.post(f"{API}/events/{made['called off']}/cancel", json={"reason": "rain"}))
        server.manual.advance(2 * HOUR)
        assert await names() == ["running", "soon"]
        assert len((await get(server, "/events"))["events"]) == len(hours_ahead)
        await go_to(server, day_of(server) + timedelta(days=1))
        assert await names() == ["soon"]


async def test_one_seed_is_used_once_whoever_asks_for_it_at_the_same_time(server: LiveServer) -> None:
    async with server.playing("Ada") as ada, await server.admin("seeder", player=ada) as http:
        event = evening(server, deals=[{"ruleset": KEY, "seed": WIN.seed}])
        lists = [{"text": f"2026-03-{day},{KEY},{WIN.seed}"} for day in (20, 21, 22)]
        answers = await asyncio.gather(
            *(http.post(f"{API}/events", json=event) for _ in range(3)),
            *(http.post(f"{API}/calendar/import", json=one) for one in lists),
        )
        events, imports = answers[:3], answers[3:]
        assert {answer.status_code for answer in events} <= {201, 409}
        taken = [answer for answer in events if answer.status_code == 201]
        taken += [answer for answer in imports if ok(answer)["stored"]]
        assert len(taken) == 1
        assert {one["code"] for answer in imports for one in ok(answer)["refused"]} <= {"deal/used"}


@pytest.mark.parametrize("way", ["rehearsed", "stands already"])
async def test_whoever_sends_a_seed_knows_it_even_where_that_changes_nothing(server: LiveServer, way: str) -> None:
    body = {"text": f"2026-03-12,{KEY},{WIN.seed}"}
    async with (
        server.playing("Ada") as ada,
        server.playing("Ben") as ben,
        await server.admin("seeder", player=ada) as first,
        await server.admin("seeder", player=ben) as second,
    ):
        if way == "rehearsed":
            assert ok(await second.post(f"{API}/calendar/import", json={**body, "dry_run": True}))["planned"] == 1
        assert ok(await first.post(f"{API}/calendar/import", json=body))["planned"] == 1
        if way == "stands already":
            assert ok(await second.post(f"{API}/calendar/import", json=body))["unchanged"] == 1
        await go_to(server, day_of(server) + timedelta(days=2))
        for player in (ada, ben):
            assert (await player.start(f"daily/2026-03-12/{KEY}"))["code"] == "challenge/barred"


async def test_a_cancelled_event_stays_in_the_list_and_cannot_be_started(server: LiveServer) -> None:
    await certified(server, "expert")
    async with server.playing("Ada") as ada, await server.admin("seeder") as http:
        made = ok(await http.post(f"{API}/events", json=evening(server, deals=[{"ruleset": KEY}])))
        cancelled = ok(await http.post(f"{API}/events/{made['id']}/cancel", json={"reason": "rain"}))
        assert cancelled["state"] == "void"
        server.manual.advance(2 * HOUR)
        assert (await ada.start(made["challenges"][0]["id"]))["code"] == "challenge/closed"
        assert (await get(server, "/events"))["events"][0]["state"] == "void"


# --- searches ------------------------------------------------------------------------------------------------------


async def test_a_search_looks_through_the_stock_and_tells_what_it_has_found(server: LiveServer) -> None:
    deal = await certified(server, "expert")
    async with await server.admin("seeder") as http:
        wish = {"ruleset": KEY, "difficulty": ["expert"], "count": 1, "tries": 0}
        begun = ok(await http.post(f"{API}/searches", json=wish))
        await server.app.services.deal_searches.ended(begun["id"])
        ended = ok(await http.get(f"{API}/searches/{begun['id']}"))
        assert (ended["state"], ended["found"], [one["id"] for one in ended["deals"]]) == ("done", 1, [deal])


async def test_a_search_proves_fresh_deals_and_can_be_cancelled(server: LiveServer) -> None:
    async with await server.admin("seeder") as http:
        wish = {"ruleset": KEY, "count": 1, "tries": 50}
        begun = ok(await http.post(f"{API}/searches", json=wish))
        assert begun["state"] == "running"
        await server.app.services.deal_searches.ended(begun["id"])
        ended = ok(await http.get(f"{API}/searches/{begun['id']}"))
        assert (ended["state"], ended["found"]) == ("done", 1)
        assert 1 <= ended["done"] <= 50
        assert ended["deals"][0]["winnable_first_moves"] >= 1

        never = {"ruleset": KEY, "par_most": 1, "count": 1, "tries": 5000}
        begun = ok(await http.post(f"{API}/searches", json=never))
        cancelled = ok(await http.post(f"{API}/searches/{begun['id']}/cancel"))
        assert cancelled["state"] == "cancelled"
        await server.app.services.deal_searches.ended(begun["id"])
        assert ok(await http.get(f"{API}/searches/{begun['id']}"))["state"] == "cancelled"


async def test_a_search_whose_server_was_stopped_is_told_as_failed(database_url: str, tmp_path: Path) -> None:
    async with live_server(database_url, tmp_path, sandbox=True) as server:
        async with await server.admin("seeder", "ben") as http:
            begun = ok(await http.post(f"{API}/searches", json={"ruleset": KEY, "par_most": 1, "tries": 5000}))
        clock = server.clock
    async with (
        live_server(database_url, tmp_path, clock, sandbox=True) as server,
        await server.admin("auditor") as http,
    ):
        told = ok(await http.get(f"{API}/searches/{begun['id']}"))
        assert (told["state"], told["error"]) == ("failed", "the server was stopped")


# --- the audit log and files ---------------------------------------------------------------------------------------


async def test_the_audit_log_cannot_be_changed_not_even_in_the_database(server: LiveServer) -> None:
    async with await server.admin("owner", "ada") as http:
        ok(await http.put(f"{API}/calendar/2026-03-20/{KEY}", json={"version": 0, "difficulty": "easy"}))
        entries = ok(await http.get(f"{API}/audit"))["entries"]
        assert [entry["action"] for entry in entries] == ["calendar.schedule", "admin.create"]
        assert entries[0]["before"] == {"source": "rule", "difficulty": "hard", "deal": None}
        assert (entries[0]["admin"], entries[0]["role"], entries[0]["via"]) == ("ada", "owner", "http")
        statements = ["UPDATE audit SET reason = 'x'", "DELETE FROM audit"]
        if server.app.services.store.dialect == "postgresql":
            statements.append("TRUNCATE audit")
        else:
            columns = "number, at, admin_id, 'forged', role, via, action, target, before, after, reason"
            statements.append(f"INSERT OR REPLACE INTO audit SELECT {columns} FROM audit LIMIT 1")
        for statement in statements:
            with pytest.raises(DBAPIError, match="append-only"):
                async with server.app.services.store.writing() as conn:
                    await conn.execute(text(statement))
        paged = ok(await http.get(f"{API}/audit", params={"limit": 1}))
        assert paged["next"] == paged["entries"][0]["number"]
        rest = ok(await http.get(f"{API}/audit", params={"limit": 1, "before": paged["next"]}))
        assert rest["entries"] == entries[1:]
        assert ok(await http.get(f"{API}/audit", params={"action": "admin.create"}))["entries"] == entries[1:]
        lines = (await http.get(f"{API}/audit/export")).text.splitlines()
        assert [json.loads(line)["action"] for line in lines] == ["admin.create", "calendar.schedule"]


async def test_results_and_moves_of_closed_challenges_are_taken_away_as_safe_files(server: LiveServer) -> None:
    async with server.playing("=cmd") as ada, await server.admin("auditor") as http:
        daily = f"daily/{day_of(server)}/{KEY}"
        state = await ada.start(daily)
        server.manual.advance(SECOND)
        await give_up(ada, daily)
        assert len((await http.get(f"{API}/export/results")).text.splitlines()) == 1  # a heading: it has not closed
        day = day_of(server)
        await go_to(server, day + timedelta(days=1))
        exported = (await http.get(f"{API}/export/results")).content.decode("utf-8-sig")
        results = list(csv.DictReader(io.StringIO(exported)))
        assert [(row["date"], row["ruleset"], row["player"], row["outcome"]) for row in results] == [
            (day.isoformat(), KEY, "'=cmd", "resigned")
        ]
        choice = {"challenge": daily, "format": "ndjson"}
        moves = (await http.get(f"{API}/export/moves", params=choice)).text.splitlines()
        assert [(line["seq"], line["move"], line["attempt"]) for line in map(json.loads, moves)] == [
            (0, state["legal"][0], state["attempt"]),
            (1, "resign", state["attempt"]),
        ]
        empty = await http.get(f"{API}/export/results", params={"last": (day - timedelta(days=1)).isoformat()})
        assert len(empty.text.splitlines()) == 1
        found: list[Difference] = []
        await rebuild(server.app.services.store, fix=False, tell=found.append)
        assert found == []
