"""The recorder: grouped durable commits. A move is acknowledged only after its entry is on the disk (DESIGN 1.5).

One task takes whatever waits, from all players, into one transaction; while that commits, the next group gathers.
There is no future for every move: who submits an entry names a function that is told what became of it.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import structlog

from server.store.engine import Store
from server.store.entries import Append, Groups, PoisonedError, Stored

Done = Callable[[Stored], None]
Entry = tuple[Append, Done]

#: Entries in one transaction at most.
LARGEST_GROUP: Final = 512

#: Turns of the event loop for which a group may grow while further entries come in. A turn costs the first of them next
#: to nothing, and a commit of many costs hardly more than one of few.
GATHER_TURNS: Final = 8

#: Entries that may wait; more are refused at once. That many gather only while the database stalls.
MOST_WAITING: Final = 20_000

#: Seconds to wait after a failure, doubled with every further one up to the second figure.
FIRST_PAUSE_S: Final = 0.05
LONGEST_PAUSE_S: Final = 2.0

log = structlog.get_logger(__name__)


class Recorder:
    """Stores log entries of all attempts. Belongs to one event loop; ``submit`` may be called from its callbacks.

    ``on_commit`` is told the number of entries of every stored group and the seconds that it took.
    """

    def __init__(
        self,
        store: Store,
        *,
        groups: Groups | None = None,
        on_commit: Callable[[int, float], None] | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        largest_group: int = LARGEST_GROUP,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self._groups = groups or groups_of(store)
        self._on_commit = on_commit
        self._pause = pause
        self._largest_group = largest_group
        self._most_waiting = most_waiting
        self._waiting: deque[Entry] = deque()
        self._sleeper: asyncio.Future[None] | None = None
        self._closing = False
        self._failures = 0
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._run(), name="recorder")

    @property
    def waiting(self) -> int:
        """How many entries wait for a group."""
        return len(self._waiting)

    @property
    def healthy(self) -> bool:
        """Whether the last group could be stored."""
        return self._failures == 0

    def submit(self, append: Append, done: Done) -> None:
        """Queue an entry; ``done`` is called on the loop, once, and never before this method has returned."""
        if self._closing or len(self._waiting) >= self._most_waiting:
            self._loop.call_soon(done, Stored.FAILED)
            return
        self._waiting.append((append, done))
        if len(self._waiting) == 1:  # nobody sleeps while others wait
            self._wake()

    async def append(self, append: Append) -> Stored:
        """Store one entry and tell what became of it."""
        told: asyncio.Future[Stored] = self._loop.create_future()

        def done(stored: Stored) -> None:
            if not told.done():  # whoever waited may have been cancelled
                told.set_result(stored)

        self.submit(append, done)
        return await told

    async def close(self) -> None:
        """Store what still waits, then stop. Entries submitted from now on fail."""
        self._closing = True
        self._wake()
        await asyncio.shield(self._task)

    def _wake(self) -> None:
        if self._sleeper is not None and not self._sleeper.done():
            self._sleeper.set_result(None)

    async def _run(self) -> None:
        while self._waiting or not self._closing:
            if self._waiting:
                await self._gather()
                await self._store(self._take())
            else:
                self._sleeper = self._loop.create_future()
                await self._sleeper
        await self._groups.close()

    async def _gather(self) -> None:
        """Let the loop read what has arrived meanwhile, as long as that brings more entries."""
        for _ in range(GATHER_TURNS):
            before = len(self._waiting)
            await asyncio.sleep(0)
            if len(self._waiting) == before:
                return

    def _take(self) -> list[Entry]:
        """The next group: the entries that wait longest, but one of each attempt.

        An entry is judged on the state that the one before leads to; it is stored only once that one is.
        """
        waiting = self._waiting
        group: list[Entry] = []
        later: list[Entry] = []
        taken: set[int] = set()
        while waiting and len(group) < self._largest_group and len(later) < self._largest_group:
            entry = waiting.popleft()
            attempt = entry[0].attempt
            if attempt in taken:
                later.append(entry)
            else:
                taken.add(attempt)
                group.append(entry)
        waiting.extendleft(reversed(later))
        return group

    async def _store(self, group: Sequence[Entry]) -> None:
        """Store a group and tell everybody in it. A database that fails gets one more chance, then all are told."""
        try:
            await self._commit(group)
        except Exception as error:  # noqa: BLE001 - drivers raise many kinds, and none may end the recorder
            self._failures += 1
            log.warning("commit failed", error=type(error).__name__, entries=len(group), in_a_row=self._failures)
            if self._failures == 1:
                await self._pause(FIRST_PAUSE_S)
                await self._store(await self._not_standing(group))
                return
            self._tell(group, Stored.FAILED)
            self._tell(self._drain(), Stored.FAILED)
            if not self._closing:
                await self._pause(min(FIRST_PAUSE_S * 2**self._failures, LONGEST_PAUSE_S))

    async def _commit(self, group: Sequence[Entry]) -> None:
        if not group:
            return
        began = time.perf_counter()
        try:
            refused = await self._groups.commit([append for append, _ in group])
        except PoisonedError as error:
            await self._divide(group, error)
            return
        self._failures = 0
        self._count(len(group) - len(refused), time.perf_counter() - began)
        if not refused:
            self._tell(group, Stored.COMMITTED)
            return
        lost = set(refused)
        self._tell([entry for index, entry in enumerate(group) if index not in lost], Stored.COMMITTED)
        self._refuse([group[index] for index in refused], Stored.STALE)

    async def _divide(self, group: Sequence[Entry], error: PoisonedError) -> None:
        """Halve a group until the entry that spoils it is alone; only that one fails."""
        if len(group) == 1:
            log.error("entry refused by the database", error=str(error))
            self._refuse(group, Stored.FAILED)
            return
        middle = len(group) // 2
        await self._store(group[:middle])
        await self._store(group[middle:])

    async def _not_standing(self, group: Sequence[Entry]) -> Sequence[Entry]:
        """What of a group is not stored after a failure; those that are stored are told so.

        A connection lost in the commit leaves open whether it happened.
        """
        try:
            standing = set(await self._groups.standing([append for append, _ in group]))
        except Exception as error:  # noqa: BLE001 - as above
            log.warning("database gone", error=type(error).__name__)
            return group
        self._tell([entry for index, entry in enumerate(group) if index in standing], Stored.COMMITTED)
        return [entry for index, entry in enumerate(group) if index not in standing]

    def _count(self, entries: int, seconds: float) -> None:
        try:
            if self._on_commit is not None:
                self._on_commit(entries, seconds)
        except Exception:
            log.exception("a counter of the recorder failed")

    def _refuse(self, entries: Sequence[Entry], stored: Stored) -> None:
        """Refuse entries, and those that wait behind them: these were judged on a state that is not."""
        lost = {append.attempt for append, _ in entries}
        behind = [entry for entry in self._waiting if entry[0].attempt in lost]
        if behind:
            self._waiting = deque(entry for entry in self._waiting if entry[0].attempt not in lost)
        self._tell(entries, stored)
        self._tell(behind, stored)

    def _drain(self) -> list[Entry]:
        entries = list(self._waiting)
        self._waiting.clear()
        return entries

    def _tell(self, entries: Sequence[Entry], stored: Stored) -> None:
        for _, done in entries:
            try:
                done(stored)
            except Exception:
                log.exception("a listener of the recorder failed")


def groups_of(store: Store) -> Groups:
    """What stores groups in this kind of database."""
    if store.dialect == "sqlite":
        from server.store.groups_sqlite import SqliteGroups

        return SqliteGroups(store)
    from server.store.groups_postgres import PostgresGroups

    return PostgresGroups(store)
