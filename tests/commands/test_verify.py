"""``samedeal verify`` (PROTOCOL 4)."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli import app, run
from tests.play.test_record import won


def write(folder: Path, record: object) -> str:
    path = folder / "record.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    return str(path)


def test_a_true_record_agrees(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["verify", write(tmp_path, won())])
    assert result.exit_code == 0
    assert result.stdout == "note: the rank is not checked: it follows from the attempts of others\nall agree\n"


def test_standard_input_is_read_for_a_dash() -> None:
    result = CliRunner().invoke(app, ["verify", "-"], input=json.dumps(won("foursquare")))
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "all agree")


def test_what_does_not_agree_is_said_and_fails(tmp_path: Path) -> None:
    record = won()
    record["result"]["time_ms"] -= 1
    result = CliRunner().invoke(app, ["verify", write(tmp_path, record)])
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "wrong: result: time_ms is 76999, by the log 77000",
        "note: the rank is not checked: it follows from the attempts of others",
        "not everything agrees",
    ]


def test_a_record_without_seed_does_not_pass(tmp_path: Path) -> None:
    record = won()
    del record["seed"]
    result = CliRunner().invoke(app, ["verify", write(tmp_path, record)])
    assert result.exit_code == 1
    assert "unchecked: commitment, deal, moves and result: the record has no seed" in result.stdout.splitlines()


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000, b"9" * 5000])
def test_what_is_not_json_is_said_in_one_line(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(content)
    assert run(["verify", str(path)]) == 2
    assert capsys.readouterr() == ("", f"samedeal: {path} is not JSON\n")


def test_a_folder_or_nothing_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path, tmp_path / "nothing"):
        assert run(["verify", str(path)]) == 2
        out, complaint = capsys.readouterr()
        assert out == ""
        assert complaint.startswith(f"samedeal: cannot read {path}: ")
        assert complaint.count("\n") == 1
