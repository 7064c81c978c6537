"""The house: all tables in memory, and what they need of the database, of the clock and of each other.

A table is read from the database when somebody first asks for it and forgotten when the last holder lets go; between
the two it is the only copy that this process plays on.
"""

import asyncio
import multiprocessing
from collections.abc import Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import structlog

from server.actions.admin.searching import DealSearches
from server.actions.analyses import Analyses
from server.actions.board_news import BoardNews
from server.actions.folding import fold_stored
from server.actions.guiding import Guiding
from server.actions.making import Maker
from server.actions.places import place_of
from server.actions.searches import Searches
from server.actions.table import Moved, Reloaded, Seat, Standing, Table, Verdict
from server.clock import Clock
from server.core.moves import RESERVED
from server.core.rules import Undecided, UndoPolicy
from server.errors import GameError
from server.games import ruleset
from server.games import winnable as winnable_patiently
from server.live.bucket import Buckets
from server.live.hub import Hub
from server.metrics import Metrics
from server.play.attempt import Attempt
from server.play.ranking import result_of, stands_on_board
from server.store import attempts, challenges, outages
from server.store.engine import Store
from server.store.entries import Stored, last_entry
from server.store.recorder import Recorder

if TYPE_CHECKING:
    from server.actions.fields import Counts

log = structlog.get_logger(__name__)

#: Practice games that a player may start at once, and a second in the long run (PROTOCOL 5).
PRACTICES: Final = 100
PRACTICES_PER_S: Final = 10
#: Hints that a player may ask for at once, and a second in the long run.
HINTS: Final = 20
HINTS_PER_S: Final = 2


