"""A made-up past: players, closed dailies and attempts that were really played, the same for the same figures.

Every attempt goes move by move through :class:`server.play.attempt.Attempt`, and its rows are made by the code that a
rebuild compares with. Nothing here may be used where real people play.
"""

# ruff: noqa: S311 - it must be the same every time, not secret

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final, NamedTuple, cast

from sqlalchemy import Table, func, insert, select, text

from server.actions.dailies import GRACE_MS, daily_rulesets
from server.actions.dates import midnight_ms
from server.core.deck import shuffled
from server.core.moves import Move
from server.core.rules import Rules, Undecided
from server.errors import SamedealError
from server.play.attempt import Attempt
from server.store import seasons, tallies
from server.store.challenges import ChallengeRow
from server.store.engine import Store
from server.store.ids import uuid7
from server.store.rebuild import written
from server.store.tables import Attempt as AttemptTable
from server.store.tables import Challenge, Follow, LogEntry, Outage, Player, Result

DAY_MS: Final = 86_400_000
#: Moves after which somebody who does not follow a winning line gives up.
PATIENCE: Final = 40
#: Rows in one statement.
BATCH: Final = 5_000
_FIRST: Final = ("Ada", "Ben", "Cem", "Dua", "Elif", "Farid", "Grace", "Hugo", "Ines", "Jun", "Kemal", "Leyla", "Mina")
_OF_RESULTS: Final = "results WHERE challenge_id = :challenge"


class PopulationError(SamedealError):
    """The database is not one to be filled: it has dailies of these days."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be made: so many players, and ``days`` days of dailies up to ``last``; ``salt`` makes another past.

    ``taste`` is the share of a day's dailies that somebody plays who plays that day.
    """

    players: int
    days: int
    last: date
    salt: str = "samedeal"
    taste: float = 0.34

    def dates(self) -> list[date]:
        """The days, oldest first."""
        return [self.last - timedelta(days=back) for back in reversed(range(self.days))]


class Outcome(NamedTuple):
    """What was made."""

    players: int
    challenges: int
    attempts: int
    entries: int


class Somebody(NamedTuple):
    """A made-up player: the row, how often he plays (0 to 1), how well, and how long he thinks in milliseconds."""

    row: dict[str, Any]
    zeal: float
    skill: float
    thought_ms: int


async def populate(store: Store, plan: Plan, report: Callable[[int, int], None]) -> Outcome:
    """Fill a database; ``report`` hears how many dailies are done, and of how many.

    Raises :class:`PopulationError` where it has dailies of these days.
    """
    days, games = plan.dates(), daily_rulesets()
    async with store.reading() as conn:
        present = select(func.count()).where(Challenge.date.between(days[0].isoformat(), days[-1].isoformat()))
        if (await conn.execute(present)).scalar_one():
            raise PopulationError("the database has dailies of these days: use an empty one")
    people = _people(plan)
    await _store_people(store, plan, people)
    attempts = entries = 0
    for number, (day, rules) in enumerate((day, rules) for day in days for rules in games):
        made = _Daily(plan, day, rules)
        played = made.play(people)
        await _store_daily(store, made, played)
        attempts += len(played)
        entries += sum(len(one.log) for one in played)
        report(number + 1, len(days) * len(games))
    await _write_seasons(store)
    return Outcome(len(people), len(days) * len(games), attempts, entries)


def _random(*parts: object) -> random.Random:
    return random.Random("/".join(str(part) for part in parts))


def _people(plan: Plan) -> list[Somebody]:
    dice = _random(plan.salt, "people")
    first = midnight_ms(plan.dates()[0]) - 30 * DAY_MS
    people = []
    for number in range(plan.players):
        kind = dice.choices(("guest", "account", "bot"), (60, 36, 4))[0]
        # Half of the players are there before the first daily, the others come in the course of time.
        created = first + dice.randrange(30 * DAY_MS) + (dice.randrange(plan.days * DAY_MS) if number % 2 else 0)
        claimed = created + dice.randrange(20 * DAY_MS) if kind == "account" and number % 3 == 0 else None
        name = f"{dice.choice(_FIRST)} {number}"
        row = {
            "id": uuid7(created, dice.randbytes(10)),
            "kind": kind,
            "name": name,
            "name_key": name.casefold() if kind == "account" else None,
            "created_at": created,
            "account_since": claimed,
        }
        people.append(Somebody(row, dice.betavariate(0.7, 2.5), dice.betavariate(2, 3), dice.randrange(300, 4000)))
    return people


@dataclass(frozen=True, slots=True)
class _Played:
    """An attempt as it went: its row's head, its end, its log."""

    head: dict[str, Any]
    attempt: Attempt
    log: list[tuple[str, int]]
    finished_at: int


