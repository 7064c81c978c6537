"""Searching deals: those in stock that fit, and then fresh ones, proved in the background by a process of its own."""

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import structlog

from server.actions import stock as stocks
from server.actions.admin.roles import Actor
from server.actions.proving import PATIENT, Prover, WorkerLost
from server.core.rules import Rules
from server.errors import GameError, SolverError
from server.games import ruleset
from server.solve.certificate import plan_of
from server.store import deals, jobs, stock
from server.store.deals import DealView, Wish
from server.store.jobs import JobRow

if TYPE_CHECKING:
    from server.actions.house import Services

log = structlog.get_logger(__name__)

#: Deals of one answer, and of one search.
MOST: Final = 100
#: Fresh deals that one search looks at.
MOST_TRIES: Final = 5000
#: Searches at a time.
TOGETHER: Final = 2
#: Searches that are told of.
TOLD: Final = 20
#: Seconds between two signs of life.
BEAT_S: Final = 5.0


class Search(NamedTuple):
    """A search, and those of the deals it has found that are free still."""

    job: JobRow
    deals: list[DealView]


async def find(
    services: "Services", who: Actor, wish: Wish, *, limit: int = MOST, after: str | None = None
) -> tuple[list[DealView], str | None]:
    """Deals in stock that fit and are free, oldest first; and the id to go on after, None at the end.

    Raises ``ruleset/unknown``.
    """
    who.needs("deals.read")
    rules = ruleset(wish.ruleset)
    async with services.store.reading() as conn:
        found = await deals.free(conn, wish, rules.version, limit + 1, after)
    return found[:limit], found[limit - 1].id if len(found) > limit else None


async def start(services: "Services", who: Actor, wish: Wish, *, count: int, tries: int) -> Search:
    """Search until ``count`` deals are found: first in stock, then among at most ``tries`` fresh ones.

    What fits is put into stock. Raises ``ruleset/unknown``, ``deal/none`` where no solver knows the ruleset, or
    ``job/busy``.
    """
    who.needs("deals.search")
    rules = ruleset(wish.ruleset)
    if plan_of(rules) is None:
        raise GameError("deal/none", "no solver knows this ruleset")
    now = services.clock.now_ms()
    job_id = services.new_id(now)
    async with services.store.writing() as conn:
        if await jobs.running(conn, now) >= TOGETHER:
            raise GameError("job/busy", f"{TOGETHER} searches run already")
        await jobs.begin(conn, job_id, who.admin_id, wish, max(1, min(tries, MOST_TRIES)), now)
        await who.note(
            conn,
            now,
            "deals.search",
            f"search/{job_id}",
            after={"ruleset": wish.ruleset, "count": count, "tries": tries},
        )
    services.deal_searches.run(job_id, _search(services, rules, wish, job_id, min(count, MOST), min(tries, MOST_TRIES)))
    return await look(services, who, job_id)


async def look(services: "Services", who: Actor, job_id: str) -> Search:
    """How far a search is. Raises ``job/unknown``."""
    who.needs("deals.read")
    async with services.store.reading() as conn:
        row = await jobs.job(conn, job_id, services.clock.now_ms())
        if row is None:
            raise GameError("job/unknown", "no such search")
        return Search(row, await deals.free_of(conn, row.found))


async def every(services: "Services", who: Actor) -> list[JobRow]:
    """The latest searches."""
    who.needs("deals.read")
    async with services.store.reading() as conn:
        return await jobs.latest(conn, TOLD, services.clock.now_ms())


async def cancel(services: "Services", who: Actor, job_id: str) -> Search:
    """Break a search off; what it has found stays. Without effect on one that has ended. Raises ``job/unknown``."""
    who.needs("deals.search")
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        if await jobs.job(conn, job_id, now) is None:
            raise GameError("job/unknown", "no such search")
        if await jobs.end(conn, job_id, "cancelled", now):
            await who.note(conn, now, "deals.cancel", f"search/{job_id}")
    services.deal_searches.stop(job_id)
    return await look(services, who, job_id)


class DealSearches:
    """The searches that this process runs."""

    def __init__(self, services: "Services") -> None:
        self._services = services
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def run(self, job_id: str, work: Coroutine[Any, Any, None]) -> None:
        """Run a search until it ends, or until :meth:`stop` or :meth:`close`."""
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work, name="search")
        self._tasks[job_id] = task
        task.add_done_callback(lambda _: self._tasks.pop(job_id, None))

    def stop(self, job_id: str) -> None:
        """Break a search off; without effect on one that runs elsewhere."""
        task = self._tasks.get(job_id)
        if task is not None:
            task.cancel()

    def runs(self, job_id: str) -> bool:
        """Whether this process runs a search."""
        return job_id in self._tasks

    async def ended(self, job_id: str, within_s: float | None = None) -> None:
        """Wait until a search of this process has ended, or for so many seconds at most."""
        task = self._tasks.get(job_id)
        if task is not None:
            await asyncio.wait([task], timeout=within_s)

    async def close(self) -> None:
        """Break all searches off; they are told to have failed."""
        tasks = dict(self._tasks)
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        for job_id in tasks:
            await _end(self._services, job_id, "the server was stopped")


async def _search(services: "Services", rules: Rules, wish: Wish, job_id: str, count: int, tries: int) -> None:
    error: str | None = None
    try:
        async with Prover(1, PATIENT) as prover:
            if not await _run(services, rules, wish, job_id, count, tries, prover):
                return  # somebody has cancelled it
    except (SolverError, WorkerLost) as failure:
        log.exception("search failed")
        error = type(failure).__name__
    except GameError as refusal:
        log.warning("search failed", code=refusal.code)
        error = refusal.code
    await _end(services, job_id, error)


async def _end(services: "Services", job_id: str, error: str | None) -> None:
    try:
        async with services.store.writing() as conn:
            state: jobs.State = "done" if error is None else "failed"
            await jobs.end(conn, job_id, state, services.clock.now_ms(), error)
    except GameError as refusal:  # it counts as failed as soon as it gives no more sign of life
        log.warning("end of a search not stored", code=refusal.code)


async def _run(
    services: "Services", rules: Rules, wish: Wish, job_id: str, count: int, tries: int, prover: Prover
) -> bool:
    """Look through the stock, then at fresh deals; False where somebody has cancelled it."""
    async with services.store.reading() as conn:
        in_stock = await deals.free(conn, wish, rules.version, count, None)
    found = tuple(deal.id for deal in in_stock)
    done = 0

    async def note() -> bool:
        async with services.store.writing() as conn:
            return await jobs.progress(conn, job_id, done, found, services.clock.now_ms())

    while len(found) < count and done < tries:
        seed = services.seed()
        proof = asyncio.ensure_future(prover.prove(rules, seed))
        try:
            while not proof.done():
                if not await note():
                    return False
                await asyncio.wait([proof], timeout=BEAT_S)
        finally:
            if not proof.done():
                proof.cancel()
                await asyncio.gather(proof, return_exceptions=True)
        certificate = proof.result()
        done += 1
        if certificate is None:
            continue
        if not wish.fits(certificate.difficulty, certificate.par, certificate.winnable_first_moves):
            continue
        deal = stocks.row_of(services, rules, seed, certificate)
        async with services.store.writing() as conn:
            if await stock.add(conn, deal):
                found = (*found, deal.id)
    return await note()
