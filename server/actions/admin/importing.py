"""Lists of seeds for coming days: read, checked line by line, and stored all or not at all.

Who sends a seed knows it, so he is barred from ranking on it: also where it is only checked, or stands already.
"""

import asyncio
import csv
import json
from collections.abc import Iterator
from datetime import date
from typing import Final, Literal, NamedTuple

from msgspec import structs
from sqlalchemy.ext.asyncio import AsyncConnection

from server.actions.admin.calendar import parse_day
from server.actions.admin.planning import daily_rules, may_plan
from server.actions.admin.roles import Actor, player_of
from server.actions.house import Services
from server.core.deck import commitment, parse_seed, shuffled
from server.core.rules import Rules, Undecided
from server.errors import GameError
from server.store import admins, plans
from server.store.plans import PlanRow

Format = Literal["csv", "ndjson"]

#: Lines of one list.
MOST_LINES: Final = 5000
#: Refusals that are told.
SHOWN: Final = 500

_FIELDS: Final = ("date", "ruleset", "seed")


class _Wrong(NamedTuple):
    code: str
    message: str
    same_as: int | None = None


class Line(NamedTuple):
    """A line of a list that has the form of one; ``deal`` says what is wrong with its deal."""

    number: int
    date: str
    ruleset: str
    seed: str
    deal: _Wrong | None


class Refused(NamedTuple):
    """Why a line cannot be taken; ``number`` counts lines from 1, ``same_as`` is the line that it repeats.

    The words never repeat a seed.
    """

    number: int
    code: str
    message: str
    same_as: int | None


class Imported(NamedTuple):
    """What became of a list: stored only where nothing was refused and it was no rehearsal."""

    stored: bool
    planned: int
    unchanged: int
    refused: list[Refused]
    refused_total: int


async def import_seeds(services: Services, who: Actor, text: str, form: Format, *, dry_run: bool = False) -> Imported:
    """Plan explicit seeds for coming days from lines of date, ruleset and seed.

    A list that was stored before changes nothing; a rehearsal only bars whoever makes it. Raises ``admin/unbound``, or
    ``protocol/malformed`` for more lines than are taken at once.
    """
    who.needs("calendar.import")
    admin_id, _ = player_of(who)
    lines, malformed = await asyncio.to_thread(_read, text, form)
    seeds = sorted({line.seed for line in lines})
    known = await asyncio.to_thread(lambda: [commitment(seed) for seed in seeds])
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        await plans.alone(conn)
        await admins.bar(conn, admin_id, known, "prepared", now)
        used = await plans.used_seeds(conn, seeds)
        wanted, unchanged, wrong = await _checked(conn, lines, used, now)
        refused = sorted([*malformed, *wrong], key=lambda one: one.number)
        stored = not refused and not dry_run
        if stored and wanted:
            number = await who.note(
                conn, now, "calendar.import", "calendar", after={"planned": len(wanted), "days": _days(wanted)}
            )
            await plans.add(conn, [structs.replace(plan, version=number) for plan in wanted])
    return Imported(stored, len(wanted), unchanged, refused[:SHOWN], len(refused))


