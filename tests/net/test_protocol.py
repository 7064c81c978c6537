"""Every socket message and code of PROTOCOL 2 that is there, the order of checks, repeats and bursts."""

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from server.actions.dates import iso
from server.net.messages import CLIENT_MESSAGES
from tests.net.deals import wins
from tests.net.wire import connected
from tests.support.live_server import DAY, HOUR, NOON, LiveServer, live_server
from tests.support.player import Message, Player

NOBODY = "0198c0de-0000-7000-8000-000000000000"
STATE = {
    "attempt", "ruleset", "challenge", "seq", "elapsed_ms", "layout", "piles", "legal", "can_undo", "moves", "progress",
    "over", "winnable", "commitment",
}  # fmt: skip
PLAYED = {
    "attempt",
    "seq",
    "at_ms",
    "move",
    "steps",
    "piles",
    "legal",
    "can_undo",
    "moves",
    "progress",
    "over",
    "winnable",
}


async def raw(player: Player, text: str) -> Message:
    """The answer to a frame without an id."""
    await player.socket.send(text)
    return await player.told()


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


# --- shape ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("greeted", [True, False])
async def test_r35_valid_json_of_the_wrong_shape_is_refused_and_nothing_is_stored(
    server: LiveServer, greeted: bool
) -> None:
    bad = [
        "null", "1", '""', "[]", "{}", "true", "x", "", " ", nested(1000), '{"t":' + nested(1000) + "}",
        '{"t":"ping","x":' + nested(1500) + "}", '{"t":null}', '{"t":1}', '{"t":["ping"]}', '{"t":"hello"}',
        '{"t":"hello","v":"1"}', '{"t":"hello","v":NaN}', '{"t":"hello","v":1e999}', '{"t":"hello","v":1.5}',
        '{"t":"hello","v":1,"token":5}', '{"t":"start"}', '{"t":"start","challenge":null}',
        '{"t":"start","challenge":["daily/today/pyramid"]}', '{"t":"play"}', '{"t":"play","attempt":"a","seq":0}',
        '{"t":"play","attempt":"a","seq":-1,"move":"s"}', '{"t":"play","attempt":"a","seq":1.5,"move":"s"}',
        '{"t":"play","attempt":"a","seq":true,"move":"s"}', '{"t":"undo","attempt":"a","seq":99999999999999999999}',
        '{"t":"play","attempt":"a","seq":0,"move":"' + "s" * 100 + '"}', '{"t":"play","attempt":1,"seq":0,"move":"s"}',
        '{"t":"play","attempt":"a\\u0000","seq":0,"move":"s"}', '{"t":"undo","attempt":"a","seq":null}',
        '{"t":"hint"}', '{"t":"hint","attempt":7}',
        '{"t":"sync"}', '{"t":"ping","id":1}', '{"t":"ping","id":"' + "x" * 41 + '"}', '{"t":"ping","id":"\\ud800"}',
        '{"t":"practice","from":"a"}', '{"t":"practice","from":{"attempt":"a"}}', '{"t":"practice","ruleset":{}}',
        '{"t":"ping"}{"t":"ping"}', '{"t":"ping"', '{"t":"ping",}', "{'t':'ping'}", '\ufeff{"t":"ping"}',
    ]  # fmt: skip
    async with connected(server, (await server.guest())[1]) as player:
        if greeted:
            await player.hello()
        for text in bad:
            answer = await raw(player, text)
            assert (answer["t"], answer["code"]) == ("error", "protocol/malformed"), text[:80]
            assert isinstance(answer["message"], str)
        assert (await player.ask("ping"))["t"] == "pong"
        assert (await player.hello())["open"]["attempts"] == []


async def test_an_unknown_tag_is_told_apart_and_its_id_is_repeated(server: LiveServer) -> None:
    async with server.playing() as ada:
        for tag in ("nonsense", "", "Play", "state", "race.create", "hinted", "x" * 3000, "ğ"):
            answer = await ada.ask(tag)
            assert (answer["t"], answer["code"]) == ("error", "protocol/unknown"), tag
        await ada.send(t="start", id="mine")
        assert await ada.told() == {
            "t": "error", "id": "mine", "code": "protocol/malformed", "message": "the fields do not fit the message"
        }  # fmt: skip


