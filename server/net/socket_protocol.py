"""The server side of a WebSocket connection, below the session.

uvicorn's Sans-I/O protocol does the handshake, the parsing and the keep-alive. This subclass hands text frames to the
session in the same turn of the event loop, without a queue and a task per frame, writes answers straight to the
transport, and bounds what a reader that never reads can make the server keep.
"""

import asyncio
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, Protocol

import structlog
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import PayloadTooBig
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

from server.net.messages import MAX_FRAME

try:
    from websockets.speedups import apply_mask
except ImportError:  # an installation without a compiler
    from websockets.utils import apply_mask

log = structlog.get_logger(__name__)

#: Bytes that may wait for a reader; a socket with more is closed.
OUTGOING_BOUND: Final = 64 * 1024
#: From so many waiting bytes on nothing more is read from the socket until they have gone.
OUTGOING_HIGH: Final = 32 * 1024
#: Seconds in which a slow reader must make room, or be cut off.
EVICT_AFTER_S: Final = 5.0

#: The name under which the protocol finds itself in the ASGI scope's extensions.
EXTENSION: Final = "samedeal.socket"

PROTOCOL_ERROR: Final = 1002
NOT_TEXT: Final = 1003
BROKEN_TEXT: Final = 1007
TOO_LARGE: Final = 1009
TOO_SLOW: Final = 1013

#: First bytes of frames (RFC 6455, 5.2): a whole text message; the three controls.
_WHOLE_TEXT: Final = 0x80 | Opcode.TEXT
_CONTROLS: Final = frozenset({0x80 | Opcode.CLOSE, 0x80 | Opcode.PING, 0x80 | Opcode.PONG})
#: Two bytes and the mask; a length of 126 says that two bytes with the real one follow.
_MASKED_HEADER: Final = 6
_TWO_BYTE_LENGTH: Final = 126

#: The answer to a handshake that the library has no answer for, such as one with a body.
_BAD_HANDSHAKE: Final = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Receiver(Protocol):
    """What takes the text frames of a socket."""

    def feed(self, frame: bytes) -> None:
        """Take one text frame, valid UTF-8; must not raise and must not block."""
        ...


