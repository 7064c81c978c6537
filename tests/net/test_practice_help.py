"""Help for those who practise: hints, and the light that tells whether a position can still be won (B10)."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.core.deck import shuffled
from server.errors import GameError
from server.games import ruleset
from server.live.bucket import Buckets
from tests.net.deals import wins
from tests.support.live_server import LiveServer, live_server
from tests.support.player import Player

DOZEN = wins()["bakers-dozen"][0]
#: The families of which a hint is asked, with a deal that can be won.
KEYS = ("pyramid", "pyramid-3", "pyramid-open", "pyramid-cover", "thirteen", "thirteen-3", "bakers-dozen", "foursquare")


@pytest.fixture
async def server(sqlite_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    async with live_server(sqlite_url, tmp_path) as running:
        yield running


async def practice(player: Player, key: str, seed: str) -> str:
    return str((await player.ask("practice", ruleset=key, seed=seed))["attempt"])


@pytest.mark.parametrize("key", KEYS)
async def test_hints_lead_to_a_win(server: LiveServer, key: str) -> None:
    server.app.services.hints = Buckets(1_000, 1)
    async with server.playing() as ada:
        attempt = await practice(ada, key, wins()[key][0].seed)
        for _ in range(300):
            server.manual.advance(500)
            hint = await ada.ask("hint", attempt=attempt)
            assert (hint["t"], hint["attempt"], hint["seq"]) == ("hint", attempt, ada.seq(attempt))
            assert hint["move"] in ada.states[attempt]["legal"]
            if (await ada.play(attempt, hint["move"]))["over"] is not None:
                break
        assert ada.states[attempt]["over"] == "won"


async def test_ranked_play_has_no_hints_and_no_light(server: LiveServer) -> None:
    async with server.playing() as ada:
        state = await ada.start(await server.make_challenge("bakers-dozen", DOZEN.seed))
        attempt = state["attempt"]
        refused = await ada.ask("hint", attempt=attempt)
        assert (refused["t"], refused["code"], refused["reason"]) == ("error", "attempt/no_hint", "ranked")
        told = [state["winnable"]] + [(await ada.play(attempt, move))["winnable"] for move in DOZEN.moves[:5]]
        await ada.resign(attempt)
        assert (await ada.ask("hint", attempt=attempt))["code"] == "attempt/no_hint"
        assert told == [None] * 6
        assert not [frame for frame in ada.frames if '"t":"winnable"' in frame]
    assert not server.app.services.searches.started


async def test_whose_attempt_and_whether_it_goes_on_is_asked_first(server: LiveServer) -> None:
    async with server.playing() as ada, server.playing() as bob:
        attempt = await practice(ada, "pyramid", wins()["pyramid"][0].seed)
        assert (await bob.ask("hint", attempt=attempt))["code"] == "attempt/not_yours"
        assert (await ada.ask("hint", attempt="0" * 36))["code"] == "attempt/unknown"
        assert (await ada.ask("hint"))["code"] == "protocol/malformed"
        await ada.resign(attempt)
        assert (await ada.ask("hint", attempt=attempt))["code"] == "attempt/over"
    stranger = await Player.connect(server.socket_url)
    assert (await stranger.ask("hint", attempt=attempt))["code"] == "auth/required"
    await stranger.close()


async def test_hints_are_limited_for_each_player(server: LiveServer) -> None:
    server.app.services.hints = Buckets(2, 1)
    async with server.playing() as ada:
        attempt = await practice(ada, "pyramid", wins()["pyramid"][0].seed)
        codes = [(await ada.ask("hint", attempt=attempt)).get("code") for _ in range(3)]
        assert codes == [None, None, "protocol/rate"]
        server.manual.advance(1_000)
        assert (await ada.ask("hint", attempt=attempt))["t"] == "hint"


async def test_a_lost_position_has_no_hint_and_says_why(server: LiveServer) -> None:
    rules = ruleset("pyramid")
    lost = next(
        seed
        for seed in (f"{number:032x}" for number in range(100))
        if rules.winnable(rules.view(rules.deal(shuffled(seed, rules.deck))), {}, patient=True) is False
    )
    async with server.playing() as ada:
        attempt = await practice(ada, "pyramid", lost)
        refused = await ada.ask("hint", attempt=attempt)
        assert (refused["code"], refused["reason"]) == ("attempt/no_hint", "lost")


async def light(player: Player, attempt: str) -> bool | None:
    """The verdict on the newest position, from its own answer or from a later frame."""
    state = player.states[attempt]
    if state["winnable"] is not None:
        return bool(state["winnable"])
    while True:
        news = await player.told("winnable")
        if (news["attempt"], news["seq"]) == (attempt, state["seq"]):
            return bool(news["winnable"])


#: Moves from the deal of DOZEN, the last of which loses it.
LOSING = ["c1c7", "c9c8", "c1c11", "c3c10", "c13fd", "c10c4", "c12c7", "c10c3", "c13c9", "c6c10", "c2c7"]


async def test_the_light_follows_moves_and_undos(server: LiveServer) -> None:
    async with server.playing() as ada:
        attempt = await practice(ada, "bakers-dozen", DOZEN.seed)
        assert await light(ada, attempt) is True
        move = (await ada.ask("hint", attempt=attempt))["move"]
        assert (await ada.play(attempt, move))["winnable"] is True  # on the known line: told at once
        assert (await ada.undo(attempt))["winnable"] is True
        for move in LOSING[:-1]:
            await ada.play(attempt, move)
        assert await light(ada, attempt) is True
        await ada.play(attempt, LOSING[-1])
        assert await light(ada, attempt) is False
        refused = await ada.ask("hint", attempt=attempt)
        assert (refused["code"], refused["reason"]) == ("attempt/no_hint", "lost")
        after = await ada.play(attempt, ada.states[attempt]["legal"][0])
        assert after["winnable"] is False  # once lost, lost: told at once
        assert (await ada.undo(attempt))["winnable"] is False
        assert (await ada.undo(attempt))["winnable"] is True
        assert (await ada.sync(attempt))["winnable"] is True


async def test_moves_wait_for_no_search(server: LiveServer) -> None:
    searches = server.app.services.searches
    async with server.playing() as ada, server.playing() as bob:
        begun = [asyncio.ensure_future(searches.run(f"player {at}", forever)) for at in range(4)]
        attempt = await practice(ada, "bakers-dozen", DOZEN.seed)
        other = await practice(bob, "pyramid", wins()["pyramid"][0].seed)
        await ada.send(t="hint", id="waiting", attempt=attempt)
        for move in DOZEN.moves[:20]:
            assert (await ada.play(attempt, move))["winnable"] is None
        for move in wins()["pyramid"][0].moves[:20]:
            assert (await bob.play(other, move))["t"] == "played"
        late = await ada.told("error")
        assert (late["id"], late["code"]) == ("waiting", "attempt/stale")
        assert not any(search.done() for search in begun)
        for search in begun:
            search.cancel()
        await asyncio.gather(*begun, return_exceptions=True)
        assert await light(ada, attempt) is True  # the processes are free again


async def test_nothing_is_searched_for_a_table_that_its_player_has_left(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.actions.guiding.REST_S", 3600.0)  # no search by itself while the test lasts
    async with server.playing() as ada:
        first = await practice(ada, "bakers-dozen", DOZEN.seed)
        guide = server.app.services.house._tables[first].guide

        def rests() -> bool:
            return guide is not None and guide.rest is not None

        assert rests()
        second = await practice(ada, "bakers-dozen-kings", DOZEN.seed)
        assert not rests()
        await ada.sync(first)
        assert rests()
        await ada.play(second, ada.states[second]["legal"][0])
        assert not rests()
        await ada.sync(first)
        # Who waits for a hint is at the table still, wherever else he plays.
        await ada.send(t="hint", id="waiting", attempt=first)
        await practice(ada, "bakers-dozen", DOZEN.seed)
        assert (await ada.told("hint"))["id"] == "waiting"
        assert (await ada.sync(first))["winnable"] is True


async def test_who_comes_back_at_once_does_not_wait_for_the_search_that_was_ended(server: LiveServer) -> None:
    guiding = server.app.services.guiding
    async with server.playing() as ada:
        attempt = await practice(ada, "bakers-dozen", DOZEN.seed)
        table = server.app.services.house._tables[attempt]
        ended = guiding._search(table)
        guiding.left(table)
        begun = guiding._search(table)
        found = await begun
        assert not isinstance(found, GameError)
        assert found.winnable is True
        assert ended.cancelled()


def forever(pause):  # type: ignore[no-untyped-def]
    """A search that ends only when it is told to."""
    while True:
        pause()
