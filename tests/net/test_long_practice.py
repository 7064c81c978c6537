"""Logs as long as they may be: what they cost in memory and in time, and how many of them one player can ask for."""

import asyncio
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, update

from server.actions import records
from server.actions.folding import LONG_LOG, fold_stored
from server.actions.house import PRACTICES
from server.core.deck import shuffled
from server.core.rules import UndoPolicy
from server.games import ruleset, rulesets
from server.live.bucket import Buckets
from server.net import session
from server.net.session import BURST
from server.play.attempt import LOG_LIMIT, Attempt, fold, practice_policy
from server.store import attempts
from server.store.tables import Attempt as AttemptTable
from server.store.tables import LogEntry
from tests.net.deals import wins
from tests.support.live_server import LiveServer, live_server
from tests.support.player import Player

SEED = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"

#: Bytes that one entry of a log may take in memory; the whole position with its legal moves took 1,300.
PER_ENTRY = 300


def draws(count: int) -> list[tuple[str, int]]:
    """A log that draws through the stock again and again."""
    return [("s", 0)] * count


async def lengthen(server: LiveServer, attempt_id: str, log: Sequence[tuple[str, int]]) -> None:
    """Store a log for an attempt that has none, as if it had been played."""
    async with server.app.services.store.writing() as conn:
        row = await attempts.attempt(conn, attempt_id)
        assert row is not None
        entries = [
            {"attempt": row.number, "seq": seq, "text": text, "at_ms": at_ms} for seq, (text, at_ms) in enumerate(log)
        ]
        await conn.execute(insert(LogEntry), entries)
        undos = sum(text == "undo" for text, _ in log)
        counts = {"seq": len(log), "moves": len(log), "undos": undos, "last_at_ms": log[-1][1]}
        await conn.execute(update(AttemptTable).where(AttemptTable.number == row.number).values(counts))


async def long_practice(server: LiveServer, player: Player, count: int) -> str:
    """A practice with that many draws in its log; its player leaves, so that it is read again when he comes back."""
    attempt = str((await player.ask("practice", ruleset="pyramid"))["attempt"])
    await player.close()
    while len(server.app.services.house):  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0)
    await lengthen(server, attempt, draws(count))
    return attempt


def test_a_full_log_takes_little_memory() -> None:
    rules = ruleset("pyramid")
    start = Attempt.start(rules, shuffled(SEED, rules.deck), UndoPolicy.COUNTED)
    fold(start, draws(50))
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        attempt = fold(start, draws(LOG_LIMIT))
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert attempt.seq == LOG_LIMIT
    assert (after - before) / LOG_LIMIT < PER_ENTRY


@pytest.mark.parametrize("key", sorted(rulesets()))
def test_undo_goes_back_through_every_position_to_the_deal(key: str) -> None:
    rules = ruleset(key)
    attempt = Attempt.start(rules, shuffled(SEED, rules.deck), practice_policy(rules))
    seen = [attempt]
    for number in range(80):
        if attempt.over is not None or not attempt.legal:
            break
        attempt = attempt.play(attempt.legal[number * 7 % len(attempt.legal)], number)
        seen.append(attempt)
    if attempt.over is not None:
        attempt = seen[-2]
        seen.pop()
    assert len(seen) > 5
    for earlier in reversed(seen[:-1]):
        later, attempt = attempt, attempt.undo(99)
        assert (attempt.position, attempt.legal, attempt.progress) == (
            earlier.position, earlier.legal, earlier.progress,
        )  # fmt: skip
        assert list(attempt.position.piles) == list(earlier.position.piles)
        assert attempt.last is not None
        if attempt.last.steps:
            assert later.position.after(attempt.last.steps) == earlier.position
    assert attempt.past is None


async def test_long_logs_are_folded_in_slices_and_one_at_a_time() -> None:
    rules, gate = ruleset("pyramid"), asyncio.Lock()
    turns = 0

    async def long_one() -> int:
        _, attempt = await fold_stored(gate, rules, SEED, UndoPolicy.COUNTED, draws(LONG_LOG * 5))
        return attempt.seq

    folds = asyncio.gather(long_one(), long_one())
    while not folds.done():
        await asyncio.sleep(0)
        turns += 1
    assert list(await folds) == [LONG_LOG * 5] * 2
    assert turns >= 2 * LONG_LOG * 5 // 20  # two at once would have taken half the turns
    await gate.acquire()
    _, short = await fold_stored(gate, rules, SEED, UndoPolicy.COUNTED, draws(LONG_LOG))
    assert short.seq == LONG_LOG


