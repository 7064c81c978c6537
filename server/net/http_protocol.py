"""uvicorn's HTTP protocol, made to lose nothing at the change to a WebSocket and to wait for nobody without end.

A client should wait for the answer to its handshake, but bytes that it sent along with it would vanish without a word:
uvicorn hands only the request on. And uvicorn gives a client all the time in the world to send a request or to read
its answer; here every step has a deadline, or a few hundred silent connections would use up the server's descriptors.
"""

import asyncio
import math
import sys
from typing import TYPE_CHECKING, Any, Final, cast

import structlog
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from server.net.doors import Doors
from server.net.socket_protocol import SocketProtocol

log = structlog.get_logger(__name__)

#: Seconds in which a request's head must be complete, then its body, and in which a reader must take something.
PATIENCE_S: Final = 10.0

_FULL: Final = b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 10\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


if TYPE_CHECKING:  # the other one, on httptools, has the same names
    from uvicorn.protocols.http.h11_impl import H11Protocol as _Base
else:
    _Base = asyncio.Protocol


class Watched(_Base):
    """What we add to either of uvicorn's HTTP protocols."""

    _arrived = b""
    _handed_over = False
    _timer: asyncio.TimerHandle | None = None
    #: What the client has to do next: nothing while the server is at work, else a value that changes with every step.
    _awaited: tuple[Any, str] | None = None
    #: Bytes that waited for the client when it was last looked at.
    _unread: float = math.inf

    def __init__(self, *args: Any, doors: Doors, patience_s: float = PATIENCE_S, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._doors = doors
        self._door: str | None = None
        self._patience_s = patience_s

    def connection_made(self, transport: Any) -> None:
        """Give the client its time for a first request, unless too many of its address are here."""
        super().connection_made(transport)
        self._door = self._doors.enter(self.client[0] if self.client else "")
        if self._door is None:
            self.transport.write(_FULL)
            self.transport.close()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Remember the chunk in which a handshake may end."""
        self._arrived = data
        super().data_received(data)
        self._arrived = b""
        self._watch()

    def on_response_complete(self) -> None:
        """The client's turn again."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """The client reads slowly."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """The client has read something."""
        super().resume_writing()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline with the connection."""
        super().connection_lost(exc)
        self._stop_watching()
        if self._door is not None:
            self._doors.leave(self._door)

    def shutdown(self) -> None:
        """Take leave; whatever state the connection is in, the others and the end of the server wait for this."""
        try:
            super().shutdown()
        except Exception:
            log.exception("connection not shut down")
            self.transport.abort()

    def handle_websocket_upgrade(self, *event: Any) -> None:
        """Hand over to the socket's protocol, with what followed the handshake in the same chunk."""
        found = sys.exc_info()[1]  # httptools tells of the upgrade by an exception that says where the request ended
        rest = self._arrived[found.args[0] :] if found is not None else bytes(self.conn.trailing_data[0])
        self._stop_watching()
        self._handed_over = True
        super().handle_websocket_upgrade(*event)
        protocol = cast(SocketProtocol, self.transport.get_protocol())
        door, self._door = self._door, None
        if door is not None:
            protocol.at_end = lambda: self._doors.leave(door)
        if rest:
            protocol.data_received(rest)

    # --- deadlines -------------------------------------------------------------------------------------------------

    def _watch(self) -> None:
        """Set the deadline anew with every step that the client completes, not with every byte that it sends."""
        awaited = self._step()
        if awaited == self._awaited or self._handed_over:
            return
        self._stop_watching()
        self._awaited = awaited
        if awaited is not None:
            self._timer = self.loop.call_later(self._patience_s, self._late)

    def _step(self) -> tuple[Any, str] | None:
        cycle: Any = self.cycle
        if self.flow.write_paused:
            return cycle, "reading"
        if cycle is None or cycle.response_complete:
            return cycle, "head"
        return (cycle, "body") if cycle.more_body else None

    def _late(self) -> None:
        """Close the line; one with bytes left for the client is cut off when none went in all that time."""
        unread = self.transport.get_write_buffer_size()
        if unread >= self._unread:
            self.transport.abort()
        elif unread:
            self._unread = unread
            self._timer = self.loop.call_later(self._patience_s, self._late)
        else:
            self.transport.close()

    def _stop_watching(self) -> None:
        self._unread = math.inf
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class HttpProtocol(Watched, AutoHTTPProtocol):  # type: ignore[valid-type,misc]  # which of two it is depends on what is installed
    """One connection, until it becomes a socket."""
