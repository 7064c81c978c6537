"""The command line: ``samedeal COMMAND``. What each command does lies in :mod:`server.commands` (docs/commands.md)."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Final, NoReturn

import typer

from server import __version__
from server.commands.admin import admin
from server.commands.bench import bench
from server.commands.console import FAILURE, SUCCESS, USAGE, say
from server.commands.deal import deal
from server.commands.docs import docs
from server.commands.migrate import migrate
from server.commands.populate import populate
from server.commands.rebuild import rebuild
from server.commands.replay import replay
from server.commands.samples import difficulty, winnability
from server.commands.serve import serve
from server.commands.solve import solve
from server.commands.verify import verify
from server.errors import ConfigurationError, GameError

_NAME: Final = "samedeal"

app = typer.Typer(name=_NAME, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
for command in (serve, migrate, rebuild, deal, replay, solve, verify, bench):
    app.command()(command)

app.add_typer(admin, name="admin", help="What those do who look after a server.")

dev = typer.Typer(rich_markup_mode=None)
dev.command()(docs)
dev.command()(populate)
dev.command()(winnability)
dev.command()(difficulty)
app.add_typer(dev, name="dev", help="What only those need who work on Samedeal itself.")


def _show_version(wanted: bool) -> None:
    if wanted:
        say(f"{_NAME} {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def samedeal(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Competitive solitaire: everybody gets the same deal, the server judges every move."""
    if context.invoked_subcommand is None:
        say(context.get_help())


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line (by default the process's own) and return its exit code; errors are one line each."""
    try:
        code = app(args=arguments, prog_name=_NAME, standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        return _complain(error.format_message(), error.exit_code)
    except GameError as refusal:
        return _complain(f"{refusal.code}: {refusal.message}", USAGE)
    except ConfigurationError as error:
        return _complain(str(error), FAILURE)
    except typer.Abort:
        return _complain("given up", FAILURE)
    except BrokenPipeError:
        _drop_output()
        return FAILURE
    except OSError as error:
        _drop_output()
        return _complain(str(error), FAILURE)
    return code if isinstance(code, int) else SUCCESS


def _complain(message: str, code: int) -> int:
    sys.stderr.write(f"{_NAME}: {' '.join(message.split())}\n")
    return code


def _drop_output() -> None:
    """Where nobody can take what is still buffered, let it go, or the interpreter would complain on its way out."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> NoReturn:
    """Entry point of the ``samedeal`` script."""
    sys.exit(run())
