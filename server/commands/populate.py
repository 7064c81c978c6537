"""``samedeal dev populate``: fill a database with a made-up past, to look at boards and to measure them."""

from datetime import date, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from server.commands.configuration import DatabaseUrl, settings_from
from server.commands.console import USAGE, CommandError, progress, say

if TYPE_CHECKING:
    from server.commands.population import Outcome, Plan


def populate(
    players: Annotated[int, typer.Option(min=1, help="How many players.")] = 200,
    days: Annotated[int, typer.Option(min=1, max=1000, help="How many days of dailies.")] = 14,
    last: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="The last of these days [yesterday].")] = None,
    salt: Annotated[str, typer.Option(help="Another word makes another past.")] = "samedeal",
    database_url: DatabaseUrl = None,
) -> None:
    """Make players and closed dailies with attempts that were really played; the same figures make the same past.

    For databases without dailies of these days. Never use it where people play.
    """
    settings = settings_from(database_url=database_url)
    import asyncio

    from server.clock import SystemClock
    from server.commands.population import Plan
    from server.store import migrate

    try:
        end = date.fromisoformat(last) if last is not None else _last_closed(SystemClock().now_ms())
    except ValueError as error:
        raise CommandError("the last day is written YYYY-MM-DD", USAGE) from error
    settings.make_data_dir()
    migrate.upgrade(settings.database_url)
    made = asyncio.run(_populate(settings.database_url, Plan(players, days, end, salt)))
    say(f"{made.players} players, {made.challenges} dailies, {made.attempts} attempts, {made.entries} log entries")


async def _populate(url: str, plan: "Plan") -> "Outcome":
    from server.commands import population
    from server.store.engine import Store

    store = await Store.open(url)
    try:
        with progress("playing") as report:
            return await population.populate(store, plan, report)
    except population.PopulationError as error:
        raise CommandError(str(error)) from error
    finally:
        await store.close()


def _last_closed(now_ms: int) -> date:
    """The last day whose dailies are closed: yesterday, but in the first hour of a day the one before."""
    from server.actions.dailies import GRACE_MS
    from server.actions.dates import today

    return today(now_ms - GRACE_MS) - timedelta(days=1)
