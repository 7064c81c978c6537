"""Planning coming days: schedule, clear, move, swap, fill by rule.

A day that has begun, or whose deal is published, is never touched. Two admins at once: every change names the version
of the cell that its maker has seen, and is refused where that is no longer the one that stands.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple

from msgspec import structs
from sqlalchemy.ext.asyncio import AsyncConnection

from server.actions import dailies
from server.actions.admin import calendar
from server.actions.admin.calendar import HORIZON, Cell, parse_day, span, what
from server.actions.admin.roles import Actor
from server.actions.dates import today
from server.actions.house import Services
from server.core.rules import Rules
from server.errors import GameError
from server.solve.difficulty import WEEK
from server.store import deals, plans
from server.store.deals import Wish
from server.store.plans import PlanRow
from server.store.stock import Difficulty

#: A rule that names no weekday: that of the dailies.
BY_WEEKDAY: Final[Mapping[int, Difficulty]] = dict(enumerate(WEEK))


class Pair(NamedTuple):
    """A ruleset on two days, with the versions of both cells that its mover has seen."""

    ruleset: str
    first_version: int
    second_version: int


class Filled(NamedTuple):
    """What a fill has done: cells that were planned, those that were left as they were, and deals that were chosen."""

    planned: int
    kept: int
    chosen: int


async def schedule(
    services: Services,
    who: Actor,
    day_text: str,
    key: str,
    version: int,
    *,
    difficulty: Difficulty | None = None,
    deal_id: str | None = None,
) -> Cell:
    """Plan a difficulty, or a deal of the stock, for a day and ruleset.

    Raises ``admin/dates``, ``ruleset/unknown``, ``calendar/locked``, ``calendar/stale``, or for a deal that is not to
    be had ``deal/unknown`` or ``deal/used``.
    """
    if (difficulty is None) == (deal_id is None):
        raise GameError("protocol/malformed", "name a difficulty or a deal")
    who.needs("calendar.write")
    day, rules = parse_day(day_text), daily_rules(key)
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        await plans.alone(conn)
        before = await _open(conn, day, rules, version, now)
        if deal_id is not None and (before is None or before.deal_id != deal_id):
            difficulty = await _free(conn, rules, deal_id)
        elif before is not None and deal_id is not None:
            difficulty = before.difficulty
        wanted = PlanRow(day.isoformat(), key, difficulty, deal_id, None, 0, now)
        number = await who.note(
            conn, now, "calendar.schedule", target(day, key), before=told(before, day), after=told(wanted, day)
        )
        await plans.write(conn, structs.replace(wanted, version=number))
    return await calendar.cell(services, day, rules)


async def clear(services: Services, who: Actor, day_text: str, key: str, version: int) -> Cell:
    """Let a day and ruleset follow the rule again. Raises as :func:`schedule`."""
    who.needs("calendar.write")
    day, rules = parse_day(day_text), daily_rules(key)
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        await plans.alone(conn)
        before = await _open(conn, day, rules, version, now)
        if before is not None:
            await plans.drop(conn, before.date, key)
            await who.note(conn, now, "calendar.clear", target(day, key), before=told(before, day))
    return await calendar.cell(services, day, rules)


async def move(services: Services, who: Actor, first_text: str, second_text: str, pairs: Sequence[Pair]) -> list[Cell]:
    """Move what is planned from a day to another, where nothing is planned; all rulesets or none.

    Raises as :func:`schedule`, and ``calendar/taken`` where something is planned.
    """
    return await _exchange(services, who, first_text, second_text, pairs, "calendar.move")


async def swap(services: Services, who: Actor, first_text: str, second_text: str, pairs: Sequence[Pair]) -> list[Cell]:
    """Swap what is planned for two days; all rulesets or none. Raises as :func:`schedule`."""
    return await _exchange(services, who, first_text, second_text, pairs, "calendar.swap")


async def _exchange(
    services: Services, who: Actor, first_text: str, second_text: str, pairs: Sequence[Pair], action: str
) -> list[Cell]:
    who.needs("calendar.write")
    first, second = parse_day(first_text), parse_day(second_text)
    chosen = [(daily_rules(pair.ruleset), pair) for pair in pairs]
    if first == second or not chosen or len({pair.ruleset for pair in pairs}) < len(chosen):
        raise GameError("admin/dates", "two days, and each ruleset once")
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        await plans.alone(conn)
        sides = []
        for rules, pair in chosen:
            one = await _open(conn, first, rules, pair.first_version, now)
            other = await _open(conn, second, rules, pair.second_version, now)
            if action == "calendar.move" and other is not None:
                raise GameError("calendar/taken", "something is planned for that day")
            sides.append((rules.key, one, other))
        number = await who.note(
            conn,
            now,
            action,
            f"calendar/{first}/{second}",
            before={key: [told(one, first), told(other, second)] for key, one, other in sides},
            after={key: [told(other, first), told(one, second)] for key, one, other in sides},
        )
        for key, one, other in sides:
            await plans.drop(conn, first.isoformat(), key)
            await plans.drop(conn, second.isoformat(), key)
            for day, plan in ((second, one), (first, other)):
                if plan is not None:
                    await plans.write(conn, structs.replace(plan, date=day.isoformat(), version=number))
    return [await calendar.cell(services, day, rules) for day in (first, second) for rules, _ in chosen]


async def fill(
    services: Services,
    who: Actor,
    first_text: str,
    last_text: str,
    keys: Sequence[str] = (),
    rule: Mapping[int, Difficulty] = BY_WEEKDAY,
) -> Filled:
    """Plan every coming day of a span that has no plan by a rule: a difficulty by weekday, 0 for Monday.

    Where the stock has a deal of that difficulty it is chosen, else one is when the day is made. Weekdays that the
    rule does not name, days with a plan, and days that are past or published are left as they are.
    Twice is the same as once. Raises ``admin/dates`` or ``ruleset/unknown``.
    """
    who.needs("calendar.write")
    first, last = parse_day(first_text), parse_day(last_text)
    span(first, last)
    chosen = [daily_rules(key) for key in keys] or list(dailies.daily_rulesets())
    now = services.clock.now_ms()
    cells = [(day.isoformat(), rules.key) for day in calendar.days(first, last) for rules in chosen]
    async with services.store.writing() as conn:
        await plans.alone(conn)
        made = await plans.made(conn, cells)
        planned = {(row.date, row.ruleset) for row in await plans.between(conn, first.isoformat(), last.isoformat())}
        wanted = [
            PlanRow(text, key, rule[date.fromisoformat(text).weekday()], None, None, 0, now)
            for text, key in cells
            if (text, key) not in made
            and (text, key) not in planned
            and date.fromisoformat(text).weekday() in rule
            and may_plan(date.fromisoformat(text), now)
        ]
        chosen_count = 0
        if wanted:
            number = await who.note(
                conn,
                now,
                "calendar.fill",
                f"calendar/{first}/{last}",
                after={"planned": len(wanted), "rulesets": [rules.key for rules in chosen], "rule": _named(rule)},
            )
            chosen_deals = await _deals_for(conn, wanted)
            chosen_count = sum(deal_id is not None for deal_id in chosen_deals)
            filled = [
                structs.replace(row, version=number, deal_id=deal_id)
                for row, deal_id in zip(wanted, chosen_deals, strict=True)
            ]
            await plans.add(conn, filled)
    return Filled(len(wanted), len(cells) - len(wanted), chosen_count)


async def _deals_for(conn: AsyncConnection, wanted: Sequence[PlanRow]) -> list[str | None]:
    """A free deal of its difficulty for each plan, the oldest first; None where the stock has no more."""
    needed = Counter((row.ruleset, row.difficulty) for row in wanted)
    free: dict[tuple[str, str | None], Iterator[str]] = {}
    for (key, level), count in needed.items():
        assert level is not None, "the rule names one"
        found = await deals.free(conn, Wish(key, (level,)), daily_rules(key).version, count, None)
        free[key, level] = iter([deal.id for deal in found])
    return [next(free[row.ruleset, row.difficulty], None) for row in wanted]


def daily_rules(key: str) -> Rules:
    """The rules of a daily. Raises ``ruleset/unknown``."""
    for rules in dailies.daily_rulesets():
        if rules.key == key:
            return rules
    raise GameError("ruleset/unknown", "no daily has this ruleset")


def may_plan(day: date, now_ms: int) -> bool:
    """Whether a date is a coming one, and not too far away."""
    return today(now_ms) < day <= today(now_ms) + timedelta(days=HORIZON)


def target(day: date, key: str) -> str:
    """What the audit log calls a day and ruleset."""
    return f"daily/{day}/{key}"


def told(plan: PlanRow | None, day: date) -> dict[str, str | None]:
    """A plan as the audit log has it: never a seed."""
    source, difficulty, deal_id = what(plan, day)
    return {"source": source, "difficulty": difficulty, "deal": deal_id}


async def _free(conn: AsyncConnection, rules: Rules, deal_id: str) -> Difficulty:
    """The difficulty of a deal of the stock that can be planned."""
    if await deals.ruleset_of(conn, deal_id) != rules.key:
        raise GameError("deal/unknown", "no deal of this ruleset has that id")
    deal = await deals.one_free(conn, deal_id)
    if deal is None:
        raise GameError("deal/used", "the deal is used or planned")
    return deal.difficulty


async def _open(conn: AsyncConnection, day: date, rules: Rules, version: int, now_ms: int) -> PlanRow | None:
    """The plan of a cell that may be changed by somebody who has seen that version."""
    if not may_plan(day, now_ms):
        raise GameError("calendar/locked", f"only coming days can be planned, {HORIZON} ahead at most")
    cell = (day.isoformat(), rules.key)
    if await plans.made(conn, [cell]):
        raise GameError("calendar/locked", "the deal of that day is published")
    plan = await plans.plan(conn, *cell)
    if (0 if plan is None else plan.version) != version:
        raise GameError("calendar/stale", "somebody has planned that day anew; look again")
    return plan


def _named(rule: Mapping[int, Difficulty]) -> dict[str, str]:
    return {str(weekday): difficulty for weekday, difficulty in sorted(rule.items())}
