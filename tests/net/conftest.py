"""A server for most tests of the wire: SQLite, at noon of an ordinary day."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.live_server import LiveServer, live_server


@pytest.fixture
async def server(sqlite_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    """A running server with a clock that stands still."""
    async with live_server(sqlite_url, tmp_path) as running:
        yield running
