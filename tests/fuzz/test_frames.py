"""Whatever comes over a socket, the decoder has an answer, the session lives, and others notice nothing (X9, R35)."""

import json
import random
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from server.errors import CODES
from server.net.codec import Refused, decode
from server.net.messages import AnyClientMessage
from tests.net.wire import BINARY, CONTINUED, PING, Wire, frame, message, wired
from tests.support.live_server import LiveServer, live_server
from tests.support.scale import rounds

SAMPLES = [
    {"t": "hello", "v": 1, "token": "x", "id": "1"}, {"t": "start", "challenge": "daily/today/pyramid", "id": "2"},
    {"t": "practice", "ruleset": "pyramid", "seed": "0" * 32}, {"t": "practice", "from": {"attempt": "a", "seq": 3}},
    {"t": "play", "attempt": "a", "seq": 0, "move": "p22p28", "id": "3"}, {"t": "undo", "attempt": "a", "seq": 1},
    {"t": "resign", "attempt": "a", "seq": 1}, {"t": "sync", "attempt": "a"}, {"t": "ping", "id": "4"},
]  # fmt: skip

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=50),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=10,
)
fields = st.sampled_from(["t", "id", "v", "token", "challenge", "ruleset", "seed", "from", "attempt", "seq", "move"])
objects = st.builds(
    lambda sample, more: {**sample, **more}, st.sampled_from(SAMPLES), st.dictionaries(fields, values, max_size=4)
)


def judged(data: bytes) -> AnyClientMessage | str:
    """The message in a frame, or the code of its refusal; nothing else may happen."""
    refusal: Refused
    try:
        return decode(data)
    except Refused as refused:
        refusal = refused
    assert refusal.code in ("protocol/malformed", "protocol/unknown")
    assert refusal.frame_id is None or len(refusal.frame_id) <= 40
    return refusal.code


@given(st.binary(max_size=300))
@example(b"\xff")
@example(b'{"t":"ping","id":"\xed\xa0\x80"}')
def test_any_bytes_are_a_message_or_refused(data: bytes) -> None:
    judged(data)


@given(objects)
@settings(max_examples=300)
def test_what_is_accepted_has_only_bounded_fields(thing: dict[str, object]) -> None:
    data = json.dumps(thing, ensure_ascii=False).encode("utf-8", "surrogatepass")
    read = judged(data)
    if not isinstance(read, str):
        again = msgspec.json.encode(read)
        assert judged(again) == read
        assert b"\\u0000" not in again
        assert len(again) < 4096


@pytest.fixture
async def server(sqlite_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    """A running server without limits."""
    async with live_server(sqlite_url, tmp_path, sandbox=True) as running:
        yield running


def mutated(chance: random.Random) -> bytes:
    """A frame, or what was one before somebody sat on it."""
    body = bytearray(json.dumps(chance.choice(SAMPLES)).encode())
    for _ in range(chance.randrange(4)):
        place = chance.randrange(len(body))
        kind = chance.randrange(4)
        if kind == 0:
            body[place] = chance.randrange(256)
        elif kind == 1:
            del body[place : place + chance.randrange(1, 20)]
        elif kind == 2:
            body[place:place] = chance.choice([b"\\u0000", b"null", b"[" * 900, b"1e999", b"\xc3", b'"', b"{}", b"\0"])
        else:
            body += body[place:]
        body = body or bytearray(b"x")
    if chance.random() < 0.8:
        return frame(bytes(body[:4000]))
    raw = frame(bytes(body[:200]), chance.choice([1, 2, 0, 3, 8, PING, 10]), fin=chance.random() < 0.5)
    return raw[: chance.randrange(1, len(raw))] if chance.random() < 0.2 else raw


async def test_x9_malformed_frames_are_answered_or_close_their_socket_and_nobody_else_notices(
    server: LiveServer,
) -> None:
    chance = random.Random(9)
    left = rounds(10_000, 1_000_000)
    async with server.playing() as ada:
        with capture_logs() as lines:
            while left > 0:
                attempt = (await ada.ask("practice", ruleset="pyramid"))["attempt"]
                async with wired(server) as wire:
                    await wire.open()
                    for seq in range(20):
                        left -= 1
                        await wire.send(mutated(chance))
                        assert (await ada.play(attempt, "s"))["seq"] == seq + 1
                    await answered(wire)
        assert [line for line in lines if line["log_level"] == "error"] == []
        assert all(len(str(line)) < 400 for line in lines)  # no payload in the log
        assert (await ada.sync(attempt))["seq"] == 20


async def answered(wire: Wire) -> None:
    """Every frame that still comes is an answer with a code of ours, or the goodbye."""
    await wire.send(frame(b"", CONTINUED) + message("ping", id="last") + frame(b"", BINARY))
    try:
        while True:
            opcode, payload = await wire.receive()
            if opcode == 8:
                assert (
                    int.from_bytes(payload[:2] or b"\x03\xe8", "big") in (1000, 1002, 1003, 1005, 1007, 1009) or payload
                )
                return
            if opcode == 1:
                told = json.loads(payload)
                assert told["t"] != "error" or told["code"] in CODES
                assert told.get("code") != "internal"
    except (EOFError, ConnectionError):
        return