async def test_unknown_fields_are_ignored_also_nested_ones_and_an_id_may_come_again(server: LiveServer) -> None:
    async with server.playing() as ada:
        state = await ada.ask(
            "start", challenge="daily/today/pyramid", later={"deep": [1, {"er": None}]}, seq=-5, token=7, v="x"
        )
        assert state["t"] == "state"
        for _ in range(2):
            await ada.send(t="ping", id="again", more=[{}])
            assert await ada.told("pong") == {"t": "pong", "id": "again", "now": iso(NOON)}


async def test_without_an_id_the_answer_has_none(server: LiveServer) -> None:
    async with server.playing() as ada:
        assert await raw(ada, '{"t":"ping"}') == {"t": "pong", "now": "2026-03-10T12:00:00Z"}
        assert "id" not in await raw(ada, '{"t":"ping","id":null}')
        assert "id" not in await raw(ada, '{"t":"start","challenge":"daily/today/pyramid"}')


def test_this_file_knows_every_message() -> None:
    tags = {str(message.__struct_config__.tag) for message in CLIENT_MESSAGES}
    assert tags == {
        *("hello", "start", "practice", "play", "undo", "resign", "sync", "ping"),
        *("board.watch", "board.unwatch"),  # tests/net/test_live_boards.py
        "hint",  # tests/net/test_practice_help.py
    }
    assert all(isinstance(message, msgspec.StructMeta) for message in CLIENT_MESSAGES)


# --- hello ---------------------------------------------------------------------------------------------------------


async def test_hello_is_answered_with_who_one_is_what_is_allowed_and_what_is_open(server: LiveServer) -> None:
    async with server.playing("Ada") as ada:
        attempts = [(await ada.start(f"daily/today/{key}"))["attempt"] for key in ("pyramid", "foursquare")]
        welcome = await ada.hello()
        assert welcome["t"] == "welcome"
        assert welcome["v"] == 1
        assert welcome["player"] == {"id": welcome["player"]["id"], "name": "Ada", "kind": "guest"}
        assert welcome["now"] == "2026-03-10T12:00:00Z"
        assert welcome["limits"]["messages"] == [100, 5]
        assert sorted(welcome["open"]["attempts"]) == sorted(attempts)
        assert welcome["open"]["rooms"] == []


async def test_a_wrong_hello_is_refused_and_the_right_one_still_works(server: LiveServer) -> None:
    (_, token), (_, other) = await server.guest("Ada"), await server.guest("Bob")
    wrong: list[tuple[dict[str, Any], str]]
    early: list[tuple[str, dict[str, Any]]]
    async with connected(server) as player:
        wrong = [
            ({"v": 2, "token": token}, "protocol/version"),
            ({"v": 0, "token": token}, "protocol/version"),
            ({"v": 1}, "auth/required"),
            ({"v": 1, "token": None}, "auth/required"),
            ({"v": 1, "token": ""}, "auth/invalid"),
            ({"v": 1, "token": token[:-1]}, "auth/invalid"),
            ({"v": 1, "token": "x" * 200}, "auth/invalid"),
            ({"v": 1, "token": "ı" * 50}, "auth/invalid"),
            ({"v": 1, "token": "x" * 201}, "protocol/malformed"),
        ]
        for fields, code in wrong:
            answer = await player.ask("hello", **fields)
            assert (answer["t"], answer["code"]) == ("error", code), fields
        early = [
            ("start", {"challenge": "daily/today/pyramid"}),
            ("practice", {"ruleset": "pyramid"}),
            ("sync", {"attempt": NOBODY}),
            ("play", {"attempt": NOBODY, "seq": 0, "move": "s"}),
        ]
        for t, fields in early:
            assert (await player.ask(t, **fields))["code"] == "auth/required"
        assert (await player.ask("ping"))["t"] == "pong"
        assert (await player.ask("hello", v=1, token=token))["player"]["name"] == "Ada"
        assert (await player.ask("hello", v=1, token=token))["t"] == "welcome"
        assert (await player.ask("hello", v=1, token=other))["code"] == "auth/invalid"
        assert (await player.ask("hello", v=1, token=token))["player"]["name"] == "Ada"


