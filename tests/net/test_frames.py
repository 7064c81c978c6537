"""What is no message closes that socket, with the code that says why, and no other (PROTOCOL 2, R35)."""

import asyncio
import json
import random
from itertools import pairwise

import pytest
from structlog.testing import capture_logs

from tests.net.wire import BINARY, CONTINUED, PING, frame, message, wired
from tests.support.live_server import LiveServer

BROKEN = b'{"t":"ping","id":"\xff"}'
LARGEST = 4096


def padded(size: int) -> bytes:
    """A ping of that many bytes."""
    body = json.dumps({"t": "ping", "id": "p", "pad": ""})
    return body.replace('""', '"' + "x" * (size - len(body)) + '"').encode()


BAD = {
    "over 4 KiB": (frame(padded(LARGEST + 1)), 1009),
    "1 MB": (frame(b"x" * 1_000_000), 1009),
    "over 4 KiB in fragments": (frame(padded(LARGEST)[:3000], fin=False) + frame(b"x" * 3000, CONTINUED), 1009),
    "an announced size of exabytes": (frame(b"", length=2**62), 1009),
    "binary": (frame(b"\x00\x01", BINARY), 1003),
    "binary in fragments": (frame(b"\x00", BINARY, fin=False) + frame(b"\x01", CONTINUED), 1003),
    "broken UTF-8": (frame(BROKEN), 1007),
    "broken UTF-8 in fragments": (frame(BROKEN[:-3], fin=False) + frame(BROKEN[-3:], CONTINUED), 1007),
    "a character broken over fragments": (frame(b'{"id":"\xc3', fin=False) + frame(b'\x28"}', CONTINUED), 1007),
    "a surrogate": (frame(b"\xed\xa0\x80"), 1007),
    "a continuation of nothing": (frame("{}", CONTINUED), 1002),
    "an unknown opcode": (frame("{}", 3), 1002),
    "a ping too large": (frame("x" * 126, PING), 1002),
    "not masked": (b"\x81\x02{}", 1002),
}


@pytest.mark.parametrize("along", [False, True], ids=["after the handshake", "along with the handshake"])
async def test_r35_a_bad_frame_closes_its_socket_and_says_why(server: LiveServer, along: bool) -> None:
    async with server.playing() as other:
        for case, (frames, code) in BAD.items():
            async with wired(server) as wire:
                with capture_logs() as lines:
                    if along:
                        await wire.send(wire.handshake() + frames)
                        assert await wire.status() == 101, case
                    else:
                        await wire.open()
                        await wire.send(frames)
                    assert await wire.close_code() == code, case
                    assert (await other.ask("ping"))["t"] == "pong"
                assert [line for line in lines if line["log_level"] in ("error", "critical")] == [], case


async def test_the_largest_frame_is_served(server: LiveServer) -> None:
    async with wired(server) as wire:
        await wire.open()
        await wire.send(frame(padded(LARGEST)))
        assert (await wire.told())["id"] == "p"


async def test_fragments_are_one_message_also_around_a_ping_and_inside_a_character(server: LiveServer) -> None:
    body = '{"t":"ping","id":"ışık"}'.encode()
    async with wired(server) as wire:
        await wire.open()
        cut = body.index("ş".encode()) + 1
        await wire.send(frame(body[:cut], fin=False) + frame("hello", PING) + frame(body[cut:], CONTINUED))
        assert (await wire.told())["id"] == "ışık"


async def test_text_along_with_the_handshake_is_served_in_order(server: LiveServer) -> None:
    _, token = await server.guest("Ada")
    async with wired(server) as wire:
        hello = message("hello", id="0", v=1, token=token)
        pings = b"".join(message("ping", id=str(number)) for number in range(1, 20))
        await wire.send(wire.handshake() + hello + pings)
        assert await wire.status() == 101
        await wire.send(message("ping", id="20"))
        assert [(await wire.told())["id"] for _ in range(21)] == [str(number) for number in range(21)]


async def test_frames_may_arrive_in_any_pieces(server: LiveServer) -> None:
    chance = random.Random(7)
    async with wired(server) as wire:
        await wire.open()
        for number in range(40):
            sent, stream = [f"{number}/{place}" for place in range(chance.randrange(1, 4))], b""
            for name in sent:
                body = json.dumps({"t": "ping", "id": name, "pad": "ş" * chance.choice((0, 30, 60, 500))}).encode()
                mask = chance.randbytes(4)
                if chance.random() < 0.3:
                    cut = chance.randrange(len(body))
                    stream += frame(body[:cut], fin=False, mask=mask) + frame(body[cut:], CONTINUED, mask=mask)
                else:
                    stream += frame(body, mask=mask)
                if chance.random() < 0.2:
                    stream += frame("are you there", PING, mask=mask)
            cuts = sorted(chance.sample(range(len(stream)), min(chance.randrange(6), len(stream))))
            for start, end in pairwise([0, *cuts, len(stream)]):
                await wire.send(stream[start:end])
                await other_turns()
            assert [(await wire.told())["id"] for _ in sent] == sent


async def other_turns() -> None:
    """Let the server take what has been sent before more is."""
    for _ in range(3):
        await asyncio.sleep(0)


async def test_a_flood_behind_the_goodbye_is_read_and_dropped(server: LiveServer) -> None:
    async with wired(server) as wire:
        await wire.open()
        await wire.send(frame(b"", BINARY) + b"".join(message("ping") for _ in range(20_000)))
        assert await wire.close_code() == 1003


async def test_bad_handshakes_are_answered_and_others_are_left_in_peace(server: LiveServer) -> None:
    cases = [
        ({"Sec_WebSocket_Version": "8"}, 400),
        ({"Sec_WebSocket_Key": "short"}, 400),
        ({"Connection": "close"}, 404),
        ({"Cookie": '="; a={"b": 1}; \xff\xfe; samedeal'}, 101),
        ({"Sec_WebSocket_Extensions": "permessage-deflate; client_max_window_bits"}, 101),
    ]
    async with server.playing() as other:
        for headers, status in cases:
            async with wired(server) as wire:
                await wire.send(wire.handshake(**headers))
                assert await wire.status() == status, headers
        assert (await other.ask("ping"))["t"] == "pong"
