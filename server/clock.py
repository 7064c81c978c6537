"""The server's clock: the only source of time, handed to whatever needs it.

Every instant inside the server is an integer number of milliseconds since the Unix epoch, in UTC.
"""

import asyncio
import heapq
import itertools
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

_NS_PER_MS = 1_000_000
LONGEST_NAP_MS = 60_000
"""`SystemClock.sleep_until` looks at the clock again at least this often (milliseconds)."""


class Clock(Protocol):
    """What tells the time and waits for an instant."""

    def now_ms(self) -> int:
        """The present instant in milliseconds since the Unix epoch; never less than an earlier answer."""
        ...

    async def sleep_until(self, instant_ms: int) -> None:
        """Return once `now_ms()` is `instant_ms` or later; if it is already, after one turn of the loop."""
        ...


def _uptime_ns() -> int:
    """Nanoseconds on a clock that only goes forward; where there is such a one, it counts time asleep too."""
    if hasattr(time, "CLOCK_BOOTTIME"):  # Linux; a laptop that slept must not run hours behind
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return time.monotonic_ns()


class SystemClock:
    """The real clock: wall time is read once, and from then on only elapsed time is added to it.

    So a step of the system's wall clock (an administrator, a time server, a virtual machine that moved) changes
    no player's time. Two processes may differ by what such a step was between their starts.
    """

    def __init__(
        self,
        wall_ns: Callable[[], int] = time.time_ns,
        uptime_ns: Callable[[], int] = _uptime_ns,
        nap: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._uptime_ns = uptime_ns
        self._nap = nap
        self._anchor_ns = wall_ns() - uptime_ns()

    def now_ms(self) -> int:
        """The present instant in milliseconds since the Unix epoch; never less than an earlier answer."""
        return (self._anchor_ns + self._uptime_ns()) // _NS_PER_MS

    async def sleep_until(self, instant_ms: int) -> None:
        """Return once `now_ms()` is `instant_ms` or later.

        It naps in pieces of at most `LONGEST_NAP_MS`: the loop's timers stand still while the machine sleeps.
        """
        await self._nap(0)
        while (left_ms := instant_ms - self.now_ms()) > 0:
            await self._nap(min(left_ms, LONGEST_NAP_MS) / 1000)


class ManualClock:
    """A clock that moves only when told to, for tests; it belongs to one event loop.

    A test waits with `parked()` until the code under test sleeps, looks at `deadlines`, and moves on with
    `advance()`, `set()` or `advance_to_next()`.
    """

    def __init__(self, now_ms: int = 1_767_225_600_000) -> None:
        """Start at `now_ms`; by default 2026-01-01T00:00:00Z."""
        self._now_ms = now_ms
        self._order = itertools.count()
        self._sleepers: list[tuple[int, int, asyncio.Future[None]]] = []
        self._arrivals: list[tuple[int, asyncio.Future[None]]] = []

    def now_ms(self) -> int:
        """The instant it was last set to, in milliseconds since the Unix epoch."""
        return self._now_ms

    @property
    def deadlines(self) -> tuple[int, ...]:
        """The instants that somebody sleeps for, earliest first."""
        return tuple(instant for instant, _, sleeper in sorted(self._sleepers) if not sleeper.done())

    def set(self, instant_ms: int) -> None:
        """Move to `instant_ms` and wake everybody whose instant has come; ValueError when it is in the past."""
        if instant_ms < self._now_ms:
            raise ValueError(f"a clock never goes back, but {instant_ms} is before {self._now_ms}")
        self._now_ms = instant_ms
        while self._sleepers and self._sleepers[0][0] <= instant_ms:
            _, _, sleeper = heapq.heappop(self._sleepers)
            if not sleeper.done():  # it may have been cancelled
                sleeper.set_result(None)

    def advance(self, by_ms: int) -> None:
        """Move on by `by_ms` milliseconds and wake everybody whose instant has come."""
        self.set(self._now_ms + by_ms)

    async def advance_to_next(self) -> int:
        """Wait until somebody sleeps, move to the earliest deadline and return it."""
        await self.parked()
        instant_ms = self.deadlines[0]
        self.set(instant_ms)
        return instant_ms

    async def parked(self, count: int = 1) -> None:
        """Return once at least `count` tasks sleep for a later instant."""
        if len(self.deadlines) < count:
            arrival: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._arrivals.append((count, arrival))
            await arrival

    async def sleep_until(self, instant_ms: int) -> None:
        """Return once the clock has been moved to `instant_ms` or later."""
        await asyncio.sleep(0)
        if instant_ms <= self._now_ms:
            return
        sleeper: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (instant_ms, next(self._order), sleeper))
        self._announce()
        await sleeper

    def _announce(self) -> None:
        """Tell the waiters of `parked()` who have now seen enough sleepers."""
        sleeping = len(self.deadlines)
        for count, arrival in self._arrivals:
            if count <= sleeping and not arrival.done():
                arrival.set_result(None)
        self._arrivals = [(count, arrival) for count, arrival in self._arrivals if not arrival.done()]
