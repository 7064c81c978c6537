"""Migrations go up, down and up again, with and without rows, and leave exactly the schema of the models (R44, X18)."""

import asyncio
import subprocess
import sys
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import create_async_engine

from server.errors import ConfigurationError
from server.store import (
    admins,
    attempts,
    audit,
    challenges,
    events,
    follows,
    jobs,
    migrate,
    plans,
    players,
    seasons,
    stock,
)
from server.store.deals import Wish
from server.store.engine import Store
from server.store.recorder import Recorder
from server.store.tables import Base
from tests.store.seeding import NOW, Seeder, challenge_row, deal_row, end, move, new_id

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[2]


def look(url: str, work: Callable[[Connection], T]) -> T:
    async def main() -> T:
        engine = create_async_engine(url)
        try:
            async with engine.begin() as conn:
                return await conn.run_sync(work)
        finally:
            await engine.dispose()

    return asyncio.run(main())


def plain(reflected: Any) -> Any:
    """A reflected thing with its SQL as text, so that it can be compared."""
    if isinstance(reflected, Mapping):
        return {key: plain(value) for key, value in sorted(reflected.items())}
    if isinstance(reflected, list):
        return [plain(value) for value in reflected]
    return reflected if reflected is None or isinstance(reflected, bool) else str(reflected)


def constraints(connection: Connection) -> dict[str, Any]:
    """Every constraint and index by table, with its name and what it says."""
    inspector = inspect(connection)
    return {
        table: {
            "primary key": plain(inspector.get_pk_constraint(table)),
            "foreign keys": sorted(map(plain, inspector.get_foreign_keys(table)), key=str),
            "unique": sorted(map(plain, inspector.get_unique_constraints(table)), key=str),
            "checks": sorted(map(plain, inspector.get_check_constraints(table)), key=str),
            "indices": sorted(map(plain, inspector.get_indexes(table)), key=str),
        }
        for table in inspector.get_table_names()
        if table != "alembic_version"
    }


def left_over(connection: Connection) -> list[str]:
    """Everything in the database but the version table."""
    if connection.dialect.name == "sqlite":
        query = "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND tbl_name <> 'alembic_version'"
    else:
        query = (
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            " AND relname NOT LIKE 'alembic_version%' UNION ALL SELECT typname FROM pg_type"
            " WHERE typnamespace = 'public'::regnamespace AND typname NOT LIKE '%alembic_version'"
        )
    return [name for (name,) in connection.execute(text(query))]


async def fill(url: str) -> None:
    """Rows in every table."""
    store = await Store.open(url)
    seeder = Seeder(store)
    recorder = Recorder(store)
    won, going_on = await seeder.attempts(2)
    for entry in (move(won, 0), end(won, 1), move(going_on, 0)):
        await recorder.append(entry)
    player_id = await seeder.player()
    async with store.writing() as conn:
        await players.create_session(conn, bytes(32), player_id, 1, 2)
    friend = await seeder.player()
    daily = challenge_row(kind="daily", date="2026-01-01", closes_at=NOW)
    (ended,) = await seeder.attempts(1, challenge=await seeder.challenge(daily))
    await recorder.append(end(ended, 0))
    await recorder.close()
    async with store.writing() as conn:
        assert await challenges.mark_closed(conn, daily.id, NOW)
        closed = await challenges.challenge(conn, daily.id)
        assert closed is not None
        await seasons.settle(conn, closed)
        await follows.follow(conn, player_id, friend, NOW)
    async with store.writing() as conn:
        assert await stock.add(conn, deal_row())
        await stock.add_used(conn, deal_row(), daily.id, NOW)
    await seeder.tell("INSERT INTO heartbeats (worker, at) VALUES ('a', 1)")
    await seeder.tell("INSERT INTO outages (began_at, ended_at) VALUES (1, 2)")
    await fill_admin(seeder)
    for table in Base.metadata.tables:
        assert await seeder.ask(f"SELECT 1 FROM {table}"), table
    await store.close()


async def fill_admin(seeder: Seeder) -> None:
    """Rows in the tables of admins."""
    admin, event, player, challenge = new_id(), new_id(), await seeder.player(), await seeder.challenge()
    async with seeder.store.writing() as conn:
        assert await admins.create(conn, admin, f"admin-{admin[:18]}", "owner", NOW)
        await admins.add_token(conn, uuid.UUID(admin).bytes * 2, admin, NOW, None)
        await admins.bind(conn, admin, player, NOW)
        await admins.bar(conn, admin, ["0" * 64], "prepared", NOW)
        await audit.append(
            conn, at=NOW, admin_id=admin, admin="a", role="owner", via="command", action="calendar.fill", target="x"
        )
        await plans.write(conn, plans.PlanRow("2030-01-01", "pyramid", "easy", None, None, 1, NOW))
        await events.create(conn, event, "Club night", NOW, [challenge])
        await jobs.begin(conn, new_id(), admin, Wish("pyramid"), 5, NOW)


