"""Servers under measurement: child processes that are always stopped, and what they cost."""

import asyncio
import contextlib
import ctypes
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from server.bench.figures import BenchError

#: Seconds until a child must have said where it listens, and in which it must have stopped.
START_S: Final = 60.0
STOP_S: Final = 20.0
#: Seconds that a server's searches may take to end, seconds between two looks at them, and the share of a core
#: (0-1) from which on they are under way.
REST_S: Final = 120.0
_LOOK_S: Final = 0.5
_BUSY: Final = 0.05

_ADDRESS: Final = re.compile(rb"http://\S+")
_CLI: Final = "from server.cli import main; main()"


class Child:
    """A server in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process, url: str) -> None:
        self._process = process
        #: ``http://127.0.0.1:PORT``
        self.url = url

    @property
    def socket_url(self) -> str:
        """Where its sockets are."""
        return self.url.replace("http://", "ws://") + "/ws"

    def cpu_s(self) -> float:
        """Processor time that all its threads have used, in seconds."""
        return cpu_s(self._process.pid)

    def memory(self) -> int:
        """Bytes of memory that are its own, or shared and in use (the resident set)."""
        return resident(self._process.pid)

    async def at_rest(self) -> None:
        """Return once the processes that it has started calculate nothing any more.

        Raises :class:`BenchError` where they go on and on.
        """
        give_up = time.monotonic() + REST_S
        before = _children_cpu_s(self._process.pid)
        while time.monotonic() < give_up:
            await asyncio.sleep(_LOOK_S)
            now = _children_cpu_s(self._process.pid)
            if now - before < _BUSY * _LOOK_S:
                return
            before = now
        raise BenchError("the searches of a server do not end")

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None


@contextlib.contextmanager
def standing_back() -> Iterator[None]:
    """Let this process, the load generator, never push a server off its core when an answer wakes it.

    For costs; it makes latencies longer. Without effect where the system has no such class of processes.
    """
    if not hasattr(os, "SCHED_BATCH"):
        yield
        return
    before = os.sched_getscheduler(0)
    os.sched_setscheduler(0, os.SCHED_BATCH | os.SCHED_RESET_ON_FORK, os.sched_param(0))
    try:
        yield
    finally:
        os.sched_setscheduler(0, before, os.sched_param(0))


def cpu_s(pid: int) -> float:
    """Processor time of a process in seconds, all its threads together, to the nanosecond.

    Raises :class:`BenchError` where the system does not tell of other processes.
    """
    clock = ctypes.c_int()
    try:
        failed = ctypes.CDLL(None).clock_getcpuclockid(pid, ctypes.byref(clock))
        if not failed:
            return time.clock_gettime(clock.value)
    except (AttributeError, OSError) as error:
        raise BenchError("this system does not tell the processor time of another process") from error
    raise BenchError("a server has ended while it was measured")


def _children_cpu_s(pid: int) -> float:
    """Processor time of all processes that a process has started, in seconds; 0 where the system does not tell."""
    used = 0.0
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            fields = entry.read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid:
                used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return used


def resident(pid: int) -> int:
    """The resident set of a process in bytes. Raises :class:`BenchError` where the system does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError as error:
        raise BenchError("the memory of another process is told by /proc, on Linux only") from error


def environment(**settings: str) -> dict[str, str]:
    """The environment of a child: ours without its settings, and these settings instead."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SAMEDEAL_")}
    return kept | {f"SAMEDEAL_{name.upper()}": value for name, value in settings.items()}


@contextlib.asynccontextmanager
async def child(arguments: Sequence[str], env: Mapping[str, str] | None = None) -> AsyncIterator[Child]:
    """A Python process that says where it listens, stopped at the end of the block whatever happens in it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, env=env
    )
    try:
        yield Child(process, await _address(process))
    finally:
        if process.returncode is None:
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), STOP_S)
        except TimeoutError:
            process.kill()
            await process.wait()


async def _address(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), START_S)
    except TimeoutError:
        raise BenchError("a server did not start in time") from None
    found = _ADDRESS.search(line)
    if found is None:
        raise BenchError("a server ended before it listened; its complaint stands above")
    return found[0].decode().replace("localhost", "127.0.0.1")


def serving(database_url: str, *, proving: bool = False) -> contextlib.AbstractAsyncContextManager[Child]:
    """The real server on a database, with its limits lifted for the load.

    Unless ``proving`` is asked for it looks for no deals meanwhile: that takes a processor of its own for some time.
    """
    quiet = {} if proving else {"stock_days": "0", "prove_seconds": "0"}
    settings = environment(sandbox="1", log_level="error", database_url=database_url, **quiet)
    return child(["-c", _CLI, "serve", "--host", "127.0.0.1", "--port", "0"], settings)


def echoing(*arguments: str) -> contextlib.AbstractAsyncContextManager[Child]:
    """A baseline of :mod:`server.bench.echo`."""
    return child(["-m", "server.bench.echo", *arguments], environment())
