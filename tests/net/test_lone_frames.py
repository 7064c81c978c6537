"""Frames in any chunks: what goes past the parser and what goes through it come out the same, in order."""

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from server.net.messages import MAX_FRAME
from server.net.socket_protocol import EXTENSION, SocketProtocol

HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: c2FtZWRlYWwgYmVuY2ggMQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Line(asyncio.Transport):
    """A line that keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closing = False

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def is_closing(self) -> bool:
        return self.closing

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.closing = True

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.closing = True


class Heard(list[bytes]):
    """A session that only listens."""

    def feed(self, frame: bytes) -> None:
        self.append(frame)


async def heard(chunks: Sequence[bytes]) -> tuple[list[bytes], int | None]:
    """The text messages that chunks lead to on a new socket, and the code with which it was closed, if it was."""
    listener = Heard()
    attached = asyncio.Event()

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        scope["extensions"][EXTENSION].attach(listener)
        attached.set()
        await receive()

    config = uvicorn.Config(
        app, ws=SocketProtocol, ws_max_size=MAX_FRAME, ws_per_message_deflate=False, log_config=None
    )
    config.load()
    protocol = SocketProtocol(config=config, server_state=ServerState(), app_state={})
    line = Line()
    protocol.connection_made(line)
    protocol.data_received(HANDSHAKE)
    await attached.wait()
    for chunk in chunks:
        protocol.data_received(chunk)
    sent = protocol.conn.close_sent
    protocol.connection_lost(None)
    await asyncio.gather(*protocol.tasks)
    return list(listener), None if sent is None else sent.code


def frame(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True)


def message(parts: Sequence[bytes]) -> bytes:
    """A text message in one frame or several, with a ping after the first of several."""
    if len(parts) == 1:
        return frame(Opcode.TEXT, parts[0])
    first = frame(Opcode.TEXT, parts[0], fin=False) + frame(Opcode.PING, b"p")
    middle = b"".join(frame(Opcode.CONT, part, fin=False) for part in parts[1:-1])
    return first + middle + frame(Opcode.CONT, parts[-1])


texts = st.text(st.characters(max_codepoint=127), max_size=130).map(str.encode) | st.just(b"x" * 3000)
messages = st.lists(texts, min_size=1, max_size=3).filter(lambda parts: sum(map(len, parts)) < MAX_FRAME)
controls = st.sampled_from([frame(Opcode.PING, b""), frame(Opcode.PONG, b"old")])


@given(
    items=st.lists(messages | controls, max_size=8),
    cuts=st.lists(st.floats(0, 1), max_size=6),
    whole=st.booleans(),
)
def test_chunks_of_any_size_lead_to_the_same_messages(
    items: list[list[bytes] | bytes], cuts: list[float], whole: bool
) -> None:
    """``whole`` sends every item as one chunk, the usual case; else the stream is cut anywhere."""
    wire = [item if isinstance(item, bytes) else message(item) for item in items]
    if not whole:
        stream = b"".join(wire)
        places = sorted({0, len(stream), *(int(cut * len(stream)) for cut in cuts)})
        wire = [stream[start:end] for start, end in pairwise(places)]
    expected = [b"".join(item) for item in items if not isinstance(item, bytes)]
    assert asyncio.run(heard(wire)) == (expected, None)


@pytest.mark.parametrize(
    ("chunk", "code"),
    [
        (Frame(Opcode.TEXT, b"bare").serialize(mask=False), 1002),
        (b"\xc1" + frame(Opcode.TEXT, b"reserved")[1:], 1002),
        (frame(Opcode.TEXT, b"x" * (MAX_FRAME + 1)), 1009),
        (frame(Opcode.TEXT, b"\xff"), 1007),
        (frame(Opcode.BINARY, b"b"), 1003),
        (frame(Opcode.CONT, b"of nothing"), 1002),
        (b"\x89\xfe\x00\x7e" + bytes(4 + 126), 1002),  # a control frame that is too long
        (frame(Opcode.CLOSE, b"\x03\xe8"), 1000),
    ],
    # A mask is another in every process, and a test has the same name in all of them.
    ids=["unmasked", "reserved", "too long", "no text", "binary", "continues nothing", "long control", "close"],
)
async def test_a_frame_that_ends_the_socket_does_so_between_lone_frames_too(chunk: bytes, code: int) -> None:
    good = frame(Opcode.TEXT, b"good")
    assert await heard([good, frame(Opcode.PONG, b""), good, chunk, good]) == ([b"good", b"good"], code)


async def test_a_message_begun_is_not_broken_by_a_whole_frame_that_comes_alone() -> None:
    begun = frame(Opcode.TEXT, b"be", fin=False)
    assert await heard([begun, frame(Opcode.PING, b""), frame(Opcode.CONT, b"gun")]) == ([b"begun"], None)
    assert await heard([begun, frame(Opcode.TEXT, b"other")]) == ([], 1002)


async def test_an_eight_byte_length_is_read_as_such_where_the_chunk_is_as_long_as_another_frame_would_be() -> None:
    long_winded = b"\x81\xff" + (119).to_bytes(8, "big") + bytes(4) + b"x" * 119
    assert len(long_winded) == 6 + 127
    assert await heard([frame(Opcode.TEXT, b"good"), long_winded]) == ([b"good", b"x" * 119], None)
