"""Transactions: durable, whole or not at all, and given back whatever is cancelled (R40, X2)."""

import asyncio
import sqlite3
import time
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError

from server.errors import ConfigurationError, GameError
from server.store import migrate, sqlite
from server.store.engine import Store, parse_url, settle
from tests.store.seeding import Seeder
from tests.support.patience import busy
from tests.support.services import outside_loop

NEW = "INSERT INTO heartbeats (worker, at) VALUES (:worker, :at)"


async def test_a_writing_block_is_committed_at_its_end(store: Store, seeder: Seeder) -> None:
    async with store.writing() as conn:
        await conn.execute(text(NEW), {"worker": "a", "at": 1})
    assert await seeder.ask("SELECT worker, at FROM heartbeats") == [("a", 1)]


async def test_a_block_that_raises_changes_nothing(store: Store, seeder: Seeder) -> None:
    async def block() -> None:
        async with store.writing() as conn:
            await conn.execute(text(NEW), {"worker": "a", "at": 1})
            await conn.execute(text(NEW), {"worker": "b", "at": -1})

    with pytest.raises(IntegrityError):
        await block()
    assert await seeder.ask("SELECT * FROM heartbeats") == []


async def test_a_reading_block_cannot_write(store: Store) -> None:
    with pytest.raises((DBAPIError, GameError)) as told:
        async with store.reading() as conn:
            await conn.execute(text(NEW), {"worker": "a", "at": 1})
    reason = told.value if isinstance(told.value, DBAPIError) else told.value.__cause__
    assert "readonly" in str(reason).replace("-", "")


async def test_a_reading_block_sees_one_state_throughout(store: Store, seeder: Seeder) -> None:
    count = text("SELECT count(*) FROM heartbeats")
    async with store.reading() as conn:
        assert (await conn.execute(count)).scalar_one() == 0
        await seeder.tell(NEW, worker="a", at=1)
        assert (await conn.execute(count)).scalar_one() == 0
    async with store.reading() as conn:
        assert (await conn.execute(count)).scalar_one() == 1


async def test_names_of_constraints_are_told(store: Store, seeder: Seeder) -> None:
    with pytest.raises(IntegrityError, match="ck_heartbeats_at"):
        await seeder.tell(NEW, worker="a", at=-1)


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("secure_delete", 1), ("busy_timeout", 30000)],
)
async def test_the_writing_connection_of_sqlite_is_durable(sqlite_store: Store, pragma: str, value: object) -> None:
    """X2: FULL means that a commit returns only after the log is on the disk; moves go through this connection."""
    async with sqlite_store.writing() as conn:
        assert (await conn.execute(text(f"PRAGMA {pragma}"))).scalar_one() == value
    direct = sqlite_store.recorder
    assert isinstance(direct, sqlite.Direct)
    assert await direct.run(lambda connection: connection.execute(f"PRAGMA {pragma}").fetchone()) == (value,)


async def test_sqlite_writers_take_turns_and_begin_immediately(sqlite_store: Store) -> None:
    order: list[str] = []
    inside = asyncio.Event()
    go_on = asyncio.Event()

    async def first() -> None:
        async with sqlite_store.writing() as conn:
            await conn.execute(text("SELECT 1"))
            inside.set()
            await go_on.wait()
            order.append("first")

    async def second() -> None:
        async with sqlite_store.writing():
            order.append("second")

    tasks = [asyncio.create_task(first())]
    await inside.wait()
    tasks.append(asyncio.create_task(second()))
    # A reader in SQL, the first block holds the write lock all the same: another process could not begin.
    direct = sqlite_store.recorder
    assert isinstance(direct, sqlite.Direct)
    assert await direct.run(lambda connection: connection.in_transaction)
    go_on.set()
    await asyncio.gather(*tasks)
    assert order == ["first", "second"]


