"""S6: what an idle socket costs in memory, and how fast the server still answers while very many are open."""

import asyncio
import resource
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, NamedTuple

from server.bench import databases
from server.bench.crowd import guest_tokens, side_by_side
from server.bench.figures import Bar, BenchError, Figure, Say, median, percentile
from server.bench.players import Echoed, Guest, Listener, Player, Tally
from server.bench.processes import Child, echoing, serving
from server.bench.wire import Wire

SOCKETS: Final = 10_000
SMOKE_SOCKETS: Final = 300
ROUNDS: Final = 3

#: Connections that are being opened at once, and connections from one address: each has only so many ports.
AT_ONCE: Final = 100
FROM_ONE: Final = 5_000

#: Guests who share the sockets.
GUESTS: Final = 100

#: How many sockets are asked for a sign of life, and how often.
ASKED: Final = 200
PINGS: Final = 5

KIB: Final = 1024


class Opened(NamedTuple):
    """Sockets that are open: bytes of the server's memory for each, and seconds to open all."""

    memory: float
    seconds: float


Ready = Callable[[int, Wire], Coroutine[Any, Any, Player]]


async def open_all(child: Child, number: int, ready: Ready) -> tuple[Opened, list[Player]]:
    """Open sockets; ``ready`` makes a player of each, and counts: a server waits only so long for a hello."""

    async def one(index: int) -> Player:
        return await ready(index, await Wire.connect(child.socket_url, source=f"127.0.0.{2 + index // FROM_ONE}"))

    before, began = child.memory(), time.perf_counter()
    players = await side_by_side(number, one, AT_ONCE)
    seconds = time.perf_counter() - began
    return Opened((child.memory() - before) / number, seconds), players


async def p99(players: Sequence[Player]) -> float:
    """How long all but one in a hundred signs of life take, in seconds, asked one after the other."""
    latencies: list[float] = []
    chosen = players[:: max(1, len(players) // ASKED)]
    for _ in range(PINGS):
        for player in chosen:
            tally = Tally(1)
            began = time.perf_counter()
            player.play(1, tally)
            await tally.wait()
            latencies.append(time.perf_counter() - began)
    return percentile(latencies, 0.99)


class Pinging(Guest):
    """A guest who only asks for signs of life."""

    def play(self, frames: int, listener: Listener) -> None:
        """Ask once."""
        self.ping(listener)


async def measured(child: Child, number: int, ready: Ready) -> tuple[Opened, float]:
    """What open sockets cost, and the p99 of a sign of life while they are open, in seconds."""
    opened, players = await open_all(child, number, ready)
    slow = await p99(players)
    for player in players:
        player.leave()
    return opened, slow


async def plainly(number: int) -> tuple[Opened, float]:
    """The server of the websockets library."""

    async def ready(_: int, wire: Wire) -> Player:
        return Echoed(wire)

    async with echoing("websockets") as echo:
        return await measured(echo, number, ready)


async def ours(number: int) -> tuple[Opened, float]:
    """Our server, with sockets that have said hello."""
    async with databases.sqlite() as url, serving(url) as game:
        tokens = await asyncio.to_thread(guest_tokens, game.url, GUESTS)

        async def ready(index: int, wire: Wire) -> Player:
            guest = Pinging(wire, index)
            await guest.hello(tokens[index % GUESTS])
            return guest

        return await measured(game, number, ready)


async def s6(*, smoke: bool, say: Say) -> list[Figure]:
    """Our server beside the server of the websockets library, each fresh in every round."""
    number = SMOKE_SOCKETS if smoke else SOCKETS
    allow_files(number + 200)
    own: list[Opened] = []
    plain: list[Opened] = []
    own_p99: list[float] = []
    plain_p99: list[float] = []
    for turn in range(1 if smoke else ROUNDS):
        for run, opened, slow in ((plainly, plain, plain_p99), (ours, own, own_p99)):
            cost, latency = await run(number)
            opened.append(cost)
            slow.append(latency)
        say(
            f"round {turn + 1}: {own[-1].memory / KIB:.1f} KiB, opened in {own[-1].seconds:.1f} s, p99"
            f" {own_p99[-1] * 1e3:.2f} ms; websockets.serve {plain[-1].memory / KIB:.1f} KiB,"
            f" {plain[-1].seconds:.1f} s, {plain_p99[-1] * 1e3:.2f} ms"
        )
    memory, seconds = median([o.memory for o in own]) / KIB, median([o.seconds for o in own])
    return [
        Figure(
            f"memory of one of {number:,} idle sockets that said hello",
            f"{memory:.1f} KiB",
            f"websockets.serve {median([o.memory for o in plain]) / KIB:.1f} KiB",
            memory,
            "KiB",
            Bar(40, 24, at_least=False),
        ),
        Figure(
            "time to open them, hello included",
            f"{seconds:.1f} s",
            f"websockets.serve, without a hello, {median([o.seconds for o in plain]):.1f} s",
            seconds,
            "s",
            Bar(20, 10, at_least=False),
        ),
        Figure(
            "p99 of a ping meanwhile",
            f"{median(own_p99) * 1e3:.2f} ms",
            f"websockets.serve {median(plain_p99) * 1e3:.2f} ms",
            median([a / b for a, b in zip(own_p99, plain_p99, strict=True)]),
            "times the baseline",
        ),
    ]


def allow_files(number: int) -> None:
    """Let this process and its children open so many files. Raises :class:`BenchError` where that is not allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= number or soft == resource.RLIM_INFINITY:
        return
    if hard != resource.RLIM_INFINITY and hard < number:
        raise BenchError(f"only {hard} files may be open at once; {number} are needed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, hard))
