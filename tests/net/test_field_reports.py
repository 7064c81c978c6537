"""Faults that others shipped, tried over the socket (field-reports); each test bears the number of its report."""

import random
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from server.core.deck import shuffled
from server.core.rules import Outcome
from server.games import rulesets
from server.play.attempt import Attempt
from tests.net.deals import dealt, seed_where, seeds, wins
from tests.support.live_server import LiveServer, live_server
from tests.support.player import Message, Player

SEEN = ("piles", "legal", "can_undo", "progress", "over", "winnable")


@pytest.fixture
async def server(sqlite_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    """A running server without limits."""
    async with live_server(sqlite_url, tmp_path, sandbox=True) as running:
        yield running


def table(state: Message) -> dict[str, Any]:
    """What a player sees of a table, without counters and clocks."""
    return {name: state[name] for name in SEEN}


def whole(state: Message) -> dict[str, Any]:
    """The whole state but what changes with every request, and the verdict, which may take its time to be found."""
    return {name: value for name, value in state.items() if name not in ("id", "elapsed_ms", "winnable")}


async def practise(player: Player, key: str, seed: str) -> str:
    """A practice attempt at a deal; its id."""
    return str((await player.ask("practice", ruleset=key, seed=seed))["attempt"])


async def play_all(player: Player, attempt: str, moves: list[str]) -> Message:
    """Play a line; the last answer."""
    answer: Message = {}
    for move in moves:
        answer = await player.play(attempt, move)
        assert answer["t"] == "played", (move, answer)
    return answer


def lines(key: str, *, deals: int, salt: str = "line") -> Iterator[tuple[str, list[str], Attempt]]:
    """Random lines of play: after every move the seed, the moves so far, and where they lead."""
    for seed, _ in zip(seeds(salt), range(deals), strict=False):
        attempt, moves, chance = dealt(key, seed), list[str](), random.Random(seed)
        while attempt.legal and len(moves) < 120:
            moves = [*moves, chance.choice(attempt.legal)]
            attempt = attempt.play(moves[-1], 0)
            yield seed, moves, attempt


def line_where(key: str, fits: Callable[[Attempt], bool]) -> tuple[str, list[str]]:
    """A seed and a line of moves after which something holds for the first time."""
    return next((seed, moves) for seed, moves, attempt in lines(key, deals=3000) if fits(attempt))


# --- undo ----------------------------------------------------------------------------------------------------------


async def test_r01_undo_of_draws_and_of_a_turned_stock_restores_every_state_and_order(server: LiveServer) -> None:
    async with server.playing() as ada:
        state = await ada.start(await server.make_challenge("pyramid", next(seeds("r01"))))
        attempt, states = state["attempt"], [state]
        for _ in range(24 + 1 + 3):
            await ada.play(attempt, "s")
            states.append(await ada.sync(attempt))
        for before in reversed(states[:-1]):
            await ada.undo(attempt)
            assert table(await ada.sync(attempt)) == table(before)
        for after in states[1:]:
            await ada.play(attempt, "s")
            assert (await ada.sync(attempt))["piles"] == after["piles"]


async def test_r02_one_undo_takes_back_exactly_one_move(server: LiveServer) -> None:
    seed, moves = line_where("pyramid", lambda a: a.last is not None and a.last.entry.text.count("p") == 2)
    async with server.playing() as ada:
        attempt = (await ada.start(await server.make_challenge("pyramid", seed)))["attempt"]
        await play_all(ada, attempt, moves[:-1])
        before = await ada.sync(attempt)
        removed = await ada.play(attempt, moves[-1])
        assert removed["progress"] == before["progress"] + 2
        undone = await ada.undo(attempt)
        after = await ada.sync(attempt)
        assert table(after) == table(before)
        assert (undone["progress"], undone["moves"]) == (before["progress"], removed["moves"] + 1)


@pytest.mark.parametrize("key", ["foursquare", "foursquare-all"])
async def test_r02_r04_an_undone_placement_turns_the_row_and_the_column_back(server: LiveServer, key: str) -> None:
    def turns(attempt: Attempt) -> bool:
        return attempt.last is not None and sum(type(step).__name__ == "Flip" for step in attempt.last.steps) > 2

    seed, moves = line_where(key, turns)
    async with server.playing() as ada:
        attempt = await practise(ada, key, seed)
        await play_all(ada, attempt, moves[:-1])
        before = await ada.sync(attempt)
        await ada.play(attempt, moves[-1])
        await ada.undo(attempt)
        after = await ada.sync(attempt)
        assert table(after) == table(before)
        assert (after["moves"], after["seq"]) == (before["moves"] + 2, before["seq"] + 2)


async def test_r04_a_card_put_back_on_the_stock_is_neither_named_nor_playable(server: LiveServer) -> None:
    def pairs_at_once(attempt: Attempt) -> bool:
        return any(move.endswith("w1") and move != "w1" for move in attempt.play("s", 0).legal)

    async with server.playing() as ada:
        state = await ada.start(await server.make_challenge("pyramid", seed_where("pyramid", pairs_at_once)))
        attempt = state["attempt"]
        drawn = await ada.play(attempt, "s")
        pair = next(move for move in drawn["legal"] if move.endswith("w1") and move != "w1")
        card = drawn["piles"]["w1"][-1]
        undone = await ada.undo(attempt)
        assert undone["piles"]["s"][-1] == "??"
        refused = await ada.play(attempt, pair)
        assert (refused["t"], refused["code"]) == ("rejected", "move/illegal")
        after = await ada.sync(attempt)
        assert table(after) == table(state)
        assert card not in [seen for pile in after["piles"].values() for seen in pile]


# --- refused moves -------------------------------------------------------------------------------------------------

PARENTS = {row * (row - 1) // 2 + place: (row * (row + 1) // 2 + place, row * (row + 1) // 2 + place + 1)
           for row in range(1, 7) for place in range(1, row + 1)}  # fmt: skip


async def test_r07_a_king_is_taken_only_when_both_its_covers_are_gone(server: LiveServer) -> None:
    def king_with(left: bool, right: bool) -> Callable[[Attempt], bool]:
        return lambda attempt: king_under(attempt, left, right) is not None

    def king_under(attempt: Attempt, left: bool, right: bool) -> str | None:
        piles = attempt.position.piles
        for parent, (one, other) in PARENTS.items():
            king = any(card // 4 == 12 for card in piles[f"p{parent}"])
            if king and (bool(piles[f"p{one}"]), bool(piles[f"p{other}"])) == (left, right):
                return f"p{parent}"
        return None

    async with server.playing() as ada:
        for left, right in ((True, True), (False, True), (True, False), (False, False)):
            seed, moves = line_where("pyramid", king_with(left, right))
            attempt = await practise(ada, "pyramid", seed)
            await play_all(ada, attempt, moves)
            reached = dealt("pyramid", seed)
            for move in moves:
                reached = reached.play(move, 0)
            king = king_under(reached, left, right)
            before = await ada.sync(attempt)
            for partner in ("p28", "p22", "w1"):
                assert (await ada.play(attempt, f"{king}{partner}"))["code"] == "move/illegal"
            answer = await ada.play(attempt, str(king))
            if left or right:
                assert (answer["t"], answer["code"]) == ("rejected", "move/illegal")
                assert whole(await ada.sync(attempt)) == whole(before)
            else:
                assert (answer["t"], answer["progress"]) == ("played", before["progress"] + 1)


async def test_r08_five_hundred_illegal_requests_change_nothing(server: LiveServer) -> None:
    async with server.playing() as ada:
        for key, rules in rulesets().items():
            seed, moves, _ = next(line for line in lines(key, deals=99) if len(line[1]) == 5 and line[2].legal)
            attempt = await practise(ada, key, seed)
            await play_all(ada, attempt, moves)
            before, held = await ada.sync(attempt), server.app.services.house._tables[attempt].attempt
            chance, names = random.Random(key), [spec.name for spec in rules.layout.piles]
            sent = 0
            while sent < 500:
                text = chance.choice(["", "x", "s7", "undo", "close"]) if sent % 10 == 0 else "".join(
                    chance.choices(names, k=chance.choice((1, 2)))
                )  # fmt: skip
                if _canonical(held, text) not in held.legal:
                    sent += 1
                    await ada.send(t="play", attempt=attempt, seq=held.seq, move=text)
            for _ in range(500):
                answer = await ada.told("rejected")  # a verdict that took its time may come in between
                assert answer["seq"] == held.seq
                assert answer["code"] in ("move/illegal", "move/syntax")
            assert server.app.services.house._tables[attempt].attempt is held
            assert whole(await ada.sync(attempt)) == whole(before)
            cards = sorted(card & 63 for pile in held.position.piles.values() for card in pile)
            assert cards == sorted(shuffled(seed, rules.deck)), key


def _canonical(attempt: Attempt, text: str) -> str:
    try:
        return attempt.rules.canonical(text)
    except Exception:  # noqa: BLE001 - what cannot be read is no legal move either
        return text


async def test_r10_what_the_handler_accepts_is_what_the_legal_list_says(server: LiveServer) -> None:
    async with server.playing() as ada:
        for key, rules in rulesets().items():
            names = [spec.name for spec in rules.layout.piles]
            requests = [*names, *(first + second for first in names for second in names)]
            for length in (0, 6):
                seed, moves, reached = next(
                    (seed, moves[:length], attempt)
                    for seed, moves, attempt in lines(key, deals=99, salt=f"r10{length}")
                    if len(moves) == max(1, length) and attempt.legal
                )
                reached = dealt(key, seed) if length == 0 else reached
                attempt = await practise(ada, key, seed)
                await play_all(ada, attempt, moves)
                illegal = [text for text in requests if _canonical(reached, text) not in reached.legal]
                for text in illegal:
                    await ada.send(t="play", attempt=attempt, seq=length, move=text)
                answers = [await ada.told("rejected") for _ in illegal]
                assert {answer["code"] for answer in answers} <= {"move/illegal", "move/syntax"}
                assert tuple((await ada.sync(attempt))["legal"]) == reached.legal
                for move in reached.legal[:6]:
                    branch = await ada.ask("practice", **{"from": {"attempt": attempt, "seq": length}})
                    assert branch["seq"] == length
                    assert (await ada.play(branch["attempt"], move))["t"] == "played", (key, move)


# --- no more moves, and the stock ----------------------------------------------------------------------------------


async def test_r13_no_verdict_while_the_stock_can_be_drawn_or_turned(server: LiveServer) -> None:
    def nothing_pairs(attempt: Attempt) -> bool:
        return attempt.legal == ("s",) and attempt.play("s", 0).legal == ("s",)

    async with server.playing() as ada:
        state = await ada.start(await server.make_challenge("pyramid", seed_where("pyramid", nothing_pairs)))
        assert (state["over"], state["legal"]) == (None, ["s"])
        for _ in range(60):
            played = await ada.play(state["attempt"], "s")
            assert played["over"] is None
            assert "s" in played["legal"]


async def test_r13_a_stuck_attempt_that_can_be_undone_stays_open(server: LiveServer) -> None:
    seed, moves = line_where("bakers-dozen", lambda a: not a.legal)
    async with server.playing() as ada:
        attempt = (await ada.start(await server.make_challenge("bakers-dozen", seed)))["attempt"]
        stuck = await play_all(ada, attempt, moves)
        assert (stuck["over"], stuck["legal"], stuck["can_undo"]) == (None, [], True)
        assert (await ada.undo(attempt))["legal"]


async def test_r14_the_stock_of_thirteen_is_never_turned_and_that_of_pyramid_always(server: LiveServer) -> None:
    async with server.playing() as ada:
        for key, draws in (("thirteen", 24), ("thirteen-3", 8)):

            def stays_open(attempt: Attempt, draws: int = draws) -> bool:
                for _ in range(draws):
                    attempt = attempt.play("s", 0)
                return attempt.over is None

            seed = seed_where(key, stays_open)
            attempt = (await ada.start(await server.make_challenge(key, seed)))["attempt"]
            await play_all(ada, attempt, ["s"] * draws)
            assert (await ada.play(attempt, "s"))["code"] == "move/illegal"
        attempt = (await ada.start(await server.make_challenge("pyramid", seed)))["attempt"]
        await play_all(ada, attempt, ["s"] * (25 * 4))


async def test_r14_a_dead_position_is_told_in_its_own_move_and_taken_back_with_it(server: LiveServer) -> None:
    def dies(seed: str, moves: list[str], attempt: Attempt) -> bool:
        before = dealt("pyramid", seed)
        for move in moves[:-1]:
            before = before.play(move, 0)
        return before.winnable() is True and attempt.winnable() is False and attempt.over is None

    seed, moves = next((s, m) for s, m, a in lines("pyramid", deals=200, salt="r14") if len(m) > 3 and dies(s, m, a))
    async with server.playing() as ada:
        attempt = (await ada.start(await server.make_challenge("pyramid", seed)))["attempt"]

        async def verdict(answer: Message) -> bool | None:
            if answer["winnable"] is None:
                late = await ada.told("winnable")
                assert late["seq"] == answer["seq"]
                return bool(late["winnable"])
            return bool(answer["winnable"])

        await play_all(ada, attempt, moves[:-1])
        dead = await ada.play(attempt, moves[-1])
        assert dead["over"] is None
        assert await verdict(dead) is False
        assert await verdict(await ada.undo(attempt)) is True
        assert await verdict(await ada.play(attempt, moves[-1])) is False


async def test_r16_drawing_and_turning_at_every_edge_is_defined(server: LiveServer) -> None:
    async with server.playing() as ada:
        with capture_logs() as log:
            attempt = (await ada.start(await server.make_challenge("pyramid", next(seeds("r16")))))["attempt"]
            for _ in range(3):
                await play_all(ada, attempt, ["s"] * 23)
                one = await ada.sync(attempt)
                assert len(one["piles"]["s"]) == 1
                last = await ada.play(attempt, "s")
                assert last["piles"]["s"] == []
                turned = await ada.play(attempt, "s")
                assert (turned["steps"], turned["piles"]["w1"]) == ([["shift", "w1", "s", 24, "over"]], [])
                assert turned["piles"]["s"] == ["??"] * 24
                await ada.undo(attempt)
                assert table(await ada.sync(attempt))["piles"] == {**one["piles"], **last["piles"]}
                await ada.play(attempt, "s")
            for text in ("w1s", "ss", "w1"):
                assert (await ada.play(attempt, text))["t"] == "rejected"
        assert [line for line in log if line["log_level"] == "error"] == []


async def test_r16_an_empty_stock_and_an_empty_waste_give_nothing_to_draw(server: LiveServer) -> None:
    def used_up(attempt: Attempt) -> bool:
        return not attempt.position.piles["s"] and not attempt.position.piles["w1"] and attempt.over is None

    greedy = _all_stock_used(used_up)
    async with server.playing() as ada:
        attempt = await practise(ada, "pyramid-cover", greedy[0])
        await play_all(ada, attempt, greedy[1])
        assert (await ada.play(attempt, "s"))["code"] == "move/illegal"
        assert (await ada.undo(attempt))["t"] == "played"


def _all_stock_used(used_up: Callable[[Attempt], bool]) -> tuple[str, list[str]]:
    """A line that plays waste cards away as soon as it can, until there is neither stock nor waste."""
    for seed in seeds("r16"):
        attempt, moves = dealt("pyramid-cover", seed), list[str]()
        while attempt.legal and len(moves) < 400 and attempt.over is None:
            moves.append(
                next((m for m in attempt.legal if m.endswith("w1")), "s" if "s" in attempt.legal else attempt.legal[0])
            )
            if len(moves) % 30 == 29:
                moves[-1] = attempt.legal[0]
            attempt = attempt.play(moves[-1], 0)
            if used_up(attempt):
                return seed, moves
    raise AssertionError("seeds have no end")


# --- deals ---------------------------------------------------------------------------------------------------------


async def test_r17_one_seed_is_one_deal_for_everybody_and_after_a_restart(sqlite_url: str, tmp_path: Path) -> None:
    async with live_server(sqlite_url, tmp_path, sandbox=True) as server, server.playing() as ada:
        deals: dict[str, Message] = {}
        for key in rulesets():
            seed = next(seeds(f"r17/{key}"))
            attempt = await practise(ada, key, seed)
            deals[key] = await ada.sync(attempt)
            for _ in range(10):
                legal = ada.states[attempt]["legal"]
                if legal:
                    await ada.play(attempt, legal[0])
            ended = await ada.sync(attempt)
            again = await ada.sync(await practise(ada, key, seed))
            assert table(again) == table(deals[key])
            deals[f"{key} played"] = ended
    async with (
        live_server(sqlite_url, tmp_path, server.manual, sandbox=True) as later,
        later.playing() as bob,
        later.playing(token=ada.token) as ada_again,
    ):
        for key in rulesets():
            state = await bob.sync(await practise(bob, key, next(seeds(f"r17/{key}"))))
            assert table(state) == table(deals[key])
            ended = deals[f"{key} played"]
            assert whole(await ada_again.sync(ended["attempt"])) == whole(ended)


async def test_r19_every_ruleset_deals_as_its_seed_says(server: LiveServer) -> None:
    async with server.playing() as ada:
        for key, rules in rulesets().items():
            win = wins()[key][0]
            state = await ada.sync(await practise(ada, key, win.seed))
            position = rules.view(rules.deal(shuffled(win.seed, rules.deck)))
            assert {name: len(pile) for name, pile in position.piles.items()} == {
                name: len(pile) for name, pile in state["piles"].items()
            }
            assert rules.outcome(rules.deal(shuffled(win.seed, rules.deck))) is Outcome.OPEN


# --- results -------------------------------------------------------------------------------------------------------


async def test_r52_a_win_is_counted_once_whatever_is_sent_after_it(server: LiveServer) -> None:
    win = wins()["pyramid-open"][2]
    challenge = await server.make_challenge(win.ruleset, win.seed)
    async with server.playing() as ada, server.playing(token=ada.token) as tab, server.http() as http:
        attempt = (await ada.start(challenge))["attempt"]
        await tab.sync(attempt)
        server.manual.advance(5000)
        won = await play_all(ada, attempt, list(win.moves))
        assert won["over"] == "won"
        server.manual.advance(60_000)
        last = len(win.moves) - 1
        assert (await ada.undo(attempt))["code"] == "attempt/over"
        assert (await tab.play(attempt, win.moves[-1], last))["result"] == won["result"]
        assert (await tab.resign(attempt))["code"] == "attempt/over"
        for seq, move in enumerate(win.moves[:-1]):  # the whole sequence again
            assert (await ada.play(attempt, move, seq))["code"] == "attempt/over"
        async with server.playing(token=ada.token) as phone:
            assert (await phone.play(attempt, win.moves[-1], last))["result"] == won["result"]
            assert (await phone.start(challenge))["result"] == won["result"]
        board = (await http.get(f"/api/v1/boards/challenge/{challenge}")).json()
        assert (board["total"], board["rows"][0]["time_ms"]) == (1, 5000)
        assert board["challenge"]["players"] == 1
