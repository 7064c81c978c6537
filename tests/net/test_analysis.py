"""Where a game was lost, over HTTP: who is told, and from when on (DESIGN 1.6)."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.actions import analyses
from server.store import stock
from tests.net.deals import wins
from tests.net.test_practice_help import LOSING
from tests.store.seeding import deal_row
from tests.support.live_server import HOUR, LiveServer, live_server
from tests.support.player import Player

DOZEN = wins()["bakers-dozen"][0]
THIRTEEN = wins()["thirteen"][0]


@pytest.fixture
async def server(sqlite_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    async with live_server(sqlite_url, tmp_path) as running:
        yield running


async def asked(server: LiveServer, attempt: str, token: str | None) -> httpx.Response:
    """The answer of the route, asked again while it is being found out."""
    async with server.http(token) as http:
        while True:
            answer = await http.get(f"/api/v1/attempts/{attempt}/analysis")
            if answer.status_code != 202:
                return answer


async def closed_for_all(server: LiveServer) -> None:
    server.manual.advance(2 * HOUR)
    await server.manual.parked(3)


async def lost_game(server: LiveServer, ada: Player) -> str:
    """A ranked game of Baker's Dozen whose last move lost it; its challenge is open for an hour."""
    challenge = await server.make_challenge("bakers-dozen", DOZEN.seed, ends_in=HOUR, closes_in=HOUR)
    attempt = str((await ada.start(challenge))["attempt"])
    for move in LOSING:
        await ada.play(attempt, move)
    await ada.resign(attempt)
    return attempt


async def test_nobody_is_told_before_the_close_and_everybody_after_it(server: LiveServer) -> None:
    async with server.playing() as ada, server.playing() as bob:
        attempt = await lost_game(server, ada)
        codes = [(await asked(server, attempt, token)).json()["code"] for token in (ada.token, bob.token, None)]
        assert codes == ["challenge/not_open", "attempt/not_yours", "auth/required"]
        refused = await ada.ask("practice", **{"from": {"attempt": attempt, "seq": 3}})
        assert refused["code"] == "challenge/not_open"
        assert not server.app.services.searches.started
        await closed_for_all(server)
        told = [(await asked(server, attempt, token)).json() for token in (ada.token, bob.token, None)]
        assert told[0] == told[1] == told[2]
        assert (told[0]["fate"], told[0]["lost"]) == ("lost", {"seq": 10, "move": LOSING[10]})
        assert (told[0]["deal_winnable"], told[0]["above_par"], told[0]["slips"]) == (True, None, [])


async def test_play_on_from_where_it_was_lost(server: LiveServer) -> None:
    async with server.playing() as ada, server.playing() as bob:
        attempt = await lost_game(server, ada)
        await closed_for_all(server)
        lost = (await asked(server, attempt, bob.token)).json()["lost"]
        state = await bob.ask("practice", **{"from": {"attempt": attempt, "seq": lost["seq"]}})
        assert (state["seq"], state["ranked"]) == (10, False)
        assert LOSING[10] in state["legal"]
        hint = await bob.ask("hint", attempt=state["attempt"])
        assert hint["move"] != LOSING[10]


async def test_practice_is_told_to_its_player_at_its_end(server: LiveServer) -> None:
    async with server.playing() as ada, server.playing() as bob:
        attempt = (await ada.ask("practice", ruleset="thirteen", seed=THIRTEEN.seed))["attempt"]
        assert (await asked(server, attempt, ada.token)).json()["code"] == "challenge/not_open"
        for move in THIRTEEN.moves:
            await ada.play(attempt, move)
        told = (await asked(server, attempt, ada.token)).json()
        assert (told["fate"], told["over"], told["par_exact"]) == ("won", "won", True)
        assert told["above_par"] == len(THIRTEEN.moves) - told["par"] >= 0
        assert (await asked(server, attempt, bob.token)).json()["code"] == "attempt/not_yours"
        assert (await asked(server, attempt, None)).json()["code"] == "auth/required"
        assert (await asked(server, "0" * 36, ada.token)).json()["code"] == "attempt/unknown"


async def test_practice_on_a_closed_deal_is_still_its_players(server: LiveServer) -> None:
    async with server.playing() as ada, server.playing() as bob:
        await lost_game(server, ada)
        challenge = await server.make_challenge("thirteen", THIRTEEN.seed, ends_in=HOUR, closes_in=HOUR)
        await closed_for_all(server)
        attempt = (await ada.ask("practice", challenge=challenge))["attempt"]
        assert (await asked(server, attempt, ada.token)).json()["code"] == "challenge/not_open"
        refused = await bob.ask("practice", **{"from": {"attempt": attempt, "seq": 0}})
        assert refused["code"] == "attempt/not_yours"
        await ada.resign(attempt)
        assert (await asked(server, attempt, bob.token)).json()["code"] == "attempt/not_yours"
        assert (await asked(server, attempt, ada.token)).json()["fate"] == "winnable"


async def test_an_analysis_is_found_out_once_and_kept(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[Any] = []
    run = server.app.services.searches.run

    async def counted(owner: str, work: Any, *, urgent: bool = False) -> Any:
        searched.append(work.keywords)
        return await run(owner, work, urgent=urgent)

    monkeypatch.setattr(server.app.services.searches, "run", counted)
    async with server.playing() as ada, server.playing() as bob:
        challenge = await server.make_challenge("thirteen", THIRTEEN.seed, ends_in=HOUR, closes_in=HOUR)
        games = []
        for player in (ada, bob):
            games.append((await player.start(challenge))["attempt"])
            await player.play(games[-1], THIRTEEN.moves[0])
        await closed_for_all(server)
        first = await asyncio.gather(*(asked(server, games[0], None) for _ in range(5)))
        assert len({answer.text for answer in first}) == 1
        await asked(server, games[0], ada.token)
        assert [work["deal"] is None for work in searched] == [True]
        await asked(server, games[1], None)
        assert [work["deal"] is None for work in searched] == [True, False]  # the deal is known by then


async def test_who_does_not_want_to_wait_comes_back(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "PATIENCE_S", 0.0)
    async with server.playing() as ada, server.http(ada.token) as http:
        attempt = (await ada.ask("practice", ruleset="thirteen", seed=THIRTEEN.seed))["attempt"]
        await ada.resign(attempt)
        answer = await http.get(f"/api/v1/attempts/{attempt}/analysis")
        assert (answer.status_code, answer.json()["fate"], answer.json()["par"]) == (202, "searching", None)
        assert (await asked(server, attempt, ada.token)).json()["fate"] == "winnable"


async def test_par_is_the_one_that_was_published_with_the_deal(server: LiveServer) -> None:
    async with server.playing() as ada:
        challenge = await server.make_challenge("thirteen", THIRTEEN.seed, ends_in=HOUR, closes_in=HOUR)
        published = len(THIRTEEN.moves) - 1
        deal = deal_row("thirteen", "hard", seed=THIRTEEN.seed, par=published, par_exact=False)
        async with server.app.services.store.writing() as conn:
            await stock.add_used(conn, deal, challenge, server.manual.now_ms())
        attempt = str((await ada.start(challenge))["attempt"])
        for move in THIRTEEN.moves:
            await ada.play(attempt, move)
        await closed_for_all(server)
        told = (await asked(server, attempt, ada.token)).json()
        assert (told["par"], told["par_exact"], told["above_par"]) == (published, False, 1)
