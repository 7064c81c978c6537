"""A migrated, empty database for every test, on SQLite and on PostgreSQL.

Migrating takes longer than most tests, so it happens once: SQLite files are copied, PostgreSQL tables are emptied.
"""

import uuid
from collections.abc import AsyncIterator, Iterator

import pytest
from sqlalchemy.engine import URL

from server.store.engine import Store
from server.store.tables import Base
from tests.store.seeding import Seeder
from tests.support.migrated import bring_to_head, drop, tell
from tests.support.services import outside, outside_loop


@pytest.fixture(scope="session")
def postgres_shared(postgres_server: URL) -> Iterator[str]:
    name = f"samedeal_store_{uuid.uuid4().hex}"
    outside_loop(lambda: tell(postgres_server, f"CREATE DATABASE {name}"))
    url = postgres_server.set(database=name).render_as_string(hide_password=False)
    outside(lambda: bring_to_head(url)).result()
    yield url
    drop(postgres_server, name)


@pytest.fixture
def migrated_sqlite_url(sqlite_url: str) -> str:
    outside(lambda: bring_to_head(sqlite_url)).result()
    return sqlite_url


@pytest.fixture
def migrated_postgres_url(postgres_shared: str) -> str:
    outside_loop(lambda: tell(postgres_shared, *_emptied()))
    return postgres_shared


def _emptied() -> Iterator[str]:
    """What makes the tables as new. TRUNCATE takes a file and a flush for every table and index, many times as long."""
    yield "SET session_replication_role = replica"  # the audit log is emptied by a session without triggers only
    for table in reversed(Base.metadata.sorted_tables):
        yield f"DELETE FROM {table.name}"
        for column in table.columns:
            if column.identity is not None:
                yield f"SELECT setval(pg_get_serial_sequence('{table.name}', '{column.name}'), 1, false)"


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