async def test_the_session_cookie_is_as_good_as_a_token_beside_any_other_cookie(server: LiveServer) -> None:
    _, token = await server.guest("Ada")
    for cookies in (f"samedeal={token}", f'theme={{"dark": 1}}; =; x; samedeal={token}; y="a, b'):
        async with connected(server, additional_headers={"Cookie": cookies}) as player:
            assert (await player.hello())["player"]["name"] == "Ada", cookies


# --- start and sync ------------------------------------------------------------------------------------------------


async def test_state_has_every_field_and_a_second_start_resumes(server: LiveServer) -> None:
    async with server.playing() as ada:
        state = await ada.start("daily/today/pyramid")
        assert state.keys() >= STATE
        assert state["challenge"] == {
            "id": state["challenge"]["id"], "kind": "daily", "date": "2026-03-10", "closes_at": "2026-03-11T01:00:00Z",
        }  # fmt: skip
        assert (state["seq"], state["moves"], state["over"], state["elapsed_ms"]) == (0, 0, None, 0)
        assert set(state["piles"]) == {pile["name"] for pile in state["layout"]["piles"]}
        assert state["piles"]["s"] == ["??"] * 24
        assert {"title", "maximum", "piles", "tall", "preview"} <= state["layout"].keys()
        server.manual.advance(1500)
        played = await ada.play(state["attempt"], "s")
        assert played.keys() >= PLAYED
        assert (played["seq"], played["at_ms"], played["moves"], played["move"]) == (1, 1500, 1, "s")
        assert played["steps"] == [["shift", "s", "w1", 1, "up"]]
        assert set(played["piles"]) == {"s", "w1"}
        server.manual.advance(500)
        for reference in ("daily/today/pyramid", "daily/2026-03-10/pyramid", state["challenge"]["id"]):
            again = await ada.start(reference)
            assert (again["attempt"], again["seq"], again["elapsed_ms"]) == (state["attempt"], 1, 2000)
            assert {**again, "id": 0} == {**await ada.sync(state["attempt"]), "id": 0}


async def test_r28_starting_again_and_again_never_resets_the_clock_nor_runs_it_double(server: LiveServer) -> None:
    async with server.playing() as ada:
        started = await ada.start("daily/today/foursquare")
        for second in range(1, 11):
            server.manual.advance(1000)
            assert (await ada.start("daily/today/foursquare"))["elapsed_ms"] == second * 1000
            assert (await ada.sync(started["attempt"]))["elapsed_ms"] == second * 1000