def test_r44_up_down_up_twice_over_with_rows_leaves_nothing_behind(database_url: str) -> None:
    """R44: every downgrade can be followed by the upgrade, and leaves no table, index, sequence or type."""
    for _ in range(2):
        migrate.upgrade(database_url)
        assert migrate.current(database_url) == migrate.newest()
        asyncio.run(fill(database_url))
        migrate.downgrade(database_url, "base")
        assert migrate.current(database_url) is None
        assert look(database_url, left_over) == []
    migrate.upgrade(database_url)
    asyncio.run(fill(database_url))


def test_every_single_step_can_be_taken_back_and_again(database_url: str) -> None:
    migrate.upgrade(database_url)
    asyncio.run(fill(database_url))
    migrate.downgrade(database_url, "-1")
    migrate.upgrade(database_url, "+1")
    assert migrate.current(database_url) == migrate.newest()


def test_an_upgrade_of_a_current_database_keeps_its_rows(database_url: str) -> None:
    migrate.upgrade(database_url)
    asyncio.run(fill(database_url))
    migrate.upgrade(database_url)
    assert look(database_url, lambda c: c.execute(text("SELECT count(*) FROM log")).scalar_one()) == 4


def test_the_migrated_schema_is_that_of_the_models(database_url: str) -> None:
    migrate.upgrade(database_url)

    def drift(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Base.metadata))

    assert look(database_url, drift) == []


def test_names_and_texts_of_all_constraints_are_those_of_the_models(database_url: str) -> None:
    """X18: what a comparison of columns does not see."""
    migrate.upgrade(database_url)
    migrated = look(database_url, constraints)
    migrate.downgrade(database_url, "base")

    def model(connection: Connection) -> dict[str, Any]:
        Base.metadata.create_all(connection)
        return constraints(connection)

    assert migrated == look(database_url, model)
    assert set(migrated) == set(Base.metadata.tables)
    for table, found in migrated.items():
        names = [found["primary key"]["name"]]
        names += [one["name"] for kind in ("foreign keys", "unique", "checks", "indices") for one in found[kind]]
        assert all(names), f"a constraint of {table} has no name"


def test_r44_two_processes_on_an_empty_database_both_succeed(database_url: str) -> None:
    """R44: both come up, and the version table has one row."""
    program = "import sys; from server.store import migrate; migrate.upgrade(sys.argv[1])"
    running = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", program, database_url],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    for process in running:
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (0, b"", b"")
    versions = look(database_url, lambda c: c.execute(text("SELECT version_num FROM alembic_version")).all())
    assert [tuple(row) for row in versions] == [(migrate.newest(),)]


def test_a_migration_that_fails_changes_nothing(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from alembic import command

    upgrade = command.upgrade

    def broken(*arguments: Any) -> None:
        upgrade(*arguments)
        raise ConfigurationError("no more")

    monkeypatch.setattr(command, "upgrade", broken)
    with pytest.raises(ConfigurationError, match="no more"):
        migrate.upgrade(database_url)
    assert migrate.current(database_url) is None
    assert look(database_url, left_over) == []


def test_a_revision_from_the_future_is_told_apart(database_url: str) -> None:
    migrate.upgrade(database_url)
    look(database_url, lambda c: c.execute(text("UPDATE alembic_version SET version_num = '9999_future'")))
    with pytest.raises(ConfigurationError, match="does not know"):
        migrate.upgrade(database_url)


def test_a_database_out_of_reach_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot open the SQLite file"):
        migrate.upgrade(f"sqlite+aiosqlite:///{tmp_path}/missing/samedeal.db")


async def test_no_constraint_names_rulesets(store: Store, seeder: Seeder) -> None:
    """A new game is one file and no migration (DESIGN 1.3)."""
    toy = await seeder.challenge(challenge_row(kind="daily", ruleset="toy-of-tomorrow", date="2026-01-01"))
    assert await seeder.attempt(challenge=toy)
    async with store.reading() as conn:
        assert await attempts.count_open(conn, toy) == 1
