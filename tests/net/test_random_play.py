"""Random play of every ruleset that is found, over the socket, against the fold of its own log; and a new ruleset."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from server.core.cards import card_text
from server.core.deck import commitment, shuffled
from server.core.rules import UndoPolicy
from server.games import register, ruleset, rulesets, unregister
from server.net.frames import piles, step
from server.play.attempt import Attempt, fold, practice_policy
from server.play.ranking import result_of
from server.store import attempts
from tests.net.deals import seeds
from tests.play.toys import RedHome
from tests.support.live_server import DAY, NOON, LiveServer, live_server
from tests.support.player import Message, Player
from tests.support.scale import rounds


@pytest.fixture
async def server(sqlite_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    """A running server without limits."""
    async with live_server(sqlite_url, tmp_path, sandbox=True) as running:
        yield running


def agrees(state: Message, attempt: Attempt) -> None:
    """A state as it was sent is that of the attempt."""
    assert state["piles"] == piles(attempt.rules, attempt.position)
    assert tuple(state["legal"]) == attempt.legal
    for name in ("seq", "moves", "progress", "over", "can_undo"):
        assert state[name] == getattr(attempt, name), name


async def play_at_random(server: LiveServer, player: Player, state: Message, seed: str, policy: UndoPolicy) -> Attempt:
    """Play to an end or a hundred entries; every answer is that of our own attempt, and the log at the end too."""
    rules = ruleset(state["ruleset"])
    mine = Attempt.start(rules, shuffled(seed, rules.deck), policy)
    attempt, chance = state["attempt"], random.Random(seed)
    agrees(state, mine)
    now = 0
    while mine.over is None and mine.seq < 100:
        gap = chance.choice((0, 1, 250, 60_000))
        server.manual.advance(gap)
        now += gap
        if mine.can_undo and (not mine.legal or chance.random() < 0.15):
            mine, played = mine.undo(now), await player.undo(attempt)
        elif mine.legal:
            move = chance.choice(mine.legal)
            mine, played = mine.play(move, now), await player.play(attempt, move)
        else:
            mine, played = mine.resign(now), await player.resign(attempt)
        assert played["t"] == "played", played
        last = mine.last
        assert last is not None
        assert (played["move"], played["at_ms"]) == (last.entry.text, last.entry.at_ms)
        assert played["steps"] == [list(step(one)) for one in last.steps]
        agrees({**played, "piles": player.states[attempt]["piles"]}, mine)
        assert set(played["piles"]) == set(last.changed)
    agrees(await player.sync(attempt), mine)
    async with server.app.services.store.reading() as conn:
        log = await attempts.log(conn, attempt)
    start = Attempt.start(rules, shuffled(seed, rules.deck), policy)
    assert fold(start, log).position == mine.position
    result = result_of(mine)
    assert (result is None) == (mine.over is None)
    return mine


@pytest.mark.parametrize("key", list(rulesets()))
async def test_random_play_agrees_with_the_fold_of_its_log(server: LiveServer, key: str) -> None:
    rules = ruleset(key)
    async with server.playing() as ada:
        for seed, number in zip(seeds(f"random/{key}"), range(rounds(20, 1000)), strict=False):
            state = await ada.start(await server.make_challenge(key, seed))
            assert (state["ranked"], state["commitment"]) == (True, commitment(seed))
            await play_at_random(server, ada, state, seed, rules.undo)
            practice = await ada.ask("practice", ruleset=key, seed=seed)
            assert (practice["ranked"], practice["challenge"]["kind"]) == (False, "practice"), number
            await play_at_random(server, ada, practice, seed, practice_policy(rules))


@pytest.mark.postgres
async def test_random_play_on_postgresql(postgres_url: str, tmp_path: Path) -> None:
    async with live_server(postgres_url, tmp_path, sandbox=True) as server, server.playing() as ada:
        for key in ("pyramid", "thirteen", "bakers-dozen", "foursquare"):
            seed = next(seeds(f"postgres/{key}"))
            state = await ada.start(await server.make_challenge(key, seed))
            await play_at_random(server, ada, state, seed, ruleset(key).undo)


# --- a new ruleset -------------------------------------------------------------------------------------------------


class NewGame(RedHome):
    """A game that nothing but this class knows of, with a daily of its own."""

    key = "new-game"
    title = "New game"
    daily: ClassVar[int | None] = 99


@pytest.fixture
def new_game() -> Iterator[None]:
    """The new game, known for the length of a test."""
    register(NewGame)
    yield
    unregister(NewGame.key)


@pytest.mark.usefixtures("new_game")
async def test_a_ruleset_in_one_class_is_playable_has_a_daily_a_board_and_records(server: LiveServer) -> None:
    async with server.playing("Ada") as ada, server.http(ada.token) as http:
        keys = [entry["key"] for entry in (await http.get("/api/v1/rulesets")).json()["rulesets"]]
        assert keys[-1] == "new-game"
        dailies = (await http.get("/api/v1/dailies/today")).json()["dailies"]
        assert [daily["ruleset"] for daily in dailies][-1] == "new-game"
        state = await ada.start("daily/today/new-game")
        assert state["layout"]["title"] == "Red home"
        while state["over"] is None and state["legal"]:
            state = {**state, **await ada.play(state["attempt"], state["legal"][0])}
        if state["over"] is None:
            state = {**state, **await ada.resign(state["attempt"])}
        board = (await http.get("/api/v1/boards/daily/today/new-game")).json()
        assert [row["outcome"] for row in board["rows"]] == [state["over"]]
        server.manual.set(NOON + 2 * DAY)
        await server.manual.parked(3)
        record = (await http.get(f"/api/v1/attempts/{state['attempt']}")).json()
        assert record["ruleset"] == "new-game"
        assert commitment(record["seed"]) == record["commitment"]
        practice = await ada.ask("practice", challenge=state["challenge"]["id"])
        assert practice["piles"]["x"] == [card_text(card) for card in shuffled(record["seed"], NewGame.deck)[3:]]


# --- practice ------------------------------------------------------------------------------------------------------


async def test_practice_comes_in_three_forms(server: LiveServer) -> None:
    seed = next(seeds("practice"))
    async with server.playing("Ada") as ada, server.playing("Bob") as bob:
        challenge = await server.make_challenge("thirteen", seed, ends_in=1000, closes_in=1000)
        ranked = await ada.start(challenge)
        for _ in range(3):
            server.manual.advance(100)
            await ada.play(ranked["attempt"], "s")
        server.manual.advance(20_000)
        await server.manual.parked(3)

        fresh = await bob.ask("practice", ruleset="thirteen")
        same = await bob.ask("practice", ruleset="thirteen", seed=seed)
        closed = await bob.ask("practice", challenge=challenge)
        branch = await bob.ask("practice", **{"from": {"attempt": ranked["attempt"], "seq": 2, "later": 1}})
        for state in (fresh, same, closed, branch):
            assert (state["t"], state["ranked"], state["undo"], state["over"]) == ("state", False, "free", None)
            assert state["challenge"]["kind"] == "practice"
        assert same["piles"] == closed["piles"] == ranked["piles"]
        assert (same["commitment"], closed["commitment"]) == (commitment(seed), ranked["commitment"])
        assert (branch["seq"], branch["moves"], branch["can_undo"]) == (2, 2, True)
        assert len({state["attempt"] for state in (fresh, same, closed, branch)}) == 4

        undone = await bob.undo(branch["attempt"])  # practice frees undo (C8)
        assert (undone["move"], undone["seq"]) == ("undo", 3)
        again = await bob.ask("practice", challenge=challenge)
        assert again["attempt"] != closed["attempt"]
        ended = await bob.resign(closed["attempt"])
        assert (ended["result"].get("rank"), ended["result"].get("of")) == (None, None)
        async with server.http(bob.token) as http:
            assert (await http.get(f"/api/v1/boards/challenge/{challenge}")).json()["total"] == 1  # Ada's


async def test_practice_that_cannot_be_is_refused(server: LiveServer) -> None:
    seed = next(seeds("practice"))
    async with server.playing("Ada") as ada, server.playing("Bob") as bob:
        challenge = await server.make_challenge("thirteen", seed)
        ranked = (await ada.start(challenge))["attempt"]
        hers = (await ada.ask("practice", ruleset="pyramid"))["attempt"]
        over = (await bob.ask("practice", ruleset="red-home"))["code"]
        assert over == "ruleset/unknown"
        asked: list[tuple[dict[str, Any], str]] = [
            ({}, "protocol/malformed"),
            ({"seed": seed}, "protocol/malformed"),
            ({"ruleset": "pyramid", "challenge": challenge}, "protocol/malformed"),
            ({"challenge": challenge, "seed": seed}, "protocol/malformed"),
            ({"ruleset": "pyramid", "from": {"attempt": ranked, "seq": 0}}, "protocol/malformed"),
            ({"ruleset": "klondike"}, "ruleset/unknown"),
            ({"ruleset": ""}, "ruleset/unknown"),
            ({"ruleset": "pyramid", "seed": seed.upper()}, "seed/invalid"),
            ({"ruleset": "pyramid", "seed": seed[:-1]}, "seed/invalid"),
            ({"ruleset": "pyramid", "seed": ""}, "seed/invalid"),
            ({"ruleset": "pyramid", "seed": f" {seed[1:]}"}, "seed/invalid"),
            ({"ruleset": "pyramid", "seed": "٠" * 32}, "seed/invalid"),
            ({"challenge": challenge}, "challenge/not_open"),
            ({"challenge": "daily/today/pyramid"}, "challenge/not_open"),
            ({"challenge": "daily/tomorrow/pyramid"}, "challenge/not_open"),
            ({"challenge": "daily/2026-01-01/pyramid"}, "challenge/unknown"),
            ({"challenge": "x"}, "challenge/unknown"),
            ({"from": {"attempt": ranked, "seq": 0}}, "challenge/not_open"),
            ({"from": {"attempt": "x", "seq": 0}}, "attempt/unknown"),
            ({"from": {"attempt": hers, "seq": 0}}, "attempt/not_yours"),
        ]
        for fields, code in asked:
            answer = await bob.ask("practice", **fields)
            assert (answer["t"], answer["code"]) == ("error", code), fields
        assert (await bob.hello())["open"]["attempts"] == []


async def test_a_branch_of_a_finished_attempt_goes_on_before_its_end(server: LiveServer) -> None:
    async with server.playing() as ada:
        state = await ada.ask("practice", ruleset="pyramid", seed=next(seeds("branch")))
        for _ in range(3):
            await ada.play(state["attempt"], "s")
        await ada.resign(state["attempt"])
        branch = await ada.ask("practice", **{"from": {"attempt": state["attempt"], "seq": 4}})
        assert (branch["seq"], branch["over"]) == (3, None)
        assert (await ada.play(branch["attempt"], "s"))["seq"] == 4
        far = await ada.ask("practice", **{"from": {"attempt": state["attempt"], "seq": 1_000_000}})
        assert far["seq"] == 3


async def test_a_log_is_full_after_5000_moves_and_can_still_be_resigned(server: LiveServer) -> None:
    async with server.playing() as ada:
        attempt = (await ada.ask("practice", ruleset="pyramid"))["attempt"]
        for seq in range(0, 5000, 2):
            await ada.send(t="play", attempt=attempt, seq=seq, move="s")
            await ada.send(t="undo", attempt=attempt, seq=seq + 1)
            if seq % 500 == 498:
                assert (await ada.sync(attempt))["seq"] == seq + 2
        assert (await ada.play(attempt, "s", 5000))["code"] == "attempt/log_full"
        assert (await ada.undo(attempt, 5000))["code"] == "attempt/no_undo"
        assert (await ada.resign(attempt, 5000))["over"] == "resigned"


async def test_a_hundred_players_start_and_play_at_once(server: LiveServer) -> None:
    async def play(number: int) -> int:
        async with server.playing() as player:
            attempt = (await player.start("daily/today/pyramid"))["attempt"]
            for seq in range(5):
                assert (await player.play(attempt, "s"))["seq"] == seq + 1
            return number

    assert len(await asyncio.gather(*(play(number) for number in range(100)))) == 100
    async with server.http() as http:
        assert (await http.get("/api/v1/dailies/today")).json()["dailies"][0]["players"] == 100
