"""Boards as people read them: a page in either direction, the page about oneself, and one's own line."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from server.actions import board_news, dailies
from server.actions.board_news import Watched
from server.actions.dailies import Listed
from server.actions.dates import today
from server.actions.house import Services
from server.core.rules import Rules
from server.errors import GameError
from server.games import ruleset
from server.play.ranking import By
from server.store import boards, ladder, outages, periods
from server.store.boards import Line, RecordLine, RecordsBy, SeasonLine, View
from server.store.challenges import ChallengeRow
from server.store.ladder import Ladder
from server.store.lanes import Who
from server.store.periods import Period

L = TypeVar("L")

#: Rows of a page unless the reader asks for another number.
PAGE: Final = 50
#: Rows that an export reads at once.
BATCH: Final = 500

#: What is printed beside a season (docs/adr/0012).
FORMULA: Final = (
    "A closed daily gives 500 x (2 x (n - r + 1) - t) / n points, rounded down: n results on its board, r your rank, "
    "t results of that rank. A week adds up your best five days, a month the best five of each week's days in it, "
    "all time the weeks."
)


@dataclass(frozen=True, slots=True)
class Wish:
    """Which part of a board somebody wants, and of whom. Cursors come from earlier pages."""

    limit: int = PAGE
    after: str | None = None
    before: str | None = None
    around_me: bool = False
    who: Who = "all"
    friends: bool = False

    def view(self, player_id: str | None) -> View:
        """The view for a reader. Raises ``auth/required`` where nobody has friends."""
        if self.friends and player_id is None:
            raise GameError("auth/required", "friends are those of a player")
        return View(self.who, player_id if self.friends else None)


ANY: Final = Wish()


@dataclass(frozen=True, slots=True)
class Part(Generic[L]):
    """A page of any board. ``next`` and ``previous`` are cursors, None where the board ends; ``me`` is one's own line.

    Ranks and ``total`` are those within the view.
    """

    lines: list[L]
    total: int
    me: L | None
    next: str | None
    previous: str | None


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A page of a challenge's board. ``outage_ms`` is how long the server was away while the challenge was open."""

    listed: Listed
    part: Part[Line]
    outage_ms: int


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """A page of a season. ``before`` and ``after`` are the keys of the periods beside it, None where there is none."""

    period: Period
    rules: Rules
    running: bool
    before: str | None
    after: str | None
    part: Part[SeasonLine]


@dataclass(frozen=True, slots=True)
class RecordsPage:
    """A page of the records of a ruleset."""

    rules: Rules
    part: Part[RecordLine]


async def open_board(services: Services, reference: str) -> ChallengeRow:
    """The challenge whose board may be read, by its id or ``daily/DATE/RULESET``.

    Raises ``challenge/unknown``, ``ruleset/unknown`` or ``challenge/not_open``.
    """
    row = await dailies.resolve(services, reference)
    if row.kind == "practice":
        raise GameError("challenge/unknown", "practice has no board")
    if services.clock.now_ms() < row.opens_at:
        raise GameError("challenge/not_open", "the challenge has not opened yet")
    return row


async def watched(services: Services, reference: str) -> Watched:
    """The board of its address under ``/boards``, or of a challenge's id alone.

    The addresses are ``daily/DATE/RULESET``, ``challenge/ID``, ``season/PERIOD/RULESET`` and ``records/RULESET``.
    Running periods and days are called by their lasting names. Raises what the pages of these boards raise.
    """
    kind, *parts = reference.split("/")
    if kind == "season" and len(parts) == 2:
        return board_news.of_season(_period(services, parts[0]).key, ruleset(parts[1]).key)
    if kind == "records" and len(parts) == 1:
        return board_news.of_records(ruleset(parts[0]).key)
    return board_news.of_challenge((await open_board(services, reference.removeprefix("challenge/"))).id)


