"""S1 and S2: what an acknowledged, judged and durably stored move costs beside the bare echo of a frame."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final, NamedTuple

from server.bench import databases
from server.bench.crowd import Attempts, guest_tokens, side_by_side
from server.bench.figures import Bar, BenchError, Figure, median, number
from server.bench.players import Echoed, Guest, Player, Tally
from server.bench.processes import Child, echoing, serving, standing_back

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Load:
    """How much to do: sockets, frames of each in a round, rounds, attempts that suffice for the frames of a round.

    ``rested``: whether to wait before a round until the server searches no more. Attempts that wait to be played look
    like players who think, for whom some rulesets search in processes of their own; on two cores these would be
    measured with the moves.
    """

    sockets: int
    frames: int
    rounds: int
    attempts: int
    rested: bool = True


FULL: Final = Load(sockets=200, frames=120, rounds=5, attempts=10)
SMOKE: Final = Load(sockets=50, frames=20, rounds=1, attempts=4, rested=False)


class Round(NamedTuple):
    """One round: processor time a frame in microseconds, frames a second, and how busy both ends were (0-1)."""

    cpu_us: float
    rate: float
    server: float
    generator: float

    def __str__(self) -> str:
        return (
            f"{self.cpu_us:.1f} us a frame, {self.rate:,.0f}/s"
            f" (server {self.server:.0%}, load generator {self.generator:.0%} of a core)"
        )


async def measure(child: Child, players: Sequence[Player], frames: int) -> Round:
    """Let every player send so many frames in closed loop, and see what that cost the server."""
    tally = Tally(len(players) * frames)
    with standing_back():
        cpu, own, began = child.cpu_s(), time.process_time(), time.perf_counter()
        for player in players:
            player.play(frames, tally)
        await tally.wait()
    wall = time.perf_counter() - began
    cpu, own = child.cpu_s() - cpu, time.process_time() - own
    total = len(players) * frames
    return Round(cpu / total * 1e6, total / wall, cpu / wall, own / wall)


async def run(database_url: str, load: Load, bar: Bar, say: Say) -> list[Figure]:
    """Moves beside echoes, in turns. Raises :class:`BenchError` where a move is not acknowledged or not stored."""
    moves: list[Round] = []
    echoes: list[Round] = []
    async with AsyncExitStack() as stack:
        echo = await stack.enter_async_context(echoing("plain"))
        game = await stack.enter_async_context(serving(database_url))
        tokens = await asyncio.to_thread(guest_tokens, game.url, load.sockets)
        guests = await side_by_side(load.sockets, lambda i: Guest.connect(game.socket_url, tokens[i], i))
        talkers = await side_by_side(load.sockets, lambda _: Echoed.connect(echo.socket_url))
        attempts = Attempts()
        for turn in range(load.rounds):
            await attempts.give(guests, load.attempts)
            if load.rested:
                await game.at_rest()
            echoes.append(await measure(echo, talkers, load.frames))
            moves.append(await measure(game, guests, load.frames))
            say(f"round {turn + 1}: move {moves[-1]}")
            say(f"         echo {echoes[-1]}")
        everybody: tuple[Player, ...] = (*guests, *talkers)
        for player in everybody:
            player.leave()
        acknowledged = sum(guest.acknowledged for guest in guests)
    stored = await databases.entries_stored(database_url)
    if stored != acknowledged or acknowledged != load.sockets * load.frames * load.rounds:
        raise BenchError(f"{acknowledged} moves acknowledged, {stored} stored")
    ratio = median([echo.cpu_us / move.cpu_us for echo, move in zip(echoes, moves, strict=True)])
    return [
        Figure(
            "processor time of the server",
            f"{median([m.cpu_us for m in moves]):.1f} us a move ({number(median([m.rate for m in moves]))} moves/s)",
            f"{median([e.cpu_us for e in echoes]):.1f} us an echo ({number(median([e.rate for e in echoes]))}/s)",
            ratio,
            "of the echo",
            bar,
        )
    ]


async def s1(*, smoke: bool, say: Say) -> list[Figure]:
    """S1: on SQLite with ``synchronous=FULL``."""
    async with databases.sqlite() as url:
        return await run(url, SMOKE if smoke else FULL, Bar(0.40, 0.75), say)


async def s2(*, smoke: bool, say: Say) -> list[Figure]:
    """S2: on PostgreSQL."""
    async with databases.postgres() as url:
        return await run(url, SMOKE if smoke else FULL, Bar(0.30, 0.60), say)
