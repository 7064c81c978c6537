"""``samedeal admin stock``: fill the stock of certified deals, and show what lies in it."""

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

import typer

from server.commands.configuration import DatabaseUrl, settings_from
from server.commands.console import FAILURE, USAGE, CommandError, Report, progress, say

if TYPE_CHECKING:
    from server.actions.stock import Goal
    from server.clock import Clock
    from server.store.engine import Store

stock = typer.Typer(rich_markup_mode=None)

#: Most worker processes that the command starts unless told otherwise.
MOST_WORKERS: Final = 8


class Difficulty(StrEnum):
    """The levels, for the command line."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"


@dataclass(frozen=True, slots=True)
class Means:
    """What the stock needs, without a server."""

    clock: "Clock"
    store: "Store"
    seed: Callable[[], str]
    new_id: Callable[[int], str]


@stock.command()
def fill(
    ruleset: Annotated[
        list[str] | None, typer.Option(metavar="KEY", help="For this ruleset; may be repeated [all with a daily].")
    ] = None,
    days: Annotated[int | None, typer.Option(min=1, max=366, help="For so many coming days [30].")] = None,
    count: Annotated[
        int | None, typer.Option(min=1, max=10_000, help="Instead of days: until so many deals lie in stock.")
    ] = None,
    difficulty: Annotated[
        list[Difficulty] | None, typer.Option(help="With --count: so many of this level; may be repeated.")
    ] = None,
    minutes: Annotated[float, typer.Option(min=0.01, help="Stop after so long, whatever is missing.")] = 60,
    workers: Annotated[int | None, typer.Option(min=1, max=64, help="Worker processes [one per processor].")] = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Find certified deals until the stock is full.

    Each deal is stored as soon as it is found: break it off at any time, and start it again to go on. A server may run
    meanwhile. Succeeds if nothing is missing at the end.
    """
    if count is not None and days is not None:
        raise CommandError("give --days or --count", USAGE)
    if difficulty and count is None:
        raise CommandError("--difficulty goes with --count: the weekdays decide it otherwise", USAGE)
    settings = settings_from(database_url=database_url)
    import asyncio

    from server.store import migrate

    goals = _goals(ruleset or [], days if days is not None else 30, count, [one.value for one in difficulty or []])
    settings.make_data_dir()
    migrate.upgrade(settings.database_url)
    most = workers or min(MOST_WORKERS, os.cpu_count() or 1)
    with progress("looking for deals") as report:
        stored, tried, missing = asyncio.run(_fill(settings.database_url, goals, most, minutes * 60, report))
    say(f"{stored} deals stored of {tried} looked at, {missing} missing")
    if missing:
        raise typer.Exit(FAILURE)


@stock.command("list")
def show(database_url: DatabaseUrl = None) -> None:
    """Show how many unused deals lie in stock, and for how many days they last. No seed is shown."""
    settings = settings_from(database_url=database_url)
    import asyncio

    from server.store import migrate

    revision, newest = migrate.current(settings.database_url), migrate.newest()
    if revision != newest:
        raise CommandError(f"the database is at revision {revision or 'none'}, not {newest}: run samedeal migrate")
    asyncio.run(_show(settings.database_url))


def _goals(keys: list[str], days: int, count: int | None, levels: list[str]) -> list["Goal"]:
    from server.actions.dates import today
    from server.actions.stock import Goal, daily_rulesets, goals_for_days
    from server.clock import SystemClock
    from server.games import ruleset
    from server.solve.certificate import plan_of
    from server.solve.difficulty import LEVELS

    chosen = [ruleset(key) for key in dict.fromkeys(keys)] or list(daily_rulesets())
    for rules in chosen:
        if plan_of(rules) is None:
            raise CommandError(f"no solver knows {rules.key}", USAGE)
    if count is None:
        return goals_for_days(chosen, today(SystemClock().now_ms()) + timedelta(days=1), days)
    wanted = [level for level in LEVELS if level in levels]
    if not wanted:
        return [Goal(rules, None, count) for rules in chosen]
    return [Goal(rules, level, count) for rules in chosen for level in wanted]


async def _fill(url: str, goals: list["Goal"], workers: int, seconds: float, report: Report) -> tuple[int, int, int]:
    import asyncio

    from server.actions.proving import PROMPT, Prover, WorkerLost
    from server.actions.stock import Filling

    store = await _opened(url)
    try:
        async with Prover(workers, PROMPT) as prover:
            filling = Filling(_means(store), goals, prover)
            try:
                with suppress(TimeoutError):
                    async with asyncio.timeout(seconds):
                        await filling.run(workers, report)
            except* WorkerLost as lost:
                raise CommandError(str(lost.exceptions[0])) from lost
            return filling.stored, filling.tried, await filling.look()
    finally:
        await store.close()


async def _show(url: str) -> None:
    from server.actions.stock import counts, days_left
    from server.games import rulesets
    from server.solve.difficulty import LEVELS

    store = await _opened(url)
    try:
        have = await counts(_means(store), rulesets().values())
    finally:
        await store.close()
    say(f"{'ruleset':<22}" + "".join(f"{level:>8}" for level in LEVELS) + f"{'days':>8}")
    for key, levels in have.items():
        rules = rulesets()[key]
        if rules.daily is not None or levels.total():
            days = str(days_left(levels)) if rules.daily is not None else "-"
            say(f"{key:<22}" + "".join(f"{levels[level]:>8}" for level in LEVELS) + f"{days:>8}")


async def _opened(url: str) -> "Store":
    from server.store.engine import Store

    return await Store.open(url)


def _means(store: "Store") -> Means:
    from server.clock import SystemClock
    from server.store.ids import ENTROPY_BYTES, uuid7

    return Means(
        clock=SystemClock(),
        store=store,
        seed=lambda: secrets.token_hex(16),
        new_id=lambda now_ms: uuid7(now_ms, secrets.token_bytes(ENTROPY_BYTES)),
    )
