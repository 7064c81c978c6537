"""The HTTP API: who one is, what there is to play, records, and the shape of every refusal (PROTOCOL 3)."""

import contextlib
from pathlib import Path
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from server.actions import dailies
from server.core.deck import commitment
from server.games import rulesets
from server.play.verify import agrees, verify
from server.store import challenges
from tests.net.deals import wins
from tests.net.wire import wired
from tests.support.live_server import DAY, HOUR, NOON, LiveServer, live_server

CLOSE = NOON + DAY // 2 + HOUR
NOBODY = "0198c0de-0000-7000-8000-000000000000"


def refused(answer: httpx.Response, status: int, code: str) -> None:
    """Every refusal has one shape, the status of its code and no payload of the request."""
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.json().keys() == {"code", "message"}
    assert answer.headers["content-type"] == "application/json"


async def tick(server: LiveServer) -> None:
    """Let the ticker that closes challenges run once to its end."""
    server.manual.advance(20_000)
    await server.manual.parked(3)


# --- guests and who one is -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wish", "name"),
    [
        ("Ada", "Ada"), ("  Ada   Lovelace ", "Ada Lovelace"), ("Şükrü Çağlayan", "Şükrü Çağlayan"), ("Iğdır", "Iğdır"),
        ("اردو نام", "اردو نام"), ("ليلى", "ليلى"), ("李小龍", "李小龍"), ("さくら子", "さくら子"), ("Ａｄａ", "Ada"),
        ("7", "7"),
        ("Zoe\u0308", "Zoë"), ("O'Neil-7", "O'Neil-7"), ("x" * 24, "x" * 24),
    ],
)  # fmt: skip
async def test_guests_may_write_their_names_in_every_script(server: LiveServer, wish: str, name: str) -> None:
    player, token = await server.guest(wish)
    assert (player["name"], player["kind"]) == (name, "guest")
    async with server.playing(token=token) as ada:
        assert ada.welcome["player"] == player


async def test_names_that_deceive_or_cannot_be_shown_are_refused(server: LiveServer) -> None:
    bad = [
        "", " ", "x" * 25, "Аda", "pаypal", "Ada\x00", "Ada\n", "Ada\u202e", "Ada\u200b", "\u0301", "!!", "···",
        "a\ud800", "Ελa", "Ada\u2028x", "\ufdfa" * 3, "x" * 200,
    ]  # fmt: skip
    async with server.http() as http:
        for name in bad:
            body = '{"name": "' + "".join(f"\\u{ord(c):04x}" if ord(c) < 65536 else c for c in name) + '"}'
            answer = await http.post("/api/v1/guests", content=body, headers={"Content-Type": "application/json"})
            assert answer.status_code in (400, 422), (name, answer.text)
            assert answer.json()["code"] in ("name/invalid", "protocol/malformed"), name
            assert "set-cookie" not in answer.headers
        refused(await http.post("/api/v1/guests", json={"name": "x" * 201}), 400, "protocol/malformed")


async def test_a_guest_without_a_wish_gets_a_name_and_may_change_it(server: LiveServer) -> None:
    async with server.http() as http:
        for body in ({}, {"content": b"{}", "headers": {"Content-Type": "application/json"}}, {"json": {"name": None}}):
            answer = await http.post("/api/v1/guests", **body)
            assert answer.status_code == 201
            assert answer.json()["player"]["name"].startswith("Guest ")
        changed = await http.patch("/api/v1/me", json={"name": "Şule"})
        assert changed.json()["player"]["name"] == "Şule"
        refused(await http.patch("/api/v1/me", json={"name": "\u202e"}), 422, "name/invalid")
        refused(await http.patch("/api/v1/me", json={}), 400, "protocol/malformed")
        assert (await http.get("/api/v1/me")).json()["player"]["name"] == "Şule"


async def test_a_browser_keeps_its_guest_whatever_guests_it_makes(server: LiveServer) -> None:
    """The cookie is all that a browser has of its guest; an outdated one is replaced."""
    async with server.http() as http:
        first = await http.post("/api/v1/guests", json={"name": "Ada"})
        assert "set-cookie" in first.headers
        second = await http.post("/api/v1/guests", json={"name": "Bea"})
        assert second.status_code == 201
        assert "set-cookie" not in second.headers
        assert (await http.get("/api/v1/me")).json()["player"]["name"] == "Ada"
        bea = await http.get("/api/v1/me", headers={"Authorization": f"Bearer {second.json()['token']}"})
        assert bea.json()["player"]["name"] == "Bea"
        http.cookies.clear()
        http.cookies.set("samedeal", "outdated")
        third = await http.post("/api/v1/guests", json={"name": "Cem"})
        assert "set-cookie" in third.headers


