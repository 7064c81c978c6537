"""Help for players who practise: the next move of a winning line, and whether the position can still be won.

Nothing here waits for a search: what is known is answered at once, the rest comes as a Verdict or as a late answer.
Ranked attempts get none of it.
"""

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from server.actions.guide import Guide, Known
from server.actions.table import Table, Verdict
from server.core.moves import RESERVED, Move
from server.errors import GameError
from server.play.attempt import Attempt
from server.solve.guidance import guided

if TYPE_CHECKING:
    from server.actions.house import Services


#: Seconds that a position must stand before the light looks at it: who plays on quickly needs no search.
REST_S: Final = 0.15


class Hint(NamedTuple):
    """The next move of a winning line, at a number of log entries."""

    table: Table
    seq: int
    move: Move


class Guiding:
    """What the practice tables of one server are helped with."""

    def __init__(self, services: "Services") -> None:
        self._services = services

    def verdict(self, table: Table, attempt: Attempt) -> bool | None:
        """What is known of an attempt at a table, now or after the entry that is being stored.

        A search for what is not known starts once the table has come so far.
        """
        guide = table.guide
        if guide is not None and attempt is not table.attempt:
            last = attempt.last
            if last is not None and last.entry.text not in RESERVED:
                guide.follow(table.attempt.position, last.entry.text, attempt.position)
        if attempt is table.attempt:
            self._look(table)
        known = None if guide is None else guide.of(attempt.position)
        return None if known is None else known.winnable

    def moved(self, table: Table) -> None:
        """A table has a new position: nobody needs the search for the old one."""
        guide, attempt = table.guide, table.attempt
        searching = guide is not None and guide.search is not None and not guide.search.done()
        if guide is not None and searching and (attempt.over or guide.searched != guide.key(attempt.position)):
            guide.forget_search()
        self._look(table)

    def left(self, table: Table) -> None:
        """A player has turned to another table: unless somebody else is at this one, nothing is searched for it.

        Whoever has asked for a hint there is still at it.
        """
        if table.guide is not None and table.holders <= 1:
            table.guide.leave()

    def _look(self, table: Table) -> None:
        """Find out about the position of a table where its ruleset tells that in practice (B10), after a rest."""
        attempt = table.attempt
        if not attempt.rules.told_in_practice or attempt.over is not None:
            return
        guide = table.guide = table.guide or Guide()
        if guide.of(attempt.position) is None:
            loop = asyncio.get_running_loop()
            guide.rest_until = loop.time() + REST_S
            if guide.rest is None:  # else its end finds out that the table has moved on
                guide.rest = loop.call_at(guide.rest_until, self._rested, table, guide)

    def _rested(self, table: Table, guide: Guide) -> None:
        guide.rest = None
        loop = asyncio.get_running_loop()
        if loop.time() < guide.rest_until:
            guide.rest = loop.call_at(guide.rest_until, self._rested, table, guide)
        elif table.attempt.over is None and guide.of(table.attempt.position) is None:
            self._search(table)

    def _search(self, table: Table) -> "asyncio.Task[Known | GameError]":
        """The search for the position of a table, started unless it is under way."""
        guide = table.guide = table.guide or Guide()
        key = guide.key(table.attempt.position)
        if guide.search is None or guide.search.done() or guide.searched != key:
            guide.forget_search()
            guide.searched = key
            guide.search = asyncio.get_running_loop().create_task(self._found(table, guide, key))
            self._services.tasks.add(guide.search)
            guide.search.add_done_callback(self._services.tasks.discard)
        return guide.search

    async def _found(self, table: Table, guide: Guide, key: bytes) -> Known | GameError:
        attempt = table.attempt
        rules = attempt.rules
        work = partial(guided, key=rules.key, version=rules.version, piles=dict(attempt.position.piles))
        try:
            winnable, line = await self._services.searches.run(table.seat.player_id, work, urgent=True)
        except GameError as refusal:
            return refusal
        known = Known(winnable, line)
        guide.learn(key, known)
        if winnable is not None and rules.told_in_practice and guide.key(table.attempt.position) == key:
            self._services.house.publish(table, Verdict(table, table.attempt.seq, winnable))
        return known

    async def hint(self, table: Table, arrived_ms: int) -> Hint:
        """The next move of a winning line from a table's position, by the true order of the cards.

        Raises ``attempt/no_hint`` in ranked play and where no winning line is known, with the reason;
        ``attempt/over``, ``protocol/rate``, ``attempt/stale`` where the table moved on meanwhile, or ``try_later``.
        """
        if table.seat.ranked:
            raise GameError("attempt/no_hint", "there are no hints in ranked play", reason="ranked")
        attempt = table.attempt
        if attempt.over is not None:
            raise GameError("attempt/over", "the attempt has ended")
        services = self._services
        if not services.unlimited and not services.hints.take(table.seat.player_id, arrived_ms, 1):
            raise GameError("protocol/rate", "too many hints at once")
        known = None if table.guide is None else table.guide.of(attempt.position)
        if known is None:
            known = await self._searched(table)
        if known.move is not None:
            return Hint(table, attempt.seq, known.move)
        if known.winnable is False:
            raise GameError("attempt/no_hint", "this position can no longer be won", reason="lost")
        raise GameError("attempt/no_hint", "no winning line was found", reason="undecided")

    async def _searched(self, table: Table) -> Known:
        search = self._search(table)
        await asyncio.wait({search})
        if search.cancelled():
            raise GameError("attempt/stale", "the table moved on meanwhile")
        found = search.result()
        if isinstance(found, GameError):
            raise found
        return found
