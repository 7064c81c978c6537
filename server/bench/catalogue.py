"""All benchmarks by name, and running one."""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, NamedTuple, Protocol

from server.bench import boards, idle, latency, moves, rules, start
from server.bench.figures import Figure, StoppedError


class Run(Protocol):
    """Makes a measurement; ``smoke`` is a short one that only shows that everything works."""

    def __call__(self, *, smoke: bool, say: Callable[[str], None]) -> Coroutine[Any, Any, list[Figure]]:
        """The figures. Raises :class:`server.bench.figures.BenchError` where there are none."""
        ...


class Benchmark(NamedTuple):
    """What is measured, in one line, and how."""

    title: str
    run: Run


BENCHMARKS: Final[Mapping[str, Benchmark]] = {
    "s1": Benchmark("acknowledged, validated, durably committed moves on SQLite", moves.s1),
    "s2": Benchmark("the same on PostgreSQL", moves.s2),
    "s3": Benchmark("time to an acknowledgement at a steady rate", latency.s3),
    "s5": Benchmark("the rules alone, one thread", rules.s5),
    "s6": Benchmark("idle sockets", idle.s6),
    "s8": Benchmark("a board of a million results among a thousand boards", boards.s8),
    "s10": Benchmark("cold start", start.s10),
}


def run(name: str, *, smoke: bool, say: Callable[[str], None]) -> bool:
    """Run one benchmark and say what it found; whether every bar holds. KeyError for an unknown name."""
    benchmark = BENCHMARKS[name]
    say(f"{name}: {benchmark.title}")
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        figures = runner.run(_until_stopped(benchmark.run(smoke=smoke, say=lambda line: say(f"  {line}"))))
    for figure in figures:
        say(f"  {figure.line(lenient=smoke)}")
    return all(figure.holds(lenient=smoke) for figure in figures)


async def _until_stopped(work: Coroutine[Any, Any, list[Figure]]) -> list[Figure]:
    """Do the work; SIGTERM ends it like an error, so that no server is left behind. Raises :class:`StoppedError`."""
    task = asyncio.ensure_future(work)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel, "stopped")
    try:
        return await task
    except asyncio.CancelledError as error:
        if error.args == ("stopped",):
            raise StoppedError("stopped") from None
        raise


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    import uvloop

    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory
