"""Boards that tell of their changes over the socket: hints, at most one a second, also to who has not said hello."""

from typing import Any

from tests.net.pastimes import SECOND, WIN, give_up
from tests.net.wire import connected
from tests.support.live_server import HOUR, LiveServer
from tests.support.player import Player


async def watch(player: Player, challenge: str, t: str = "board.watch") -> dict[str, Any]:
    answer = await player.ask(t, challenge=challenge)
    assert answer["t"] == "board", answer
    return answer


async def quiet(player: Player) -> None:
    """Nothing has come unasked."""
    assert (await player.ask("ping"))["t"] == "pong"
    assert player.news.empty()


async def test_a_watcher_is_told_of_results_at_most_once_a_second(server: LiveServer) -> None:
    challenge = await server.make_challenge(WIN.ruleset, WIN.seed)
    async with connected(server) as watcher:
        told = await watch(watcher, challenge)
        assert (told["challenge"], told["watching"], told["total"], told["top"]) == (challenge, True, 0, [])
        for name in ("Ada", "Ben", "Cem"):
            async with server.playing(name) as player:
                await give_up(player, challenge)
        first = await watcher.told("board")
        assert first["total"] >= 1
        assert "id" not in first
        await quiet(watcher)
        await server.manual.parked(4)  # the tickers, and what waits for the second to pass
        server.manual.advance(SECOND)
        last = await watcher.told("board")
        assert last["total"] == 3
        assert sorted(row["player"]["name"] for row in last["top"]) == ["Ada", "Ben", "Cem"]
        assert {row["rank"] for row in last["top"]} == {1}
        server.manual.advance(10 * SECOND)
        await quiet(watcher)


async def test_who_watches_no_more_is_told_no_more(server: LiveServer) -> None:
    challenge = await server.make_challenge(WIN.ruleset, WIN.seed)
    async with server.playing("Eve") as eve, server.playing("Ada") as ada:
        await watch(eve, challenge)
        assert (await watch(eve, challenge, "board.unwatch"))["watching"] is False
        await give_up(ada, challenge)
        server.manual.advance(2 * SECOND)
        await quiet(eve)
        assert len(server.app.services.hub) == 1  # Ada's own table


async def test_the_board_watched_longest_is_let_go_for_a_ninth(server: LiveServer) -> None:
    challenges = [await server.make_challenge(WIN.ruleset, WIN.seed) for _ in range(9)]
    hub = server.app.services.hub
    async with connected(server) as watcher:
        for challenge in challenges:
            await watch(watcher, challenge)
        assert [hub.listeners(f"board/{challenge}") for challenge in challenges] == [0] + 8 * [1]
    async with connected(server) as other:  # the line of the first one is known to be gone when the next one answers
        await watch(other, challenges[0], "board.unwatch")
    assert sum(hub.listeners(f"board/{challenge}") for challenge in challenges) in (0, 8)


async def test_only_boards_that_may_be_read_can_be_watched(server: LiveServer) -> None:
    later = await server.make_challenge(WIN.ruleset, WIN.seed, opens_in=HOUR)
    async with connected(server) as watcher, server.playing("Ada") as ada:
        practice = (await ada.ask("practice", ruleset="pyramid", seed=WIN.seed))["challenge"]["id"]
        for challenge, code in (
            (later, "challenge/not_open"),
            ("daily/tomorrow/pyramid", "challenge/not_open"),
            (practice, "challenge/unknown"),
            ("nothing", "challenge/unknown"),
            ("daily/today/klondike", "ruleset/unknown"),
        ):
            answer = await watcher.ask("board.watch", challenge=challenge)
            assert (answer["t"], answer["code"]) == ("error", code), challenge
        assert (await watch(watcher, "daily/today/pyramid"))["total"] == 0