def test_one_socket_may_use_its_whole_burst_for_practice() -> None:
    assert PRACTICES >= BURST


async def test_practice_games_are_limited_for_each_player_on_all_sockets_together(server: LiveServer) -> None:
    server.app.services.practices = Buckets(3, 0.5)
    async with server.playing() as ada, server.playing() as bob:
        answers = [await ada.ask("practice", ruleset="pyramid") for _ in range(4)]
        assert [answer["t"] for answer in answers] == ["state"] * 3 + ["error"]
        assert answers[-1]["code"] == "protocol/rate"
        assert (await bob.ask("practice", ruleset="pyramid"))["t"] == "state"
        server.manual.advance(2000)
        again = [(await ada.ask("practice", ruleset="pyramid"))["t"] for _ in range(2)]
        assert again == ["state", "error"]


async def test_the_sandbox_lifts_this_too(sqlite_url: str, tmp_path: Path) -> None:
    async with live_server(sqlite_url, tmp_path, sandbox=True) as server, server.playing() as ada:
        assert {(await ada.ask("practice", ruleset="pyramid"))["t"] for _ in range(40)} == {"state"}


async def test_copies_of_a_long_game_count_as_several(server: LiveServer) -> None:
    server.app.services.practices = Buckets(30, 0.5)
    async with server.playing() as ada:
        attempt = await long_practice(server, ada, LOG_LIMIT - 1)
    async with server.playing(token=ada.token) as ada:
        answers = [await ada.ask("practice", **{"from": {"attempt": attempt, "seq": LOG_LIMIT}}) for _ in range(4)]
        assert [answer.get("code", answer["t"]) for answer in answers] == ["state"] * 2 + ["protocol/rate"] * 2
        assert answers[0]["seq"] == LOG_LIMIT - 1
        assert (await ada.play(answers[0]["attempt"], "s", LOG_LIMIT - 1))["t"] == "played"


async def test_a_socket_holds_fewer_tables_where_their_logs_are_long(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "ENTRIES", 25)
    async with server.playing() as ada:
        attempt = await long_practice(server, ada, 10)
    async with server.playing(token=ada.token) as ada:
        copies = [(await ada.ask("practice", **{"from": {"attempt": attempt, "seq": 10}}))["attempt"] for _ in range(5)]
        assert len(server.app.services.house) == 2
        assert (await ada.play(copies[0], "s", 10))["seq"] == 11  # one that was let go is read again
        assert (await ada.sync(copies[4]))["seq"] == 10


async def test_the_record_of_a_long_log_is_not_folded(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*given: Any) -> Any:
        raise AssertionError("folded")

    monkeypatch.setattr(records, "fold_stored", never)
    async with server.playing() as ada:
        attempt = await long_practice(server, ada, 400)
    async with server.playing(token=ada.token) as ada, server.http(ada.token) as http:
        assert (await http.get(f"/api/v1/attempts/{attempt}")).json()["result"] is None
        await ada.sync(attempt)
        server.manual.advance(5000)
        await ada.ask("resign", attempt=attempt, seq=400)
        body = (await http.get(f"/api/v1/attempts/{attempt}")).json()
    assert body["result"] == {"outcome": "resigned", "time_ms": 5000, "moves": 400, "undos": 0, "progress": 0}
    assert len(body["log"]) == 401
    assert body["seed"]


async def test_the_record_of_a_won_practice_has_its_score(server: LiveServer) -> None:
    win = wins()["foursquare"][0]
    rules = ruleset("foursquare")
    won = fold(
        Attempt.start(rules, shuffled(win.seed, rules.deck), practice_policy(rules)), [(move, 0) for move in win.moves]
    )
    assert won.score is not None
    async with server.playing() as ada, server.http(ada.token) as http:
        attempt = (await ada.ask("practice", ruleset="foursquare", seed=win.seed))["attempt"]
        for seq, move in enumerate(win.moves):
            if seq % 80 == 79:
                server.manual.advance(10_000)
            played = await ada.play(attempt, move, seq)
        assert played["over"] == "won"
        result = (await http.get(f"/api/v1/attempts/{attempt}")).json()["result"]
    assert (result["outcome"], result["score"], result["moves"]) == ("won", won.score, len(win.moves))
