"""Migrated databases for the price of a copy: to migrate takes longer than most tests, so it is done once a process."""

import functools
import tempfile
from pathlib import Path

from server.store import migrate

SQLITE = "sqlite+aiosqlite:///"


def bring_to_head(url: str) -> None:
    """The newest schema for a database; one on SQLite that is not there yet is made as a copy.

    To be called where no event loop runs, as :func:`server.store.migrate.upgrade`.
    """
    file = Path(url.removeprefix(SQLITE))
    if url.startswith(SQLITE) and not file.exists():
        file.write_bytes(_sqlite_template())
    else:
        migrate.upgrade(url)


@functools.cache
def _sqlite_template() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "template.db"
        migrate.upgrade(f"{SQLITE}{file.as_posix()}")
        return file.read_bytes()
