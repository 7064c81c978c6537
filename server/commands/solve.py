"""``samedeal solve``: whether a deal can be won, by which moves, and in how few (PROTOCOL 4)."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time
from typing import Annotated

import typer

from server.commands.console import FAILURE, USAGE, CommandError, opened, say
from server.solve.case import Budgets, solve_case, solve_line
from server.solve.solution import Budget


def solve(
    ruleset: Annotated[str | None, typer.Option(metavar="KEY", help="The ruleset to play by.")] = None,
    seed: Annotated[str | None, typer.Option(metavar="HEX", help="Deal from this seed.")] = None,
    deck: Annotated[str | None, typer.Option(metavar="CARDS", help='Deal this deck, such as "QH 4C ...".')] = None,
    moves: Annotated[
        str | None, typer.Option(metavar="MOVES", help="Solve the position behind these moves, not the deal.")
    ] = None,
    jsonl: Annotated[
        str | None, typer.Option(metavar="FILE", help="Read one case a line from FILE, or from standard input for -.")
    ] = None,
    budget_ms: Annotated[
        int | None,
        typer.Option(metavar="MS", min=1, help="Processor time for each case [1000 to 10000, by ruleset]."),
    ] = None,
) -> None:
    """Tell whether a deal can be won, how, and in how few moves.

    The answer is a line of JSON with a winning line, the number of its moves (par) and whether none is shorter.
    winnable is null where the time was too short to know.
    """
    case = {"ruleset": ruleset, "seed": seed, "deck": deck, "moves": moves}
    given = [f"--{name}" for name, value in case.items() if value is not None]
    if jsonl is not None:
        if given:
            raise CommandError(f"--jsonl brings its own cases: leave out {', '.join(given)}", USAGE)
        with opened(jsonl) as lines, _progress() as budgets:
            for line in lines:
                say(solve_line(line, budgets, ms=budget_ms))
                sys.stdout.flush()  # whoever writes the cases may wait for each answer
        return
    if ruleset is None:
        raise CommandError("name the --ruleset, or give cases with --jsonl", USAGE)
    if (seed is None) == (deck is None):
        raise CommandError("give either a --seed or a --deck", USAGE)
    with _progress() as budgets:
        answer = solve_case(case | {"moves": moves or ""}, budgets, ms=budget_ms)
    say(json.dumps(answer))
    if "code" in answer:
        raise typer.Exit(FAILURE)


def _now_ms() -> float:
    """Processor time, so that a busy machine takes longer and answers the same."""
    return process_time() * 1000


@contextmanager
def _progress() -> Iterator[Budgets]:
    """Budgets of processor time; while standard error is a terminal, a bar shows how far the present one is spent."""
    if not sys.stderr.isatty():
        yield lambda ms: Budget(_now_ms, ms=ms)
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("solving")
        cases = 0

        def budget(ms: float) -> Budget:
            nonlocal cases
            cases += 1
            started = _now_ms()
            bar.reset(task, total=ms, description=f"solving case {cases}")

            def now_ms() -> float:  # asked every few nodes, so it moves the bar as well
                now = _now_ms()
                bar.update(task, completed=min(ms, now - started))
                return now

            return Budget(now_ms, ms=ms)

        yield budget