async def test_what_cannot_be_started_is_refused_with_the_reason(server: LiveServer) -> None:
    async with server.playing() as ada, server.http() as http:
        tomorrow = (await http.get("/api/v1/dailies/tomorrow")).json()["dailies"][0]["id"]
        practice = (await ada.ask("practice", ruleset="pyramid"))["challenge"]["id"]
        for reference, code in [
            ("daily/tomorrow/pyramid", "challenge/not_open"),
            ("daily/2026-03-11/pyramid", "challenge/not_open"),
            (tomorrow, "challenge/not_open"),
            ("daily/2026-03-12/pyramid", "challenge/unknown"),
            ("daily/2026-03-09/pyramid", "challenge/unknown"),
            ("daily/9999-12-31/pyramid", "challenge/unknown"),
            ("daily/2026-02-30/pyramid", "challenge/unknown"),
            ("daily/today/klondike", "ruleset/unknown"),
            ("daily/today/pyramid-open", "challenge/unknown"),
            ("daily/today", "challenge/unknown"),
            ("daily/today/pyramid/x", "challenge/unknown"),
            ("daily//pyramid", "challenge/unknown"),
            ("", "challenge/unknown"),
            (NOBODY, "challenge/unknown"),
            (practice, "challenge/unknown"),
            ("' OR 1=1 --", "challenge/unknown"),
        ]:
            answer = await ada.start(reference)
            assert (answer["t"], answer.get("code")) == ("error", code), reference
        server.manual.set(NOON + DAY // 2)
        assert (await ada.start("daily/2026-03-10/pyramid"))["code"] == "challenge/closed"
        assert (await ada.start(tomorrow))["t"] == "state"


# --- play, undo, resign: the order of checks -----------------------------------------------------------------------


async def test_checks_come_in_the_order_of_the_protocol(server: LiveServer) -> None:
    async with server.playing() as ada, server.playing() as bob:
        mine = (await ada.start("daily/today/pyramid"))["attempt"]
        his = (await bob.start("daily/today/pyramid"))["attempt"]
        await ada.play(mine, "s")

        async def refused(attempt: str, seq: int, move: str) -> tuple[str, Any]:
            answer = await ada.play(attempt, move, seq)
            assert (answer["t"], answer["attempt"]) == ("rejected", attempt), answer
            return answer["code"], answer["seq"]

        assert await refused(NOBODY, 0, "???") == ("attempt/unknown", None)
        assert await refused("not an id", 0, "s") == ("attempt/unknown", None)
        assert await refused(his, 9, "???") == ("attempt/not_yours", None)
        assert (await ada.play(mine, "s", 0))["t"] == "played"  # the last entry again, before anything else
        assert await refused(mine, 0, "???") == ("attempt/stale", 1)
        assert await refused(mine, 2, "???") == ("attempt/stale", 1)
        for text in ("???", "", "undo", "resign", "close", "void", "S", "s ", "p1p2p3", "4p", "p22 p28", "ｓ"):
            assert await refused(mine, 1, text) == ("move/syntax", 1), text
        for text in ("c1", "p99", "w2", "p1", "w1w1", "sp4", "f", "p01", "h"):
            assert await refused(mine, 1, text) == ("move/illegal", 1), text
        assert (await ada.resign(mine, 1))["over"] == "resigned"
        assert await refused(mine, 7, "???") == ("attempt/over", 2)
        assert (await ada.undo(mine, 2))["code"] == "attempt/over"
        assert (await ada.resign(mine, 2))["code"] == "attempt/over"
        assert (await ada.sync(his))["code"] == "attempt/not_yours"
        assert (await ada.sync(NOBODY))["code"] == "attempt/unknown"


async def test_undo_is_refused_where_there_is_none_and_after_a_stale_seq(server: LiveServer) -> None:
    async with server.playing() as ada:
        pyramid = (await ada.start("daily/today/pyramid"))["attempt"]
        assert (await ada.undo(pyramid, 0))["code"] == "attempt/no_undo"
        assert (await ada.undo(pyramid, 1))["code"] == "attempt/stale"
        thirteen = (await ada.start("daily/today/thirteen"))["attempt"]
        await ada.play(thirteen, "s")
        assert (await ada.undo(thirteen, 1))["code"] == "attempt/no_undo"
        assert (await ada.undo(thirteen, 0))["code"] == "attempt/stale"


async def test_resigning_ends_the_attempt_with_a_result(server: LiveServer) -> None:
    async with server.playing() as ada:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        await ada.play(attempt, "s")
        server.manual.advance(4000)
        played = await ada.resign(attempt)
        assert (played["move"], played["over"], played["legal"], played["can_undo"]) == (
            "resign",
            "resigned",
            [],
            False,
        )
        assert played["moves"] == 1
        assert played["result"] == {
            "outcome": "resigned", "rank": 1, "of": 1, "time_ms": 4000, "moves": 1, "undos": 0, "progress": 0,
        }  # fmt: skip
        assert (await ada.sync(attempt))["result"] == played["result"]


async def test_an_attempt_without_a_move_stands_on_no_board(server: LiveServer) -> None:
    async with server.playing() as ada:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        result = (await ada.resign(attempt))["result"]
        assert (result["outcome"], result.get("rank"), result.get("of")) == ("resigned", None, None)


async def test_the_pair_may_be_named_either_way_round_and_its_repeat_too(server: LiveServer) -> None:
    win = next(win for win in wins()["pyramid"] if any(m[0] == "p" and m.count("p") == 2 for m in win.moves))
    async with server.playing() as ada:
        attempt = (await ada.start(await server.make_challenge("pyramid", win.seed)))["attempt"]
        for seq, move in enumerate(win.moves):
            if move.count("p") == 2:
                first, second = ("p" + part for part in move[1:].split("p"))
                played = await ada.play(attempt, second + first)
                assert (played["t"], played["move"]) == ("played", move)  # the log keeps the canonical way
                again = await ada.play(attempt, move, seq)
                assert {**again, "id": 0} == {**played, "id": 0}
                return
            await ada.play(attempt, move)


# --- repeats and bursts --------------------------------------------------------------------------------------------


async def test_r11_a_repeat_of_the_last_entry_gives_the_same_played_also_after_a_reconnect_and_a_restart(
    database_url: str, tmp_path: Path
) -> None:
    async with live_server(database_url, tmp_path) as server:
        ada = await server.player()
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        server.manual.advance(700)
        requests: list[tuple[str, dict[str, Any]]] = [
            ("play", {"seq": 0, "move": "s"}),
            ("undo", {"seq": 1}),
            ("play", {"seq": 2, "move": "s"}),
        ]
        for t, fields in requests:
            await ada.send(t=t, attempt=attempt, **fields)
            await ada.send(t=t, attempt=attempt, **fields)  # a double click
            first, second = await ada.told("played"), await ada.told("played")
            assert first == second
            server.manual.advance(5)
        await ada.cut()
        async with server.playing(token=ada.token) as again:
            answer = await again.ask("play", attempt=attempt, seq=2, move="s")
            assert {**answer, "id": 0} == {**first, "id": 0}
            assert (await again.play(attempt, "s", 0))["code"] == "attempt/stale"
            assert len((await again.sync(attempt))["piles"]["s"]) == 23
    async with (
        live_server(database_url, tmp_path, server.manual) as server,
        server.playing(token=ada.token) as once_more,
    ):
        answer = await once_more.ask("play", attempt=attempt, seq=2, move="s")
        assert {**answer, "id": 0} == {**first, "id": 0}
        assert (await once_more.sync(attempt))["seq"] == 3


async def test_a_repeat_of_the_end_gives_the_result_again_and_stores_nothing(server: LiveServer) -> None:
    async with server.playing() as ada, server.http(ada.token) as http:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        await ada.play(attempt, "s")
        ended = await ada.resign(attempt, 1)
        server.manual.advance(60_000)
        assert {**await ada.resign(attempt, 1), "id": 0} == {**ended, "id": 0}
        assert (await ada.play(attempt, "s", 1))["code"] == "attempt/over"
        assert (await ada.play(attempt, "resign", 1))["code"] == "attempt/over"
        assert (await http.get("/api/v1/boards/daily/today/pyramid")).json()["total"] == 1


async def test_a_stale_burst_gets_one_state_and_a_later_one_gets_its_own(server: LiveServer) -> None:
    async with server.playing() as ada, server.playing(token=ada.token) as phone:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]

        async def burst() -> list[str]:
            for _ in range(20):
                await phone.send(t="play", attempt=attempt, seq=99, move="s")
            await phone.ask("ping")
            await phone.ask("ping")
            return [phone.news.get_nowait()["t"] for _ in range(phone.news.qsize())]

        told = await burst()
        assert (told.count("rejected"), told.count("state")) == (20, 1)
        await ada.play(attempt, "s")  # the phone neither started nor synced: it hears nothing of it
        told = await burst()
        assert (told.count("rejected"), told.count("state"), told.count("played")) == (20, 1, 0)
        await phone.sync(attempt)
        told = await burst()
        assert (told.count("rejected"), told.count("state")) == (20, 1)


