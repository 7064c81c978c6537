"""``samedeal verify``: judge a record again, trusting nothing in it (PROTOCOL 4)."""

import json
from typing import Annotated, Final

import typer

from server.commands.console import FAILURE, USAGE, CommandError, opened, say
from server.play.verify import Weight, agrees
from server.play.verify import verify as findings_in

_STYLES: Final = {Weight.WRONG: "bold red", Weight.UNCHECKED: "yellow", Weight.NOTE: "dim"}


def verify(
    source: Annotated[str, typer.Argument(metavar="FILE", help="The record as JSON; - reads standard input.")],
) -> None:
    """Judge the record of an attempt again.

    Recomputes deal, commitment, every move and the result; succeeds only if all agree, and says what does not.
    """
    with opened(source) as file:
        try:
            record = json.loads(file.read())
        except (ValueError, RecursionError):
            raise CommandError(f"{source} is not JSON", USAGE) from None
    findings = findings_in(record)
    for weight, text in findings:
        say(f"{weight}: {text}", _STYLES[weight])
    if agrees(findings):
        say("all agree", "bold green")
        return
    say("not everything agrees", "bold red")
    raise typer.Exit(FAILURE)
