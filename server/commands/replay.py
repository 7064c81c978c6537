"""``samedeal replay``: play moves on a deal without a server (PROTOCOL 4)."""

import json
import sys
from typing import Annotated

import typer

from server.commands.console import FAILURE, USAGE, CommandError, opened, say
from server.play.replay import replay as answer_to
from server.play.replay import replay_line


def replay(
    ruleset: Annotated[str | None, typer.Option(metavar="KEY", help="The ruleset to play by.")] = None,
    seed: Annotated[str | None, typer.Option(metavar="HEX", help="Deal from this seed.")] = None,
    deck: Annotated[str | None, typer.Option(metavar="CARDS", help='Deal this deck, such as "QH 4C ...".')] = None,
    moves: Annotated[str | None, typer.Option(metavar="MOVES", help='The moves, such as "p22p28 s undo".')] = None,
    jsonl: Annotated[
        str | None, typer.Option(metavar="FILE", help="Read one case a line from FILE, or from standard input for -.")
    ] = None,
    practice: Annotated[bool, typer.Option("--practice", help="Undo as in practice, where ranked play has none.")] = (
        False
    ),
) -> None:
    """Play moves on a deal and show what they lead to.

    The answer is a line of JSON: the state after the last move, or the index and the code of the first refused one.
    """
    case = {"ruleset": ruleset, "seed": seed, "deck": deck, "moves": moves}
    given = [f"--{name}" for name, value in case.items() if value is not None]
    if jsonl is not None:
        if given:
            raise CommandError(f"--jsonl brings its own cases: leave out {', '.join(given)}", USAGE)
        _replay_lines(jsonl, practice=practice)
        return
    if ruleset is None:
        raise CommandError("name the --ruleset, or give cases with --jsonl", USAGE)
    if (seed is None) == (deck is None):
        raise CommandError("give either a --seed or a --deck", USAGE)
    answer = answer_to(case | {"moves": moves or ""}, practice=practice)
    say(json.dumps(answer))
    if not answer["ok"]:
        raise typer.Exit(FAILURE)


def _replay_lines(source: str, *, practice: bool) -> None:
    with opened(source) as lines:
        for line in lines:
            say(replay_line(line, practice=practice))
            sys.stdout.flush()  # whoever writes the cases may wait for each answer
