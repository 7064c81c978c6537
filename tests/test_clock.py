"""The clock: anchored once, never back; and the one for tests, which moves only when told to."""

import asyncio
import time
from collections.abc import Callable

import pytest

from server.clock import LONGEST_NAP_MS, Clock, ManualClock, SystemClock

MS = 1_000_000  # nanoseconds


class Machine:
    """A machine whose wall time and uptime a test sets; napping lets both pass."""

    def __init__(self) -> None:
        self.wall = 1_700_000_000_000 * MS
        self.uptime = 5_000 * MS
        self.naps: list[float] = []

    async def nap(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.uptime += round(seconds * 1000) * MS
        await asyncio.sleep(0)

    def clock(self) -> SystemClock:
        return SystemClock(lambda: self.wall, lambda: self.uptime, self.nap)


def test_it_starts_at_the_wall_time() -> None:
    assert Machine().clock().now_ms() == 1_700_000_000_000


@pytest.mark.parametrize("step_ms", [-3_600_000, 3_600_000])
def test_a_step_of_the_wall_clock_changes_nothing(step_ms: int) -> None:
    machine = Machine()
    clock = machine.clock()
    machine.wall += step_ms * MS
    machine.uptime += 250 * MS
    assert clock.now_ms() == 1_700_000_000_250


def test_it_counts_whole_milliseconds() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.uptime += MS - 1
    assert clock.now_ms() == 1_700_000_000_000
    machine.uptime += 1
    assert clock.now_ms() == 1_700_000_000_001


async def test_it_sleeps_in_pieces_until_the_instant() -> None:
    machine = Machine()
    clock = machine.clock()
    await clock.sleep_until(clock.now_ms() + LONGEST_NAP_MS + 500)
    assert clock.now_ms() == 1_700_000_000_000 + LONGEST_NAP_MS + 500
    assert machine.naps == [0, 60.0, 0.5]


async def test_it_does_not_sleep_for_what_is_past() -> None:
    machine = Machine()
    clock = machine.clock()
    await clock.sleep_until(clock.now_ms())
    assert machine.naps == [0]


def test_the_real_one_agrees_with_the_machine_and_never_goes_back() -> None:
    clock = SystemClock()
    before = time.time_ns() // MS
    told = [clock.now_ms() for _ in range(1000)]
    assert told == sorted(told)
    assert abs(told[0] - before) < 1000


def test_without_a_clock_that_counts_sleep_it_takes_the_monotonic_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(time, "CLOCK_BOOTTIME", raising=False)
    monkeypatch.setattr(time, "monotonic_ns", lambda: 7 * MS)
    clock = SystemClock(wall_ns=lambda: 40 * MS)
    monkeypatch.setattr(time, "monotonic_ns", lambda: 9 * MS)
    assert clock.now_ms() == 42


async def test_the_real_one_really_sleeps() -> None:
    clock = SystemClock()
    instant = clock.now_ms() + 2
    await clock.sleep_until(instant)
    assert clock.now_ms() >= instant


async def ticker(clock: Clock, every_ms: int, tell: Callable[[int], None]) -> None:
    """What the server's tickers look like."""
    while True:
        await clock.sleep_until(clock.now_ms() + every_ms)
        tell(clock.now_ms())


async def test_a_ticker_is_driven_by_hand() -> None:
    clock = ManualClock(1_000)
    heard: list[int] = []
    task = asyncio.create_task(ticker(clock, 100, heard.append))
    assert await clock.advance_to_next() == 1_100
    assert await clock.advance_to_next() == 1_200
    await clock.parked()
    assert heard == [1_100, 1_200]
    assert list(clock.deadlines) == [1_300]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not clock.deadlines


async def test_sleepers_wake_in_the_order_of_their_instants() -> None:
    clock = ManualClock(0)
    woken: list[int] = []

    async def sleep(instant_ms: int) -> None:
        await clock.sleep_until(instant_ms)
        woken.append(instant_ms)

    async with asyncio.TaskGroup() as group:
        for instant in (30, 10, 20):
            group.create_task(sleep(instant))
        await clock.parked(3)
        assert list(clock.deadlines) == [10, 20, 30]
        clock.advance(29)
        await clock.parked(1)
        assert list(clock.deadlines) == [30]
        clock.advance(1)
    assert woken == [10, 20, 30]


async def test_a_cancelled_sleeper_is_forgotten() -> None:
    clock = ManualClock(0)
    task = asyncio.create_task(clock.sleep_until(10))
    await clock.parked()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    clock.set(10)
    assert not clock.deadlines


async def test_an_instant_that_has_come_needs_no_waiting() -> None:
    clock = ManualClock(5)
    await clock.sleep_until(5)
    await clock.sleep_until(4)
    assert not clock.deadlines


async def test_parked_waits_for_as_many_as_it_is_told() -> None:
    clock = ManualClock(0)
    waiting = asyncio.create_task(clock.parked(2))
    first = asyncio.create_task(clock.sleep_until(10))
    await clock.parked(1)
    assert not waiting.done()
    second = asyncio.create_task(clock.sleep_until(20))
    await waiting
    clock.set(20)
    await asyncio.gather(first, second)


def test_it_refuses_to_go_back() -> None:
    clock = ManualClock(100)
    with pytest.raises(ValueError, match="never goes back"):
        clock.set(99)
    assert clock.now_ms() == 100
