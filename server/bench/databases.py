"""Databases for a measurement: empty, and gone afterwards."""

import contextlib
import os
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final

from sqlalchemy import func, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine

from server.bench.figures import BenchError
from server.store.engine import Store
from server.store.tables import LogEntry

#: The variable that names the PostgreSQL server in which a database may be made, as for the tests.
POSTGRES: Final = "SAMEDEAL_TEST_POSTGRES_URL"
_USUAL: Final = "postgresql+asyncpg://postgres@127.0.0.1:5432/postgres"


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """An empty folder, gone after the block."""
    with tempfile.TemporaryDirectory(prefix="samedeal-bench-") as name:
        yield Path(name)


@contextlib.asynccontextmanager
async def sqlite() -> AsyncIterator[str]:
    """The address of a SQLite database that does not exist yet."""
    with folder() as place:
        yield f"sqlite+aiosqlite:///{(place / 'samedeal.db').as_posix()}"


@contextlib.asynccontextmanager
async def postgres() -> AsyncIterator[str]:
    """The address of an empty PostgreSQL database. Raises :class:`BenchError` where no server lets us make one."""
    address = make_url(os.environ.get(POSTGRES, _USUAL))
    name = f"samedeal_bench_{uuid.uuid4().hex}"
    try:
        engine = create_async_engine(address, isolation_level="AUTOCOMMIT")
        async with engine.connect() as conn:
            await conn.execute(text(f"CREATE DATABASE {name}"))
    except (ImportError, OSError, SQLAlchemyError) as error:
        raise BenchError(f"no PostgreSQL ({type(error).__name__}): start one or name it in {POSTGRES}") from error
    try:
        yield address.set(database=name).render_as_string(hide_password=False)
    finally:
        async with engine.connect() as conn:
            await conn.execute(text(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
        await engine.dispose()


async def entries_stored(database_url: str) -> int:
    """How many log entries a database holds."""
    store = await Store.open(database_url)
    try:
        async with store.reading() as conn:
            return int(await conn.scalar(select(func.count()).select_from(LogEntry)) or 0)
    finally:
        await store.close()
