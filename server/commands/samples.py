"""``samedeal dev winnability`` and ``samedeal dev difficulty``: what samples of numbered deals say of the rulesets."""

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from server.commands.console import FAILURE, USAGE, CommandError, progress, say

if TYPE_CHECKING:
    from server.solve.certificate import Certificate

T = TypeVar("T")

Rulesets = Annotated[
    list[str] | None, typer.Option("--ruleset", metavar="KEY", help="This ruleset; may be repeated [all].")
]
First = Annotated[int, typer.Option(min=0, help="Number of the first deal.")]
Workers = Annotated[int | None, typer.Option(min=1, max=64, help="Processes [one per processor].")]


def winnability(
    ruleset: Rulesets = None,
    deals: Annotated[int | None, typer.Option(min=1, help="So many deals [2000, or 500 of the slow ones].")] = None,
    first: First = 0,
    patience: Annotated[float, typer.Option(min=0.01, help="Give each deal so many times the usual time.")] = 1,
    workers: Workers = None,
) -> None:
    """Compare the share of deals that can be won with what is known of it (RULES 5).

    The same numbers are the same deals everywhere. Fails where a share lies more than four standard errors off.
    """
    from server.solve.shares import KNOWN, share_of, winnable

    keys = _chosen(ruleset, KNOWN)
    agreed = True
    for key in keys:
        known = KNOWN[key]
        count = deals or known.deals
        found = share_of(_sample(key, partial(winnable, key, patience=patience), range(first, first + count), workers))
        agrees = found.agrees(known)
        agreed = agreed and agrees
        say(
            f"{key}: {found.won} won, {found.lost} lost, {found.undecided} not decided of {count}: "
            f"{100 * found.won / count:.2f} %, known {100 * known.low:.2f} to {100 * known.high:.2f} %, "
            f"{'agrees' if agrees else 'DOES NOT AGREE'}"
        )
    if not agreed:
        raise typer.Exit(FAILURE)


def difficulty(
    ruleset: Rulesets = None,
    deals: Annotated[int, typer.Option(min=1, help="So many deals, with those that cannot be won.")] = 100,
    first: First = 0,
    workers: Workers = None,
) -> None:
    """Weigh numbered deals as the stock weighs them: how many are easy, medium, hard, expert, and how hard they are.

    The thresholds of docs/difficulty.md were read off such samples.
    """
    from server.games import ruleset as ruleset_of
    from server.solve.certificate import plan_of
    from server.solve.difficulty import LEVELS, SCALES

    for key in _chosen(ruleset, SCALES):
        if plan_of(ruleset_of(key)) is None:
            raise CommandError(f"no solver knows {key}", USAGE)
        told = [one for one in _sample(key, partial(_certified, key), range(first, first + deals), workers) if one]
        levels = Counter(one.difficulty for one in told)
        shares = ", ".join(f"{100 * levels[level] / max(1, len(told)):.0f} % {level}" for level in LEVELS)
        say(f"{key}: {len(told)} of {deals} deals certified: {shares}")
        for name, values in (
            ("hardness", [one.hardness for one in told]),
            ("dead ends, per mille", [one.dead_ends for one in told]),
            ("winnable first moves, %", [100 * one.winnable_first_moves // one.first_moves for one in told]),
            ("par", [one.par for one in told]),
            ("milliseconds", [one.ms for one in told]),
        ):
            say(f"  {name}: {_deciles(values)}")


def _certified(key: str, number: int) -> "Certificate | None":
    from time import process_time

    from server.games import ruleset
    from server.solve.certificate import certify
    from server.solve.shares import numbered_seed

    return certify(ruleset(key), numbered_seed(number), lambda: process_time() * 1000)


def _chosen(keys: Sequence[str] | None, known: Collection[str]) -> list[str]:
    from server.games import ruleset

    chosen = [ruleset(key).key for key in keys or known]
    unknown = [key for key in chosen if key not in known]
    if unknown:
        raise CommandError(f"nothing is known of {', '.join(unknown)}; of these it is: {', '.join(known)}", USAGE)
    return chosen


def _sample(title: str, ask: Callable[[int], T], numbers: range, workers: int | None) -> Iterator[T]:
    """What is told of each of the numbered deals, in their order, by processes beside this one."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    most = workers or os.cpu_count() or 1
    with progress(title) as report, ProcessPoolExecutor(most, multiprocessing.get_context("spawn")) as pool:
        for done, told in enumerate(pool.map(ask, numbers, chunksize=4), start=1):
            report(done, len(numbers))
            yield told


def _deciles(values: Sequence[int]) -> str:
    ordered = sorted(values)
    if not ordered:
        return "none"
    return " ".join(str(ordered[min(len(ordered) - 1, len(ordered) * tenth // 10)]) for tenth in range(11))