async def test_another_process_that_writes_is_waited_for(
    sqlite_store: Store, sqlite_url: str, seeder_of: type[Seeder]
) -> None:
    """R41: a lock held by the administrator's command is waited for, not refused."""
    other = sqlite3.connect(str(parse_url(sqlite_url).database), isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(seeder_of(sqlite_store).tell(NEW, worker="a", at=1))
    reading = await seeder_of(sqlite_store).ask("SELECT count(*) FROM heartbeats")
    assert reading == [(0,)]
    assert not waiting.done()
    await asyncio.to_thread(other.execute, "COMMIT")
    await waiting
    other.close()


@pytest.fixture
def seeder_of() -> type[Seeder]:
    return Seeder


async def cancel_everywhere(store: Store, delay: str, clients: int) -> int:
    """Start clients that write two rows with a slow statement between, and cut each off somewhere else."""

    async def client(name: int) -> None:
        async with store.writing() as conn:
            await conn.execute(text(NEW), {"worker": f"{name}/1", "at": 1})
            await conn.execute(text(delay))
            await conn.execute(text(NEW), {"worker": f"{name}/2", "at": 1})

    tasks = [asyncio.create_task(client(name)) for name in range(clients)]
    for name, task in enumerate(tasks):
        for _ in range(name % 9):
            await asyncio.sleep(0)
        if name % 20 == 19:  # some time later, so that cancellation also meets statements under way
            async with store.reading() as conn:
                await conn.execute(text("SELECT 1"))
        task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(answer is None or isinstance(answer, asyncio.CancelledError) for answer in answers), answers
    return sum(answer is None for answer in answers)


@pytest.mark.fault
async def test_cancelled_clients_leave_no_connection_and_no_half_move(migrated_url: str) -> None:
    """R40: a pool of five, a slow database, 200 clients that cut the line."""
    store = await Store.open(migrated_url, connections=5)
    seeder = Seeder(store)
    if isinstance(store.recorder, sqlite.Direct):
        await store.recorder.run(lambda connection: connection.create_function("slow", 0, lambda: time.sleep(0.01)))
        delay = "SELECT slow()"
    else:
        delay = "SELECT pg_sleep(0.1)"
    await cancel_everywhere(store, delay, 200)
    async with asyncio.timeout(2 * busy()):
        await store.settled()
    assert store.checked_out() == 0
    async with asyncio.timeout(0.5 * busy()):
        await seeder.tell(NEW, worker="new", at=1)
    halves = "SELECT count(*) FROM heartbeats WHERE worker LIKE '%/1'"
    assert await seeder.ask(halves) == await seeder.ask(halves.replace("/1", "/2"))
    if store.dialect == "postgresql":
        idle = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'"
        assert await seeder.ask(idle) == [(0,)]
    await store.close()


async def test_a_commit_under_way_is_finished_before_a_cancellation_goes_on(store: Store, seeder: Seeder) -> None:
    reached = asyncio.Event()

    async def client() -> None:
        async with store.writing() as conn:
            await conn.execute(text(NEW), {"worker": "a", "at": 1})
            reached.set()

    task = asyncio.create_task(client())
    await reached.wait()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await seeder.ask("SELECT count(*) FROM heartbeats") == [(1,)]
    assert store.checked_out() == 0


async def test_settle_finishes_the_work_and_then_passes_the_cancellation_on() -> None:
    gate = asyncio.Event()
    finished: list[str] = []

    async def work() -> None:
        await gate.wait()
        finished.append("work")

    task = asyncio.create_task(settle(work()))
    await asyncio.sleep(0)
    for _ in range(3):  # whoever is impatient may say so several times
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done()
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert finished == ["work"]


async def test_settle_passes_answers_and_errors_on() -> None:
    async def answer() -> int:
        return 7

    async def fail() -> None:
        raise ValueError("no")

    assert await settle(answer()) == 7
    with pytest.raises(ValueError, match="no"):
        await settle(fail())


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nonsense",
        "sqlite:///samedeal.db",
        "postgresql://127.0.0.1/samedeal",
        "mysql+aiomysql://127.0.0.1/samedeal",
        "sqlite+aiosqlite://",
        "sqlite+aiosqlite:///:memory:",
    ],
)
async def test_other_databases_are_refused(url: str) -> None:
    with pytest.raises(ConfigurationError):
        await Store.open(url)


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("no database, but text of some length\n" * 100)
    with pytest.raises(ConfigurationError, match="not a database"):
        await Store.open(f"sqlite+aiosqlite:///{tmp_path}/notes")


