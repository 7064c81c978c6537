"""``samedeal admin``: the calendar, lists of seeds, previews, searches."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, cast

import typer

from server.commands.admin_session import As, DryRun, act
from server.commands.admin_stock import Difficulty
from server.commands.configuration import DatabaseUrl
from server.commands.console import FAILURE, USAGE, CommandError, opened, progress, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from server.actions.admin.calendar import Cell
    from server.actions.admin.planning import Pair
    from server.actions.admin.roles import Actor
    from server.actions.admin.searching import Search
    from server.actions.house import Services
    from server.store.stock import Difficulty as Level

Day = Annotated[str, typer.Argument(metavar="DATE", help="YYYY-MM-DD.")]
Ruleset = Annotated[str, typer.Argument(metavar="RULESET", help="The key of the ruleset.")]
Rulesets = Annotated[
    list[str] | None, typer.Option("--ruleset", metavar="KEY", help="Only this ruleset; may be repeated.")
]

_DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def calendar(
    first: Day,
    last: Annotated[str | None, typer.Argument(metavar="DATE", help="The last day [the first].")] = None,
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Show what is planned, day by day. No seed is shown."""
    from server.actions.admin import calendar as days

    shown = act(database_url, acting, lambda services, who: days.show(services, who, first, last or first))
    for cell in shown.cells:
        say(_cell(cell))


