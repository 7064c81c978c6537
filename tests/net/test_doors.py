"""Connections that never finish what they begin, too many of one address, and handshakes that are none."""

import asyncio
import contextlib
import ipaddress
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from server.clock import ManualClock
from server.net.doors import Doors, household
from server.net.http_protocol import HttpProtocol, Watched
from server.net.messages import MAX_FRAME
from server.net.socket_app import SocketApp
from server.net.socket_protocol import SocketProtocol
from tests.net.test_lone_frames import HANDSHAKE, Line
from tests.net.wire import Wire, message, wired
from tests.support.live_server import NOON, LiveServer
from tests.support.player import Player

#: A patience that is soon over; these tests wait for the end of the line, not for a time.
SHORT_S = 0.05


class OnH11(Watched, H11Protocol):
    """The HTTP protocol as it is where nobody has installed httptools."""


@contextlib.asynccontextmanager
async def impatient(
    url: str, folder: Path, http: Any = HttpProtocol, most: int = 400, patience_s: float = SHORT_S
) -> AsyncIterator[LiveServer]:
    """A server that soon loses its patience."""
    server = LiveServer(url, folder, ManualClock(NOON))
    server.server.config.http = partial(http, doors=Doors(most), patience_s=patience_s)  # type: ignore[assignment]
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


# --- handshakes that are none --------------------------------------------------------------------------------------

BAD_HANDSHAKES: list[dict[str, str]] = [
    {"Content_Length": "5"},
    {"Transfer_Encoding": "chunked"},
    {"X": "y" * 9000},
    {"Sec_WebSocket_Version": "8"},
]


@pytest.mark.parametrize("headers", BAD_HANDSHAKES)
async def test_a_handshake_that_is_none_is_answered_and_closed(server: LiveServer, headers: dict[str, str]) -> None:
    async with wired(server) as wire:
        await wire.send(wire.handshake(**headers) + b"0\r\n\r\n")
        assert 400 <= await wire.status() < 500
        await wire.ended()


async def test_a_stop_says_goodbye_to_everybody_whatever_one_connection_has_sent(
    sqlite_url: str, tmp_path: Path
) -> None:
    server = await LiveServer(sqlite_url, tmp_path, ManualClock(NOON)).start()
    _, token = await server.guest()
    async with contextlib.AsyncExitStack() as stack:
        for headers in BAD_HANDSHAKES:
            bad = await stack.enter_async_context(wired(server))
            await bad.send(bad.handshake(**headers) + b"0\r\n\r\n")
            await bad.status()
        good = await (await stack.enter_async_context(wired(server))).open()
        await good.send(message("hello", v=1, token=token))
        assert (await good.told())["t"] == "welcome"
        await server.stop()  # raises what the server's task raised
        assert await good.close_code() == 1012


@pytest.mark.parametrize("stage", ["made", "asked", "refused", "failed"])
async def test_no_state_of_a_socket_makes_its_shutdown_raise(stage: str) -> None:
    never = asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await never.wait()

    config = uvicorn.Config(app, ws=SocketProtocol, ws_max_size=MAX_FRAME, log_config=None)
    config.load()
    protocol = SocketProtocol(config=config, server_state=ServerState(), app_state={})
    line = Line()
    protocol.connection_made(line)
    if stage == "refused":
        protocol.data_received(HANDSHAKE.replace(b"Host: x", b"Content-Length: 1"))
    elif stage != "made":
        protocol.data_received(HANDSHAKE)
    if stage == "failed":
        protocol.conn.fail(1011)
        protocol.handshake_complete = True
    protocol.shutdown()
    assert line.closing
    protocol.connection_lost(None)
    never.set()
    await asyncio.gather(*protocol.tasks)


# --- deadlines -----------------------------------------------------------------------------------------------------

HALF_DONE = [
    b"",
    b"GET / HTTP/1.1\r\nX: a",
    b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET / HT",
    HANDSHAKE[:60],
    b"POST /api/v1/guests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
    b"POST /api/v1/guests HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{",
]


@pytest.mark.parametrize("http", [HttpProtocol, OnH11])
@pytest.mark.parametrize("sent", HALF_DONE)
async def test_who_does_not_finish_what_he_began_is_cut_off(
    sqlite_url: str, tmp_path: Path, http: Any, sent: bytes
) -> None:
    async with impatient(sqlite_url, tmp_path, http) as server, wired(server) as wire:
        await wire.send(sent)
        await wire.ended()


@pytest.mark.parametrize("http", [HttpProtocol, OnH11])
async def test_single_bytes_do_not_buy_more_time(sqlite_url: str, tmp_path: Path, http: Any) -> None:
    async with impatient(sqlite_url, tmp_path, http) as server, wired(server) as wire:
        ended = asyncio.get_running_loop().create_task(wire.ended())
        await wire.send(b"GET / HTTP/1.1\r\nX: ")
        while not ended.done():
            await wire.send(b"a")
            await asyncio.wait([ended], timeout=SHORT_S / 10)


