"""One bad client is never felt by another: slow readers, floods, cut lines (R37, R40, X10, X11)."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from structlog.testing import capture_logs

from server.net import socket_protocol
from server.net.socket_protocol import OUTGOING_BOUND, SocketProtocol
from server.store import attempts
from server.store.engine import Store
from tests.net.wire import PING, Wire, frame, message, wired
from tests.support.live_server import LiveServer, live_server
from tests.support.scale import rounds

pytestmark = [pytest.mark.fault, pytest.mark.timeout(300)]


@pytest.fixture
async def server(sqlite_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    """A running server without limits."""
    async with live_server(sqlite_url, tmp_path, sandbox=True) as running:
        yield running


async def deaf(server: LiveServer, token: str) -> Wire:
    """A socket with a small buffer that says hello and reads no further."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.setblocking(False)
    host = server.base_url.removeprefix("http://")
    address, _, port = host.rpartition(":")
    await asyncio.get_running_loop().sock_connect(line, (address, int(port)))
    wire = Wire(*await asyncio.open_connection(sock=line, limit=1024), host)
    await wire.open()
    await wire.send(message("hello", v=1, token=token))
    return wire


def measured_queues(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bytes that wait for a reader after each frame that is sent."""
    queued: list[int] = []
    write = SocketProtocol.send_frame

    def measured(self: SocketProtocol, data: bytes) -> None:
        write(self, data)
        queued.append(self.transport.get_write_buffer_size())

    monkeypatch.setattr(SocketProtocol, "send_frame", measured)
    return queued


# --- X10: readers that do not read ---------------------------------------------------------------------------------


async def test_x10_who_never_reads_is_bounded_and_evicted_and_others_play_on(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket_protocol, "EVICT_AFTER_S", 0.5)
    queued = measured_queues(monkeypatch)
    sockets = server.app.services.metrics.sockets
    async with server.playing() as ada:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        wires = [await deaf(server, ada.token or "") for _ in range(rounds(50, 200))]
        asked = asyncio.gather(*(wire.send(message("sync", attempt=attempt) * 2000) for wire in wires))
        while sockets._value.get() > 1:  # until the deaf ones are gone, the healthy one plays
            assert (await ada.play(attempt, "s"))["t"] == "played"
            if ada.seq(attempt) > 4900:
                raise AssertionError("they are still there")
        await asked
        assert OUTGOING_BOUND // 2 < max(queued) <= OUTGOING_BOUND + 1024
        assert (await ada.sync(attempt))["seq"] == ada.seq(attempt)
        for wire in wires:
            await wire.close()


async def test_x10_control_without_a_bound_the_queue_grows(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_protocol, "OUTGOING_BOUND", 2**30)
    for name in ("pause_writing", "resume_writing"):
        monkeypatch.setattr(SocketProtocol, name, lambda self: None)
    queued = measured_queues(monkeypatch)
    async with server.playing() as ada:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        wire = await deaf(server, ada.token or "")
        asked = asyncio.create_task(wire.send(message("sync", attempt=attempt) * 5000))
        while max(queued) <= 4 * OUTGOING_BOUND:
            assert (await ada.ask("ping"))["t"] == "pong"
            assert len(queued) < 20_000, "the queue does not grow"
        await asked
        await wire.close()


async def test_x10_pings_of_who_never_reads_fill_nothing(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_protocol, "EVICT_AFTER_S", 0.5)
    sockets = server.app.services.metrics.sockets
    async with server.playing() as ada:
        wire = await deaf(server, ada.token or "")
        flood = asyncio.create_task(wire.send(frame("x" * 120, PING) * 200_000))
        while sockets._value.get() > 1:
            assert (await ada.ask("ping"))["t"] == "pong"
        await flood
        await wire.close()


# --- X11: floods, bombs and slow handshakes ------------------------------------------------------------------------


async def test_x11_floods_take_no_memory_and_honest_players_are_served(sqlite_url: str, tmp_path: Path) -> None:
    async with live_server(sqlite_url, tmp_path) as server, server.playing() as ada:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        await ada.play(attempt, "s")
        memory = psutil.Process()
        before = memory.memory_info().rss
        async with contextlib.AsyncExitStack() as stack:
            floods: list[Any] = []
            for number in range(rounds(100, 5000, smoke=30)):
                wire = await stack.enter_async_context(wired(server))
                kind = number % 5
                if kind == 0:  # a handshake that never ends
                    await wire.send(wire.handshake()[:-2])
                elif kind == 1:  # ten times the limit
                    await wire.open()
                    floods.append(wire.send(message("ping") * 1000))
                elif kind == 2:  # a compressed frame that nobody has agreed to
                    await wire.open()
                    floods.append(wire.send(bytes([0xC1]) + frame(b"\0" * 4000)[1:]))
                elif kind == 3:  # too large, and never finished
                    await wire.open()
                    floods.append(wire.send(frame(b"x" * 10_000, length=2**40)))
                else:  # a message in ever more fragments
                    await wire.open()
                    floods.append(wire.send(frame(b'{"t":"', fin=False) + frame(b"x", 0, fin=False) * 5000))
            await asyncio.gather(*floods)
            for _ in range(20):
                server.manual.advance(1000)
                assert (await ada.play(attempt, "s"))["t"] == "played"
            assert memory.memory_info().rss - before < 24 * 2**20  # our own end of the lines is in it
        assert (await ada.sync(attempt))["seq"] == 21


# --- R40: cut lines ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
async def test_r40_cut_lines_leave_no_connection_checked_out_and_no_half_move(
    database: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = str(request.getfixturevalue(f"{database}_url"))
    clients = rounds(200, 2000, smoke=40)
    async with live_server(url, tmp_path, sandbox=True) as server:
        tokens = [(await server.guest())[1] for _ in range(clients)]
        connection = Store._connection

        async def slow(self: Store, engine: Any) -> Any:
            conn = await connection(self, engine)
            try:
                await asyncio.sleep(0.02)  # the delay of a far database, while the connection is held
            except BaseException:
                await conn.close()
                raise
            return conn

        monkeypatch.setattr(Store, "_connection", slow)
        for token in tokens:
            async with wired(server) as wire:  # says all it has to say, and is gone
                start = message("hello", v=1, token=token) + message("start", challenge="daily/today/pyramid")
                await wire.open()
                await wire.send(start)
        monkeypatch.undo()
        store = server.app.services.store
        async with server.playing() as ada:
            attempt = (await ada.start("daily/today/pyramid"))["attempt"]
            assert (await ada.play(attempt, "s"))["t"] == "played"
            while server.app.services.tasks:
                await ada.ask("ping")
            assert store.checked_out() == 0
            assert len(server.app.services.house) == 1
            assert (await ada.play(attempt, "s"))["seq"] == 2


@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
async def test_r40_moves_of_cut_lines_are_whole_or_not_there(
    database: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    url = str(request.getfixturevalue(f"{database}_url"))
    async with live_server(url, tmp_path, sandbox=True) as server:
        players = [await server.player() for _ in range(rounds(200, 2000, smoke=40))]
        started = [(await player.start("daily/today/pyramid"))["attempt"] for player in players]
        with capture_logs() as lines:
            for number, (player, attempt) in enumerate(zip(players, started, strict=True)):
                for seq in range(3):
                    await player.send(t="play", attempt=attempt, seq=seq, move="s")
                if number % 2:
                    player.socket.transport.close()  # what was sent arrives, nothing can be answered
                else:
                    await player.cut()  # what was sent may be lost on the way
            async with server.playing() as ada:
                while server.app.services.tasks or len(server.app.services.house):
                    await ada.ask("ping")
        assert [line for line in lines if line["log_level"] in ("warning", "error")] == []
        assert server.app.services.store.checked_out() == 0
        stored = 0
        async with server.app.services.store.reading() as conn:
            for attempt in started:
                row, log = await attempts.attempt(conn, attempt), await attempts.log(conn, attempt)
                assert row is not None
                assert (row.seq, row.moves, row.over) == (len(log), len(log), None)
                assert [text for text, _ in log] == ["s"] * len(log)
                stored += len(log)
        assert stored > 0
        for player in players:
            await player.close()
