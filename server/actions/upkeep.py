"""What the server does by itself: heartbeats, the dailies of the coming day, closing what is over."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

import structlog

from server.actions import dailies
from server.actions.admin import news
from server.actions.dates import midnight_ms, today
from server.actions.house import Services
from server.errors import GameError
from server.store import challenges, outages

log = structlog.get_logger(__name__)

#: Milliseconds between heartbeats; an outage is known to so much.
BEAT_MS: Final = 2000
#: Milliseconds between two looks for challenges that must close.
CLOSING_MS: Final = 15_000
#: Milliseconds until work that failed is tried again.
RETRY_MS: Final = 5000


async def note_outage(services: Services) -> None:
    """Record the time in which no worker lived; it is taken off the clock of whoever was playing (DESIGN 6)."""
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        last = await outages.last_beat(conn)
        if last is not None and now - last > BEAT_MS:
            await outages.record_outage(conn, last, now)
            log.info("outage recorded", seconds=round((now - last) / 1000, 1))


async def make_dailies(services: Services) -> None:
    """Make today's and tomorrow's dailies where they are missing."""
    day = today(services.clock.now_ms())
    await dailies.ensure(services, day)
    await dailies.ensure(services, day + timedelta(days=1))


async def make_dailies_at_once(services: Services) -> None:
    """Make those of today's and tomorrow's dailies for which nothing has to be proved."""
    day = today(services.clock.now_ms())
    days = (day, day + timedelta(days=1))
    async with services.store.reading() as conn:
        standing = await challenges.dailies_between(conn, days[0].isoformat(), days[1].isoformat())
    for date in days:
        for rules in dailies.daily_rulesets():
            if (date.isoformat(), rules.key) not in standing:
                await services.maker.at_once(rules, date)


async def beats(services: Services, worker: str) -> None:
    """Leave a sign of life every two seconds, for ever."""

    async def beat() -> int:
        now = services.clock.now_ms()
        services.stores = await _beaten(services, worker, now)
        await news.look(services)
        return now + BEAT_MS

    await _for_ever(services, beat)


async def _beaten(services: Services, worker: str, now: int) -> bool:
    try:
        async with services.store.writing() as conn:
            await outages.beat(conn, worker, now)
    except GameError as refusal:
        log.warning("heartbeat not stored", code=refusal.code)
        return False
    return True


async def days(services: Services) -> None:
    """Make dailies a day ahead, at every change of day, for ever."""

    async def make() -> int:
        day = today(services.clock.now_ms())
        await make_dailies(services)
        return midnight_ms(day + timedelta(days=1))

    await _for_ever(services, make)


async def closings(services: Services) -> None:
    """Close the challenges that are due, for ever."""

    async def close() -> int:
        now = services.clock.now_ms()
        await dailies.close_due(services)
        return now + CLOSING_MS

    await _for_ever(services, close)


async def last_beat(services: Services) -> None:
    """Leave the last sign of life of a server that stops: the time until its next start is an outage."""
    await _beaten(services, "stopped", services.clock.now_ms())


async def _for_ever(services: Services, work: Callable[[], Awaitable[int]]) -> None:
    """Do the work again and again, each time at the instant that the last time named."""
    while True:
        try:
            again_at = await work()
        except asyncio.CancelledError:
            raise
        except GameError as refusal:
            log.warning("upkeep put off", work=work.__qualname__, code=refusal.code)
            again_at = services.clock.now_ms() + RETRY_MS
        except Exception:
            log.exception("upkeep failed", work=work.__qualname__)
            again_at = services.clock.now_ms() + RETRY_MS
        await services.clock.sleep_until(again_at)
