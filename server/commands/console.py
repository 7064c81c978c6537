"""What the commands share: reading a file or standard input, writing plain or coloured lines, failing in one line."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

import typer

#: Exit codes (docs/commands.md): all is well, the answer is no or something failed, the command was used wrongly.
SUCCESS: Final = 0
FAILURE: Final = 1
USAGE: Final = 2

#: The name that stands for standard input.
STDIN: Final = "-"


#: Hears how much is done, and of how much.
Report = Callable[[int, int], None]


class CommandError(typer.TyperException):
    """A command cannot do what was asked; ``message`` is one line for a person, ``exit_code`` goes to the shell."""

    def __init__(self, message: str, exit_code: int = FAILURE) -> None:
        super().__init__(" ".join(message.split()))
        self.exit_code = exit_code


def say(text: str, style: str | None = None) -> None:
    """Write a line to standard output; ``style`` (as rich names it) counts only where that is a terminal."""
    if style is not None and sys.stdout.isatty():
        from rich.console import Console

        Console(soft_wrap=True).print(text, style=style, markup=False, highlight=False)
    else:
        sys.stdout.write(text + "\n")


@contextmanager
def opened(source: str) -> Iterator[BinaryIO]:
    """The bytes of a file, or of standard input for ``-``. Raises :class:`CommandError` where it cannot be read."""
    if source == STDIN:
        yield sys.stdin.buffer
        return
    try:
        file = Path(source).open("rb")  # noqa: SIM115  # closed below; what is done with it must not be tried here
    except OSError as error:
        raise CommandError(f"cannot read {source}: {error.strerror or error}", USAGE) from error
    with file:
        yield file


@contextmanager
def progress(title: str) -> Iterator[Report]:
    """A bar on standard error while that is a terminal; nothing otherwise."""
    if not sys.stderr.isatty():
        yield lambda done, count: None
        return
    from rich.console import Console
    from rich.progress import Progress

    # On a shared terminal rich prints our lines above the bar; into a file or a pipe they must go by themselves.
    shared = sys.stdout.isatty()
    with Progress(console=Console(stderr=True), transient=True, redirect_stdout=shared) as bar:
        task = bar.add_task(title)
        yield lambda done, count: bar.update(task, completed=done, total=count)
