"""The token bucket of a socket, guests per address, and the sandbox that lifts both (PROTOCOL 5)."""

from pathlib import Path

from tests.net.wire import connected, message, wired
from tests.support.live_server import LiveServer, live_server
from tests.support.player import Player


async def burst(player: Player, count: int) -> list[str]:
    """What so many pings at once are answered with, in order."""
    for number in range(count):
        await player.send(t="ping", id=f"b{number}")
    answers = [await player.told() for _ in range(count)]
    assert [answer["id"] for answer in answers] == [f"b{number}" for number in range(count)]
    return [str(answer.get("code", answer["t"])) for answer in answers]


async def test_a_hundred_messages_at_once_and_twenty_a_second(server: LiveServer) -> None:
    async with connected(server) as ada, connected(server) as bob:
        assert await burst(ada, 103) == ["pong"] * 100 + ["protocol/rate"] * 3
        assert await burst(bob, 1) == ["pong"]  # each socket has its own allowance
        server.manual.advance(1000)
        assert await burst(ada, 21) == ["pong"] * 20 + ["protocol/rate"]
        server.manual.advance(50)
        assert await burst(ada, 2) == ["pong", "protocol/rate"]
        server.manual.advance(3_600_000)
        assert await burst(ada, 101) == ["pong"] * 100 + ["protocol/rate"]


async def test_twenty_messages_a_second_go_on_for_ever(server: LiveServer) -> None:
    async with connected(server) as ada:
        await burst(ada, 100)
        for _ in range(60):
            server.manual.advance(1000)
            assert await burst(ada, 20) == ["pong"] * 20


async def test_a_move_over_the_rate_is_refused_and_changes_nothing(server: LiveServer) -> None:
    async with server.playing() as ada:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        await burst(ada, 98)
        refused = await ada.play(attempt, "s")
        assert (refused["t"], refused["code"]) == ("error", "protocol/rate")
        server.manual.advance(1000)
        assert (await ada.sync(attempt))["seq"] == 0
        assert (await ada.play(attempt, "s"))["seq"] == 1


async def test_who_does_not_stop_is_closed_and_who_was_over_it_long_ago_is_not(server: LiveServer) -> None:
    async with connected(server) as patient, wired(server) as flood:
        for _ in range(20):
            assert (await burst(patient, 130)).count("protocol/rate") == 30
            server.manual.advance(60_000)
        await flood.open()
        await flood.send(message("ping") * 2000)
        assert await flood.close_code() == 1008
        assert await burst(patient, 1) == ["pong"]


async def test_guests_of_one_address_are_limited_and_told_when_to_come_again(server: LiveServer) -> None:
    async with server.http() as http:
        statuses = [(await http.post("/api/v1/guests")).status_code for _ in range(60)]
        assert statuses == [201] * 60
        refused = await http.post("/api/v1/guests")
        assert refused.status_code == 429
        assert refused.json()["code"] == "protocol/rate"
        assert int(refused.headers["Retry-After"]) >= 1
        assert (await http.get("/api/v1/rulesets")).status_code == 200


async def test_the_sandbox_lifts_the_limits(sqlite_url: str, tmp_path: Path) -> None:
    async with live_server(sqlite_url, tmp_path, sandbox=True) as server:
        async with server.http() as http:
            assert {(await http.post("/api/v1/guests")).status_code for _ in range(70)} == {201}
        async with server.playing() as ada:
            assert "messages" not in ada.welcome["limits"]
            assert await burst(ada, 500) == ["pong"] * 500