async def _checked(
    conn: AsyncConnection, lines: list[Line], used: set[str], now: int
) -> tuple[list[PlanRow], int, list[Refused]]:
    """The plans that a list makes, how many of its lines stand already, and what is wrong with the others."""
    keys = [(line.date, line.ruleset) for line in lines]
    made = await plans.made(conn, keys)
    spans = sorted(text for text, _ in keys)
    standing = {(row.date, row.ruleset): row for row in await plans.between(conn, spans[0], spans[-1])} if spans else {}
    seen: dict[tuple[str, str], int] = {}
    seeds: dict[str, int] = {}
    wanted, unchanged, refused = list[PlanRow](), 0, list[Refused]()
    for line in lines:
        cell = (line.date, line.ruleset)
        plan = standing.get(cell)
        there = made.get(cell) or (plan.seed if plan is not None else None)
        wrong: _Wrong | None = None
        if cell in seen:
            wrong = _Wrong("calendar/taken", f"line {seen[cell]} has the same date and ruleset", seen[cell])
        if wrong is None and line.seed in seeds:
            wrong = _Wrong("deal/used", f"line {seeds[line.seed]} has the same seed", seeds[line.seed])
        seen.setdefault(cell, line.number)
        seeds.setdefault(line.seed, line.number)
        if wrong is None and there == line.seed:
            unchanged += 1
            continue
        if wrong is None:
            wrong = _place(line, made=cell in made, planned=plan is not None, now_ms=now)
        if wrong is None and line.seed in used:
            wrong = _Wrong("deal/used", "the seed was used before")
        if wrong is None:
            wrong = line.deal
        if wrong is not None:
            refused.append(Refused(line.number, *wrong))
        else:
            wanted.append(PlanRow(line.date, line.ruleset, None, None, line.seed, 0, now))
    return wanted, unchanged, refused


def _read(text: str, form: Format) -> tuple[list[Line], list[Refused]]:
    """The lines of a list, and those that are none. Looks at every deal, which takes its time."""
    lines, refused = list[Line](), list[Refused]()
    taken = 0
    for number, row in enumerate(_rows(text, form), 1):
        if row is None:
            continue
        taken += 1
        if taken > MOST_LINES:
            raise GameError("protocol/malformed", f"a list has at most {MOST_LINES} lines")
        if isinstance(row, _Wrong):
            refused.append(Refused(number, *row))
            continue
        day, key, seed = row
        try:
            parse_day(day)
            rules = daily_rules(key)
            parse_seed(seed)
        except GameError as refusal:
            refused.append(Refused(number, refusal.code, refusal.message, None))
        else:
            lines.append(Line(number, day, key, seed, _deal(rules, seed)))
    return lines, refused


def _place(line: Line, *, made: bool, planned: bool, now_ms: int) -> _Wrong | None:
    if not may_plan(date.fromisoformat(line.date), now_ms):
        return _Wrong("calendar/locked", "the date is no coming one, or too far away")
    if made:
        return _Wrong("calendar/locked", "the deal of that day is published")
    if planned:
        return _Wrong("calendar/taken", "something else is planned for that day; clear it first")
    return None


def _deal(rules: Rules, seed: str) -> _Wrong | None:
    """Whether a deal can be a daily: it has a first move, and is not known to be lost."""
    start = rules.deal(shuffled(seed, rules.deck))
    if not rules.moves(start):
        return _Wrong("deal/none", "the deal has no first move")
    try:
        lost = rules.winnable(rules.view(start), {}) is False
    except Undecided:
        lost = False
    return _Wrong("deal/none", "the deal cannot be won") if lost else None


def _rows(text: str, form: Format) -> Iterator[tuple[str, str, str] | _Wrong | None]:
    """What each line says; None for an empty one and for a heading."""
    for number, written in enumerate(text.removeprefix("\ufeff").split("\n")):
        line = written.strip()
        if not line or (number == 0 and line.replace(" ", "").lower() == ",".join(_FIELDS)):
            yield None
        else:
            yield _csv(line) if form == "csv" else _ndjson(line)


def _csv(line: str) -> tuple[str, str, str] | _Wrong:
    try:
        fields = [field.strip() for field in next(csv.reader([line]))]
    except (csv.Error, StopIteration):
        fields = []
    if len(fields) != len(_FIELDS):
        return _Wrong("protocol/malformed", "a line is date,ruleset,seed")
    return fields[0], fields[1], fields[2]


def _ndjson(line: str) -> tuple[str, str, str] | _Wrong:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict) or not all(isinstance(values.get(name), str) for name in _FIELDS):
        return _Wrong("protocol/malformed", 'a line is {"date": "…", "ruleset": "…", "seed": "…"}')
    return values["date"], values["ruleset"], values["seed"]


def _days(rows: list[PlanRow]) -> list[str]:
    return sorted({row.date for row in rows})
