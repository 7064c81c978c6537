"""The calendar: what is planned for which day and ruleset. No seed is in it, not even an owner's."""

import re
from datetime import date, timedelta
from typing import Final, Literal, NamedTuple

from server.actions import dailies
from server.actions.admin.roles import Actor
from server.actions.dates import today
from server.actions.house import Services
from server.core.rules import Rules
from server.errors import GameError
from server.solve.difficulty import level_of_day
from server.store import boards, challenges, deals, plans
from server.store.challenges import ChallengeRow
from server.store.periods import EARLIEST
from server.store.plans import PlanRow
from server.store.stock import Difficulty

#: Days that are shown or filled at once.
MOST_DAYS: Final = 100
#: Days ahead that can be planned.
HORIZON: Final = 400

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)

State = Literal["closed", "running", "published", "coming"]
Source = Literal["rule", "difficulty", "deal", "seed"]


class Cell(NamedTuple):
    """A day and a ruleset. Only what is ``coming`` can be planned: ``published`` means that its commitment is out.

    ``difficulty`` is that of the deal once it is made, None where that was not certified; before, the one that is
    planned. ``version`` is that of the plan, 0 without one. ``results`` counts those on the board.
    """

    day: date
    rules: Rules
    state: State
    source: Source
    difficulty: Difficulty | None
    deal_id: str | None
    version: int
    challenge: ChallengeRow | None
    results: int


class Calendar(NamedTuple):
    """Days with their cells, in the order of dates and of the dailies' list."""

    first: date
    last: date
    today: date
    cells: list[Cell]


async def show(services: Services, who: Actor, first_text: str, last_text: str) -> Calendar:
    """The calendar from a date to another. Raises ``admin/dates`` for no dates, or too many."""
    who.needs("calendar.read")
    first, last = parse_day(first_text), parse_day(last_text)
    span(first, last)
    now_ms = services.clock.now_ms()
    present = today(now_ms)
    cells = []
    async with services.store.reading() as conn:
        planned = {
            (row.date, row.ruleset): row for row in await plans.between(conn, first.isoformat(), last.isoformat())
        }
        made = await challenges.dailies_between(conn, first.isoformat(), last.isoformat())
        levels = await deals.levels_of(conn, [row.id for row in made.values()])
        for day in days(first, last):
            for rules in dailies.daily_rulesets():
                key = (day.isoformat(), rules.key)
                challenge = made.get(key)
                results = 0
                if challenge is not None and challenge.opens_at <= now_ms:
                    results = await boards.total(conn, challenge.id)
                elif challenge is None and day < present:
                    continue  # nothing was played on that day
                found = _cell(day, rules, planned.get(key), challenge, results, now_ms)
                if challenge is not None:
                    found = found._replace(difficulty=levels.get(challenge.id))
                cells.append(found)
    return Calendar(first, last, present, cells)


async def cell(services: Services, day: date, rules: Rules) -> Cell:
    """A coming day and ruleset as they stand."""
    async with services.store.reading() as conn:
        plan = await plans.plan(conn, day.isoformat(), rules.key)
        challenge = await challenges.daily(conn, day.isoformat(), rules.key)
    return _cell(day, rules, plan, challenge, 0, services.clock.now_ms())


def _cell(
    day: date, rules: Rules, plan: PlanRow | None, challenge: ChallengeRow | None, results: int, now_ms: int
) -> Cell:
    state: State = "coming"
    if challenge is not None:
        state = "published" if challenge.opens_at > now_ms else "running" if challenge.closed_at is None else "closed"
    source, difficulty, deal_id = what(plan, day)
    version = 0 if plan is None else plan.version
    return Cell(day, rules, state, source, difficulty, deal_id, version, challenge, results)


def what(plan: PlanRow | None, day: date) -> tuple[Source, Difficulty | None, str | None]:
    """Where a day's deal comes from, how hard it is as far as that is known, and which deal it is."""
    if plan is None:
        return "rule", level_of_day(day), None
    difficulty = plan.difficulty
    if plan.deal_id is not None:
        return "deal", difficulty, plan.deal_id
    return ("difficulty" if plan.seed is None else "seed"), difficulty, None


def parse_day(text: str) -> date:
    """A date ``YYYY-MM-DD``. Raises ``admin/dates``."""
    try:
        if not _DATE.fullmatch(text):
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError:
        raise GameError("admin/dates", "a date is YYYY-MM-DD") from None


def span(first: date, last: date) -> None:
    """Raises ``admin/dates`` where the days from one to another are none, or more than are dealt with at once."""
    if not EARLIEST <= first <= last or (last - first).days >= MOST_DAYS or last.year > 9000:
        raise GameError("admin/dates", f"1 to {MOST_DAYS} days, from 2020 on")


def days(first: date, last: date) -> list[date]:
    """The dates from one to another, both included."""
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]