async def test_a_token_opens_the_api_and_a_wrong_one_does_not_fall_back_to_the_cookie(server: LiveServer) -> None:
    (player, token), (_, other) = await server.guest("Ada"), await server.guest("Bob")
    async with server.http() as http, server.playing(token=token) as ada:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        me = await http.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
        assert me.json() == {"player": player, "open_attempts": [attempt]}
        assert (await http.get("/api/v1/me", headers={"Authorization": f"bearer {token}"})).status_code == 200
        refused(await http.get("/api/v1/me"), 401, "auth/required")
        http.cookies.set("samedeal", other)
        for header in ("", "Bearer", "Bearer x", "Basic YTpi", token, f"Bearer {token}x"):
            refused(await http.get("/api/v1/me", headers={"Authorization": header}), 401, "auth/invalid")
            refused(await http.get("/api/v1/dailies/today", headers={"Authorization": header}), 401, "auth/invalid")


# --- rulesets and dailies ------------------------------------------------------------------------------------------


async def test_rulesets_are_those_that_are_there(server: LiveServer) -> None:
    async with server.http() as http:
        body = (await http.get("/api/v1/rulesets")).json()["rulesets"]
    assert [entry["key"] for entry in body] == list(rulesets())
    for entry in body:
        assert entry["rankings"].keys() == {"main", "moves"}
        assert entry["maximum"] > 0
        assert entry["rules"]
        assert entry["rules_page"] == f"/rules/{entry['key']}"


async def test_todays_dailies_are_told_with_what_one_has_done(server: LiveServer) -> None:
    async with server.playing() as ada, server.http() as http, server.http(ada.token) as own:
        state = await ada.start("daily/today/pyramid")
        await ada.play(state["attempt"], "s")
        body = (await own.get("/api/v1/dailies/today")).json()
        assert body == (await own.get("/api/v1/dailies/2026-03-10")).json()
        assert (body["date"], body["now"], body["next_at"]) == (
            "2026-03-10", "2026-03-10T12:00:00Z", "2026-03-11T00:00:00Z",
        )  # fmt: skip
        daily = body["dailies"][0]
        assert daily["id"] == state["challenge"]["id"]
        assert daily["commitment"] == state["commitment"]
        assert (daily["players"], daily["own"]["attempt"], daily["own"]["moves"]) == (1, state["attempt"], 1)
        assert (daily["opens_at"], daily["ends_at"], daily["closes_at"]) == (
            "2026-03-10T00:00:00Z", "2026-03-11T00:00:00Z", "2026-03-11T01:00:00Z",
        )  # fmt: skip
        assert (await http.get("/api/v1/dailies/today")).json()["dailies"][0]["own"] is None
        assert (await own.get(f"/api/v1/challenges/{daily['id']}")).json() == daily


