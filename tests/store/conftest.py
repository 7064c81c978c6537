"""A migrated, empty database for every test, on SQLite and on PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from server.store import migrate
from server.store.engine import Store
from tests.store.seeding import Seeder


@pytest.fixture
def migrated_url(database_url: str) -> str:
    migrate.upgrade(database_url)
    return database_url


@pytest.fixture
async def store(migrated_url: str) -> AsyncIterator[Store]:
    opened = await Store.open(migrated_url)
    try:
        yield opened
        assert opened.checked_out() == 0, "a connection was not given back"
    finally:
        await opened.close()


@pytest.fixture
async def sqlite_store(sqlite_url: str) -> AsyncIterator[Store]:
    await asyncio.to_thread(migrate.upgrade, sqlite_url)
    opened = await Store.open(sqlite_url)
    try:
        yield opened
    finally:
        await opened.close()


@pytest.fixture
def seeder(store: Store) -> Seeder:
    return Seeder(store)
