"""Long searches in processes of their own, so that no move ever waits for one.

The processes start when the first search is asked for and end when none has been for a while. What waits is bounded, in
all and for each player. A search that nobody waits for any more is ended in the middle.
"""

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from ctypes import c_byte
from dataclasses import dataclass
from multiprocessing import sharedctypes
from typing import Any, Final, TypeVar

import structlog

from server.errors import GameError
from server.metrics import Metrics

log = structlog.get_logger(__name__)

Found = TypeVar("Found")
#: Called by a search now and then; raises where the search is to end.
Pause = Callable[[], None]

#: Searches that may wait at once, and those that one player may have waiting or running.
WAITING: Final = 64
OF_ONE: Final = 4
#: Seconds without a search after which the processes end.
IDLE_S: Final = 60.0
#: How much a search gives way to the server on a busy machine (nice).
NICENESS: Final = 5


class Ended(Exception):
    """A search was ended in the middle because nobody waits for it."""


@dataclass(eq=False, slots=True)
class _Job:
    owner: str
    work: Callable[[Pause], Any]
    done: asyncio.Future[Any]
    slot: int | None = None


class Searches:
    """The searches of one server."""

    def __init__(self, metrics: Metrics, processes: int | None = None) -> None:
        """``processes``: one, and a second where the machine has a core for it, unless said otherwise."""
        self._size = processes or max(1, min(2, (os.cpu_count() or 1) - 1))
        self._metrics = metrics
        self._lanes: tuple[deque[_Job], deque[_Job]] = (deque(), deque())
        self._owned: Counter[str] = Counter()
        self._running: set[asyncio.Task[None]] = set()
        self._pool: ProcessPoolExecutor | None = None
        self._starting: asyncio.Task[ProcessPoolExecutor] | None = None
        #: One byte for each running search, which ends it when set.
        self._flags: Any = None
        self._slots = list(range(self._size))
        self._rest: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def started(self) -> bool:
        """Whether the processes run."""
        return self._pool is not None

    async def run(self, owner: str, work: Callable[[Pause], Found], *, urgent: bool = False) -> Found:
        """The answer of ``work``, which pickles, from another process.

        Urgent searches come before all others. Whoever is cancelled here ends the search. Raises ``try_later`` where
        too much waits already, and what ``work`` raises.
        """
        waiting = sum(map(len, self._lanes))
        if self._closed or waiting >= WAITING or self._owned[owner] >= OF_ONE:
            raise GameError("try_later", "too many searches at once", retry_after_s=2)
        job = _Job(owner, work, asyncio.get_running_loop().create_future())
        lane = self._lanes[not urgent]
        lane.append(job)
        self._owned[owner] += 1
        self._feed()
        try:
            found: Found = await job.done
        except asyncio.CancelledError:
            if job in lane:
                lane.remove(job)
            elif job.slot is not None:
                self._flags[job.slot] = 1
            raise
        else:
            return found
        finally:
            self._owned[owner] -= 1
            if not self._owned[owner]:
                del self._owned[owner]
            self._metrics.searches_waiting.set(sum(map(len, self._lanes)))

    def _feed(self) -> None:
        """Start as many searches as there are processes."""
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        for lane in self._lanes:
            while lane and len(self._running) < self._size:
                task = asyncio.get_running_loop().create_task(self._search(lane.popleft()))
                self._running.add(task)
                task.add_done_callback(self._searched)
        self._metrics.searches_waiting.set(sum(map(len, self._lanes)))

    def _searched(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._metrics.faults.inc()
            log.error("search failed", exc_info=error)
        if not self._closed:
            self._feed()
            if not self._running:
                self._rest = asyncio.get_running_loop().call_later(IDLE_S, self._end_processes)

    async def _search(self, job: _Job) -> None:
        try:
            pool = await self._processes()
        except OSError:
            log.exception("search process not started")
            self._answer(job, None, GameError("try_later", "no search can start", retry_after_s=5))
            return
        if job.done.done() or self._closed:
            self._answer(job, None, GameError("try_later", "the server stops"))
            return
        slot = job.slot = self._slots.pop()
        self._flags[slot] = 0
        try:
            found = await asyncio.wrap_future(pool.submit(_searching, slot, job.work))
        except BrokenProcessPool:
            log.warning("search process lost")
            self._end_processes()  # the next search starts another one
            self._answer(job, None, GameError("try_later", "the search was cut off", retry_after_s=1))
        except Ended:
            self._answer(job, None, GameError("try_later", "the search was ended"))
        except Exception as error:  # noqa: BLE001 - whoever asked is told
            self._answer(job, None, error)
        else:
            self._answer(job, found, None)
        finally:
            job.slot = None
            self._slots.append(slot)

    def _answer(self, job: _Job, found: Any, error: Exception | None) -> None:
        self._metrics.searches.labels("cancelled" if job.done.cancelled() else "failed" if error else "found").inc()
        if job.done.done():
            return
        if error is None:
            job.done.set_result(found)
        else:
            job.done.set_exception(error)

    async def _processes(self) -> ProcessPoolExecutor:
        if self._pool is None:
            if self._starting is None:
                self._starting = asyncio.get_running_loop().create_task(asyncio.to_thread(self._start))
            try:
                self._pool = await asyncio.shield(self._starting)
            finally:
                self._starting = None
        return self._pool

    def _start(self) -> ProcessPoolExecutor:
        """Start the processes; it takes a while, so it runs in a thread."""
        context = multiprocessing.get_context("spawn")
        self._flags = sharedctypes.RawArray(c_byte, self._size)
        pool = ProcessPoolExecutor(self._size, context, _begin, (self._flags,))
        for _ in range(self._size):
            pool.submit(_nothing)
        return pool

    def _end_processes(self) -> None:
        if self._pool is not None:
            pool, self._pool = self._pool, None
            pool.shutdown(wait=False, cancel_futures=True)

    async def close(self) -> None:
        """End every search and the processes; whoever waits is told ``try_later``."""
        self._closed = True
        if self._rest is not None:
            self._rest.cancel()
        for lane in self._lanes:
            while lane:
                self._answer(lane.popleft(), None, GameError("try_later", "the server stops"))
        if self._starting is not None:
            with contextlib.suppress(Exception):
                await asyncio.shield(self._starting)
        for slot in range(self._size if self._flags is not None else 0):
            self._flags[slot] = 1
        while self._running:
            await asyncio.wait(set(self._running))
        if self._pool is not None:
            pool, self._pool = self._pool, None
            await asyncio.to_thread(pool.shutdown)


# --- in the processes ----------------------------------------------------------------------------------------------

#: The flags of this process, once it has begun.
_given: list[Any] = []


def _begin(flags: Any) -> None:
    """The start of a process: it leaves Ctrl-C to the server, gives way to it, and never outlives it."""
    _given[:] = [flags]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threading.Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    process = multiprocessing.parent_process()
    if process is not None:
        process.join()
    os._exit(1)


def _nothing() -> None:
    """Work that makes a process start."""


def _searching(slot: int, work: Callable[[Pause], Any]) -> Any:
    (flags,) = _given

    def pause() -> None:
        if flags[slot]:
            raise Ended

    return work(pause)
