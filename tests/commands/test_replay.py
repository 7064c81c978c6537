"""``samedeal replay`` (PROTOCOL 4)."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli import app, run
from server.play.replay import replay
from tests.commands.scripts import samedeal_script, shell
from tests.play.toys import VECTORS, seed_number, vectors

__all__ = ["samedeal_script"]

SEED = seed_number(0)
CASES = vectors("replay.jsonl")


def lines(name: str = "case") -> str:
    return "".join(json.dumps(line[name]) + "\n" for line in CASES)


def test_a_line_of_answers_for_every_line_of_cases() -> None:
    result = CliRunner().invoke(app, ["replay", "--jsonl", "-"], input=lines())
    assert result.exit_code == 0  # refusals are answers
    assert [json.loads(line) for line in result.stdout.splitlines()] == [replay(line["case"]) for line in CASES]


def test_cases_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(lines(), encoding="utf-8")
    result = CliRunner().invoke(app, ["replay", "--jsonl", str(tmp_path / "cases.jsonl")])
    assert len(result.stdout.splitlines()) == len(CASES)


def test_malformed_lines_are_answered_in_their_place() -> None:
    good = json.dumps(CASES[0]["case"]).encode()
    stdin = b"\xff\n" + good + b"\n\n{\n" + good  # the last line may lack its end
    result = CliRunner().invoke(app, ["replay", "--jsonl", "-"], input=stdin)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer.get("code") for answer in answers] == [
        "protocol/malformed",
        None,
        "protocol/malformed",
        "protocol/malformed",
        None,
    ]


def test_no_cases_no_answers() -> None:
    result = CliRunner().invoke(app, ["replay", "--jsonl", "-"], input="")
    assert (result.exit_code, result.stdout) == (0, "")


def test_one_case_by_options() -> None:
    result = CliRunner().invoke(app, ["replay", "--ruleset", "pyramid", "--seed", SEED, "--moves", "s s undo"])
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert answer == replay({"ruleset": "pyramid", "seed": SEED, "moves": "s s undo"})
    assert answer["seq"] == 3


def test_a_deck_by_options_and_no_moves() -> None:
    deck = CASES[0]["case"]["deck"]
    result = CliRunner().invoke(app, ["replay", "--ruleset", "pyramid", "--deck", deck])
    assert json.loads(result.stdout)["piles"]["p1"] == [deck[:2]]


def test_a_refused_case_fails_and_is_answered_all_the_same() -> None:
    result = CliRunner().invoke(app, ["replay", "--ruleset", "pyramid", "--seed", SEED, "--moves", "s P1"])
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {"ok": False, "at": 1, "code": "move/syntax"}
    result = CliRunner().invoke(app, ["replay", "--ruleset", "klondike", "--seed", SEED, "--moves", ""])
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {"ok": False, "at": None, "code": "ruleset/unknown"}


def test_practice_frees_undo_for_options_and_lines() -> None:
    case = {"ruleset": "foursquare", "seed": SEED, "moves": "d5 undo"}
    for extra, ok in (([], False), (["--practice"], True)):
        arguments = ["replay", "--ruleset", case["ruleset"], "--seed", SEED, "--moves", case["moves"], *extra]
        assert json.loads(CliRunner().invoke(app, arguments).stdout)["ok"] is ok
        result = CliRunner().invoke(app, ["replay", "--jsonl", "-", *extra], input=json.dumps(case))
        assert json.loads(result.stdout)["ok"] is ok


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
    assert run(["replay", *arguments]) == 2
    assert capsys.readouterr() == ("", f"samedeal: {complaint}\n")


def test_the_script_answers_each_line_before_it_reads_the_next(samedeal_script: Path, tmp_path: Path) -> None:
    case = json.dumps(CASES[0]["case"])
    conversation = (
        f"coproc samedeal replay --jsonl -; for turn in 1 2; do echo '{case}' >&${{COPROC[1]}};"
        ' read -t 30 -r answer <&${COPROC[0]} || exit 9; echo "${answer:0:10}"; done'
    )
    done = shell(conversation, tmp_path)
    assert (done.returncode, done.stdout) == (0, '{"ok": tru\n{"ok": tru\n')


def test_a_reader_that_leaves_early_is_no_error(samedeal_script: Path, tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(lines() * 5, encoding="utf-8")
    done = shell("set +o pipefail; samedeal replay --jsonl cases.jsonl | head -n 1 | cut -c 1-7", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, '{"ok": \n', "")


def test_a_full_disk_is_said_in_one_line(samedeal_script: Path, tmp_path: Path) -> None:
    done = shell(f"samedeal replay --jsonl {VECTORS / 'wins.jsonl'} > /dev/full", tmp_path)
    assert done.returncode == 1
    assert done.stderr == "samedeal: [Errno 28] No space left on device\n"
