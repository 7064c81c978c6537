"""SQLite: one writing connection and a few reading ones, with transactions under our own control.

The writer is in WAL mode with ``synchronous=FULL``: a commit returns when the log is on the disk. Every writing
transaction begins IMMEDIATE, so it waits for its turn at the start and never fails half way for want of a lock.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, event
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from server.errors import ConfigurationError

T = TypeVar("T")

#: RETURNING and the JSON functions that the recorder uses.
OLDEST: Final = (3, 38, 0)

#: Seconds that a connection waits for another process, a command of the administrator for instance.
PATIENCE_S: Final = 30.0

#: Pages in the write-ahead log before they go into the database file. Active attempts share few pages, so a longer
#: log means that each is copied once for many commits.
_CHECKPOINT_PAGES: Final = 4000

_COMMON: Final = ("foreign_keys=ON",)
_WRITER: Final = (
    "synchronous=FULL",
    "fullfsync=ON",  # on macOS a plain fsync stops at the drive's cache; elsewhere this says nothing
    "checkpoint_fullfsync=ON",
    "secure_delete=ON",  # what a player had erased must not be found in the file (X19)
    f"wal_autocheckpoint={_CHECKPOINT_PAGES}",
    "journal_size_limit=67108864",
    "cache_size=-16000",
    # What a statement keeps in order to undo itself would otherwise be a file of its own in every commit.
    "temp_store=MEMORY",
)
_READER: Final = ("query_only=ON", "cache_size=-8000")


class Direct:
    """The writing connection, for a whole transaction as one function on a thread of its own.

    Every statement that goes through the asynchronous driver costs several changes of thread; here a group of moves
    costs one. Only the holder of the store's turn may call it.
    """

    def __init__(self, made: Sequence[sqlite3.Connection]) -> None:
        """``made`` are the connections that the writing engine has made; the last one is in use."""
        self._made = made
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="samedeal-recorder")

    def run(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """What ``work`` will return or raise, called with the writing connection."""
        return asyncio.get_running_loop().run_in_executor(self._thread, work, self._made[-1])

    def close(self) -> None:
        """End the thread. The connection belongs to the writing engine and stays."""
        self._thread.shutdown()


async def open_engines(address: URL, readers: int) -> tuple[AsyncEngine, AsyncEngine, Direct]:
    """The writing engine, the reading engine and the way round the driver.

    Raises :class:`ConfigurationError` where the file cannot be opened or cannot be written durably.
    """
    if sqlite3.sqlite_version_info < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise ConfigurationError(f"SQLite {sqlite3.sqlite_version} is too old; {oldest} or later is needed")
    await asyncio.to_thread(probe, address, change_to_wal=True)
    made: list[sqlite3.Connection] = []

    def writing(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        connection = sqlite3.Connection(*args, **kwargs)
        _set(connection, _COMMON + _WRITER)
        made.append(connection)
        return connection

    writer = _engine(address, writing, 1, "BEGIN IMMEDIATE")
    async with writer.connect() as conn:
        await conn.exec_driver_sql("SELECT count(*) FROM sqlite_schema")
    return writer, _engine(address, _reading, readers, "BEGIN"), Direct(made)


def probe(address: URL, *, change_to_wal: bool = False) -> None:
    """Look whether the file can be opened, or made, as a database. Raises :class:`ConfigurationError`.

    The asynchronous driver does not fail as plainly: it leaves a thread that may outlive the loop it answers to.
    """
    try:
        with closing(sqlite3.connect(address.database or "", timeout=PATIENCE_S)) as connection:
            connection.execute("PRAGMA schema_version").fetchall()
            if change_to_wal:
                enter_wal(connection)
    except sqlite3.Error as error:
        raise ConfigurationError(f"cannot open the SQLite file {address.database}: {error}") from error


def _engine(address: URL, factory: Callable[..., sqlite3.Connection], size: int, begin: str) -> AsyncEngine:
    engine = create_async_engine(
        address,
        hide_parameters=True,  # names, tokens and seeds must not get into the log with an error
        pool_size=size,
        max_overflow=0,
        pool_timeout=PATIENCE_S,
        connect_args={
            "factory": factory,
            "timeout": PATIENCE_S,
            # The driver begins no transaction by itself; the event below does.
            "isolation_level": None,
            # Two threads use the writing connection, one after the other.
            "check_same_thread": False,
        },
    )

    @event.listens_for(engine.sync_engine, "begin")
    def _(conn: Connection) -> None:
        conn.exec_driver_sql(begin)

    @event.listens_for(engine.sync_engine, "handle_error")
    def _(context: ExceptionContext) -> None:
        # A cancelled caller is no reason to throw the connection away: its thread goes on in order, and the recorder
        # works with the same one.
        context.is_disconnect = False

    return engine


def _reading(*args: Any, **kwargs: Any) -> sqlite3.Connection:
    connection = sqlite3.Connection(*args, **kwargs)
    _set(connection, _COMMON + _READER)
    return connection


def _set(connection: sqlite3.Connection, pragmas: tuple[str, ...]) -> None:
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}").fetchall()


def enter_wal(connection: sqlite3.Connection) -> None:
    """Change the file to a write-ahead log, for good. SQLite does not wait for others here, so this does.

    Raises :class:`ConfigurationError` where the file system does not allow it.
    """
    give_up = time.monotonic() + PATIENCE_S
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            time.sleep(0.02)
        else:
            break
    if mode != "wal":
        raise ConfigurationError("this SQLite file cannot have a write-ahead log; put it on a local disk")