# --- two sockets ---------------------------------------------------------------------------------------------------


async def test_two_sockets_of_one_player_are_mirrored_and_others_hear_nothing(server: LiveServer) -> None:
    async with server.playing() as ada, server.playing(token=ada.token) as phone, server.playing() as bob:
        await bob.start("daily/today/pyramid")
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        await phone.sync(attempt)
        await ada.sync(attempt)
        for player, other in ((ada, phone), (phone, ada), (ada, phone)):
            played = await player.play(attempt, "s")
            news = await other.told()
            assert "id" not in news
            assert news == {name: value for name, value in played.items() if name != "id"}
        await phone.play(attempt, "s", 2)  # a repeat is no news
        await phone.play(attempt, "nonsense")
        await ada.resign(attempt)
        assert (await phone.told())["over"] == "resigned"
        assert ada.news.empty()
        assert bob.news.empty()


async def test_both_sockets_move_at_once_and_one_of_them_wins(server: LiveServer) -> None:
    async with server.playing() as ada, server.playing(token=ada.token) as phone:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        await phone.sync(attempt)
        for seq in range(10):
            pair = next((move for move in ada.states[attempt]["legal"] if move != "s"), "undo")
            answers = await asyncio.gather(
                ada.ask("play", attempt=attempt, seq=seq, move="s"),
                phone.ask("play", attempt=attempt, seq=seq, move=pair)
                if pair != "undo"
                else phone.ask("resign", attempt=attempt, seq=99),
            )
            assert sorted(answer["t"] for answer in answers) == ["played", "rejected"]
            assert [answer["code"] for answer in answers if answer["t"] == "rejected"] == ["attempt/stale"]
            assert {answer["seq"] for answer in answers} == {seq + 1}