class _Daily:
    """One daily of the past and how people play it."""

    def __init__(self, plan: Plan, day: date, rules: Rules) -> None:
        self._plan, self._rules = plan, rules
        seed = hashlib.sha256(f"{plan.salt}/{day}/{rules.key}".encode()).hexdigest()[:32]
        opens, ends = midnight_ms(day), midnight_ms(day + timedelta(days=1))
        made = opens - DAY_MS
        self.row = ChallengeRow.of(
            rules,
            seed,
            id=uuid7(made, _random(plan.salt, day, rules.key).randbytes(10)),
            kind="daily",
            date=day.isoformat(),
            opens_at=opens,
            ends_at=ends,
            closes_at=ends + GRACE_MS,
            closed_at=ends + GRACE_MS,
            created_at=made,
        )
        self._start = Attempt.start(rules, shuffled(seed, rules.deck), rules.undo)

    def play(self, people: Sequence[Somebody]) -> list[_Played]:
        """The attempts of everybody who played that day, by the instant of their start."""
        line = _good_line(self._start)
        played = []
        for somebody in people:
            here = somebody.row["created_at"] < self.row.opens_at + DAY_MS - GRACE_MS
            plays = _random(self._plan.salt, self.row.date, somebody.row["id"]).random() < somebody.zeal
            dice = _random(self._plan.salt, self.row.id, somebody.row["id"])
            if here and plays and dice.random() < self._plan.taste:
                played.append(self._attempt(somebody, line, dice))
        return sorted(played, key=lambda one: (one.head["started_at"], one.head["id"]))

    def _attempt(self, somebody: Somebody, line: Sequence[Move], dice: random.Random) -> _Played:
        row = self.row
        assert row.ends_at is not None
        assert row.closes_at is not None
        earliest = max(row.opens_at, somebody.row["created_at"])
        started = dice.randrange(earliest, row.ends_at)
        attempt, at_ms, log = self._start, 0, []
        knows = dice.random() < somebody.skill
        for step in range(len(line) if knows else PATIENCE):
            if not attempt.legal:
                break
            at_ms += 200 + int(dice.expovariate(1 / somebody.thought_ms))
            if started + at_ms >= row.closes_at:
                break
            move = line[step] if knows else dice.choice(attempt.legal[:3])
            attempt = attempt.play(move, at_ms)
            log.append((move, at_ms))
            if attempt.can_undo and dice.random() < 0.02:
                attempt = attempt.undo(at_ms + 150).play(move, at_ms + 400)
                log += [("undo", at_ms + 150), (move, at_ms + 400)]
                at_ms += 400
        finished = started + at_ms
        if attempt.over is None and finished < row.closes_at and dice.random() < 0.7:
            attempt = attempt.resign(at_ms)
            log.append(("resign", at_ms))
        elif attempt.over is None:
            finished = row.closes_at
            attempt = attempt.close(finished - started)
            log.append(("close", attempt.at_ms))
        head = {
            "id": uuid7(started, dice.randbytes(10)),
            "challenge_id": row.id,
            "player_id": somebody.row["id"],
            "ranked": True,
            "undo_policy": attempt.policy.value,
            "started_at": started,
            "ruleset": row.ruleset,
            "opens_at": row.opens_at,
            **{name: somebody.row[name] for name in ("kind", "created_at", "account_since")},
        }
        return _Played(head, attempt, log, finished)


def _good_line(start: Attempt) -> list[Move]:
    """Moves that lead as far as the rules' own verdict can guide: to a win where it tells of one."""
    attempt, line = start, list[Move]()
    while attempt.legal and len(line) < 4 * PATIENCE:
        move = next((move for move in attempt.legal if _keeps_hope(attempt, move)), attempt.legal[0])
        attempt = attempt.play(move, 0)
        line.append(move)
    return line


def _keeps_hope(attempt: Attempt, move: Move) -> bool:
    try:
        return attempt.play(move, 0).winnable() is not False
    except Undecided:
        return True


async def _store_people(store: Store, plan: Plan, people: Sequence[Somebody]) -> None:
    dice = _random(plan.salt, "follows")
    ids = [somebody.row["id"] for somebody in people]
    follows = [
        {"follower_id": follower, "followed_id": followed, "since": midnight_ms(plan.last)}
        for follower in ids
        for followed in dice.sample(ids, min(4, len(ids)))
        if followed != follower
    ]
    middle = midnight_ms(plan.dates()[plan.days // 2]) + DAY_MS // 2
    async with store.writing() as conn:
        await conn.execute(insert(Player), [somebody.row for somebody in people])
        await conn.execute(insert(Follow), follows)
        await conn.execute(insert(Outage), [{"began_at": middle, "ended_at": middle + 300_000}])


async def _store_daily(store: Store, daily: _Daily, played: Sequence[_Played]) -> None:
    """Store a daily and all that belongs to it but its points."""
    attempts = cast(Table, AttemptTable.__table__)
    columns = {column.name for column in attempts.columns}
    async with store.writing() as conn:
        await conn.execute(
            insert(Challenge), [{name: getattr(daily.row, name) for name in daily.row.__struct_fields__}]
        )
        if not played:
            return
        rows = []
        for one in played:
            own = {name: value for name, value in one.head.items() if name in columns}
            rows.append(own | written(one.head | {"number": 0}, one.attempt, one.finished_at).summary)
        numbered = await conn.execute(insert(attempts).returning(attempts.c.id, attempts.c.number), rows)
        numbers = {row.id: row.number for row in numbered}
        log, results = [], []
        for one in played:
            number = numbers[one.head["id"]]
            log += [{"attempt": number, "seq": seq, "text": e[0], "at_ms": e[1]} for seq, e in enumerate(one.log)]
            result = written(one.head | {"number": number}, one.attempt, one.finished_at).result
            results += [result] if result is not None else []
        for start in range(0, len(log), BATCH):
            await conn.execute(insert(LogEntry), log[start : start + BATCH])
        if results:
            await conn.execute(insert(cast(Table, Result.__table__)), results)
        count_in = text(tallies.count_in(_OF_RESULTS)).bindparams(seasons.CHALLENGE)
        await conn.execute(count_in, {"challenge": daily.row.id})


async def _write_seasons(store: Store) -> None:
    """Write points and standings the way a rebuild does."""
    from server.store import challenges

    async with store.reading() as conn:
        closed = await challenges.closed_dailies(conn)
    for daily in closed:
        async with store.writing() as conn:
            await seasons.write_points(conn, daily)
    async with store.reading() as conn:
        every = await seasons.seasons(conn)
    for season in every:
        async with store.writing() as conn:
            await seasons.write_standings(conn, *season)
