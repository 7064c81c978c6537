"""Keeping the stock: while the server runs, one patient worker process finds what the coming days need."""

import asyncio
from datetime import timedelta
from typing import Final

import structlog

from server.actions import stock as stocks
from server.actions.dates import today
from server.actions.house import Services
from server.actions.proving import PATIENT, Prover, WorkerLost
from server.errors import GameError
from server.solve.difficulty import LEVELS

log = structlog.get_logger(__name__)

#: Milliseconds between two looks at a stock that is full, and until work that failed is tried again.
LOOK_MS: Final = 3_600_000
RETRY_MS: Final = 60_000
#: After each deal the worker rests so many times as long as the deal took: at most half of one processor is used.
REST: Final = 1.0


async def keep(services: Services, days: int) -> None:
    """Keep deals for so many days of every daily in stock, for ever; say so where there are few."""
    async with Prover(1, PATIENT) as prover:
        while True:
            again_ms = LOOK_MS
            try:
                await _top_up(services, days, prover)
                await prover.close()  # it is not needed for a long time
            except GameError as refusal:
                log.warning("stock put off", code=refusal.code)
                again_ms = RETRY_MS
            except WorkerLost as error:
                log.warning("stock put off", error=str(error))
                again_ms = RETRY_MS
            except Exception:
                services.metrics.faults.inc()
                log.exception("stock put off")
                again_ms = RETRY_MS
            await services.clock.sleep_until(services.clock.now_ms() + again_ms)


async def _top_up(services: Services, days: int, prover: Prover) -> None:
    loop = asyncio.get_running_loop()
    # Today's and tomorrow's dailies are made, or are being made.
    first = today(services.clock.now_ms()) + timedelta(days=2)
    filling = stocks.Filling(services, stocks.goals_for_days(stocks.daily_rulesets(), first, days), prover)
    await look(services)
    missing = await filling.look()
    while missing:
        began, stored = loop.time(), filling.stored
        await filling.step()
        if filling.stored > stored:
            missing = filling.missing()
            _measure(services, filling.have)
        await asyncio.sleep(REST * (loop.time() - began))
    if filling.stored:
        log.info("stock topped up", found=filling.stored, looked_at=filling.tried)


async def look(services: Services) -> dict[str, int]:
    """Count the stock, tell the metrics, and warn where it lasts for few days. The days that it lasts, by ruleset."""
    have = await stocks.counts(services, stocks.daily_rulesets())
    days = _measure(services, have)
    few = {key: left for key, left in days.items() if left < stocks.FEW_DAYS}
    if few:
        log.warning("the stock of certified deals is low", days=few)
    return days


def _measure(services: Services, have: stocks.Stock) -> dict[str, int]:
    metrics = services.metrics
    days = {key: stocks.days_left(levels) for key, levels in have.items()}
    for key, levels in have.items():
        metrics.stock_days.labels(key).set(days[key])
        for level in LEVELS:
            metrics.stock_deals.labels(key, level).set(levels[level])
    return days