@pytest.mark.parametrize("http", [HttpProtocol, OnH11])
async def test_deadlines_spare_requests_at_work_and_sockets(
    sqlite_url: str, tmp_path: Path, http: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with impatient(sqlite_url, tmp_path, http, patience_s=10 * SHORT_S) as server:
        late = asyncio.Event()
        calm = server.app._http

        async def slow(scope: Any, receive: Any, send: Any) -> None:
            await late.wait()
            await calm(scope, receive, send)

        monkeypatch.setattr(server.app, "_http", slow)
        async with wired(server) as silent, wired(server) as socket, server.http() as client:
            await socket.open()
            answer = asyncio.get_running_loop().create_task(client.get("/healthz"))
            await silent.ended()  # this one's time is over, and so is that of the others if it ever was running
            late.set()
            assert (await answer).status_code == 200
            await socket.send(message("ping"))
            assert (await socket.told())["t"] == "pong"


@pytest.mark.parametrize("http", [HttpProtocol, OnH11])
async def test_who_does_not_read_his_answer_is_cut_off(sqlite_url: str, tmp_path: Path, http: Any) -> None:
    async with impatient(sqlite_url, tmp_path, http) as server, wired(server) as wire:
        ended = asyncio.Event()

        async def endless(scope: Any, receive: Any, send: Any) -> None:
            try:
                await send({"type": "http.response.start", "status": 200, "headers": []})
                while server.server.server_state.connections:
                    await send({"type": "http.response.body", "body": bytes(65536), "more_body": True})
            finally:
                ended.set()

        server.app._http = endless
        wire._writer.transport.pause_reading()  # type: ignore[attr-defined]
        await wire.send(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await asyncio.wait_for(ended.wait(), 60)


async def test_a_socket_that_does_not_say_hello_is_closed_and_one_that_did_is_not(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, token = await server.guest()
    assert server.app._sockets is not None
    monkeypatch.setattr(server.app._sockets, "_hello_s", 1.0)
    async with wired(server) as greeting, wired(server) as silent:
        await greeting.open()
        await greeting.send(message("hello", v=1, token=token))
        assert (await greeting.told())["t"] == "welcome"
        await silent.open()
        await silent.send(message("ping"))
        assert await silent.close_code() == 1008
        await greeting.send(message("ping"))
        assert (await greeting.told())["t"] == "pong"


async def test_who_watches_a_board_need_not_say_hello_as_long_as_he_does(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Boards are for everybody; a stranger who watches nothing is shown out, also one who has ended his watching."""
    assert server.app._sockets is not None
    monkeypatch.setattr(server.app._sockets, "_hello_s", 1.0)
    async with wired(server) as watching, wired(server) as ending:
        for wire in (watching, ending):
            await wire.open()
            await wire.send(message("board.watch", challenge="daily/today/pyramid"))
            assert (await wire.told())["watching"] is True
        for _ in range(2):  # each stranger comes after the watchers, so their time was up before his
            async with wired(server) as silent:
                await silent.open()
                assert await silent.close_code() == 1008
        for wire in (watching, ending):
            await wire.send(message("ping"))
            assert (await wire.told())["t"] == "pong"
        await ending.send(message("board.unwatch", challenge="daily/today/pyramid"))
        assert (await ending.told())["watching"] is False
        assert await ending.close_code() == 1008
        await watching.send(message("ping"))
        assert (await watching.told())["t"] == "pong"


# --- how many ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("http", [HttpProtocol, OnH11])
async def test_one_address_may_hold_so_many_connections_sockets_or_not(
    sqlite_url: str, tmp_path: Path, http: Any
) -> None:
    async with (
        impatient(sqlite_url, tmp_path, http, most=3, patience_s=60) as server,
        contextlib.AsyncExitStack() as stack,
    ):
        held: list[Wire] = []
        for _ in range(3):
            wire = await stack.enter_async_context(wired(server))
            held.append(await wire.open())
        async with wired(server) as more:
            assert await more.status() == 429
            await more.ended()
        await held.pop().close()
        player = None
        while player is None:  # the server hears of the end of that one a little later
            with contextlib.suppress(Exception):
                player = await Player.connect(server.socket_url)
        await player.close()


async def test_behind_a_trusted_proxy_sockets_are_counted_by_the_address_that_it_names(
    sqlite_url: str, tmp_path: Path
) -> None:
    server = LiveServer(sqlite_url, tmp_path, ManualClock(NOON), trusted_proxies=("127.0.0.1",))
    await server.start()
    try:
        assert isinstance(server.app._sockets, SocketApp)
        server.app._sockets._doors = Doors(1)
        async with wired(server) as one, wired(server) as same, wired(server) as other:
            await one.open(X_Forwarded_For="2001:db8::1")
            await same.send(same.handshake(X_Forwarded_For="2001:db8::2"))
            assert await same.status() == 429
            await other.open(X_Forwarded_For="2001:db8:0:1::1")
    finally:
        await server.stop()


def test_doors_count_by_household_and_let_in_whom_they_let_out() -> None:
    doors = Doors(2, [ipaddress.ip_network("10.0.0.0/8")])
    keys = [doors.enter("2001:db8::1"), doors.enter("2001:db8::2")]
    assert keys == ["2001:db8::/64"] * 2
    assert doors.enter("2001:db8::3") is None
    assert doors.enter("198.51.100.7") == "198.51.100.7"
    assert {doors.enter("10.0.0.1") for _ in range(5)} == {""}
    doors.leave("2001:db8::/64")
    assert doors.enter("2001:db8::3") == "2001:db8::/64"
    assert {Doors(None).enter("192.0.2.1") for _ in range(5)} == {""}


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:DB8::9%eth0", "2001:db8::/64"),
        ("unknown", "unknown"), ("", ""),
    ],
)  # fmt: skip
def test_a_household_is_an_ipv4_address_or_a_64(address: str, counted: str) -> None:
    assert household(address) == counted
