"""A WebSocket client that costs next to nothing, so that the load generator is never what limits a measurement.

It sends unfragmented text frames and reads unfragmented ones, which is all that our server writes. The mask is zero:
the server takes it off like any other, and the client has nothing to do for it.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Final, Self, cast
from urllib.parse import urlsplit

from server.bench.figures import BenchError

_HANDSHAKE: Final = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: c2FtZWRlYWwgYmVuY2ggMQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
_IP_BIND_ADDRESS_NO_PORT: Final = 24  # Linux; the module socket has no name for it before Python 3.12
_NO_MASK: Final = b"\0\0\0\0"
_TEXT, _CLOSE, _PING = 0x81, 0x88, 0x89


class Wire(asyncio.Protocol):
    """One client connection. ``on_frame`` takes every text frame in the turn of the loop in which it arrived."""

    __slots__ = ("_buffer", "_open", "_request", "_transport", "closed", "on_frame")

    def __init__(self, request: bytes) -> None:
        """``request`` is the whole handshake request."""
        self.on_frame: Callable[[bytes], None] = _unexpected
        #: The close code, 1006 where the line was cut; None while the socket is open.
        self.closed: int | None = None
        self._request = request
        self._buffer = b""
        self._open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def connect(cls, url: str, *, source: str | None = None) -> Self:
        """A connection whose handshake is done. ``source`` is the address to come from.

        Raises :class:`BenchError` where the server refuses it.
        """
        loop = asyncio.get_running_loop()
        parts = urlsplit(url)
        request = _HANDSHAKE.format(path=parts.path or "/", host=parts.netloc).encode()
        line = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            line.setblocking(False)
            if source is not None:
                # The port is chosen when the other end is known, so every address has all ports to each server.
                line.setsockopt(socket.IPPROTO_IP, _IP_BIND_ADDRESS_NO_PORT, 1)
                line.bind((source, 0))
            await loop.sock_connect(line, (parts.hostname, parts.port))
            _, wire = await loop.create_connection(lambda: cls(request), sock=line)
        except OSError as error:
            line.close()
            raise BenchError(f"no connection: {error.strerror or error}") from error
        await wire.opened()
        return wire

    async def opened(self) -> None:
        """Return once the handshake is done. Raises :class:`BenchError` where the server refuses it."""
        await self._open

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self._transport = cast(asyncio.Transport, transport)
        line: socket.socket | None = transport.get_extra_info("socket")
        if line is not None:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Read the answer to the handshake, then whole frames."""
        buffer = self._buffer + data if self._buffer else data
        if not self._open.done():
            head, end, buffer = buffer.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                self._open.set_exception(BenchError(f"no WebSocket: {head[:60].decode('latin-1')}"))
                return
            self._open.set_result(None)
        at, have = 0, len(buffer)
        while have - at >= 2:
            length, body = buffer[at + 1], at + 2
            if length == 126:
                length, body = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                length, body = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            if have < body + length:
                break
            self._take(buffer[at], buffer[body : body + length])
            at = body + length
        self._buffer = buffer[at:]

    def _take(self, kind: int, payload: bytes) -> None:
        if kind == _TEXT:
            self.on_frame(payload)
        elif kind == _PING:
            self._write(0x8A, payload)
        elif kind == _CLOSE:
            self.closed = int.from_bytes(payload[:2], "big") if len(payload) >= 2 else 1005
            self._write(_CLOSE, payload)

    def send(self, payload: bytes) -> None:
        """Send one text frame."""
        self._write(_TEXT, payload)

    def _write(self, kind: int, payload: bytes) -> None:
        if self._transport is None or self._transport.is_closing():
            raise BenchError("the server has closed a socket")
        length = len(payload)
        head = bytes((kind, 0x80 | length)) if length < 126 else bytes((kind, 0xFE)) + length.to_bytes(2, "big")
        self._transport.write(head + _NO_MASK + payload)

    def abort(self) -> None:
        """Cut the line."""
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note; whoever waits for an answer finds out by its own time limit."""
        if self.closed is None:
            self.closed = 1006
        if not self._open.done():
            self._open.set_exception(BenchError("the server cut the line in the handshake"))


def _unexpected(payload: bytes) -> None:
    raise BenchError(f"an unexpected frame: {payload[:80]!r}")
