"""A migrated, empty database for every test, on SQLite and on PostgreSQL.

Migrating takes longer than most tests, so it happens once: SQLite files are copied, PostgreSQL tables are emptied.
"""

import asyncio
import shutil
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import create_async_engine

from server.store import migrate
from server.store.engine import Store
from server.store.tables import Base
from tests.store.seeding import Seeder
from tests.support.services import outside_loop


async def _tell(url: str | URL, *statements: str) -> None:
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as conn:
        for statement in statements:
            await conn.execute(text(statement))
    await engine.dispose()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("store") / "template.db"
    outside_loop(lambda: _migrated(f"sqlite+aiosqlite:///{file.as_posix()}"))
    return file


@pytest.fixture(scope="session")
def postgres_shared(postgres_server: URL) -> Iterator[str]:
    name = f"samedeal_store_{uuid.uuid4().hex}"
    outside_loop(lambda: _tell(postgres_server, f"CREATE DATABASE {name}"))
    url = postgres_server.set(database=name).render_as_string(hide_password=False)
    outside_loop(lambda: _migrated(url))
    yield url
    outside_loop(lambda: _tell(postgres_server, f"DROP DATABASE {name} WITH (FORCE)"))


async def _migrated(url: str) -> None:
    await asyncio.to_thread(migrate.upgrade, url)


@pytest.fixture
def migrated_sqlite_url(sqlite_url: str, sqlite_template: Path) -> str:
    shutil.copy(sqlite_template, sqlite_url.removeprefix("sqlite+aiosqlite:///"))
    return sqlite_url


@pytest.fixture
def migrated_postgres_url(postgres_shared: str) -> str:
    # The audit log refuses to be emptied; only a superuser's session without triggers may.
    truncate = f"TRUNCATE {', '.join(Base.metadata.tables)} RESTART IDENTITY"
    outside_loop(lambda: _tell(postgres_shared, "SET session_replication_role = replica", truncate))
    return postgres_shared


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def migrated_url(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(f"migrated_{request.param}_url"))


@pytest.fixture
async def store(migrated_url: str) -> AsyncIterator[Store]:
    opened = await Store.open(migrated_url)
    try:
        yield opened
        assert opened.checked_out() == 0, "a connection was not given back"
    finally:
        await opened.close()


@pytest.fixture
async def sqlite_store(migrated_sqlite_url: str) -> AsyncIterator[Store]:
    opened = await Store.open(migrated_sqlite_url)
    try:
        yield opened
    finally:
        await opened.close()


@pytest.fixture
def seeder(store: Store) -> Seeder:
    return Seeder(store)
