"""What all answers of the API have in common, and how many of them one address gets."""

from pathlib import Path
from typing import Any

import pytest
from fastapi import Request

from server.games import register, unregister
from server.metrics import Metrics
from server.net.answers import ApiAnswers
from server.net.api import _rulesets_json
from server.net.credentials import Credentials
from tests.net.wire import wired
from tests.play.toys import RedHome
from tests.support.live_server import LiveServer, live_server

PATHS = ("/api/v1/rulesets", "/api/v1/dailies/today", "/api/v1/me", "/api/v1/nothing", "/api/v1/openapi.json")


@pytest.mark.parametrize("path", PATHS)
async def test_every_answer_is_private_whatever_its_status(server: LiveServer, path: str) -> None:
    async with server.http() as http:
        answer = await http.get(path)
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert {"cookie", "authorization"} <= {part.strip().lower() for part in answer.headers["Vary"].split(",")}


class Asking:
    """An application that counts what reaches it, asked by whoever a test says."""

    def __init__(self, *, unlimited: bool = False) -> None:
        self.now, self.served = 0, 0
        self.app = ApiAnswers(self, Metrics(), unlimited=unlimited, now_ms=lambda: self.now)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.served += 1
        await send({"type": "http.response.start", "status": 200, "headers": [(b"cache-control", b"max-age=5")]})
        await send({"type": "http.response.body", "body": b""})

    async def ask(self, address: str, path: str = "/api/v1/rulesets") -> tuple[int, dict[bytes, bytes]]:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            raise AssertionError("nobody reads a body here")

        await self.app({"type": "http", "path": path, "client": (address, 1)}, receive, send)
        return sent[0]["status"], dict(sent[0]["headers"])


async def test_one_address_gets_two_hundred_answers_at_once_and_fifty_a_second() -> None:
    asking = Asking()
    assert [(await asking.ask("192.0.2.1"))[0] for _ in range(201)] == [200] * 200 + [429]
    status, headers = await asking.ask("192.0.2.1")
    assert (status, headers[b"retry-after"], headers[b"cache-control"]) == (429, b"1", b"no-store")
    assert asking.served == 200
    assert (await asking.ask("192.0.2.2"))[0] == 200
    assert (await asking.ask("192.0.2.1", "/healthz"))[0] == 200
    asking.now += 1000
    assert [(await asking.ask("192.0.2.1"))[0] for _ in range(51)] == [200] * 50 + [429]


async def test_a_handler_says_itself_how_long_its_answer_keeps_and_the_sandbox_has_no_limit() -> None:
    asking = Asking(unlimited=True)
    answers = [await asking.ask("192.0.2.1") for _ in range(300)]
    assert {status for status, _ in answers} == {200}
    assert answers[0][1][b"cache-control"] == b"max-age=5"


async def test_the_rulesets_are_made_once_and_again_when_there_is_another(server: LiveServer) -> None:
    async with server.http() as http:
        _rulesets_json.cache_clear()
        plain = await http.get("/api/v1/rulesets", headers={"Accept-Encoding": "identity"})
        zipped = await http.get("/api/v1/rulesets", headers={"Accept-Encoding": "gzip"})
        assert _rulesets_json.cache_info().misses == 1
        assert zipped.headers["Content-Encoding"] == "gzip"
        assert zipped.json() == plain.json()
        register(RedHome)
        try:
            keys = [entry["key"] for entry in (await http.get("/api/v1/rulesets")).json()["rulesets"]]
        finally:
            unregister("red-home")
    assert "red-home" in keys
    assert len(keys) == len(plain.json()["rulesets"]) + 1


async def test_no_answer_sends_a_browser_to_the_host_that_it_named(server: LiveServer) -> None:
    async with wired(server) as wire:
        await wire.send(b"GET /api/v1/rulesets/ HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        assert await wire.status() == 404


async def test_guests_are_counted_by_the_network_of_a_subscriber(sqlite_url: str, tmp_path: Path) -> None:
    async with live_server(sqlite_url, tmp_path) as server:
        credentials = Credentials(server.app.services, public_origin=None, secure=False)
        for number in range(60):
            credentials.take_guest(_from(f"2001:db8::{number:x}"))
        with pytest.raises(Exception, match="too many guests"):
            credentials.take_guest(_from("2001:db8::ffff"))
        credentials.take_guest(_from("2001:db8:0:1::1"))


async def test_a_guest_keeps_the_name_that_he_was_given_and_nobody_takes_another_one_s(server: LiveServer) -> None:
    given, token = await server.guest()
    async with server.http(token) as http:
        assert (await http.patch("/api/v1/me", json={"name": given["name"]})).json()["player"] == given
        other = "Guest 0001" if given["name"] != "Guest 0001" else "Guest 0002"
        assert (await http.patch("/api/v1/me", json={"name": other})).status_code == 422


def _from(address: str) -> Request:
    return Request({"type": "http", "client": (address, 1), "headers": []})
