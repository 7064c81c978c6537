"""``kill -9`` in play: nothing that was acknowledged is missing, nothing stands twice, time never falls (X1, 1.5)."""

import asyncio
import random
from pathlib import Path

import pytest

from tests.faults.ledger import Ledger, differences
from tests.faults.served import Served, served
from tests.support.scale import rounds

PLAYERS = 6
pytestmark = [pytest.mark.fault, pytest.mark.slow, pytest.mark.timeout(600)]


async def new_ledgers(server: Served, salt: str) -> list[Ledger]:
    """Guests who have started today's Pyramid."""
    ledgers = []
    for number in range(PLAYERS):
        token = await server.guest()
        player = await server.player(token)
        attempt = (await player.start("daily/today/pyramid"))["attempt"]
        await player.close()
        ledgers.append(Ledger(token, attempt, f"{salt}/{number}"))
    return ledgers


async def killed_in_play(url: str, folder: Path, cycles: int, *, fault: str = "none") -> list[Ledger]:
    """Play and kill the server that often; the ledgers of all clients."""
    chance = random.Random(url.rpartition("/")[0][:6])
    ledgers: list[Ledger] = []
    for cycle in range(cycles):
        async with served(url, folder, fault=fault) as server:
            if not ledgers:
                ledgers = await new_ledgers(server, str(cycle))
            acks = asyncio.Semaphore(0)
            clients = [asyncio.create_task(ledger.play(server, acks)) for ledger in ledgers]
            for _ in range(chance.randrange(20, 120)):
                await asyncio.wait_for(acks.acquire(), 30)
            server.kill()
            await asyncio.gather(*clients)
            assert "Traceback" not in server.log.read_text()
    return ledgers


async def test_kill_9_loses_nothing_that_was_acknowledged(sqlite_url: str, tmp_path: Path) -> None:
    ledgers = await killed_in_play(sqlite_url, tmp_path, max(20, rounds(50, 2000)))
    assert sum(len(ledger.acknowledged) for ledger in ledgers) >= 400
    assert await differences(sqlite_url, ledgers) == {}


@pytest.mark.postgres
async def test_kill_9_loses_nothing_on_postgresql(postgres_url: str, tmp_path: Path) -> None:
    ledgers = await killed_in_play(postgres_url, tmp_path, rounds(50, 2000))
    assert sum(len(ledger.acknowledged) for ledger in ledgers) >= 100
    assert await differences(postgres_url, ledgers) == {}


async def test_control_an_answer_before_the_commit_is_caught(sqlite_url: str, tmp_path: Path) -> None:
    ledgers = await killed_in_play(sqlite_url, tmp_path, 1, fault="answer-before-the-commit")
    assert (await differences(sqlite_url, ledgers))["lost"] > 0


async def test_r52_a_killed_server_books_no_loss_and_the_game_goes_on(sqlite_url: str, tmp_path: Path) -> None:
    ledgers = await killed_in_play(sqlite_url, tmp_path, 1)
    async with served(sqlite_url, tmp_path) as server:
        for ledger in ledgers:
            player = await server.player(ledger.token)
            state = await player.start("daily/today/pyramid")
            assert (state["attempt"], state["over"]) == (ledger.attempt, None)
            assert state["seq"] > max(ledger.acknowledged, default=-1)
            assert state["elapsed_ms"] >= max((at_ms for _, at_ms in ledger.acknowledged.values()), default=0)
            assert (await player.play(ledger.attempt, "s"))["seq"] == state["seq"] + 1
            await player.close()
        async with server.http() as http:
            assert (await http.get("/api/v1/boards/daily/today/pyramid")).json()["total"] == 0


async def test_sigterm_in_play_answers_what_is_stored_and_ends_with_0(sqlite_url: str, tmp_path: Path) -> None:
    async with served(sqlite_url, tmp_path) as server:
        ledgers = await new_ledgers(server, "stop")
        acks = asyncio.Semaphore(0)
        clients = [asyncio.create_task(ledger.play(server, acks)) for ledger in ledgers]
        for _ in range(50):
            await asyncio.wait_for(acks.acquire(), 30)
        assert await server.stop() == 0
        await asyncio.gather(*clients)
        assert "Traceback" not in server.log.read_text()
    assert await differences(sqlite_url, ledgers) == {}
