"""``samedeal rebuild``: every summary, result and tally compared with the move logs, and corrected (DESIGN 1.4)."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from server.commands.configuration import DatabaseUrl, settings_from
from server.commands.console import FAILURE, CommandError, say

if TYPE_CHECKING:
    from server.store.rebuild import Difference, Outcome


#: Hears how many attempts are done, and of how many.
Report = Callable[[int, int], None]


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
    with _progress() as report:
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


@contextmanager
def _progress() -> Iterator[Report]:
    """A bar on standard error while that is a terminal; nothing otherwise."""
    if not sys.stderr.isatty():
        yield lambda done, count: None
        return
    from rich.console import Console
    from rich.progress import Progress

    # On a shared terminal rich prints our lines above the bar; into a file or a pipe they must go by themselves.
    shared = sys.stdout.isatty()
    with Progress(console=Console(stderr=True), transient=True, redirect_stdout=shared) as bar:
        task = bar.add_task("rebuilding")
        yield lambda done, count: bar.update(task, completed=done, total=count)
