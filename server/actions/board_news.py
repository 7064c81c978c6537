"""News of boards: who looks at one is told of changes, at most once a second. Hints, never truth (DESIGN 8).

A change costs nothing where nobody watches. One result changes its challenge's board and, won, the records of its
ruleset; a daily that closes, or loses a result after its close, changes three seasons: never more than five boards.
"""

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import structlog

from server.live.hub import Listener
from server.store import boards, ladder, periods
from server.store.boards import Line, SeasonLine
from server.store.challenges import ChallengeRow

if TYPE_CHECKING:
    from server.actions.house import Services

log = structlog.get_logger(__name__)

#: Milliseconds between two pieces of news of one board.
GAP_MS: Final = 1000
#: Lines at the top of a board that come with its news.
TOP: Final = 10

#: How the topics of boards begin.
_TOPICS: Final = "board/"


@dataclass(frozen=True, slots=True)
class Watched:
    """A board that can be watched: ``challenge/ID``, ``season/PERIOD/RULESET`` or ``records/RULESET``."""

    reference: str

    @property
    def challenge_id(self) -> str | None:
        """The challenge whose board it is, None for others."""
        kind, _, rest = self.reference.partition("/")
        return rest if kind == "challenge" else None

    @property
    def topic(self) -> str:
        """Where its news is told."""
        return f"{_TOPICS}{self.reference}"


@dataclass(frozen=True, slots=True)
class BoardHint:
    """A board as it stands: how many rows, and its first ones: ``season`` for a season, ``top`` for all others."""

    board: Watched
    total: int
    top: list[Line] = field(default_factory=list)
    season: list[SeasonLine] | None = None


def of_challenge(challenge_id: str) -> Watched:
    """The board of a challenge."""
    return Watched(f"challenge/{challenge_id}")


def of_records(ruleset: str) -> Watched:
    """The records of a ruleset."""
    return Watched(f"records/{ruleset}")


def of_season(period: str, ruleset: str) -> Watched:
    """The season of a period, by its key, and a ruleset."""
    return Watched(f"season/{period}/{ruleset}")


class BoardNews:
    """Who watches which board, and which ones are to be told of."""

    def __init__(self, services: "Services") -> None:
        self._services = services
        self._waiting: dict[Watched, asyncio.Task[None]] = {}
        self._told_at: dict[Watched, int] = {}

    def watch(self, board: Watched, listener: Listener) -> None:
        """Tell the listener of changes of a board from now on."""
        self._services.hub.subscribe(board.topic, listener)

    def unwatch(self, board: Watched, listener: Listener) -> None:
        """Tell the listener no more; without effect where it does not watch."""
        self._services.hub.unsubscribe(board.topic, listener)

    def finished(self, challenge_id: str, ruleset: str, *, won: bool) -> None:
        """A ranked attempt has ended: its challenge's board has a line more, and the records where it was won."""
        self.changed(of_challenge(challenge_id))
        if won:
            self.changed(of_records(ruleset))

    def settled(self, row: ChallengeRow) -> None:
        """A daily has closed, or has lost a result after its close: its own board and its seasons are not the same."""
        self.changed(of_challenge(row.id))
        for period in () if row.date is None else periods.of_date(row.date):
            self.changed(of_season(period.key, row.ruleset))

    def withdrawn(self, row: ChallengeRow) -> None:
        """A result has been taken away."""
        self.changed(of_records(row.ruleset))
        if row.closed_at is not None:
            self.settled(row)
        else:
            self.changed(of_challenge(row.id))

    def changed(self, board: Watched) -> None:
        """Something has come to a board or gone from it. Costs nothing where nobody watches."""
        if board in self._waiting or not self._services.hub.listeners(board.topic):
            return
        task = asyncio.get_running_loop().create_task(self._tell(board), name="board news")
        self._waiting[board] = task
        task.add_done_callback(lambda done: self._told(board, done))

    def all_changed(self) -> None:
        """Results have come or gone, nobody knows where."""
        for topic in self._services.hub.topics(_TOPICS):
            self.changed(Watched(topic.removeprefix(_TOPICS)))

    async def hint(self, board: Watched) -> BoardHint:
        """A board as it stands now."""
        kind, *parts = board.reference.split("/")
        async with self._services.store.reading() as conn:
            if kind == "season":
                season = await ladder.page(conn, boards.of_season(parts[0], parts[1]), TOP)
                return BoardHint(board, season.total, season=season.lines)
            if kind == "records":
                records = await ladder.page(conn, boards.of_records(parts[0], "time"), TOP)
                return BoardHint(board, records.total, [found.line for found in records.lines])
            page = await boards.page(conn, parts[0], "main", TOP)
        return BoardHint(board, page.total, page.lines)

    async def close(self) -> None:
        """Tell nobody any more of what waits to be told."""
        tasks = list(self._waiting.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _tell(self, board: Watched) -> None:
        clock = self._services.clock
        await clock.sleep_until(self._told_at.get(board, -GAP_MS) + GAP_MS)
        self._told_at[board] = clock.now_ms()
        del self._waiting[board]  # what changes from here on may be missing in the answer
        self._services.hub.publish(board.topic, await self.hint(board))

    def _told(self, board: Watched, done: asyncio.Task[None]) -> None:
        if self._waiting.get(board) is done:  # cancelled while it waited
            del self._waiting[board]
        if not self._services.hub.listeners(board.topic):
            self._told_at.pop(board, None)
        if not done.cancelled() and (error := done.exception()) is not None:
            self._services.metrics.faults.inc()
            log.error("board news failed", exc_info=error)