def schedule(
    day: Day,
    ruleset: Ruleset,
    difficulty: Annotated[Difficulty | None, typer.Option(help="Plan this difficulty.")] = None,
    deal: Annotated[str | None, typer.Option(metavar="ID", help="Plan this deal of the stock.")] = None,
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Plan a difficulty, or a deal of the stock, for a coming day, in the place of what was planned."""
    from server.actions.admin import planning

    level: Level | None = None
    if difficulty is not None:
        level = difficulty.value

    async def work(services: "Services", who: "Actor") -> "Cell":
        version = await _version(services, who, day, ruleset)
        return await planning.schedule(services, who, day, ruleset, version, difficulty=level, deal_id=deal)

    say(_cell(act(database_url, acting, work)))


def clear(day: Day, ruleset: Ruleset, acting: As = None, database_url: DatabaseUrl = None) -> None:
    """Let a coming day follow the rule of weekdays again."""
    from server.actions.admin import planning

    async def work(services: "Services", who: "Actor") -> "Cell":
        return await planning.clear(services, who, day, ruleset, await _version(services, who, day, ruleset))

    say(_cell(act(database_url, acting, work)))


def move(
    first: Day, second: Day, ruleset: Rulesets = None, acting: As = None, database_url: DatabaseUrl = None
) -> None:
    """Move what is planned for a day to another one, where nothing is planned."""
    _exchange("move", first, second, ruleset, acting, database_url)


def swap(
    first: Day, second: Day, ruleset: Rulesets = None, acting: As = None, database_url: DatabaseUrl = None
) -> None:
    """Swap what is planned for two days."""
    _exchange("swap", first, second, ruleset, acting, database_url)


def fill(
    first: Day,
    last: Day,
    ruleset: Rulesets = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(metavar="DAY=DIFFICULTY", help="Such as mon=easy; may be repeated [the rule of the dailies]."),
    ] = None,
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Plan all coming days of a span that have no plan, by a rule of weekdays."""
    from server.actions.admin import planning

    chosen = planning.BY_WEEKDAY if not rule else _rule(rule)
    done = act(
        database_url,
        acting,
        lambda services, who: planning.fill(services, who, first, last, ruleset or [], chosen),
    )
    say(f"{done.planned} planned, {done.chosen} of them with a deal, {done.kept} left as they were")


def import_(
    source: Annotated[str, typer.Argument(metavar="FILE", help="Lines date,ruleset,seed; - for standard input.")],
    ndjson: Annotated[bool, typer.Option("--ndjson", help="The lines are JSON objects.")] = False,
    dry_run: DryRun = False,
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Plan explicit seeds: all lines of a list or none. The admin is barred from ranking on them."""
    from server.actions.admin import importing

    with opened(source) as file:
        try:
            text = file.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise CommandError(f"{source} is no UTF-8", USAGE) from error
    form: importing.Format = "ndjson" if ndjson or Path(source).suffix == ".ndjson" else "csv"
    done = act(
        database_url,
        acting,
        lambda services, who: importing.import_seeds(services, who, text, form, dry_run=dry_run),
    )
    for line in done.refused:
        say(f"line {line.number}: {line.code}: {line.message}")
    say(f"{done.planned} new, {done.unchanged} as they stand, {done.refused_total} refused")
    if done.refused_total:
        say("nothing was stored")
        raise typer.Exit(FAILURE)


def preview(day: Day, ruleset: Ruleset, acting: As = None, database_url: DatabaseUrl = None) -> None:
    """Play the deal of a coming day without a result, as the player that the admin has named."""
    from server.actions.admin import previewing

    row = act(database_url, acting, lambda services, who: previewing.preview_day(services, who, day, ruleset))
    say(f"attempt {row.id} of player {row.player_id}")


def search(
    ruleset: Ruleset,
    difficulty: Annotated[list[Difficulty] | None, typer.Option(help="Of this level; may be repeated.")] = None,
    par_least: Annotated[int | None, typer.Option(min=0, help="With at least this par.")] = None,
    par_most: Annotated[int | None, typer.Option(min=0, help="With at most this par.")] = None,
    free_least: Annotated[int | None, typer.Option(min=0, help="With at least so many free first moves.")] = None,
    free_most: Annotated[int | None, typer.Option(min=0, help="With at most so many free first moves.")] = None,
    count: Annotated[int, typer.Option(min=1, max=100, help="So many deals.")] = 10,
    tries: Annotated[int, typer.Option(min=0, max=5000, help="Look at so many fresh deals at most.")] = 200,
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Search for deals: in stock, then among fresh ones. Break it off at any time; what was found stays."""
    from server.actions.admin import searching
    from server.store.deals import Wish

    levels: tuple[Level, ...] = tuple([level.value for level in difficulty or ()])
    wish = Wish(ruleset, levels, par_least, par_most, free_least, free_most)

    async def work(services: "Services", who: "Actor") -> "Search":
        begun = await searching.start(services, who, wish, count=count, tries=tries)
        with progress("searching") as report:
            while services.deal_searches.runs(begun.job.id):
                found = await searching.look(services, who, begun.job.id)
                report(found.job.done, found.job.total)
                await services.deal_searches.ended(begun.job.id, within_s=1.0)
        return await searching.look(services, who, begun.job.id)

    found = act(database_url, acting, work)
    for deal in found.deals:
        exact = "" if deal.par_exact else " at most"
        free = f"{deal.winnable_first_moves} of {deal.first_moves} first moves free"
        say(f"{deal.id} {deal.difficulty}, par{exact} {deal.par}, {free}")
    say(f"{found.job.state}: {len(found.job.found)} found, {found.job.done} fresh deals looked at")
    if found.job.state != "done":
        raise typer.Exit(FAILURE)


async def _version(services: "Services", who: "Actor", day: str, ruleset: str) -> int:
    from server.actions.admin import calendar as days

    shown = await days.show(services, who, day, day)
    return next((cell.version for cell in shown.cells if cell.rules.key == ruleset), 0)


def _exchange(
    how: str, first: str, second: str, keys: "Sequence[str] | None", acting: str | None, database_url: str | None
) -> None:
    from server.actions import dailies
    from server.actions.admin import calendar as days
    from server.actions.admin import planning

    async def work(services: "Services", who: "Actor") -> "list[Cell]":
        seen: dict[tuple[str, str], int] = {}
        for day in (first, second):
            shown = await days.show(services, who, day, day)
            seen |= {(day, cell.rules.key): cell.version for cell in shown.cells}
        chosen = keys or [
            rules.key
            for rules in dailies.daily_rulesets()
            if seen.get((first, rules.key)) or (how == "swap" and seen.get((second, rules.key)))
        ]
        pairs: list[Pair] = [
            planning.Pair(key, seen.get((first, key), 0), seen.get((second, key), 0)) for key in chosen
        ]
        exchange = planning.move if how == "move" else planning.swap
        return await exchange(services, who, first, second, pairs)

    for cell in act(database_url, acting, work):
        say(_cell(cell))


def _rule(texts: "Sequence[str]") -> "Mapping[int, Level]":
    rule: dict[int, Level] = {}
    for text in texts:
        day, _, level = text.partition("=")
        if day not in _DAYS or level not in list(Difficulty):
            raise CommandError(f"{text} is no rule such as mon=easy", USAGE)
        rule[_DAYS.index(day)] = cast("Level", level)
    return rule


def _cell(cell: "Cell") -> str:
    deal = "" if cell.deal_id is None else f" {cell.deal_id}"
    void = ", void" if cell.challenge is not None and cell.challenge.voided_at is not None else ""
    results = "" if not cell.results else f", {cell.results} results"
    level = cell.difficulty or "not certified"
    return f"{cell.day} {cell.rules.key:<20} {cell.state:<10} {level} ({cell.source}{deal}){void}{results}"
