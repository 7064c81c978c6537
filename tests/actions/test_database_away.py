"""What players are told while the database is full, locked or cut off: to try again later, and nothing is lost."""

import os
import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from server.core.rules import Memo, Undecided
from server.errors import GameError
from server.games.pyramid import Pyramid
from server.store.groups_sqlite import SqliteGroups
from tests.support.live_server import DAY, HOUR, LiveServer, live_server

SEED = "3d31b5f5be0325c06b6a174b72f4edd9"


def full(*_: Any) -> Any:
    raise sqlite3.OperationalError("database or disk is full")


@asynccontextmanager
async def playing(sqlite_url: str, folder: Path) -> AsyncIterator[tuple[LiveServer, Any, str]]:
    async with live_server(sqlite_url, folder) as server, server.playing() as ada:
        challenge = await server.make_challenge("pyramid", SEED)
        state = await ada.start(challenge)
        yield server, ada, state["attempt"]


async def test_a_move_after_the_close_is_answered_while_nothing_can_be_stored(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with playing(sqlite_url, tmp_path) as (server, ada, attempt):
        await ada.play(attempt, "s")
        with monkeypatch.context() as away:
            away.setattr(SqliteGroups, "commit", full)
            server.manual.advance(DAY + HOUR)
            refused = await ada.play(attempt, "s")
            assert (refused["t"], refused["code"]) == ("rejected", "try_later")
        refused = await ada.play(attempt, "s")
        assert (refused["t"], refused["code"]) == ("rejected", "attempt/over")
        assert (await ada.sync(attempt))["over"] == "closed"


async def test_a_move_that_was_stored_while_its_line_was_cut_is_acknowledged(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = SqliteGroups.commit

    async def stored_but_refused(self: SqliteGroups, entries: Any) -> Any:
        await commit(self, entries)
        return list(range(len(entries)))  # what a retry is told that finds the row taken by its own first try

    async with playing(sqlite_url, tmp_path) as (_, ada, attempt):
        with monkeypatch.context() as cut:
            cut.setattr(SqliteGroups, "commit", stored_but_refused)
            played = await ada.play(attempt, "s")
        assert (played["t"], played["seq"]) == ("played", 1)
        assert (await ada.play(attempt, "s"))["seq"] == 2


async def test_whoever_needs_the_database_is_told_to_try_later(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = AsyncConnection.execute

    async def none_left(self: AsyncConnection, *args: Any, **kwargs: Any) -> Any:
        raise OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))

    async with playing(sqlite_url, tmp_path) as (server, ada, attempt), server.http(ada.token) as http:
        with monkeypatch.context() as away, structlog.testing.capture_logs() as lines:
            away.setattr(AsyncConnection, "execute", none_left)
            assert (await ada.ask("practice", ruleset="pyramid"))["code"] == "try_later"
            assert (await ada.ask("start", challenge="daily/today/pyramid"))["code"] == "try_later"
            answer = await http.post("/api/v1/guests", json={})
            assert (answer.status_code, answer.json()["code"]) == (503, "try_later")
            assert int(answer.headers["retry-after"]) >= 1
            assert (await http.get("/readyz")).status_code == 503
            assert (await ada.play(attempt, "s"))["t"] == "played", "moves have their own way and go on"
            assert not [line for line in lines if "exc_info" in line or line["log_level"] == "error"]
        assert AsyncConnection.execute is execute
        assert (await ada.ask("practice", ruleset="pyramid"))["t"] == "state"


async def test_not_ready_while_heartbeats_cannot_be_stored(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live_server(sqlite_url, tmp_path) as server, server.http() as http:
        await server.manual.parked(3)
        with monkeypatch.context() as away:

            async def none_left(*args: Any, **kwargs: Any) -> None:
                raise OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))

            away.setattr("server.store.outages.beat", none_left)
            server.manual.advance(2000)
            await server.manual.parked(3)
            assert (await http.get("/readyz")).status_code == 503
        server.manual.advance(2000)
        await server.manual.parked(3)
        assert (await http.get("/readyz")).status_code == 200


async def test_errors_of_the_database_keep_their_parameters_out_of_the_log(sqlite_url: str, tmp_path: Path) -> None:
    async with live_server(sqlite_url, tmp_path) as server:

        async def go_wrong() -> None:
            async with server.app.services.store.writing() as conn:
                await conn.execute(text("INSERT INTO nowhere (name) VALUES (:name)"), {"name": "Canary Person"})

        with pytest.raises(GameError) as told:
            await go_wrong()
        assert "nowhere" in str(told.value.__cause__)
        assert "Canary" not in str(told.value.__cause__)


async def test_a_worker_process_that_died_is_replaced(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never_at_once(self: Pyramid, view: Any, memo: Memo, *, patient: bool = False) -> bool | None:
        raise Undecided

    async with playing(sqlite_url, tmp_path) as (server, ada, attempt):
        monkeypatch.setattr(Pyramid, "winnable", never_at_once)
        assert (await ada.play(attempt, "s"))["winnable"] is None
        verdict = await ada.told("winnable")
        assert (verdict["attempt"], verdict["seq"], verdict["winnable"]) == (attempt, 1, True)
        workers = server.app.services.workers()
        for pid in list(workers._processes):
            os.kill(pid, signal.SIGKILL)
        await ada.play(attempt, "s")
        await server.app.services.settled()  # the verdict that nobody will give has been given up
        assert server.app.services._workers is None
        await ada.play(attempt, "s")
        assert (await ada.told("winnable"))["seq"] == 3
