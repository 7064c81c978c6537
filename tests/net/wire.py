"""A WebSocket client that keeps no rules: every byte of the handshake and of every frame is the test's own."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from tests.support.live_server import LiveServer
from tests.support.player import Player

TEXT, BINARY, CONTINUED, CLOSE, PING = 1, 2, 0, 8, 9
PATIENCE_S = 60


def frame(
    payload: bytes | str, opcode: int = TEXT, *, fin: bool = True, length: int | None = None, mask: bytes = bytes(4)
) -> bytes:
    """A masked frame; `length` may lie about the payload, and a mask of zeros leaves it as it is."""
    body = payload.encode() if isinstance(payload, str) else payload
    size = len(body) if length is None else length
    head = bytes([(0x80 if fin else 0) | opcode])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += bytes([0x80 | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([0x80 | 127]) + size.to_bytes(8, "big")
    return (
        head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(body))
        if any(mask)
        else head + mask + body
    )


def message(t: str, **fields: Any) -> bytes:
    """A message as one text frame."""
    return frame(json.dumps({"t": t, **fields}))


class Wire:
    """One TCP connection to a server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str) -> None:
        self._reader, self._writer, self._host = reader, writer, host

    def handshake(self, **headers: str) -> bytes:
        """The handshake of a client, with more headers where given (`Sec_WebSocket_Version="8"`)."""
        lines = {
            "Host": self._host,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version": "13",
        }
        lines.update({name.replace("_", "-"): value for name, value in headers.items()})
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return f"GET /ws HTTP/1.1\r\n{head}\r\n".encode("latin-1")

    async def send(self, data: bytes) -> None:
        """Send bytes; a line that the other side has cut is no error here."""
        with contextlib.suppress(ConnectionError):
            self._writer.write(data)
            await self._writer.drain()

    async def status(self) -> int:
        """The status of the answer to the handshake."""
        head = await asyncio.wait_for(self._reader.readuntil(b"\r\n\r\n"), PATIENCE_S)
        return int(head.split(b" ", 2)[1])

    async def open(self, **headers: str) -> "Wire":
        """Shake hands."""
        await self.send(self.handshake(**headers))
        assert await self.status() == 101
        return self

    async def receive(self) -> tuple[int, bytes]:
        """The next frame: opcode and payload."""
        first, second = await asyncio.wait_for(self._reader.readexactly(2), PATIENCE_S)
        size = second & 0x7F
        if size >= 126:
            size = int.from_bytes(await self._reader.readexactly(2 if size == 126 else 8), "big")
        return first & 0x0F, await self._reader.readexactly(size)

    async def told(self) -> dict[str, Any]:
        """The next text frame as a message."""
        while True:
            opcode, payload = await self.receive()
            if opcode == TEXT:
                body: dict[str, Any] = json.loads(payload)
                return body
            assert opcode != CLOSE, f"closed with {payload!r}"

    async def close_code(self) -> int:
        """The code of the close frame, whatever comes before it; and behind it nothing more."""
        while True:
            opcode, payload = await self.receive()
            if opcode == CLOSE:
                assert await asyncio.wait_for(self._reader.read(), PATIENCE_S) == b""
                return int.from_bytes(payload[:2], "big")

    async def ended(self) -> None:
        """Wait until the server ends the line."""
        with contextlib.suppress(ConnectionError):
            await asyncio.wait_for(self._reader.read(), PATIENCE_S)

    async def close(self) -> None:
        """Cut the line."""
        self._writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await self._writer.wait_closed()


@contextlib.asynccontextmanager
async def wired(server: LiveServer) -> AsyncIterator[Wire]:
    """A TCP connection for the length of a block."""
    host = server.base_url.removeprefix("http://")
    address, _, port = host.rpartition(":")
    wire = Wire(*await asyncio.open_connection(address, int(port)), host)
    try:
        yield wire
    finally:
        await wire.close()


@contextlib.asynccontextmanager
async def connected(server: LiveServer, token: str | None = None, **options: Any) -> AsyncIterator[Player]:
    """A socket that has not said hello, for the length of a block."""
    player = await Player.connect(server.socket_url, token, **options)
    try:
        yield player
    finally:
        await player.close()
