"""Where an attempt was lost, and how far it was from par: found out once its deal is no secret any more (DESIGN 1.6).

An analysis takes seconds, in a process of its own. It is kept in memory for whoever asks next; a deal is searched once
for all attempts at it.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable
from functools import partial
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from server.actions.sight import may_see
from server.core.rules import Rules
from server.errors import GameError
from server.games import ruleset
from server.solve.turning import Analysis, Deal, analysed
from server.store import attempts, challenges, stock
from server.store.attempts import AttemptRow
from server.store.challenges import ChallengeRow

if TYPE_CHECKING:
    from server.actions.house import Services

#: Seconds that a request waits before it is told that it is being found out; the search goes on meanwhile.
PATIENCE_S: Final = 8.0
#: Analyses and deals that are kept.
KEPT: Final = 500
#: The owner of searches for those who have no session.
VISITORS: Final = "visitors"

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kept(OrderedDict[Key, Value], Generic[Key, Value]):
    """The latest so many things."""

    def keep(self, key: Key, value: Value) -> None:
        """Keep one more; the oldest makes room."""
        self[key] = value
        while len(self) > KEPT:
            self.popitem(last=False)


class Found(NamedTuple):
    """An analysis with what it is about, None while it is being found out.

    ``above_par`` is told of a win whose deal has a par.
    """

    row: AttemptRow
    rules: Rules
    analysis: Analysis | None
    above_par: int | None


class Analyses:
    """The analyses of one server."""

    def __init__(self, services: "Services") -> None:
        self._services = services
        self._kept: Kept[tuple[str, int], Analysis] = Kept()
        self._deals: Kept[tuple[str, int, str], Deal] = Kept()
        self._running: dict[tuple[str, int], asyncio.Task[Analysis | GameError]] = {}

    async def of(self, attempt_id: str, viewer_id: str | None) -> Found:
        """The analysis of an attempt, for whoever may see its record once the challenge is closed for everybody.

        Of practice it is its player's, once that attempt has ended. Raises ``attempt/unknown``, ``auth/required``,
        ``attempt/not_yours``, ``challenge/not_open`` before the close, and ``try_later`` where too much is searched.
        """
        async with self._services.store.reading() as conn:
            row = await attempts.attempt(conn, attempt_id)
            if row is None:
                raise GameError("attempt/unknown", "no such attempt")
            deal = await challenges.challenge(conn, row.challenge_id)
            assert deal is not None, "a foreign key holds this"
            may_see(row, deal, viewer_id)
            if row.over is None or (row.ranked and deal.closed_at is None):
                raise GameError("challenge/not_open", "told once the challenge has closed, or the practice has ended")
            about = deal.ruleset, deal.rules_version, deal.seed
            if about not in self._deals and (proved := await stock.of_challenge(conn, deal.id)) is not None:
                # What is published with the deal holds: a search of its own may find another par.
                self._deals.keep(about, Deal(True, proved.par, proved.par_exact, proved.score))
            key = row.id, row.seq
            entries = [] if key in self._kept or key in self._running else await attempts.log(conn, row.id)
        rules = ruleset(deal.ruleset, deal.rules_version)
        analysis = self._kept.get(key)
        if analysis is None:
            search = self._running.get(key)
            if search is None:
                search = self._search(row, deal, [text for text, _ in entries], viewer_id or VISITORS)
            await asyncio.wait({search}, timeout=PATIENCE_S)
            if not search.done():
                return Found(row, rules, None, None)
            found = search.result()
            if isinstance(found, GameError):
                raise found
            analysis = found
        par = analysis.deal.par
        above = None if par is None or row.over != "won" else row.moves - par
        return Found(row, rules, analysis, above)

    def _search(
        self, row: AttemptRow, deal: ChallengeRow, log: list[str], owner: str
    ) -> "asyncio.Task[Analysis | GameError]":
        key = row.id, row.seq
        search = asyncio.get_running_loop().create_task(self._analysed(key, deal, log, owner))
        self._running[key] = search
        self._services.tasks.add(search)
        search.add_done_callback(self._services.tasks.discard)
        search.add_done_callback(lambda _: self._running.pop(key, None))
        return search

    async def _analysed(
        self, key: tuple[str, int], deal: ChallengeRow, log: list[str], owner: str
    ) -> Analysis | GameError:
        about = deal.ruleset, deal.rules_version, deal.seed
        work = partial(
            analysed,
            key=deal.ruleset,
            version=deal.rules_version,
            seed=deal.seed,
            log=log,
            deal=self._deals.get(about),
        )
        try:
            analysis = await self._services.searches.run(owner, work)
        except GameError as refusal:
            return refusal
        self._deals.keep(about, analysis.deal)
        self._kept.keep(key, analysis)
        return analysis
