"""News of boards: who looks at one is told of changes, at most once a second. Hints, never truth (DESIGN 8)."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import structlog

from server.live.hub import Listener
from server.store import boards
from server.store.boards import Line

if TYPE_CHECKING:
    from server.actions.house import Services

log = structlog.get_logger(__name__)

#: Milliseconds between two pieces of news of one board.
GAP_MS: Final = 1000
#: Lines at the top of a board that come with its news.
TOP: Final = 10


@dataclass(frozen=True, slots=True)
class BoardHint:
    """A board as it stands: how many results, and its first lines."""

    challenge_id: str
    total: int
    top: list[Line]


class BoardNews:
    """Who watches which board, and which ones are to be told of."""

    def __init__(self, services: "Services") -> None:
        self._services = services
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._told_at: dict[str, int] = {}

    def watch(self, challenge_id: str, listener: Listener) -> None:
        """Tell the listener of changes of a board from now on."""
        self._services.hub.subscribe(_topic(challenge_id), listener)

    def unwatch(self, challenge_id: str, listener: Listener) -> None:
        """Tell the listener no more; without effect where it does not watch."""
        self._services.hub.unsubscribe(_topic(challenge_id), listener)

    def changed(self, challenge_id: str) -> None:
        """A result has come or gone. Costs nothing where nobody watches."""
        if challenge_id in self._waiting or not self._services.hub.listeners(_topic(challenge_id)):
            return
        task = asyncio.get_running_loop().create_task(self._tell(challenge_id), name="board news")
        self._waiting[challenge_id] = task
        task.add_done_callback(lambda done: self._told(challenge_id, done))

    async def hint(self, challenge_id: str) -> BoardHint:
        """A board as it stands now."""
        async with self._services.store.reading() as conn:
            page = await boards.page(conn, challenge_id, "main", TOP)
        return BoardHint(challenge_id, page.total, page.lines)

    async def close(self) -> None:
        """Tell nobody any more of what waits to be told."""
        tasks = list(self._waiting.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _tell(self, challenge_id: str) -> None:
        clock = self._services.clock
        await clock.sleep_until(self._told_at.get(challenge_id, -GAP_MS) + GAP_MS)
        self._told_at[challenge_id] = clock.now_ms()
        del self._waiting[challenge_id]  # what changes from here on may be missing in the answer
        self._services.hub.publish(_topic(challenge_id), await self.hint(challenge_id))

    def _told(self, challenge_id: str, done: asyncio.Task[None]) -> None:
        if self._waiting.get(challenge_id) is done:  # cancelled while it waited
            del self._waiting[challenge_id]
        if not self._services.hub.listeners(_topic(challenge_id)):
            self._told_at.pop(challenge_id, None)
        if not done.cancelled() and (error := done.exception()) is not None:
            self._services.metrics.faults.inc()
            log.error("board news failed", exc_info=error)


def _topic(challenge_id: str) -> str:
    return f"board/{challenge_id}"
