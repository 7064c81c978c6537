"""Every example of docs/commands.md is run, in its order, and says what stands there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli import app
from tests.commands.scripts import samedeal_script, shell

__all__ = ["samedeal_script"]

PAGE = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")

#: The newest revision moves on; that one is named is all that the page promises.
REVISION = re.compile(r"\b\d{4}_\w+")


def examples() -> Iterator[tuple[str, str]]:
    """Every command line of the page and the output under it."""
    for block in re.findall(r"^```console\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            yield line, output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the page shows."""
    folder = tmp_path_factory.mktemp("page")
    for name, text in re.findall(r"^`([a-z.]+)`:\n\n```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(("line", "output"), list(examples()), ids=[line[:40] for line, _ in examples()])
def test_an_example_says_what_stands_there(line: str, output: str, folder: Path, samedeal_script: Path) -> None:
    done = shell(f"{{ {line}; }} 2>&1", folder)
    assert REVISION.sub("REVISION", done.stdout) == REVISION.sub("REVISION", output)


def test_every_command_has_its_section_with_an_example() -> None:
    listed = CliRunner().invoke(app, ["--help"]).stdout.partition("Commands:")[2]
    commands = re.findall(r"^  ([a-z-]+) ", listed, re.MULTILINE)
    assert {"serve", "migrate", "deal", "replay", "verify"} <= set(commands)
    for name in commands:
        section = PAGE.partition(f"### `samedeal {name}`\n")[2].partition("\n##")[0]
        assert f"samedeal {name}" in section, name
    sections = re.findall(r"^### `samedeal ([a-z-]+)`$", PAGE, re.MULTILINE)
    assert sorted(sections) == sorted(commands)