@dataclass(slots=True)
class Services:
    """What every action is given; made once by the application.

    ``seed`` gives a fresh secret seed, ``token`` a fresh secret token, ``new_id`` an id for a row made at an instant.
    """

    clock: Clock
    store: Store
    recorder: Recorder
    hub: Hub
    metrics: Metrics
    seed: Callable[[], str]
    token: Callable[[], str]
    new_id: Callable[[int], str]
    unlimited: bool = False
    #: Seconds for the proof of a daily where the stock is empty.
    prove_s: float = 0
    #: Whether the last heartbeat could be stored; every two seconds this is found out anew.
    stores: bool = True
    #: Practice games by player.
    practices: Buckets = field(default_factory=lambda: Buckets(PRACTICES, PRACTICES_PER_S))
    #: Hints by player.
    hints: Buckets = field(default_factory=lambda: Buckets(HINTS, HINTS_PER_S))
    #: Held while a long log is folded.
    folding: asyncio.Lock = field(default_factory=asyncio.Lock)
    house: "House" = field(init=False)
    maker: Maker = field(init=False)
    deal_searches: DealSearches = field(init=False)
    board_news: BoardNews = field(init=False)
    searches: Searches = field(init=False)
    guiding: Guiding = field(init=False)
    analyses: Analyses = field(init=False)
    fields: "dict[str, Counts]" = field(default_factory=dict)
    #: Held while the results of a field are counted.
    counting: asyncio.Lock = field(default_factory=asyncio.Lock)
    #: The number up to which the audit log was looked at, None before the first look.
    audited: int | None = None
    tasks: set[asyncio.Task[Any]] = field(default_factory=set)
    _workers: ProcessPoolExecutor | None = None

    def __post_init__(self) -> None:
        self.house = House(self)
        self.maker = Maker(self, self.prove_s)
        self.deal_searches = DealSearches(self)
        self.board_news = BoardNews(self)
        self.searches = Searches(self.metrics)
        self.guiding = Guiding(self)
        self.analyses = Analyses(self)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something on its own; a failure is logged, and nothing is left running after :meth:`settled`."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._spawned_done)
        return task

    def _spawned_done(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.metrics.faults.inc()
            log.error("background work failed", exc_info=error)

    def workers(self) -> ProcessPoolExecutor:
        """Where long calculations run, in another process; started when first needed."""
        if self._workers is None:
            self._workers = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        return self._workers

    def replace_workers(self) -> None:
        """Let a worker process that died be followed by another."""
        if self._workers is not None:
            self._workers.shutdown(wait=False)
            self._workers = None

    async def settled(self) -> None:
        """Wait until everything that was spawned has ended, and end the worker processes. No search starts any more."""
        await self.maker.close()
        await self.deal_searches.close()
        await self.searches.close()
        while self.tasks:
            await asyncio.wait(set(self.tasks))
        await self.board_news.close()
        if self._workers is not None:
            workers, self._workers = self._workers, None
            await asyncio.to_thread(workers.shutdown)


class House:
    """Tables in memory by attempt id."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._tables: dict[str, Table] = {}
        self._opening: dict[str, asyncio.Task[Table]] = {}

    def __len__(self) -> int:
        return len(self._tables)

    # --- holding ---------------------------------------------------------------------------------------------------

    async def open(self, attempt_id: str, player_id: str | None) -> Table:
        """The table of an attempt, held once for the caller, who must :meth:`release` it.

        ``player_id`` None is the house itself. Raises ``attempt/unknown`` or ``attempt/not_yours``.
        """
        table = self._tables.get(attempt_id)
        if table is None:
            opening = self._opening.get(attempt_id)
            if opening is None:
                opening = asyncio.get_running_loop().create_task(self._enter(attempt_id))
                self._opening[attempt_id] = opening
            table = await asyncio.shield(opening)
        if player_id is not None and table.seat.player_id != player_id:
            if table.holders == 0:
                self._tables.pop(table.seat.attempt_id, None)
            raise GameError("attempt/not_yours", "another player's attempt")
        self.hold(table)
        return table

    async def _enter(self, attempt_id: str) -> Table:
        """Load a table into the house; whoever asks meanwhile gets the same one."""
        try:
            table = await self._load(attempt_id)
            return self._tables.setdefault(attempt_id, table)
        finally:
            del self._opening[attempt_id]

    def hold(self, table: Table) -> None:
        """Keep a table in memory until as many :meth:`release` have followed."""
        table.holders += 1
        self._tables[table.seat.attempt_id] = table
        self._services.metrics.tables.set(len(self._tables))

    def release(self, table: Table) -> None:
        """Let go of a table; the last to let go lets it be forgotten, once nothing is under way at it."""
        table.holders -= 1
        self._forget_if_unused(table)

    def _forget_if_unused(self, table: Table) -> None:
        if table.holders <= 0 and table.idle and self._tables.get(table.seat.attempt_id) is table:
            del self._tables[table.seat.attempt_id]
            if table.guide is not None:
                table.guide.leave()
            self._services.metrics.tables.set(len(self._tables))

    async def _load(self, attempt_id: str) -> Table:
        async with self._services.store.reading() as conn:
            row = await attempts.attempt(conn, attempt_id)
            if row is None:
                raise GameError("attempt/unknown", "no such attempt")
            challenge = await challenges.challenge(conn, row.challenge_id)
            assert challenge is not None, "a foreign key holds this"
            entries = await attempts.log(conn, row.id)
            closes_at = challenge.closes_at if row.ranked else None
            # An outage counts only as far as the attempt could have gone on without it.
            now = self._services.clock.now_ms()
            until = now if closes_at is None else min(now, closes_at)
            credit = await outages.credit_ms(conn, row.started_at, until)
        rules = ruleset(challenge.ruleset, challenge.rules_version)
        policy = UndoPolicy(row.undo_policy)
        start, attempt = await fold_stored(self._services.folding, rules, challenge.seed, policy, entries)
        seat = Seat(
            number=row.number,
            attempt_id=row.id,
            player_id=row.player_id,
            challenge_id=challenge.id,
            challenge_kind=challenge.kind,
            challenge_date=challenge.date,
            commitment=challenge.commitment,
            ranked=row.ranked,
            started_at=row.started_at,
            credit_ms=credit,
            closes_at=closes_at,
        )
        return Table(self, seat, attempt, self._first_verdict(start))

    # --- what a table needs ----------------------------------------------------------------------------------------

    def append(self, table: Table, after: Attempt, arrived_ms: int, done: Callable[[Stored], None]) -> None:
        """Store the last entry of ``after``; ``done`` is told what became of it."""
        finished_at = max(arrived_ms, table.seat.started_at)
        self._services.recorder.submit(
            last_entry(table.seat.number, after, finished_at),
            partial(self._appended, table, after, done),
        )

    def _appended(self, table: Table, after: Attempt, done: Callable[[Stored], None], stored: Stored) -> None:
        metrics = self._services.metrics
        if stored is Stored.COMMITTED:
            text = after.last.entry.text if after.last is not None else ""
            metrics.stored(after.rules.key, text if text in RESERVED else "move")
            if after.over is not None:
                metrics.attempts_ended.labels(after.rules.key, after.over).inc()
                if table.seat.ranked and stands_on_board(after):
                    news, won = self._services.board_news, after.over == "won"
                    news.finished(table.seat.challenge_id, after.rules.key, won=won)
        elif stored is Stored.FAILED:
            metrics.commit_failures.inc()
        done(stored)
        if stored is Stored.COMMITTED and _may_be_told(table):
            self._services.guiding.moved(table)
        if table.holders <= 0:
            self._forget_if_unused(table)

    def verdict(self, table: Table, attempt: Attempt) -> bool | None:
        """Whether the attempt can still be won; None where that is not told, or is told later by a Verdict."""
        if attempt.over is None and _may_be_told(table):
            known = self._services.guiding.verdict(table, attempt)
            if attempt.rules.told_in_practice:
                return known
        try:
            return attempt.winnable()
        except Undecided:
            self._services.spawn(self._patient_verdict(table, attempt))
            return None

    def _first_verdict(self, start: Attempt) -> bool | None:
        try:
            return start.winnable()
        except Undecided:
            return None

    async def _patient_verdict(self, table: Table, attempt: Attempt) -> None:
        rules = attempt.rules
        piles = dict(rules.view(attempt.position).piles)
        loop = asyncio.get_running_loop()
        try:
            winnable = await loop.run_in_executor(self._services.workers(), winnable_patiently, rules.key, piles)
        except BrokenProcessPool:
            log.warning("worker process lost")
            self._services.replace_workers()
            return  # the next verdict starts another one
        self.publish(table, Verdict(table, attempt.seq, winnable))

    def rank_then(self, table: Table, attempt: Attempt, then: Callable[[Standing], None]) -> None:
        """Look up the standing of an attempt that is over, and call ``then`` with it."""
        self._services.spawn(self._rank_then(table, attempt, then))

    async def _rank_then(self, table: Table, attempt: Attempt, then: Callable[[Standing], None]) -> None:
        try:
            standing = await self._standing(table, attempt)
        except GameError as refusal:  # the move is stored: its answer must not fail for want of a rank
            log.warning("rank not found", code=refusal.code)
            result = result_of(attempt)
            assert result is not None
            standing = Standing(result, None, None)
        then(standing)
        self._forget_if_unused(table)

    async def standing(self, table: Table) -> Standing | None:
        """The result and place of a table's attempt, None while it is open."""
        attempt = table.attempt
        return None if attempt.over is None else await self._standing(table, attempt)

    async def _standing(self, table: Table, attempt: Attempt) -> Standing:
        result = result_of(attempt)
        assert result is not None, "a standing is asked for an attempt that is over"
        if not (table.seat.ranked and stands_on_board(attempt)):
            return Standing(result, None, None)
        async with self._services.store.reading() as conn:
            place = await place_of(conn, table.seat.challenge_id, table.seat.player_id)
        return Standing(result, None, None) if place is None else Standing(result, place.rank, place.of)

    def reload_then(self, table: Table, then: Callable[[Attempt | None], None]) -> None:
        """Fold the stored log again and call ``then`` with the attempt, None where that was not possible."""
        self._services.spawn(self._reload_then(table, then))

    async def _reload_then(self, table: Table, then: Callable[[Attempt | None], None]) -> None:
        fresh: Attempt | None = None
        try:
            fresh = (await self._load(table.seat.attempt_id)).attempt
        except GameError as refusal:
            log.warning("attempt not reloaded", code=refusal.code)
        except Exception:
            log.exception("attempt not reloaded")
        then(fresh)
        self._forget_if_unused(table)

    def taken_away(self, attempt_id: str) -> None:
        """An attempt was voided in the database: whoever plays or watches it here is shown."""
        table = self._tables.get(attempt_id)
        if table is not None:
            table.refresh()

    def overruled(self, challenge_id: str) -> None:
        """Attempts at a challenge were voided in the database: whoever plays or watches them here is shown."""
        for table in [table for table in self._tables.values() if table.seat.challenge_id == challenge_id]:
            table.refresh()

    def withdrawn(self, player_id: str) -> None:
        """Attempts of a player were voided in the database: he is shown."""
        for table in [table for table in self._tables.values() if table.seat.player_id == player_id]:
            table.refresh()

    def extended(self, challenge_id: str, closes_at: int) -> None:
        """A challenge closes later: its tables here go by that, and whoever plays or watches them is told."""
        for table in self._tables.values():
            if table.seat.challenge_id == challenge_id and table.seat.closes_at is not None:
                table.seat = replace(table.seat, closes_at=closes_at)
                self.publish(table, Reloaded(table))

    def publish(self, table: Table, news: Any, but: Any = None) -> None:
        """Tell everybody who watches the table, except one."""
        self._services.hub.publish(table.seat.attempt_id, news, but=but)

    async def close_attempt(self, attempt_id: str, closes_at: int) -> None:
        """End an open attempt with its challenge; without effect on one that has ended meanwhile.

        Raises ``try_later`` where the entry could not be stored.
        """
        table = await self.open(attempt_id, None)
        try:
            answer = await table.close(closes_at)
        finally:
            self.release(table)
        if not isinstance(answer, Moved) and answer.code != "attempt/over":
            raise GameError("try_later", "the attempt could not be closed")


def _may_be_told(table: Table) -> bool:
    """Whether anything is known, or to be found out, for a player who practises at a table."""
    return not table.seat.ranked and (table.guide is not None or table.attempt.rules.told_in_practice)
