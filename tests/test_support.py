"""The suite's own tools: services are real, separate and cleaned up, and a missing one is never silent."""

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import create_async_engine

from tests.support import services
from tests.support.missing import VARIABLE
from tests.support.services import RedisServer

SKIPPING = """
from tests.support.missing import missing
def test_needs_it():
    missing("the moon", "wait for the night")
def test_needs_nothing():
    pass
"""


def run_inside(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run a suite inside this test with the suite's own plugins; it has no settings file."""
    plugins = ("-p", "no:asyncio", "-p", "tests.support.missing", "-p", "tests.support.services")
    return pytester.runpytest_inprocess(*plugins, *arguments)


async def count_tables(url: str) -> int:
    """How many tables the database has; leaves one behind."""
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        found = await connection.execute(
            text("SELECT count(*) FROM sqlite_master")
            if url.startswith("sqlite")
            else text("SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'")
        )
        await connection.execute(text("CREATE TABLE left_behind (id integer)"))
    await engine.dispose()
    return int(found.scalar_one())


@pytest.mark.parametrize("turn", [1, 2])
async def test_every_test_has_an_empty_database(database_url: str, turn: int) -> None:
    assert await count_tables(database_url) == 0


def test_a_test_without_a_loop_may_use_the_database_too(database_url: str) -> None:
    assert asyncio.run(count_tables(database_url)) == 0


@pytest.mark.redis
async def test_redis_can_be_stopped_and_comes_back_empty(redis_server: RedisServer) -> None:
    redis = pytest.importorskip("redis.asyncio")
    client = redis.Redis.from_url(redis_server.url)
    await client.set("key", "value")
    redis_server.stop()
    with pytest.raises(redis.ConnectionError):
        await client.get("key")
    redis_server.start()
    assert await client.get("key") is None
    await client.aclose()


@pytest.mark.browser
def test_chromium_is_a_program(chromium: str) -> None:
    assert Path(chromium).is_file()


def test_a_service_that_does_not_listen_is_an_error() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process, pytest.raises(RuntimeError, match="listen"):
        services.await_port(services.free_port(), process)


@pytest.mark.parametrize(
    ("required", "status", "workers"), [("", 0, "0"), ("0", 0, "0"), ("0", 0, "2"), ("1", 1, "0"), ("1", 1, "2")]
)
def test_a_missing_service_is_told_and_fails_where_all_are_required(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, required: str, status: int, workers: str
) -> None:
    """In one process, and where tests run side by side in several."""
    monkeypatch.setenv(VARIABLE, required)
    pytester.makepyfile(SKIPPING)
    result = run_inside(pytester, "-n", workers)
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["*1 not run for want of the moon (wait for the night)*"])
    assert result.ret == status


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_missing_module_counts_as_well(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    pytester.makepyfile("""
        import pytest
        pytest.skip("MISSING SERVICE: the moon (wait)", allow_module_level=True)
    """)
    assert run_inside(pytester, "-n", workers).ret == 1


def test_a_skip_for_another_reason_is_no_missing_service(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    pytester.makepyfile("import pytest\n@pytest.mark.skip('windows only')\ndef test_it(): pass")
    assert run_inside(pytester).ret == 0


def test_no_postgres_is_a_missing_service(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(services.POSTGRES, f"postgresql+asyncpg://nobody@127.0.0.1:{services.free_port()}/none")
    pytester.makepyfile("def test_it(postgres_url): pass")
    result = run_inside(pytester)
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*not run for want of PostgreSQL*"])


def test_no_program_is_a_missing_service(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv(services.CHROMIUM, raising=False)
    pytester.makepyfile("def test_redis(redis_url): pass\ndef test_chromium(chromium): pass")
    result = run_inside(pytester)
    result.assert_outcomes(skipped=2)


@pytest.mark.postgres
def test_a_database_is_dropped_afterwards(postgres_server: URL, pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(postgres_url): print('DATABASE', postgres_url.rpartition('/')[2])")
    result = run_inside(pytester, "-s")
    name = next(line.split()[-1] for line in result.outlines if "DATABASE" in line)
    found = services.outside_loop(lambda: _databases(postgres_server, name))
    assert found == 0


async def _databases(server: URL, name: str) -> int:
    engine = create_async_engine(server)
    async with engine.connect() as connection:
        query = text("SELECT count(*) FROM pg_database WHERE datname = :name")
        found = int((await connection.execute(query, {"name": name})).scalar_one())
    await engine.dispose()
    return found


def test_a_sqlite_file_begins_as_nothing(sqlite_url: str) -> None:
    path = Path(sqlite_url.removeprefix("sqlite+aiosqlite:///"))
    assert not path.exists()
    sqlite3.connect(path).close()  # and its folder can be written


#: Something to measure, of which a thread runs one half.
HALF = """
def half(number):
    if number:
        return 1
    return 0
"""
HALVES = """
import threading
from server.rules import half
def test_it():
    assert half(1) == 1
def test_it_in_a_thread():
    thread = threading.Thread(target=half, args=({number},))
    thread.start()
    thread.join()
"""


@pytest.mark.parametrize(
    ("number", "gate", "status", "workers"),
    [(0, "100", 0, "0"), (0, "100", 0, "2"), (1, "100", 1, "2"), (1, "50", 0, "0")],
)
def test_what_runs_is_measured_and_judged(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, number: int, gate: str, status: int, workers: str
) -> None:
    """In threads and in several processes too; a line and a branch that nobody took bring a run below the gate."""
    monkeypatch.setenv("SAMEDEAL_TEST_COVERAGE_GATE", gate)
    (pytester.mkpydir("server") / "rules.py").write_text(HALF)
    pytester.makepyfile(HALVES.format(number=number))
    result = pytester.runpytest_subprocess("-p", "no:asyncio", "-p", "tests.support.measured", "-n", workers)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines([f"*lines and branches ran; at least {gate} % must*"])
    assert result.ret == status
