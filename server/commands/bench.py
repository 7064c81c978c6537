"""``samedeal bench``: measure a speed beside its baseline (docs/benchmarks.md)."""

from typing import Annotated

import typer

from server.commands.console import FAILURE, USAGE, CommandError, say

_ALL = "all"


def bench(
    name: Annotated[str, typer.Argument(metavar="NAME", help="s1, s2, s3, s5, s6, s8, s10, or all of them.")],
    smoke: Annotated[
        bool, typer.Option("--smoke", help="A short run that shows that everything works and judges no speed.")
    ] = False,
) -> None:
    """Measure a speed beside its baseline.

    What is measured, and the bars, are told in docs/benchmarks.md.

    The exit code is 1 where a figure is below its bar. It starts its own servers, on this machine only.
    """
    from server.bench import catalogue
    from server.bench.figures import BenchError

    if name != _ALL and name not in catalogue.BENCHMARKS:
        raise CommandError(f"no benchmark {name}: there are {', '.join(catalogue.BENCHMARKS)} and {_ALL}", USAGE)
    below = []
    for one in catalogue.BENCHMARKS if name == _ALL else (name,):
        try:
            holds = catalogue.run(one, smoke=smoke, say=say)
        except BenchError as error:
            raise CommandError(f"{one}: {error}", FAILURE) from error
        if not holds:
            below.append(one)
    if below:
        raise CommandError(f"below the bar: {', '.join(below)}", FAILURE)
