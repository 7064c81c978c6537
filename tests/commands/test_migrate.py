"""``samedeal migrate``."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from server.cli import app, run
from server.store import migrate


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder that does not exist yet, as the setting names it."""
    folder = tmp_path / "some" / "where"
    monkeypatch.setenv("SAMEDEAL_DATA_DIR", str(folder))
    monkeypatch.delenv("SAMEDEAL_DATABASE_URL", raising=False)
    return folder


def test_the_default_database_is_made_with_its_folder(data_dir: Path) -> None:
    newest = migrate.newest()
    result = CliRunner().invoke(app, ["migrate"])
    assert result.stdout == f"the database is at revision {newest} now; before, it was empty\n"
    assert migrate.current(f"sqlite+aiosqlite:///{data_dir / 'samedeal.db'}") == newest
    result = CliRunner().invoke(app, ["migrate"])
    assert (result.exit_code, result.stdout) == (0, f"the database is at revision {newest}\n")


def test_the_flag_wins_over_the_environment(database_url: str, data_dir: Path) -> None:
    result = CliRunner().invoke(app, ["migrate", "--database-url", database_url])
    assert result.exit_code == 0
    assert migrate.current(database_url) == migrate.newest()
    assert not data_dir.exists()


def test_a_wrong_setting_is_named_without_its_value(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["migrate", "--database-url", "mysql://me:secret@host/db"]) == 2
    out, complaint = capsys.readouterr()
    assert (out, complaint.count("\n")) == ("", 1)
    assert complaint.startswith("samedeal: SAMEDEAL_DATABASE_URL must start with ")
    assert "secret" not in complaint


def test_a_database_out_of_reach_is_one_line(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data_dir.mkdir(parents=True)
    assert run(["migrate", "--database-url", f"sqlite+aiosqlite:///{data_dir}"]) == 1
    out, complaint = capsys.readouterr()
    assert (out, complaint.count("\n")) == ("", 1)
    assert complaint.startswith("samedeal: cannot ")


def test_a_data_folder_that_cannot_be_made_is_one_line(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data_dir.parent.write_text("a file stands in the way", encoding="utf-8")
    assert run(["migrate"]) == 1
    out, complaint = capsys.readouterr()
    assert (out, complaint.count("\n")) == ("", 1)


def test_a_variable_that_nothing_reads_is_warned_of(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAMEDEAL_DATABSE_URL", "typing error")
    assert run(["migrate"]) == 0
    assert "samedeal: warning: SAMEDEAL_DATABSE_URL is no setting and is not read\n" in capsys.readouterr().err
