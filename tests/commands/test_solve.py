"""``samedeal solve`` (PROTOCOL 4)."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli import app, run
from tests.commands.scripts import samedeal_script
from tests.play.toys import seed_number

__all__ = ["samedeal_script"]

SEED = seed_number(3)
CASE = {"ruleset": "thirteen-3", "seed": SEED}


def test_one_case_by_options() -> None:
    result = CliRunner().invoke(app, ["solve", "--ruleset", "pyramid", "--seed", SEED, "--moves", "s s"])
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert answer["winnable"] is True
    assert answer["par"] == len(answer["witness"].split())


def test_a_line_of_answers_for_every_line_of_cases(tmp_path: Path) -> None:
    lines = json.dumps(CASE) + "\nnonsense\n" + json.dumps({**CASE, "moves": "s s s"})
    result = CliRunner().invoke(app, ["solve", "--jsonl", "-"], input=lines)
    assert result.exit_code == 0  # refusals are answers
    first, second, third = map(json.loads, result.stdout.splitlines())
    assert second == {"ok": False, "at": None, "code": "protocol/malformed"}
    assert first.keys() == third.keys() >= {"winnable", "par", "par_exact", "witness", "nodes", "ms"}
    (tmp_path / "cases.jsonl").write_text(lines)
    result = CliRunner().invoke(app, ["solve", "--jsonl", str(tmp_path / "cases.jsonl")])
    assert len(result.stdout.splitlines()) == 3


def test_a_short_budget_leaves_a_hard_case_undecided() -> None:
    arguments = ["solve", "--ruleset", "bakers-dozen", "--budget-ms", "1", "--seed", seed_number(1)]
    answer = json.loads(CliRunner().invoke(app, arguments).stdout)
    assert (answer["winnable"], answer["par"], answer["witness"]) == (None, None, "")


def test_a_refused_case_fails_and_is_answered_all_the_same() -> None:
    result = CliRunner().invoke(app, ["solve", "--ruleset", "pyramid", "--seed", SEED, "--moves", "s P1"])
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {"ok": False, "at": 1, "code": "move/syntax"}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "name the --ruleset, or give cases with --jsonl"),
        (["--ruleset", "pyramid"], "give either a --seed or a --deck"),
        (["--ruleset", "pyramid", "--seed", SEED, "--deck", "QH"], "give either a --seed or a --deck"),
        (["--jsonl", "-", "--seed", SEED], "--jsonl brings its own cases: leave out --seed"),
        (["--jsonl", "no/such/file"], "cannot read no/such/file: No such file or directory"),
    ],
)
def test_wrong_use_is_said_in_one_line(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["solve", *arguments]) == 2
    assert capsys.readouterr().err == f"samedeal: {complaint}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_sees_a_bar_and_the_answers_stay_clean(samedeal_script: Path) -> None:
    reader, writer = pty.openpty()
    done = subprocess.run(
        [samedeal_script, "solve", "--ruleset", "pyramid", "--seed", SEED],
        stdout=subprocess.PIPE,
        stderr=writer,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
        check=True,
    )
    os.close(writer)
    seen = os.read(reader, 65_536).decode()
    os.close(reader)
    assert "solving case 1" in seen
    assert json.loads(done.stdout)["winnable"] is True
