"""S3: how long an acknowledgement takes at a steady rate, beside an echo that also waits for the disk.

Moves are offered at fixed instants whether or not earlier ones were answered, and time counts from the instant at which
a move was due: a server that falls behind does not slow down who measures it.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final

from server.bench import databases
from server.bench.crowd import Attempts, guest_tokens, side_by_side
from server.bench.figures import Bar, BenchError, Figure, Say, median, percentile
from server.bench.players import PATIENCE_S, Echoed, Guest, Player
from server.bench.processes import echoing, serving


@dataclass(frozen=True, slots=True)
class Offer:
    """What is offered: frames a second over so many sockets, seconds of a round, rounds."""

    sockets: int
    rate: int
    seconds: float
    rounds: int


FULL: Final = Offer(sockets=2000, rate=1000, seconds=6.0, rounds=5)
SMOKE: Final = Offer(sockets=100, rate=200, seconds=1.0, rounds=1)

#: Seconds between two looks at what is due; what is late for that counts as late.
_TICK_S: Final = 0.001


class Shot:
    """One frame: takes note of when it was answered."""

    __slots__ = ("_due", "_round")

    def __init__(self, due: float, ledger: "Ledger") -> None:
        self._due = due
        self._round = ledger

    def answered(self) -> None:
        """Take note of the answer."""
        self._round.add(time.perf_counter() - self._due)

    def failed(self, error: Exception) -> None:
        """Take note that there will be none."""
        self._round.fail(error)


class Ledger:
    """The latencies of a round, in seconds."""

    def __init__(self, expected: int) -> None:
        self.latencies: list[float] = []
        self._expected = expected
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def add(self, latency: float) -> None:
        """One answer."""
        self.latencies.append(latency)
        if len(self.latencies) == self._expected and not self._done.done():
            self._done.set_result(None)

    def fail(self, error: Exception) -> None:
        """Give up."""
        if not self._done.done():
            self._done.set_exception(error)

    async def wait(self) -> None:
        """Return once everything is answered. Raises :class:`BenchError` where something is not."""
        try:
            await asyncio.wait_for(self._done, PATIENCE_S)
        except TimeoutError:
            missing = self._expected - len(self.latencies)
            raise BenchError(f"{missing} of {self._expected} frames were not answered") from None


async def offer(players: Sequence[Player], rate: int, seconds: float) -> list[float]:
    """The latencies, in seconds, of frames that the players send in turn at a steady rate."""
    total = int(rate * seconds)
    ledger = Ledger(total)
    began = time.perf_counter() + 0.05
    sent = 0
    while sent < total:
        now = time.perf_counter()
        while sent < total and (due := began + sent / rate) <= now:
            players[sent % len(players)].play(1, Shot(due, ledger))
            sent += 1
        await asyncio.sleep(_TICK_S)
    await ledger.wait()
    return ledger.latencies


async def s3(*, smoke: bool, say: Say) -> list[Figure]:
    """Moves beside echoes, in turns."""
    load = SMOKE if smoke else FULL
    moves: list[list[float]] = []
    echoes: list[list[float]] = []
    async with AsyncExitStack() as stack:
        place = stack.enter_context(databases.folder())
        url = await stack.enter_async_context(databases.sqlite())
        echo = await stack.enter_async_context(echoing("durable", str(place / "frames")))
        game = await stack.enter_async_context(serving(url))
        tokens = await asyncio.to_thread(guest_tokens, game.url, min(load.sockets, 200))
        guests = await side_by_side(load.sockets, lambda i: Guest.connect(game.socket_url, tokens[i % len(tokens)], i))
        talkers = await side_by_side(load.sockets, lambda _: Echoed.connect(echo.socket_url))
        attempts = Attempts()
        for turn in range(load.rounds):
            await attempts.give(guests, 2)
            echoes.append(await offer(talkers, load.rate, load.seconds))
            moves.append(await offer(guests, load.rate, load.seconds))
            say(f"round {turn + 1}: move {_told(moves[-1])}; echo {_told(echoes[-1])}")
    figures = []
    # A second of frames has no 99th percentile: two of them, behind one slow write of the disk, would decide.
    strict = None if smoke else Bar(3.0, 1.5, at_least=False)
    for share, bar in ((0.50, None), (0.99, strict)):
        move = [percentile(one, share) for one in moves]
        echoed = [percentile(one, share) for one in echoes]
        figures.append(
            Figure(
                f"p{share * 100:.0f} at {load.rate:,} moves/s",
                f"{median(move) * 1e3:.2f} ms",
                f"{median(echoed) * 1e3:.2f} ms",
                median([a / b for a, b in zip(move, echoed, strict=True)]),
                "times the echo",
                bar,
            )
        )
    return figures


def _told(latencies: Sequence[float]) -> str:
    return f"p50 {percentile(latencies, 0.50) * 1e3:.2f} ms p99 {percentile(latencies, 0.99) * 1e3:.2f} ms"
