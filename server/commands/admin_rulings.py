"""``samedeal admin``: rulings, events, the audit log, files."""

import sys
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.commands.admin_session import As, DryRun, Reason, act, show_effect
from server.commands.configuration import DatabaseUrl
from server.commands.console import USAGE, CommandError, say

if TYPE_CHECKING:
    from server.actions.admin.events import DealWish
    from server.actions.admin.roles import Actor
    from server.actions.events import EventView
    from server.actions.house import Services

Reference = Annotated[str, typer.Argument(metavar="CHALLENGE", help="The id of the challenge, or daily/DATE/RULESET.")]
Instant = Annotated[str, typer.Option(metavar="TIME", help="Such as 2026-12-24T18:00:00Z.")]


class Form(StrEnum):
    """The forms of files, for the command line."""

    CSV = "csv"
    NDJSON = "ndjson"


class What(StrEnum):
    """What can be exported."""

    RESULTS = "results"
    MOVES = "moves"
    AUDIT = "audit"


def void(
    challenge: Reference, reason: Reason, dry_run: DryRun = False, acting: As = None, database_url: DatabaseUrl = None
) -> None:
    """Take a challenge out of everything that counts; it breaks nobody's streak."""
    from server.actions.admin import rulings

    show_effect(
        act(
            database_url,
            acting,
            lambda services, who: rulings.void(services, who, challenge, reason, dry_run=dry_run),
        )
    )


def exclude(
    attempt: Annotated[str, typer.Argument(metavar="ATTEMPT", help="The id of the attempt.")],
    reason: Reason,
    dry_run: DryRun = False,
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Take one ranked attempt out of everything that counts."""
    from server.actions.admin import rulings

    show_effect(
        act(
            database_url,
            acting,
            lambda services, who: rulings.exclude(services, who, attempt, reason, dry_run=dry_run),
        )
    )


def extend(
    challenge: Reference,
    until: Instant,
    reason: Reason,
    dry_run: DryRun = False,
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Let a challenge be started until a later instant; it closes as much later."""
    from server.actions.admin import rulings

    at = _instant(until)
    show_effect(
        act(
            database_url,
            acting,
            lambda services, who: rulings.extend(services, who, challenge, at, reason, dry_run=dry_run),
        )
    )


def event(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the event.")],
    opens: Instant,
    ends: Instant,
    deal: Annotated[
        list[str],
        typer.Option(metavar="RULESET[:CHOICE]", help="CHOICE is a difficulty, a deal's id or a seed; repeated."),
    ],
    closes: Annotated[str | None, typer.Option(metavar="TIME", help="When it closes [an hour later].")] = None,
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Make an event. Deals with seeds of one's own are unranked."""
    from server.actions.admin import events

    ends_at = _instant(ends)
    closes_at = events.default_close(ends_at) if closes is None else _instant(closes)
    times = events.Times(_instant(opens), ends_at, closes_at)
    wishes = [_deal(text) for text in deal]
    _show_event(act(database_url, acting, lambda services, who: events.make(services, who, name, times, wishes)))


def cancel_event(
    event: Annotated[str, typer.Argument(metavar="EVENT", help="The id of the event.")],
    reason: Reason,
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Call off an event that has not opened."""
    from server.actions.admin import events

    _show_event(act(database_url, acting, lambda services, who: events.cancel(services, who, event, reason)))


def change_event(
    event: Annotated[str, typer.Argument(metavar="EVENT", help="The id of the event.")],
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Another name.")] = None,
    opens: Annotated[str | None, typer.Option(metavar="TIME", help="Another opening, with --ends.")] = None,
    ends: Annotated[str | None, typer.Option(metavar="TIME", help="Another end, with --opens.")] = None,
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Change the name or the times of an event that has not opened."""
    from server.actions.admin import events

    times: events.Times | None = None
    if opens is not None and ends is not None:
        ends_at = _instant(ends)
        times = events.Times(_instant(opens), ends_at, events.default_close(ends_at))
    elif opens is not None or ends is not None:
        raise CommandError("--opens and --ends go together", USAGE)
    _show_event(act(database_url, acting, lambda services, who: events.change(services, who, event, name, times)))


def list_events(acting: As = None, database_url: DatabaseUrl = None) -> None:
    """List the latest events, coming ones too."""
    from server.actions.admin import events

    views, _ = act(database_url, acting, lambda services, who: events.every(services, who, None))
    for view in views:
        _show_event(view)


def audit(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="So many entries.")] = 20,
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Show the latest entries of the audit log."""
    from server.actions.admin import exporting
    from server.actions.dates import iso

    found, _ = act(database_url, acting, lambda services, who: exporting.audit_page(services, who, limit=limit))
    for entry in reversed(found):
        reason = "" if entry.reason is None else f": {ascii(entry.reason)[1:-1]}"
        say(f"{entry.number} {iso(entry.at)} {entry.admin} ({entry.role}) {entry.action} {entry.target}{reason}")


def export(
    what: Annotated[What, typer.Argument(help="Results or moves of closed challenges, or the audit log.")],
    form: Annotated[Form, typer.Option("--format", help="CSV for spreadsheets, or a JSON object a line.")] = Form.CSV,
    first: Annotated[str | None, typer.Option(metavar="DATE", help="From this date on.")] = None,
    last: Annotated[str | None, typer.Option(metavar="DATE", help="Up to this date.")] = None,
    ruleset: Annotated[str | None, typer.Option(metavar="KEY", help="Only of this ruleset.")] = None,
    challenge: Annotated[str | None, typer.Option(metavar="CHALLENGE", help="Only of this one.")] = None,
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Write results, moves or the audit log to standard output."""
    import asyncio

    from server.actions.admin import exporting
    from server.net import exports, routes_admin

    async def work(services: "Services", who: "Actor") -> None:
        batches: Any
        if what is What.AUDIT:
            batches = exporting.audit_log(services, who)
            fields: Any = routes_admin.audit_fields
            columns: Any = routes_admin.AUDIT_COLUMNS
        else:
            chosen = await exporting.choice(services, who, first=first, last=last, key=ruleset, challenge=challenge)
            results = what is What.RESULTS
            batches = exporting.results(services, who, chosen) if results else exporting.moves(services, who, chosen)
            fields = routes_admin.result_fields if results else routes_admin.move_fields
            columns = routes_admin.RESULT_COLUMNS if results else routes_admin.MOVE_COLUMNS
        form_of: exports.Format = "csv" if form is Form.CSV else "ndjson"
        async for chunk in exports.lines(batches, fields, columns, form_of):
            await asyncio.to_thread(sys.stdout.write, chunk.decode())

    act(database_url, acting, work)


def _instant(text: str) -> int:
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"{text} is no time such as 2026-12-24T18:00:00Z", USAGE) from error
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    return round(at.timestamp() * 1000)


def _deal(text: str) -> "DealWish":
    from server.actions.admin.events import DealWish
    from server.solve.difficulty import LEVELS

    key, _, choice = text.partition(":")
    if not choice:
        return DealWish(key)
    for level in LEVELS:
        if choice == level:
            return DealWish(key, difficulty=level)
    return DealWish(key, deal_id=choice) if "-" in choice else DealWish(key, seed=choice)


def _show_event(view: "EventView") -> None:
    from server.actions.dates import iso

    row = view.event
    say(f"{row.id} {ascii(row.name)[1:-1]}: {view.state}, opens {iso(row.opens_at)}")
    for deal in row.challenges:
        say(f"  {deal.id} {deal.ruleset}{', unranked' if deal.unranked else ''}")
