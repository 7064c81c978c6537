"""Fixtures for the services beside the server: PostgreSQL, Valkey or Redis, Chromium.

Each test gets a database of its own, so tests neither meet nor leave anything behind.
"""

import asyncio
import os
import shutil
import socket
import subprocess
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError

from tests.support.migrated import drop, leave_nothing, tell
from tests.support.missing import missing

Answer = TypeVar("Answer")

POSTGRES = "SAMEDEAL_TEST_POSTGRES_URL"
"""Names the server in which tests make their databases; the user must be allowed to."""
CHROMIUM = "SAMEDEAL_TEST_CHROMIUM"
"""Names the browser's program file where it is not on the path."""

_PATIENCE_S = 60.0


#: One thread for the whole run, which keeps an event loop from being begun in many threads.
_outside = ThreadPoolExecutor(1, thread_name_prefix="outside")


def outside_loop(work: Callable[[], Awaitable[Answer]]) -> Answer:
    """Run `work` in an event loop of another thread: fixtures serve tests with and without a running loop."""

    async def main() -> Answer:
        return await work()

    return _outside.submit(asyncio.run, main()).result()


def outside(work: Callable[[], Answer]) -> "Future[Answer]":
    """Run `work`, which begins an event loop of its own, in that thread."""
    return _outside.submit(work)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[URL]:
    """The PostgreSQL server for tests; skips where none answers."""
    server = make_url(os.environ.get(POSTGRES, "postgresql+asyncpg://postgres@127.0.0.1:5432/postgres"))
    try:
        outside_loop(lambda: tell(server, "SELECT 1"))
    except (ImportError, OSError, SQLAlchemyError) as error:
        missing("PostgreSQL", f"{type(error).__name__}; start one or name it in {POSTGRES}")
    yield server
    leave_nothing()


@pytest.fixture
def postgres_url(postgres_server: URL) -> Iterator[str]:
    """The address of a new, empty PostgreSQL database, dropped afterwards."""
    name = f"samedeal_test_{uuid.uuid4().hex}"
    outside_loop(lambda: tell(postgres_server, f"CREATE DATABASE {name}"))
    try:
        yield postgres_server.set(database=name).render_as_string(hide_password=False)
    finally:
        drop(postgres_server, name)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The address of a SQLite database that does not exist yet."""
    return f"sqlite+aiosqlite:///{(tmp_path / 'samedeal.db').as_posix()}"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of an empty database, once on SQLite and once on PostgreSQL."""
    return str(request.getfixturevalue(f"{request.param}_url"))


def free_port() -> int:
    """A port of 127.0.0.1 on which nobody listens just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def await_port(port: int, process: subprocess.Popen[bytes]) -> None:
    """Return once `process` listens on `port`; raises RuntimeError if it ends or takes too long."""
    give_up = time.monotonic() + _PATIENCE_S
    while process.poll() is None and time.monotonic() < give_up:
        with socket.socket() as probe:
            probe.settimeout(0.05)  # also the pace of the attempts
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        process_ended_within(process, 0.02)
    raise RuntimeError(f"{process.args!r} does not listen on port {port}")


def process_ended_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether `process` has ended by then; returns as soon as it has."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


class RedisServer:
    """A Valkey or Redis of our own, that a test may stop and start again; it keeps nothing."""

    def __init__(self, program: str, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._command = [program, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(folder)]
        self._command += ["--save", "", "--appendonly", "no", "--logfile", str(folder / "log")]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, if it is not running, and wait until it listens."""
        if self._process is None:
            self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
            await_port(self.port, self._process)

    def stop(self) -> None:
        """Kill it, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@pytest.fixture(scope="session")
def redis_program() -> str:
    """The program file of Valkey or Redis; skips where there is none."""
    program = shutil.which("valkey-server") or shutil.which("redis-server")
    return program or missing("Valkey or Redis", "install valkey-server or redis-server")


@pytest.fixture
def redis_server(redis_program: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A running, empty Valkey or Redis of this test's own."""
    server = RedisServer(redis_program, tmp_path_factory.mktemp("redis"))
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """The address of an empty Valkey or Redis of this test's own."""
    return redis_server.url


def find_chromium() -> str | None:
    """The program file of an installed Chromium or Chrome; None where there is none.

    The headless shell is Chromium without its own windows: it draws and runs pages as Chromium does, in less time.
    """
    named = os.environ.get(CHROMIUM)
    if named:
        return named
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next((found for name in names if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The program file of Chromium; skips where there is none."""
    return find_chromium() or missing("Chromium", f"install it or name its file in {CHROMIUM}")
