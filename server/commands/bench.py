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
    interpreted: Annotated[
        bool, typer.Option("--interpreted", help="Measure the code as it stands, without compiling it first.")
    ] = False,
) -> None:
    """Measure a speed beside its baseline.

    What is measured, and the bars, are told in docs/benchmarks.md.

    What is measured is compiled, as an installation is; where that cannot be done the first line says why.
    The exit code is 1 where a figure is below its bar. It starts its own servers, on this machine only.
    """
    from server.bench import catalogue, production
    from server.bench.figures import BenchError, StoppedError
    from server.compiling import compiled

    if name != _ALL and name not in catalogue.BENCHMARKS:
        raise CommandError(f"no benchmark {name}: there are {', '.join(catalogue.BENCHMARKS)} and {_ALL}", USAGE)
    if compiled():
        say("measured: compiled code")
    elif why := production.interpreted_because(smoke=smoke, interpreted=interpreted):
        say(f"measured: interpreted code ({why})")
    else:
        try:
            # The copy is compiled already: it is measured as it stands.
            raise typer.Exit(production.run_compiled(["bench", name, "--interpreted"]))
        except BenchError as error:
            raise CommandError(str(error), FAILURE) from error
    below, broken = [], []
    for one in catalogue.BENCHMARKS if name == _ALL else (name,):
        try:
            holds = catalogue.run(one, smoke=smoke, say=say)
        except BenchError as error:
            if name != _ALL or isinstance(error, StoppedError):
                raise CommandError(f"{one}: {error}", FAILURE) from error
            say(f"  {one}: {error}")
            broken.append(one)
        else:
            if not holds:
                below.append(one)
    complaints = [("not measured", broken), ("below the bar", below)]
    if told := "; ".join(f"{what}: {', '.join(names)}" for what, names in complaints if names):
        raise CommandError(told, FAILURE)