class SocketProtocol(WebSocketsSansIOProtocol):
    """One connection. The session takes its frames from :meth:`attach` on."""

    receiver: Receiver | None = None
    #: Called once the connection is gone.
    at_end: Callable[[], None] | None = None
    _evict_timer: asyncio.TimerHandle | None = None
    _held = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        #: What came before there was a session: text frames, and the code of whatever ends the socket.
        self._early: list[bytes | int] = []
        self._chunks = 0
        #: Whether the library's parser stands between two frames, and none of a fragmented message is under way.
        self._between_frames = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Bound the transport's buffer as soon as there is one."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=OUTGOING_HIGH)

    def data_received(self, data: bytes) -> None:
        """Serve the good frames of a chunk before a bad one behind them; after our goodbye nothing is heard.

        Nearly every chunk is one short text frame, which needs no parser. From the first one on that is not a single
        whole frame, the library parses everything that comes.
        """
        if self.close_sent:
            return
        self._chunks += 1
        if self._between_frames:
            if data[0] == _WHOLE_TEXT and (start := _payload_of_lone_frame(data)) and self.conn.state is State.OPEN:
                self._receive(apply_mask(data[start:], data[start - 4 : start]))
                return
            self._between_frames = data[0] in _CONTROLS and _payload_of_lone_frame(data) > 0
        self.conn.receive_data(data)
        if self.conn.handshake_exc is not None:
            self._refuse_handshake()
            return
        self.handle_events()
        if self.conn.parser_exc is not None and not self.close_sent:
            self.handle_parser_exception()

    def _refuse_handshake(self) -> None:
        """Answer a request that the library does not take for a handshake; no application ever hears of it."""
        answer = b"".join(self.conn.data_to_send())
        self.handshake_complete = True
        self._finish(answer or _BAD_HANDSHAKE)

    def handle_connect(self, event: Request) -> None:
        """Put the protocol into the scope of the ASGI application, which starts in a later turn of the loop."""
        super().handle_connect(event)
        scope: dict[str, Any] | None = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"][EXTENSION] = self

    def attach(self, receiver: Receiver) -> None:
        """Hand frames to a session from now on, first those that came before the handshake was answered."""
        self.receiver = receiver
        early, self._early = self._early, []
        self._between_frames = self._chunks == 1  # the handshake's request and nothing behind it
        for item in early:
            if isinstance(item, int):
                self.close(item)
            else:
                self._receive(item)
        if early:
            self.release_reading()

    def _came_early(self, item: bytes | int) -> None:
        if not self._early:
            self.hold_reading()
        self._early.append(item)

    def handle_text(self, event: Frame) -> None:
        """Hand a whole text frame to the session; fragments go the long way."""
        if event.fin and self.receiver is not None:
            self._receive(bytes(event.data))
        else:
            super().handle_text(event)

    def send_receive_event_to_app(self) -> None:
        """The end of a message that was not one text frame for a session."""
        data, self.frames = b"".join(self.frames), []
        item: bytes | int = data if self.curr_msg_data_type == "text" else NOT_TEXT
        if self.receiver is None:
            self._came_early(item)
        elif isinstance(item, int):
            self.close(item)
        else:
            self._receive(item)

    def handle_parser_exception(self) -> None:
        """The other side broke the framing; the parser has said goodbye, unless the handshake is still open."""
        sent = self.conn.close_sent
        if sent is not None:
            self._end(sent.code, sent.reason)
        else:
            self._came_early(TOO_LARGE if isinstance(self.conn.parser_exc, PayloadTooBig) else PROTOCOL_ERROR)

    def _receive(self, data: bytes) -> None:
        if self.close_sent or self.receiver is None:
            return
        if not data.isascii():
            try:
                data.decode()
            except UnicodeDecodeError:
                self.close(BROKEN_TEXT)
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
        self.conn.fail(code, reason)
        self._end(code, reason)

    def _end(self, code: int, reason: str) -> None:
        """Send what is left and half-close the line.

        What still arrives is read and dropped: closing the line on top of it would reset the connection, and the
        other side would never see why.
        """
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self._finish(b"".join(self.conn.data_to_send()))

    def _finish(self, last: bytes) -> None:
        self.transport.write(last)
        self.close_sent = True
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._held = 0
        self.transport.resume_reading()
        self.close_timer = self.loop.call_later(EVICT_AFTER_S, self.transport.abort)

    def shutdown(self) -> None:
        """Take leave; whatever state the connection is in, the others and the end of the server wait for this."""
        try:
            super().shutdown()
        except Exception:
            log.exception("socket not shut down")
            self.transport.abort()

    def handle_close(self, event: Frame) -> None:
        """The other side says goodbye."""
        super().handle_close(event)
        self._cut_off_later()

    def keepalive_timeout(self) -> None:
        """The other side is gone."""
        super().keepalive_timeout()
        self._cut_off_later()

    def _cut_off_later(self) -> None:
        """The line is being closed, which waits for a reader; but not for ever."""
        if self.close_timer is None and not self.disconnected:
            self.close_timer = self.loop.call_later(EVICT_AFTER_S, self.transport.abort)

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
        if self._evict_timer is not None:
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
        if self.at_end is not None:
            self.at_end()


def _payload_of_lone_frame(data: bytes) -> int:
    """Where the payload of a masked frame begins, if that is all the data there is and it is short; else 0."""
    size = len(data)
    if size < _MASKED_HEADER:
        return 0
    length, start = data[1] - 0x80, _MASKED_HEADER  # the highest bit says that there is a mask
    if length < 0:
        return 0
    if length < _TWO_BYTE_LENGTH:
        return start if size == start + length else 0
    if length > _TWO_BYTE_LENGTH:  # an eight-byte length: longer than we take, or not the shortest way to say it
        return 0
    length, start = int.from_bytes(data[2:4], "big"), start + 2
    if length < _TWO_BYTE_LENGTH:
        return 0
    return start if size == start + length and size <= MAX_FRAME else 0


@lru_cache(maxsize=4096)
def _text_header(length: int) -> bytes:
    """The header of an unfragmented, unmasked text frame (RFC 6455, 5.2)."""
    opcode = 0x80 | Opcode.TEXT
    if length < 126:
        return bytes((opcode, length))
    if length < 65536:
        return bytes((opcode, 126)) + length.to_bytes(2, "big")
    return bytes((opcode, 127)) + length.to_bytes(8, "big")
