"""``samedeal dev populate``: a made-up past, the same for the same figures."""

import asyncio
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import text

from server.cli import run
from server.commands.populate import _last_closed
from server.store.engine import Store
from tests.support.live_server import HOUR, NOON

FIGURES = ("dev", "populate", "--players", "12", "--days", "2", "--last", "2026-03-01")


def made(url: str) -> list[tuple[object, ...]]:
    """Everything that was played."""

    async def read() -> list[tuple[object, ...]]:
        store = await Store.open(url)
        try:
            async with store.reading() as conn:
                query = text(
                    "SELECT CAST(p.id AS TEXT), c.date, c.ruleset, c.seed, l.seq, l.text, l.at_ms FROM log AS l"
                    " JOIN attempts AS a ON a.number = l.attempt JOIN challenges AS c ON c.id = a.challenge_id"
                    " JOIN players AS p ON p.id = a.player_id ORDER BY 1, 2, 3, 5"
                )
                rows = (await conn.execute(query)).all()
                return [(str(row[0]).replace("-", ""), *row[1:]) for row in rows]
        finally:
            await store.close()

    return asyncio.run(read())


def test_the_same_figures_make_the_same_past_on_both_databases(
    database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = f"sqlite+aiosqlite:///{(tmp_path / 'first.db').as_posix()}"
    for url in (first, database_url):
        assert run([*FIGURES, "--database-url", url]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == out[1]
    assert out[0].startswith("12 players, 12 dailies, ")
    assert made(first) == made(database_url) != []


def test_a_database_with_dailies_of_these_days_is_left_alone(
    sqlite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*FIGURES, "--database-url", sqlite_url]) == 0
    before = made(sqlite_url)
    assert run([*FIGURES, "--database-url", sqlite_url, "--salt", "another"]) == 1
    assert "use an empty one" in capsys.readouterr().err
    assert made(sqlite_url) == before


def test_a_wrong_day_is_a_wrong_use(sqlite_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["dev", "populate", "--last", "yesterday", "--database-url", sqlite_url]) == 2
    assert "YYYY-MM-DD" in capsys.readouterr().err


def test_the_past_ends_with_the_last_day_that_is_closed() -> None:
    """Yesterday, so that its boards are there and streaks go on; in the first hour of a day it is still open."""
    assert _last_closed(NOON) == date(2026, 3, 9)
    assert _last_closed(NOON - 11 * HOUR) == date(2026, 3, 9)
    assert _last_closed(NOON - 11 * HOUR - 1) == date(2026, 3, 8)
