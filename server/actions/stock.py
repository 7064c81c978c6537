"""The stock: which certified deals the coming days need, finding them, and taking them out."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Final, NamedTuple, Protocol

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from server.actions.proving import Prover
from server.clock import Clock
from server.core.deck import DEAL_VERSION, commitment
from server.core.rules import Rules
from server.errors import SolverError
from server.games import rulesets
from server.solve.certificate import Certificate, stands
from server.solve.difficulty import LEVELS, Level, level_of_day
from server.store import stock
from server.store.engine import Store
from server.store.stock import DealRow

log = structlog.get_logger(__name__)

#: Days for which every ruleset with a daily is to have deals; those are never taken for practice.
RESERVE_DAYS: Final = 30
#: Fewer days than these are worth a warning.
FEW_DAYS: Final = 7
#: Deals found beside those that were looked for are kept up to so many of a ruleset and level.
SURPLUS: Final = 60


#: Unused deals by ruleset and level.
Stock = Mapping[str, Counter[Level]]


class Means(Protocol):
    """What the stock needs of the services: time, chance, ids and the database."""

    @property
    def clock(self) -> Clock:
        """What tells the time."""

    @property
    def store(self) -> Store:
        """The database."""

    @property
    def seed(self) -> Callable[[], str]:
        """Gives a fresh secret seed."""

    @property
    def new_id(self) -> Callable[[int], str]:
        """Gives an id for a row made at an instant."""


class Goal(NamedTuple):
    """So many unused deals of a ruleset are to lie in stock: of a level, or of any."""

    rules: Rules
    level: Level | None
    deals: int


def daily_rulesets() -> tuple[Rules, ...]:
    """The rulesets that have a daily, in the order in which they are listed."""
    daily = [rules for rules in rulesets().values() if rules.daily is not None]
    return tuple(sorted(daily, key=lambda rules: (rules.daily, rules.key)))


def needed(first: date, days: int) -> Counter[Level]:
    """How many deals of each level one ruleset takes for so many days from ``first`` on."""
    return Counter(level_of_day(first + timedelta(days=number)) for number in range(days))


def nearest(level: Level) -> Sequence[Level]:
    """All levels, those that are most like this one first, the easier of two."""
    at = LEVELS.index(level)
    return sorted(LEVELS, key=lambda other: (abs(LEVELS.index(other) - at), LEVELS.index(other)))


def goals_for_days(chosen: Iterable[Rules], first: date, days: int) -> list[Goal]:
    """What the dailies of so many days from ``first`` on will take."""
    need = needed(first, days)
    return [Goal(rules, level, need[level]) for rules in chosen for level in LEVELS if need[level]]


def row_of(means: Means, rules: Rules, seed: str, certificate: Certificate) -> DealRow:
    """A certified deal as it is stored; its witness is played through the rules once more, here.

    Raises :class:`SolverError` where they refuse it.
    """
    if not stands(rules, seed, certificate):
        raise SolverError(f"{rules.key}: a certificate that does not agree with its witness")
    now = means.clock.now_ms()
    return DealRow(
        id=means.new_id(now),
        ruleset=rules.key,
        rules_version=rules.version,
        deal_version=DEAL_VERSION,
        seed=seed,
        commitment=commitment(seed),
        solver_version=certificate.solver_version,
        witness=" ".join(certificate.witness),
        par=certificate.par,
        par_exact=certificate.par_exact,
        score=certificate.score,
        first_moves=certificate.first_moves,
        winnable_first_moves=certificate.winnable_first_moves,
        dead_ends=certificate.dead_ends,
        hardness=certificate.hardness,
        difficulty=certificate.difficulty,
        nodes=certificate.nodes,
        ms=certificate.ms,
        made_at=now,
    )


async def counts(means: Means, chosen: Iterable[Rules]) -> dict[str, Counter[Level]]:
    """The unused deals of some rulesets, by ruleset and level."""
    async with means.store.reading() as conn:
        return {rules.key: Counter(await stock.unused(conn, rules)) for rules in chosen}


def missing(goal: Goal, have: Stock) -> int:
    """How many deals a goal still wants."""
    mine = have[goal.rules.key]
    there = sum(mine.values()) if goal.level is None else mine.get(goal.level, 0)
    return max(0, goal.deals - there)


class Filling:
    """Finds deals until some goals are met. Each is stored as soon as it is found, so it may be broken off at will."""

    def __init__(self, means: Means, goals: Sequence[Goal], prover: Prover) -> None:
        self._means, self._goals, self._prover = means, goals, prover
        self._have: dict[str, Counter[Level]] = {}
        self._most = {
            (rules.key, level): max(
                [SURPLUS, *(goal.deals for goal in goals if goal.rules.key == rules.key)],
            )
            for rules in {goal.rules.key: goal.rules for goal in goals}.values()
            for level in LEVELS
        }
        #: Deals looked at, and deals stored, since the start.
        self.tried = 0
        self.stored = 0

    @property
    def have(self) -> Stock:
        """What lies in stock, by the last look and what was stored since."""
        return self._have

    async def look(self) -> int:
        """Count what lies in stock. Returns how many deals are missing."""
        chosen = {goal.rules.key: goal.rules for goal in self._goals}
        self._have = await counts(self._means, chosen.values())
        return self.missing()

    def missing(self) -> int:
        """How many deals are missing, by the last look and what was stored since."""
        return sum(missing(goal, self._have) for goal in self._goals)

    async def run(self, workers: int, report: Callable[[int, int], None]) -> None:
        """Find deals, so many at a time, until nothing is missing; ``report`` is told what is done, and of how much."""
        total = await self.look()
        report(0, total)

        async def one_worker() -> None:
            while self.missing():
                await self.step()
                report(total - self.missing(), total)

        async with asyncio.TaskGroup() as group:
            for _ in range(min(workers, total)):
                group.create_task(one_worker())

    async def step(self) -> None:
        """Look at one deal for the ruleset that lacks most; store it where it is certified and of use."""
        rules = max(self._goals, key=lambda goal: missing(goal, self._have)).rules
        seed = self._means.seed()
        self.tried += 1
        try:
            certificate = await self._prover.prove(rules, seed)
            if certificate is None:
                return
            deal = row_of(self._means, rules, seed, certificate)
        except SolverError as error:  # told without a traceback, in which the seed would stand
            log.error("a solver contradicts the rules", ruleset=rules.key, error=str(error))  # noqa: TRY400
            return
        have = self._have[rules.key]
        if have[deal.difficulty] >= self._most[rules.key, deal.difficulty]:
            return
        async with self._means.store.writing() as conn:
            added = await stock.add(conn, deal)
        if added:
            self.stored += 1
            self._have |= await counts(self._means, [rules])  # others may fill it too


async def pick_surplus(conn: AsyncConnection, rules: Rules, first: date) -> DealRow | None:
    """An unused deal that the dailies from ``first`` on do not need, of the level that has most to spare."""
    have = await stock.unused(conn, rules)
    need = needed(first, RESERVE_DAYS) if rules.daily is not None else Counter[Level]()
    spare = {level: count - need[level] for level, count in have.items() if count > need[level]}
    if not spare:
        return None
    return await stock.pick(conn, rules, [max(spare, key=lambda level: spare[level])])


def days_left(have: Mapping[Level, int]) -> int:
    """For how many days a ruleset's unused deals last: where the right level is out another one is taken."""
    return sum(have.values())
