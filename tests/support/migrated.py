"""Migrated databases for the price of a copy: to migrate takes longer than most tests, so it is done once a process."""

import asyncio
import functools
import tempfile
import uuid
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import create_async_engine

from server.store import migrate

SQLITE = "sqlite+aiosqlite:///"

#: The databases on PostgreSQL from which copies are made, by the server they are on.
_templates: dict[URL, str] = {}

#: To drop a database is to wait until PostgreSQL has written everything out, so no test waits for it.
_behind = ThreadPoolExecutor(1, thread_name_prefix="behind")
_dropping: list["Future[None]"] = []


def bring_to_head(url: str) -> None:
    """The newest schema for a database; one that is not there yet, or holds nothing, is made as a copy.

    To be called where no event loop runs, as :func:`server.store.migrate.upgrade`.
    """
    file = Path(url.removeprefix(SQLITE))
    if url.startswith(SQLITE) and not file.exists():
        file.write_bytes(_sqlite_template())
    elif not url.startswith(SQLITE) and asyncio.run(_is_empty(url)):
        _copy_postgres(make_url(url))
    else:
        migrate.upgrade(url)


def drop(server: URL, name: str) -> None:
    """Drop a database on PostgreSQL soon, whoever is connected to it."""
    _dropping.append(_behind.submit(asyncio.run, tell(server, f"DROP DATABASE {name} WITH (FORCE)")))


def leave_nothing() -> None:
    """Return when all that was to be dropped, and what copies are made from, is gone."""
    while _templates:
        drop(*_templates.popitem())
    while _dropping:
        _dropping.pop().result()


async def tell(server: str | URL, *statements: str) -> None:
    """Run statements outside a transaction, as creating and dropping a database demands."""
    engine = create_async_engine(server, isolation_level="AUTOCOMMIT", connect_args={"timeout": 60})
    try:
        async with engine.connect() as connection:
            for statement in statements:
                await connection.execute(text(statement))
    finally:
        await engine.dispose()


async def _is_empty(url: str) -> bool:
    engine = create_async_engine(url)
    try:
        async with engine.connect() as connection:
            return not await connection.scalar(text("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
    finally:
        await engine.dispose()


def _copy_postgres(url: URL) -> None:
    server = url.set(database="postgres")
    if server not in _templates:
        name = f"samedeal_template_{uuid.uuid4().hex}"
        asyncio.run(tell(server, f"CREATE DATABASE {name}"))
        _templates[server] = name
        migrate.upgrade(url.set(database=name).render_as_string(hide_password=False))
    empty = f"{url.database}_empty"
    renamed = f"ALTER DATABASE {url.database} RENAME TO {empty}"
    asyncio.run(tell(server, renamed, f"CREATE DATABASE {url.database} TEMPLATE {_templates[server]}"))
    drop(server, empty)


@functools.cache
def _sqlite_template() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "template.db"
        migrate.upgrade(f"{SQLITE}{file.as_posix()}")
        return file.read_bytes()