async def test_a_file_that_may_not_be_written_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "samedeal.db"
    sqlite3.connect(file).close()
    missing = file / "folder"
    with pytest.raises(ConfigurationError, match="cannot open the SQLite file"):
        await Store.open(f"sqlite+aiosqlite:///{missing}")


class Stubborn:
    """A connection that answers the change to a write-ahead log as told."""

    def __init__(self, *answers: str | int) -> None:
        self.answers = list(answers)

    def execute(self, statement: str) -> "Stubborn":
        assert statement == "PRAGMA journal_mode=WAL"
        return self

    def fetchone(self) -> tuple[str]:
        answer = self.answers.pop(0)
        if isinstance(answer, str):
            return (answer,)
        error = sqlite3.OperationalError("told to")
        error.sqlite_errorcode = answer
        raise error


def test_a_lock_in_the_way_of_the_write_ahead_log_is_waited_for() -> None:
    """R44: SQLite itself refuses at once here, when two processes start on one new file."""
    busy = Stubborn(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY | 1 << 8, "wal")
    sqlite.enter_wal(cast(sqlite3.Connection, busy))
    assert busy.answers == []


def test_other_answers_to_the_change_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(sqlite3.OperationalError):
        sqlite.enter_wal(cast(sqlite3.Connection, Stubborn(sqlite3.SQLITE_IOERR)))
    with pytest.raises(ConfigurationError, match="local disk"):
        sqlite.enter_wal(cast(sqlite3.Connection, Stubborn("delete")))
    monkeypatch.setattr(sqlite, "PATIENCE_S", -1.0)
    with pytest.raises(sqlite3.OperationalError):
        sqlite.enter_wal(cast(sqlite3.Connection, Stubborn(sqlite3.SQLITE_BUSY)))


async def test_an_old_sqlite_is_refused(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 37, 2))
    with pytest.raises(ConfigurationError, match="too old"):
        await Store.open(sqlite_url)


@pytest.mark.postgres
async def test_postgresql_that_answers_before_it_is_durable_is_refused(postgres_url: str) -> None:
    """X2: `synchronous_commit` is asserted at start, as it is in force for this database."""
    store = await Store.open(postgres_url)
    name = parse_url(postgres_url).database
    async with store.writing() as conn:
        await conn.execute(text(f'ALTER DATABASE "{name}" SET synchronous_commit = off'))
    await store.close()
    with pytest.raises(ConfigurationError, match="synchronous_commit = off"):
        await Store.open(postgres_url)


@pytest.mark.postgres
async def test_postgresql_out_of_reach_is_told(postgres_url: str) -> None:
    nowhere = parse_url(postgres_url).set(port=1).render_as_string(hide_password=False)
    with pytest.raises(ConfigurationError, match="cannot use the PostgreSQL database"):
        await Store.open(nowhere)


def test_two_processes_may_open_one_new_sqlite_file(sqlite_url: str) -> None:
    """R44: changing to the write-ahead log does not fail for want of a lock."""
    migrate.upgrade(sqlite_url)

    async def both() -> None:
        stores = await asyncio.gather(Store.open(sqlite_url), Store.open(sqlite_url))
        for store in stores:
            await store.close()

    outside_loop(both)


async def test_a_missing_driver_is_told_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match=r"pip install 'samedeal\[postgres\]'"):
        await Store.open("postgresql+asyncpg://nobody@127.0.0.1/nothing")
