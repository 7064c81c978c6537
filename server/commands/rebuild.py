"""``samedeal rebuild``: every summary, result and tally compared with the move logs, and corrected (DESIGN 1.4)."""

from typing import TYPE_CHECKING, Annotated

import typer

from server.commands.configuration import DatabaseUrl, settings_from
from server.commands.console import FAILURE, CommandError, Report, progress, say

if TYPE_CHECKING:
    from server.store.rebuild import Difference, Outcome


def rebuild(
    check: Annotated[bool, typer.Option("--check", help="Only tell what differs, and correct nothing.")] = False,
    database_url: DatabaseUrl = None,
) -> None:
    """Compute summaries and boards from the logs again.

    Tells what differs and corrects it; succeeds if nothing wrong is left. A server may run meanwhile.
    """
    settings = settings_from(database_url=database_url)
    import asyncio

    from server.store import migrate

    revision, newest = migrate.current(settings.database_url), migrate.newest()
    if revision != newest:
        raise CommandError(f"the database is at revision {revision or 'none'}, not {newest}: run samedeal migrate")
    with progress("rebuilding") as report:
        outcome = asyncio.run(_rebuild(settings.database_url, fix=not check, report=report))
    say(
        f"{outcome.attempts} attempts looked at, {outcome.differences} differences found, {outcome.corrected} corrected"
    )
    if outcome.differences > outcome.corrected:
        raise typer.Exit(FAILURE)


async def _rebuild(url: str, *, fix: bool, report: Report) -> "Outcome":
    from server.store.engine import Store
    from server.store.rebuild import rebuild as rebuild_in

    store = await Store.open(url)
    try:
        return await rebuild_in(store, fix=fix, tell=_tell, progress=report)
    finally:
        await store.close()


def _tell(difference: "Difference") -> None:
    stored, computed = (ascii(value) for value in (difference.stored, difference.computed))
    say(f"{difference.place}: {difference.what} is {stored}, by the log {computed}")
