"""The server side of a WebSocket connection, below the session.

uvicorn's Sans-I/O protocol does the handshake, the parsing and the keep-alive. This subclass hands text frames to the
session in the same turn of the event loop, without a queue and a task per frame, writes answers straight to the
transport, and bounds what a reader that never reads can make the server keep.
"""

import asyncio
from typing import Any, Final, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request

#: Bytes that may wait for a reader; a socket with more is closed.
OUTGOING_BOUND: Final = 64 * 1024
#: From so many waiting bytes on nothing more is read from the socket until they have gone.
OUTGOING_HIGH: Final = 32 * 1024
#: Seconds in which a slow reader must make room, or be cut off.
EVICT_AFTER_S: Final = 5.0

#: The name under which the protocol finds itself in the ASGI scope's extensions.
EXTENSION: Final = "samedeal.socket"

TOO_SLOW: Final = 1013


class Receiver(Protocol):
    """What takes the text frames of a socket."""

    def feed(self, frame: bytes) -> None:
        """Take one text frame, valid UTF-8; must not raise and must not block."""
        ...


class SocketProtocol(WebSocketsSansIOProtocol):
    """One connection. ``receiver`` is set by the session before it accepts the socket."""

    receiver: Receiver | None = None
    _evict_timer: asyncio.TimerHandle | None = None
    _held = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Bound the transport's buffer as soon as there is one."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=OUTGOING_HIGH)

    def handle_connect(self, event: Request) -> None:
        """Put the protocol into the scope of the ASGI application, which starts in a later turn of the loop."""
        super().handle_connect(event)
        scope: dict[str, Any] | None = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"][EXTENSION] = self

    def handle_text(self, event: Frame) -> None:
        """Hand a whole text frame to the session; fragments go the long way."""
        if event.fin and self.receiver is not None:
            self._receive(bytes(event.data))
        else:
            super().handle_text(event)

    def send_receive_event_to_app(self) -> None:
        """The end of a fragmented text frame, or a binary frame, which the protocol does not know."""
        if self.receiver is None or self.curr_msg_data_type == "bytes":
            if self.curr_msg_data_type == "bytes" and self.handshake_complete:
                self._fail(1003)
                return
            super().send_receive_event_to_app()
            return
        data, self.frames = b"".join(self.frames), []
        self._receive(data)

    def _receive(self, data: bytes) -> None:
        if self.close_sent or self.receiver is None:
            return
        if not data.isascii():
            try:
                data.decode()
            except UnicodeDecodeError:
                self._fail(1007)
                return
        self.receiver.feed(data)

    def send_frame(self, data: bytes) -> None:
        """Write one text frame; past the bound the socket is closed instead, with 1013 if it still reads."""
        transport = self.transport
        if self.close_sent or self.disconnected or transport.is_closing():
            return
        if transport.get_write_buffer_size() + len(data) > OUTGOING_BOUND:
            self.close(TOO_SLOW)
            return
        transport.write(_text_header(len(data)) + data)

    def close(self, code: int, reason: str = "") -> None:
        """Say goodbye with a close code; the transport is cut off if the other side does not answer in time."""
        if self.close_sent or self.disconnected:
            return
        self._fail(code, reason)

    def _fail(self, code: int, reason: str = "") -> None:
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.conn.fail(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()
        if self._evict_timer is None:
            self._evict_timer = self.loop.call_later(EVICT_AFTER_S, self.transport.abort)

    def pause_writing(self) -> None:
        """The reader is slow: read nothing more from it, and give it a limited time to catch up."""
        super().pause_writing()
        self.hold_reading()
        if self._evict_timer is None:
            self._evict_timer = self.loop.call_later(EVICT_AFTER_S, self._evict)

    def resume_writing(self) -> None:
        """The reader has caught up."""
        super().resume_writing()
        self.release_reading()
        if self._evict_timer is not None and not self.close_sent:
            self._evict_timer.cancel()
            self._evict_timer = None

    def _evict(self) -> None:
        self._evict_timer = None
        if not self.disconnected:
            self.close(TOO_SLOW)
            self.transport.abort()

    def hold_reading(self) -> None:
        """Stop reading from the socket until as many :meth:`release_reading` have followed."""
        self._held += 1
        if self._held == 1 and not self.transport.is_closing():
            self.transport.pause_reading()

    def release_reading(self) -> None:
        """Undo one :meth:`hold_reading`."""
        self._held = max(0, self._held - 1)
        if self._held == 0 and not self.transport.is_closing():
            self.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timers and the session with the connection."""
        if self._evict_timer is not None:
            self._evict_timer.cancel()
            self._evict_timer = None
        self.receiver = None
        super().connection_lost(exc)


def _text_header(length: int) -> bytes:
    """The header of an unfragmented, unmasked text frame (RFC 6455, 5.2)."""
    opcode = 0x80 | Opcode.TEXT
    if length < 126:
        return bytes((opcode, length))
    if length < 65536:
        return bytes((opcode, 126)) + length.to_bytes(2, "big")
    return bytes((opcode, 127)) + length.to_bytes(8, "big")