async def test_tomorrow_shows_commitments_only(server: LiveServer) -> None:
    async with server.http() as http:
        body = (await http.get("/api/v1/dailies/tomorrow")).json()
        assert body["date"] == "2026-03-11"
        assert body == (await http.get("/api/v1/dailies/2026-03-11")).json()
        for daily in body["dailies"]:
            times = {"opens_at", "ends_at", "closes_at"}
            assert daily.keys() == {"id", "kind", "ruleset", "title", "date", "event", "commitment", "void", *times}
            assert (await http.get(f"/api/v1/challenges/{daily['id']}")).json() == daily
            board = f"/api/v1/boards/daily/tomorrow/{daily['ruleset']}"
            refused(await http.get(board), 409, "challenge/not_open")
        server.manual.set(NOON + DAY // 2)
        opened = (await http.get("/api/v1/dailies/today")).json()["dailies"]
        assert [d["commitment"] for d in opened] == [d["commitment"] for d in body["dailies"]]


async def test_other_dates_have_no_dailies_and_asking_makes_none(server: LiveServer) -> None:
    dates = [
        "2026-03-12", "2026-03-09", "2026-02-30", "2025-02-29", "0001-01-01", "9999-12-31", "10000-01-01", "yesterday",
        "2026-3-10", "20260310", "2026-03-10T00:00:00Z", "-2026-03-10", "٢٠٢٦-٠٣-١٠", "today ", "TODAY", "%00",
    ]  # fmt: skip
    async with server.http() as http:
        for date in dates:
            refused(
                await http.get(f"/api/v1/dailies/{date}"), 404, "not_found" if "%2f" in date else "challenge/unknown"
            )
            if "%2f" not in date:
                refused(await http.get(f"/api/v1/boards/daily/{date}/pyramid"), 404, "challenge/unknown")
        refused(await http.get("/api/v1/boards/daily/today/klondike"), 404, "ruleset/unknown")
        refused(await http.get("/api/v1/boards/daily/today/pyramid-open"), 404, "challenge/unknown")
    async with server.app.services.store.reading() as conn:
        made = [await challenges.dailies(conn, f"2026-03-{day:02}") for day in range(8, 14)]
    assert [len(rows) for rows in made] == [0, 0, 6, 6, 0, 0]


async def test_a_past_day_shows_its_seeds(server: LiveServer) -> None:
    async with server.http() as http:
        before = (await http.get("/api/v1/dailies/today")).json()["dailies"]
        server.manual.set(CLOSE - 1)
        assert all(d["seed"] is None for d in (await http.get("/api/v1/dailies/2026-03-10")).json()["dailies"])
        server.manual.set(CLOSE)
        await tick(server)
        after = (await http.get("/api/v1/dailies/2026-03-10")).json()["dailies"]
        assert all(daily["closed"] for daily in after)
        assert [commitment(daily["seed"]) for daily in after] == [daily["commitment"] for daily in before]
        assert [daily["ruleset"] for daily in after] == [daily["ruleset"] for daily in before]


# --- records -------------------------------------------------------------------------------------------------------


async def test_a_record_is_its_owners_until_the_close_and_everybodys_with_the_seed_after_it(server: LiveServer) -> None:
    async with contextlib.AsyncExitStack() as stack:
        ada, bob = [await stack.enter_async_context(server.playing(name)) for name in ("Ada", "Bob")]
        own, other, nobody = [
            await stack.enter_async_context(server.http(token)) for token in (ada.token, bob.token, None)
        ]
        state = await ada.start("daily/today/pyramid")
        path = f"/api/v1/attempts/{state['attempt']}"
        server.manual.advance(1000)
        await ada.play(state["attempt"], "s")
        record = (await own.get(path)).json()
        assert record["log"] == [["s", 1000]]
        assert (record["format"], record["ruleset"], record["kind"], record["undo"]) == (
            1,
            "pyramid",
            "daily",
            "counted",
        )
        assert "seed" not in record
        assert record.get("result") is None
        refused(await other.get(path), 403, "attempt/not_yours")
        refused(await nobody.get(path), 401, "auth/required")
        await ada.resign(state["attempt"])
        finished = (await own.get(path)).json()
        assert "seed" not in finished  # others still play
        assert finished["result"]["rank"] == 1
        refused(await other.get(path), 403, "attempt/not_yours")
        server.manual.set(CLOSE)
        await tick(server)
        public = (await nobody.get(path)).json()
        assert public == (await other.get(path)).json() == (await own.get(path)).json()
        assert commitment(public["seed"]) == state["commitment"] == public["commitment"]
        assert agrees(verify(public))
        for unknown in (NOBODY, "x", "%00", "1", "null", "x" * 5000):
            refused(await nobody.get(f"/api/v1/attempts/{unknown}"), 404, "attempt/unknown")


async def test_records_of_practice_stay_its_players_and_show_the_seed_once_it_is_over(server: LiveServer) -> None:
    win = wins()["pyramid"][0]
    async with server.playing() as ada, server.http(ada.token) as own, server.http() as nobody:
        state = await ada.ask("practice", ruleset="pyramid", seed=win.seed)
        path = f"/api/v1/attempts/{state['attempt']}"
        assert "seed" not in (await own.get(path)).json()
        for move in win.moves:
            await ada.play(state["attempt"], move)
        record = (await own.get(path)).json()
        assert (record["seed"], record["kind"], record["result"]["outcome"]) == (win.seed, "practice", "won")
        assert agrees(verify(record))
        refused(await nobody.get(path), 401, "auth/required")
        refused(await nobody.get(f"/api/v1/challenges/{state['challenge']['id']}"), 404, "challenge/unknown")
        refused(await nobody.get(f"/api/v1/boards/challenge/{state['challenge']['id']}"), 404, "challenge/unknown")


# --- signs of life, bodies and refusals ----------------------------------------------------------------------------


async def test_signs_of_life_and_metrics_for_who_has_the_token(sqlite_url: str, tmp_path: Path) -> None:
    token = "a-token-for-metrics"
    async with live_server(sqlite_url, tmp_path, metrics_token=token) as server, server.http() as http:
        assert (await http.get("/healthz")).status_code == (await http.get("/readyz")).status_code == 200
        for header in (
            {},
            {"Authorization": "Bearer x"},
            {"Authorization": token},
            {"Authorization": "Bearer ğ".encode()},
        ):
            assert (await http.get("/metrics", headers=header)).status_code == 404  # type: ignore[arg-type]
        async with server.playing("Canary") as ada:
            attempt = (await ada.start("daily/today/pyramid"))["attempt"]
            await ada.play(attempt, "s")
            text = (await http.get("/metrics", headers={"Authorization": f"Bearer {token}"})).text
        assert "samedeal_log_entries_total{" in text
        assert all(secret not in text for secret in ("Canary", attempt, ada.welcome["player"]["id"], "127.0.0.1"))


async def test_without_a_token_there_are_no_metrics_on_the_main_port(server: LiveServer) -> None:
    async with server.http() as http:
        assert (await http.get("/metrics", headers={"Authorization": "Bearer None"})).status_code == 404


async def test_large_bodies_are_refused_announced_or_not(server: LiveServer) -> None:
    large = b'{"name": "' + b"x" * 20_000 + b'"}'

    async def pieces() -> Any:
        for start in range(0, len(large), 1000):
            yield large[start : start + 1000]

    headers = {"Content-Type": "application/json"}
    async with server.http() as http:
        refused(await http.post("/api/v1/guests", content=large, headers=headers), 413, "protocol/malformed")
        refused(await http.post("/api/v1/guests", content=pieces(), headers=headers), 413, "protocol/malformed")


async def test_bodies_that_are_no_json_of_the_right_shape_are_refused(server: LiveServer) -> None:
    bad = [b"{", b"[]", b'"x"', b"1", b'{"name": 1}', b'{"name": ["x"]}', b"\xff\xfe", b'{"name": "\xff"}', b"NaN",
           b'{"name": NaN}', b"[" * 8000, b'{"name":' * 2000, b'{"name": "\\ud800"}']  # fmt: skip
    async with server.http() as http:
        for body in bad:
            answer = await http.post("/api/v1/guests", content=body, headers={"Content-Type": "application/json"})
            refused(answer, 400, "protocol/malformed")


async def test_unknown_addresses_and_methods_have_the_shape_of_every_refusal(server: LiveServer) -> None:
    async with server.http() as http:
        refused(await http.get("/api/v1/nothing"), 404, "not_found")
        refused(await http.post("/api/v1/rulesets"), 405, "protocol/unknown")
        refused(await http.delete("/api/v1/guests"), 405, "protocol/unknown")


async def test_a_fault_of_ours_is_500_with_a_number_and_no_word_of_what_it_was(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise ZeroDivisionError("the secret seed was 1234")

    monkeypatch.setattr(dailies, "dailies", broken)
    monkeypatch.setattr(dailies, "resolve", broken)
    async with server.http() as http, server.playing() as ada:
        with capture_logs() as lines:
            answer = await http.get("/api/v1/dailies/today")
            refused(answer, 500, "internal")
            assert "secret" not in answer.text
            told = await ada.start("daily/today/pyramid")
            assert (told["t"], told["code"]) == ("error", "internal")
            assert "secret" not in str(told)
            assert (await ada.ask("ping"))["t"] == "pong"
        faults = [line["fault"] for line in lines if "fault" in line]
        assert [fault in text for fault, text in zip(faults, (answer.text, str(told)), strict=True)] == [True, True]


async def test_garbage_on_the_port_is_answered_and_the_server_goes_on(server: LiveServer) -> None:
    requests = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
        b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 5000,
        b"POST /api/v1/guests HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/v1/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nxx",
    ]  # fmt: skip
    async with server.playing() as ada:
        for request in requests:
            async with wired(server) as wire:
                await wire.send(request)
            assert (await ada.ask("ping"))["t"] == "pong", request[:40]
