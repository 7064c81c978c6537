"""The frame of the command line: version, help, errors in one line, exit codes, a quick start."""

import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from server import __version__, cli
from server.cli import app, run
from server.commands import console
from server.errors import ConfigurationError
from tests.commands.scripts import samedeal_script, shell

__all__ = ["samedeal_script"]


def test_the_version() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"samedeal {__version__}\n")


def test_without_a_command_the_help_is_shown() -> None:
    bare, asked = (CliRunner().invoke(app, arguments) for arguments in ([], ["--help"]))
    assert (bare.exit_code, bare.stdout) == (0, asked.stdout)
    for name in ("deal", "replay", "verify"):
        assert f"\n  {name} " in bare.stdout


def test_every_command_is_told_in_a_whole_sentence() -> None:
    assert "..." not in CliRunner().invoke(app, ["--help"]).stdout.replace("[ARGS]...", "")


def test_an_unknown_command_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["dael"]) == 2
    assert capsys.readouterr() == ("", "samedeal: No such command 'dael'. Did you mean 'deal'?\n")


@pytest.mark.parametrize(
    ("error", "code", "complaint"),
    [
        (ConfigurationError("no database\n at all"), 1, "samedeal: no database at all\n"),
        (console.CommandError("does not work"), 1, "samedeal: does not work\n"),
        (OSError(98, "Address already in use"), 1, "samedeal: [Errno 98] Address already in use\n"),
        (typer.Abort(), 1, "samedeal: given up\n"),
        (typer.Exit(3), 3, ""),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_each_error_has_its_line_and_exit_code(
    error: BaseException,
    code: int,
    complaint: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failing = typer.Typer()

    @failing.command()
    def fail() -> None:
        raise error

    monkeypatch.setattr(cli, "app", failing)
    assert run([]) == code
    assert capsys.readouterr() == ("", complaint)


def test_a_bug_is_not_dressed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    failing = typer.Typer()

    @failing.command()
    def fail() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(cli, "app", failing)
    with pytest.raises(ZeroDivisionError):
        run([])


class Terminal:
    """Standard output as a terminal."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        """Nothing is kept back."""


def test_colours_are_for_terminals_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    console.say("[all] agree", "bold green")
    assert capsys.readouterr().out == "[all] agree\n"
    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", terminal)
    console.say("[all] agree " + "long " * 40, "bold green")
    assert "\x1b[1;32m[all] agree" in terminal.text
    assert terminal.text.count("\n") == 1


def test_the_start_imports_nothing_heavy() -> None:
    heavy = ["sqlalchemy", "fastapi", "pydantic", "uvicorn", "rich", "alembic", "msgspec", "asyncio"]
    program = f"import sys, server.cli; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "[]\n"


def test_the_installed_script_runs(samedeal_script: Path, tmp_path: Path) -> None:
    done = shell("samedeal --version && samedeal deal --seed 0", tmp_path)
    assert done.returncode == 2
    assert done.stdout == f"samedeal {__version__}\n"
    assert done.stderr == "samedeal: seed/invalid: a seed is 32 lower-case hex digits\n"
