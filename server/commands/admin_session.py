"""What the commands of ``samedeal admin`` share: the database at hand, and who acts."""

import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from server.commands.configuration import settings_from
from server.commands.console import CommandError, say

if TYPE_CHECKING:
    from server.actions.admin.effects import Changes, Effect
    from server.actions.admin.roles import Actor
    from server.actions.house import Services

T = TypeVar("T")

#: The flag that says who acts.
As = Annotated[
    str | None,
    typer.Option("--as", metavar="NAME", help="Act as this admin, with his role [an owner named console]."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only tell what would change.")]
Reason = Annotated[str, typer.Option(metavar="TEXT", help="Why; it goes into the audit log.")]


def act(
    database_url: str | None,
    name: str | None,
    work: "Callable[[Services, Actor], Awaitable[T]]",
    *,
    fresh: bool = False,
) -> T:
    """What ``work`` returns, given the services and who acts. A server may run meanwhile.

    With ``fresh`` an empty database is made ready first. Raises :class:`CommandError` where the database is not at the
    present revision.
    """
    settings = settings_from(database_url=database_url)
    import asyncio

    from sqlalchemy.engine import make_url

    from server import logs
    from server.store import migrate

    where = make_url(settings.database_url).render_as_string(hide_password=True)
    if fresh:
        settings.make_data_dir()
        if migrate.current(settings.database_url) is None:
            migrate.upgrade(settings.database_url)
            sys.stderr.write(f"samedeal: there was no database: {where} is a new one\n")
    revision, newest = migrate.current(settings.database_url), migrate.newest()
    if revision != newest:
        told = f"the database {where} is at revision {revision or 'none'}, not {newest}"
        raise CommandError(f"{told}: run samedeal migrate, or name the right one")
    logs.configure(settings.log_format, "warning")

    async def main() -> T:
        from server.actions.admin import identity
        from server.actions.admin.roles import CONSOLE
        from server.app import Application

        async with Application(settings).at_hand() as services:
            who = CONSOLE if name is None else await identity.named(services, name, "command")
            return await work(services, who)

    return asyncio.run(main())


def show_effect(effect: "Effect") -> None:
    """Write down what a ruling changes."""
    from server.actions.dates import iso

    row = effect.challenge
    verb = "would change" if effect.dry_run else "changed"
    say(f"{row.kind} {row.date or row.id} {row.ruleset}: {effect.ranks.total} ranks {verb}")
    say(f"attempts: {_counts(effect.attempts_before)} -> {_counts(effect.attempts_after)}")
    if effect.ends_at is not None and effect.closes_at is not None:
        say(f"can be started until {iso(effect.ends_at)}, closes at {iso(effect.closes_at)}")
    _show_changes("rank", effect.ranks)
    _show_changes("points", effect.points)
    _show_changes("streak", effect.streaks)


def _counts(attempts: dict[str, int]) -> str:
    return ", ".join(f"{count} {over}" for over, count in sorted(attempts.items())) or "none"


def _show_changes(what: str, changes: "Changes") -> None:
    for change in changes.shown:
        before, after = (("-" if value is None else str(value)) for value in (change.before, change.after))
        period = "" if change.period is None else f" of {change.period}"
        say(f"  {what}{period}: {ascii(change.name)[1:-1]} ({change.player_id}) {before} -> {after}")
    if changes.total > len(changes.shown):
        say(f"  {what}: and {changes.total - len(changes.shown)} more")