async def test_an_attempt_that_nobody_holds_is_forgotten(server: LiveServer) -> None:
    house = server.app.services.house
    async with server.playing() as ada:
        for key in ("pyramid", "foursquare"):
            attempt = (await ada.start(f"daily/today/{key}"))["attempt"]
            await ada.play(attempt, ada.states[attempt]["legal"][0])
        assert len(house) == 2
    async with server.playing() as bob:
        while len(house):
            await bob.ask("ping")
        assert (await bob.sync(attempt))["code"] == "attempt/not_yours"
        assert len(house) == 0
        assert len(server.app.services.hub) == 0


async def test_a_socket_that_plays_many_attempts_still_plays_each(server: LiveServer) -> None:
    async with server.playing() as ada:
        attempts = [(await ada.ask("practice", ruleset="pyramid"))["attempt"] for _ in range(20)]
        for attempt in attempts:
            assert (await ada.play(attempt, "s"))["seq"] == 1
        assert len(server.app.services.house) <= 16


# --- the end of the day --------------------------------------------------------------------------------------------


async def test_a_move_after_the_close_meets_the_end_before_anything_else(server: LiveServer) -> None:
    async with server.playing() as ada:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        await ada.play(attempt, "s")
        server.manual._now_ms = NOON + DAY // 2 + HOUR  # the tickers sleep on: a move comes first
        answer = await ada.play(attempt, "s", 1)
        assert (answer["t"], answer["code"], answer["seq"]) == ("rejected", "attempt/over", 2)
        closed = await ada.told("played")
        assert (closed["move"], closed["over"], closed["at_ms"]) == ("close", "closed", DAY // 2 + HOUR)
        assert (await ada.start("daily/2026-03-10/pyramid"))["over"] == "closed"


async def test_frames_are_compact_json_objects_with_a_tag(server: LiveServer) -> None:
    async with server.playing() as ada:
        attempt = (await ada.start("daily/today/bakers-dozen"))["attempt"]
        await ada.play(attempt, ada.states[attempt]["legal"][0])
        await ada.play(attempt, "nonsense")
        for frame in ada.frames:
            assert isinstance(json.loads(frame)["t"], str)
