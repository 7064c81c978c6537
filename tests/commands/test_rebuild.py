"""``samedeal rebuild`` (DESIGN 1.4)."""

import asyncio
import io
import sys
from pathlib import Path

import pytest
from sqlalchemy import insert
from typer.testing import CliRunner

from server.cli import app, run
from server.core.deck import commitment
from server.store import migrate
from server.store.attempts import start_attempt
from server.store.challenges import ChallengeRow, insert_challenge
from server.store.engine import Store
from server.store.ids import uuid7
from server.store.players import create_player
from server.store.tables import LogEntry
from tests.play.toys import seed_number

PLAYER, CHALLENGE, ATTEMPT = (uuid7(number, bytes(10)) for number in (1, 2, 3))
SEED = seed_number(0)


async def _with_a_log_that_its_summary_does_not_know(url: str) -> None:
    store = await Store.open(url)
    deal = ChallengeRow(CHALLENGE, "event", "pyramid", 1, 1, None, SEED, commitment(SEED), 0, 10**6, 10**6, None, 0)
    try:
        async with store.writing() as conn:
            await create_player(conn, PLAYER, "guest", "Anne", 0)
            await insert_challenge(conn, deal)
            row, _ = await start_attempt(conn, ATTEMPT, CHALLENGE, PLAYER, ranked=True, undo_policy="counted", now_ms=0)
            for seq, text in enumerate(("s", "s", "undo")):
                values = {"attempt": row.number, "seq": seq, "text": text, "at_ms": 100 * seq}
                await conn.execute(insert(LogEntry).values(values))
    finally:
        await store.close()


@pytest.fixture
def broken_url(database_url: str) -> str:
    """The address of a database in which an attempt's summary lags behind its log."""
    migrate.upgrade(database_url)
    asyncio.run(_with_a_log_that_its_summary_does_not_know(database_url))
    return database_url


def test_differences_are_told_corrected_and_then_gone(broken_url: str) -> None:
    differences = [
        f"{ATTEMPT}: seq is 0, by the log 3",
        f"{ATTEMPT}: moves is 0, by the log 3",
        f"{ATTEMPT}: undos is 0, by the log 1",
        f"{ATTEMPT}: last_at_ms is 0, by the log 200",
    ]
    arguments = ["rebuild", "--database-url", broken_url]
    checked = CliRunner().invoke(app, [*arguments, "--check"])
    *told, summary = checked.stdout.splitlines()
    assert sorted(told) == sorted(differences)
    assert summary == "1 attempts looked at, 4 differences found, 0 corrected"
    assert checked.exit_code == 1

    corrected = CliRunner().invoke(app, arguments)
    *told, summary = corrected.stdout.splitlines()
    assert sorted(told) == sorted(differences)
    assert summary == "1 attempts looked at, 4 differences found, 4 corrected"
    assert corrected.exit_code == 0

    again = CliRunner().invoke(app, [*arguments, "--check"])
    assert again.stdout == "1 attempts looked at, 0 differences found, 0 corrected\n"
    assert again.exit_code == 0


def test_a_database_without_schema_is_said_to_need_one(
    sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rebuild", "--database-url", sqlite_url]) == 1
    complaint = f"the database is at revision none, not {migrate.newest()}: run samedeal migrate"
    assert capsys.readouterr() == ("", f"samedeal: {complaint}\n")


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_a_bar_and_the_output_stays_clean(
    broken_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", terminal)
    assert run(["rebuild", "--database-url", broken_url]) == 0
    assert "rebuilding" in terminal.getvalue()
    assert "100%" in terminal.getvalue()
    assert capsys.readouterr().out.count("\n") == 5
