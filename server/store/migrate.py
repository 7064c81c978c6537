"""Migrations: the schema of a database is brought to a revision in one transaction, under a lock.

Whoever comes second waits, finds nothing left to do, and is content: several workers may start at once on an empty
database (field report R44). A migration that fails leaves the database as it was.

These functions run an event loop of their own. Call them before the server's loop starts, or in a thread.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from typing import Any, Final, TypeVar

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from server import resources
from server.errors import ConfigurationError
from server.store import sqlite
from server.store.engine import parse_url

T = TypeVar("T")

#: The advisory lock of Samedeal's migrations on PostgreSQL: the ASCII codes of "samedeal".
LOCK: Final = 0x73616D656465616C

#: Seconds to wait for another process that migrates.
PATIENCE_S: Final = 120.0


def upgrade(url: str, revision: str = "head") -> None:
    """Bring the database to a revision, the newest by default; nothing happens when it is there already.

    Raises :class:`ConfigurationError` where the database cannot be reached or is newer than this Samedeal.
    """
    _run(url, lambda config, _: command.upgrade(config, revision))


def downgrade(url: str, revision: str) -> None:
    """Bring the database back to a revision, ``base`` for an empty one. Rows of dropped tables are lost.

    Raises :class:`ConfigurationError` as :func:`upgrade`.
    """
    _run(url, lambda config, _: command.downgrade(config, revision))


def current(url: str) -> str | None:
    """The revision of the database, None for an empty one. Raises :class:`ConfigurationError` as :func:`upgrade`."""
    return _run(url, lambda _, connection: MigrationContext.configure(connection).get_current_revision())


def newest() -> str | None:
    """The revision that this Samedeal works with."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(resources.migrations()).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _run(url: str, work: Callable[[Config, Connection], T]) -> T:
    try:
        return asyncio.run(_work(url, work))
    except CommandError as error:
        raise ConfigurationError(f"this Samedeal does not know the database's revision: {error}") from error
    except (OSError, DBAPIError) as error:
        reason = error.orig if isinstance(error, DBAPIError) else error  # the driver's own words, without a statement
        raise ConfigurationError(f"cannot migrate the database: {reason}") from error


async def _work(url: str, work: Callable[[Config, Connection], T]) -> T:
    engine = _engine(url)

    def in_transaction(connection: Connection) -> T:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        config = _config()
        config.attributes["connection"] = connection
        answer = work(config, connection)
        if connection.dialect.name == "sqlite" and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
            raise ConfigurationError("the migration would leave rows that refer to nothing; nothing was changed")
        return answer

    try:
        async with engine.begin() as conn:
            return await conn.run_sync(in_transaction)
    finally:
        await engine.dispose()


def _engine(url: str) -> AsyncEngine:
    address = parse_url(url)
    if address.get_backend_name() == "postgresql":
        return create_async_engine(address, poolclass=NullPool, hide_parameters=True)
    sqlite.probe(address)
    engine = create_async_engine(
        address,
        hide_parameters=True,  # names, tokens and seeds must not get into the log with an error
        poolclass=NullPool,
        connect_args={"factory": _unchecked, "timeout": PATIENCE_S, "isolation_level": None},
    )

    @event.listens_for(engine.sync_engine, "begin")
    def _(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # this is the lock

    return engine


def _unchecked(*args: Any, **kwargs: Any) -> sqlite3.Connection:
    """A connection that lets a table be copied and renamed under others' references; they are checked at the end."""
    connection = sqlite3.Connection(*args, **kwargs)
    connection.execute("PRAGMA foreign_keys=OFF")
    return connection