async def page(
    services: Services, reference: str, player_id: str | None, *, by: By = "main", wish: Wish = ANY
) -> BoardPage:
    """A page of a challenge's board, by the challenge's id or ``daily/DATE/RULESET``.

    ``around_me`` is the page about the player's own line; who is not on the board gets its beginning. Raises what
    :func:`open_board` raises, ``auth/required`` for friends of nobody, or ``protocol/malformed`` for cursors that no
    page gave or that contradict each other.
    """
    row = await open_board(services, reference)
    board = boards.of_challenge(row.id, by, wish.view(player_id))
    part = await _part(services, board, player_id, wish)
    now = services.clock.now_ms()
    async with services.store.reading() as conn:
        away = await outages.credit_ms(conn, row.opens_at, now if row.closes_at is None else min(now, row.closes_at))
    return BoardPage(await dailies.listed(services, row, player_id), part, away)


async def season(services: Services, period_text: str, key: str, player_id: str | None, wish: Wish = ANY) -> SeasonPage:
    """A page of a season: ``2026-W49``, ``2026-11``, ``all``, ``week`` or ``month``; see :func:`page`.

    Raises ``not_found`` for a text that names no period that has begun.
    """
    day = today(services.clock.now_ms())
    rules, period = ruleset(key), _period(services, period_text)
    part = await _part(services, boards.of_season(period.key, key, wish.view(player_id)), player_id, wish)
    before, after = periods.beside(period, day)
    return SeasonPage(period, rules, period.holds(day), before, after, part)


async def records(
    services: Services, key: str, player_id: str | None, *, by: RecordsBy = "time", wish: Wish = ANY
) -> RecordsPage:
    """A page of all ranked wins of a ruleset, the fastest or those in the fewest moves first; see :func:`page`."""
    rules = ruleset(key)
    return RecordsPage(rules, await _part(services, boards.of_records(key, by, wish.view(player_id)), player_id, wish))


async def challenge_ladder(services: Services, reference: str, by: By, view: View) -> Ladder[Line]:
    """A challenge's whole board, for an export. Raises what :func:`open_board` raises."""
    return boards.of_challenge((await open_board(services, reference)).id, by, view)


def season_ladder(services: Services, period_text: str, key: str, view: View) -> tuple[str, Ladder[SeasonLine]]:
    """The key of a season and the whole of it, for an export. Raises ``ruleset/unknown`` or ``not_found``."""
    ruleset(key)
    period = _period(services, period_text).key
    return period, boards.of_season(period, key, view)


def records_ladder(key: str, by: RecordsBy, view: View) -> Ladder[RecordLine]:
    """All records of a ruleset, for an export. Raises ``ruleset/unknown``."""
    ruleset(key)
    return boards.of_records(key, by, view)


async def every_line(services: Services, board: Ladder[Any]) -> AsyncIterator[list[Any]]:
    """All lines of a board, a batch at a time, each read in a short transaction of its own.

    What arrives meanwhile behind the last batch is in a later one, what arrives before it is not.
    """
    after: str | None = None
    while True:
        async with services.store.reading() as conn:
            found = await ladder.page(conn, board, BATCH, after=after)
        yield found.lines
        if found.next is None:
            return
        after = found.next


def _period(services: Services, text: str) -> Period:
    period = periods.parse(text, today(services.clock.now_ms()))
    if period is None:
        raise GameError("not_found", "a period is 2026-W49, 2026-11, all, week or month, and has begun")
    return period


async def _part(services: Services, board: Ladder[L], player_id: str | None, wish: Wish) -> Part[L]:
    if wish.around_me and (wish.after is not None or wish.before is not None):
        raise GameError("protocol/malformed", "around=me needs no cursor")
    async with services.store.reading() as conn:
        me: L | None = None
        if player_id is not None:
            me = await ladder.line(conn, board, player_id)
        found = None
        if wish.around_me and player_id is not None:
            found = await ladder.around(conn, board, player_id, wish.limit)
        if found is None:
            found = await ladder.page(conn, board, wish.limit, after=wish.after, before=wish.before)
    return Part(found.lines, found.total, me, found.next, found.previous)
