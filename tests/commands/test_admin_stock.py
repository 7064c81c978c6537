"""``samedeal admin stock``: fills, is killed and goes on, and works beside a running server."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from server.cli import run
from server.core.deck import commitment
from server.games import ruleset
from server.solve.certificate import Certificate, stands
from tests.support.live_server import live_server

ROOT = Path(__file__).resolve().parents[2]
FILL = ("admin", "stock", "fill", "--ruleset", "foursquare")


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sqlite_url: str) -> Path:
    monkeypatch.setenv("SAMEDEAL_DATABASE_URL", sqlite_url)
    monkeypatch.setenv("SAMEDEAL_DATA_DIR", str(tmp_path))
    return tmp_path / "samedeal.db"


def rows(database: Path) -> list[sqlite3.Row]:
    connection = sqlite3.connect(database)
    connection.row_factory = sqlite3.Row
    try:
        return connection.execute("SELECT * FROM stock ORDER BY made_at").fetchall()
    except sqlite3.OperationalError:
        return []
    finally:
        connection.close()


def check(database: Path) -> None:
    """Every stored deal is whole: its line wins under the rules, its commitment is that of its seed."""
    for row in rows(database):
        told = Certificate(
            solver_version=row["solver_version"], witness=tuple(row["witness"].split(" ")), par=row["par"],
            par_exact=bool(row["par_exact"]), score=row["score"], first_moves=row["first_moves"],
            winnable_first_moves=row["winnable_first_moves"], dead_ends=row["dead_ends"], hardness=row["hardness"],
            difficulty=row["difficulty"], nodes=row["nodes"], ms=row["ms"],
        )  # fmt: skip
        assert stands(ruleset(row["ruleset"]), row["seed"], told)
        assert row["commitment"] == commitment(row["seed"])
        assert row["used_by"] is None


@pytest.mark.timeout(300)
def test_it_fills_until_the_count_lies_there_and_then_finds_nothing_to_do(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*FILL, "--count", "2", "--workers", "1"]) == 0
    assert capsys.readouterr().out.startswith("2 deals stored of ")
    check(database)
    assert run([*FILL, "--count", "2"]) == 0
    assert capsys.readouterr().out == "0 deals stored of 0 looked at, 0 missing\n"
    assert run(["admin", "stock", "list"]) == 0
    listed = capsys.readouterr().out
    assert any(line.split()[0] == "foursquare" and line.split()[-1] == "2" for line in listed.splitlines()[1:])
    assert not any(row["seed"] in listed for row in rows(database))


def test_time_that_is_up_leaves_what_was_found_and_says_what_is_missing(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*FILL, "--days", "30", "--minutes", "0.01"]) == 1
    assert capsys.readouterr().out.endswith(" missing\n")
    check(database)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--days", "3", "--count", "3"], "--days or --count"),
        (["--difficulty", "hard"], "--difficulty goes with --count"),
        (["--ruleset", "patience"], "ruleset/unknown"),
        (["--difficulty", "hopeless", "--count", "1"], "hopeless"),
    ],
)
def test_wrong_uses_are_refused_before_anything_is_made(
    database: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    assert run(["admin", "stock", "fill", *words]) == 2
    assert told in capsys.readouterr().err
    assert not database.exists()


@pytest.mark.timeout(300)
def test_a_kill_half_way_leaves_whole_deals_and_the_next_run_goes_on(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [sys.executable, "-c", "from server.cli import main; main()", *FILL, "--count", "400", "--workers", "2"]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ, stdout=subprocess.DEVNULL)
    give_up = time.monotonic() + 240
    while len(rows(database)) < 2 and process.poll() is None and time.monotonic() < give_up:
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
    process.send_signal(signal.SIGKILL)
    process.wait()
    found = len(rows(database))
    assert found >= 2
    check(database)
    assert run([*FILL, "--count", str(found + 1), "--workers", "1"]) == 0
    assert capsys.readouterr().out.startswith("1 deals stored of ")
    check(database)


@pytest.mark.timeout(300)
async def test_r41_it_fills_beside_a_running_server(database: Path, sqlite_url: str, tmp_path: Path) -> None:
    """R41: what an admin stores meanwhile costs no player a move."""
    async with live_server(sqlite_url, tmp_path, sandbox=True) as server, server.playing() as ada:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", "from server.cli import main; main()", *FILL, "--count", "2", "--workers", "1"),
            cwd=ROOT, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        filling = asyncio.create_task(process.communicate())
        while not filling.done():
            attempt = (await ada.ask("practice", ruleset="pyramid"))["attempt"]
            for _ in range(10):
                assert (await ada.play(attempt, "s"))["t"] == "played"
        out, _ = await filling
        assert (process.returncode, out.startswith(b"2 deals stored")) == (0, True)
    check(database)
