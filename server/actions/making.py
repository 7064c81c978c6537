"""Making the daily of a date: from the stock of certified deals, else proved on the spot (docs/adr/0013)."""

import asyncio
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from server.actions import stock as stocks
from server.actions.dates import midnight_ms
from server.actions.proving import PROMPT, Prover, WorkerLost
from server.core.deck import shuffled
from server.core.rules import Rules, Undecided
from server.errors import SolverError
from server.solve.certificate import Certificate
from server.solve.difficulty import level_of_day
from server.store import challenges, plans, stock
from server.store.challenges import ChallengeRow
from server.store.plans import PlanRow
from server.store.stock import DealRow

if TYPE_CHECKING:
    from server.actions.house import Services

log = structlog.get_logger(__name__)

#: A daily may be finished so long after its day has ended.
GRACE_MS: Final = 3_600_000
#: Worker processes while dailies are proved on the spot.
WORKERS: Final = 2


class Maker:
    """Makes dailies, each once however many ask for it, and holds the worker processes while it proves some."""

    def __init__(self, services: "Services", prove_s: float) -> None:
        """``prove_s``: seconds that the proof of one daily may take where the stock is empty; 0 for no proof."""
        self._services = services
        self._prove_s = prove_s
        self._making: dict[tuple[str, date], asyncio.Task[ChallengeRow]] = {}
        self._in_turn = asyncio.Lock()
        self._prover: Prover | None = None
        self._proving = 0

    async def at_once(self, rules: Rules, day: date) -> ChallengeRow | None:
        """The daily of a date and ruleset where nothing has to be proved for it, else None."""
        async with self._in_turn:
            row = await self._from_stock(rules, day)
            if row is None and self._prove_s <= 0:
                row = await self._unproved(rules, day)
        return row

    async def daily(self, rules: Rules, day: date) -> ChallengeRow:
        """The daily of a date and ruleset that was not there a moment ago; whoever makes it first, all get the same."""
        key = rules.key, day
        task = self._making.get(key)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._make(rules, day))
            self._making[key] = task
            task.add_done_callback(lambda done: self._made(key, done))
        return await asyncio.shield(task)

    def _made(self, key: tuple[str, date], task: asyncio.Task[ChallengeRow]) -> None:
        del self._making[key]
        if not task.cancelled():
            task.exception()  # whoever asked is told; nobody may be left

    async def close(self) -> None:
        """Give up what is being made. What was not made will be at the next start, or when somebody asks."""
        tasks = list(self._making.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._dismiss()

    async def _make(self, rules: Rules, day: date) -> ChallengeRow:
        row = await self.at_once(rules, day)
        if row is not None:
            return row
        self._proving += 1
        try:
            async with asyncio.timeout(self._prove_s):
                seed, certificate = await self._certified(rules)
        except TimeoutError:
            log.warning("no deal was proved in time", ruleset=rules.key, seconds=self._prove_s)
        except (SolverError, WorkerLost) as error:  # told without a traceback, in which the seed would stand
            log.error("no deal could be proved", ruleset=rules.key, error=str(error))  # noqa: TRY400
        else:
            return await self._store(rules, day, seed, certificate)
        finally:
            self._proving -= 1
            if not self._proving:
                await self._dismiss()
        return await self._unproved(rules, day)

    async def _unproved(self, rules: Rules, day: date) -> ChallengeRow:
        return await self._store(rules, day, await asyncio.to_thread(fair_seed, self._services, rules), None)

    async def _from_stock(self, rules: Rules, day: date) -> ChallengeRow | None:
        """The daily that stands, else what an admin has planned, else one from the stock for the level of the day."""
        async with self._services.store.writing() as conn:
            return await self._chosen(conn, rules, day, await plans.alone_with(conn, day.isoformat(), rules.key))

    async def _chosen(
        self, conn: AsyncConnection, rules: Rules, day: date, plan: PlanRow | None
    ) -> ChallengeRow | None:
        """What needs no proof: the daily that stands, or one of the planned deal, or of the stock."""
        services = self._services
        standing = await challenges.daily(conn, day.isoformat(), rules.key)
        if standing is not None:
            return standing
        if plan is not None and plan.seed is not None:
            standing, _ = await challenges.insert_challenge(conn, _row(services, rules, day, plan.seed))
            log.info("daily made", ruleset=rules.key, date=standing.date, planned="seed")
            return standing
        wanted = level_of_day(day)
        deal: DealRow | None = None
        if plan is not None:
            wanted = wanted if plan.difficulty is None else plan.difficulty
            deal = None if plan.deal_id is None else await stock.chosen(conn, rules, plan.deal_id)
        if deal is None:
            deal = await stock.pick(conn, rules, stocks.nearest(wanted))
        if deal is None:
            return None
        row = _row(services, rules, day, deal.seed)
        standing, made = await challenges.insert_challenge(conn, row)
        if made:
            await stock.mark_used(conn, deal.id, row.id, row.created_at)
            planned = None if plan is None else "difficulty" if plan.deal_id is None else "deal"
            difficulty = deal.difficulty
            log.info(
                "daily made", ruleset=rules.key, date=row.date, difficulty=difficulty, wanted=wanted, planned=planned
            )
        return standing

    async def _store(self, rules: Rules, day: date, seed: str, certificate: Certificate | None) -> ChallengeRow:
        services = self._services
        row = _row(services, rules, day, seed)
        deal = None if certificate is None else stocks.row_of(services, rules, seed, certificate)
        async with services.store.writing() as conn:
            plan = await plans.alone_with(conn, day.isoformat(), rules.key)
            chosen = await self._chosen(conn, rules, day, plan)
            if chosen is not None:  # planned, or put into stock, while this was proved
                return chosen
            standing, made = await challenges.insert_challenge(conn, row)
            if made and deal is not None:
                await stock.add_used(conn, deal, row.id, row.created_at)
        if made:
            log.warning(
                "daily made without stock",
                ruleset=rules.key,
                date=row.date,
                proved=deal is not None,
                difficulty=None if deal is None else deal.difficulty,
            )
        return standing

    async def _certified(self, rules: Rules) -> tuple[str, Certificate]:
        while True:
            if self._prover is None:
                self._prover = Prover(WORKERS, PROMPT)
            seed = self._services.seed()
            certificate = await self._prover.prove(rules, seed, hasty=True)
            if certificate is not None:
                return seed, certificate

    async def _dismiss(self) -> None:
        prover, self._prover = self._prover, None
        if prover is not None:
            await prover.close()


def _row(services: "Services", rules: Rules, day: date, seed: str) -> ChallengeRow:
    now = services.clock.now_ms()
    opens, ends = midnight_ms(day), midnight_ms(day + timedelta(days=1))
    return ChallengeRow.of(
        rules,
        seed,
        id=services.new_id(now),
        kind="daily",
        date=day.isoformat(),
        opens_at=opens,
        ends_at=ends,
        closes_at=ends + GRACE_MS,
        created_at=now,
    )


def fair_seed(services: "Services", rules: Rules) -> str:
    """A fresh secret seed whose deal is not known to be unwinnable and has a first move."""
    while True:
        seed = services.seed()
        start = rules.deal(shuffled(seed, rules.deck))
        if not rules.moves(start):
            continue
        try:
            winnable = rules.winnable(rules.view(start), {})
        except Undecided:
            continue
        if winnable is not False:
            return seed
