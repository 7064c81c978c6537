"""Boards that tell of their changes over the socket: hints, at most one a second, also to who has not said hello."""

from datetime import timedelta
from typing import Any

from server.actions import withdrawing
from server.store.periods import week_of
from tests.net.pastimes import SECOND, WIN, day_of, give_up, go_to, make_daily, win_daily
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
        assert [hub.listeners(f"board/challenge/{challenge}") for challenge in challenges] == [0] + 8 * [1]
    async with connected(server) as other:  # the line of the first one is known to be gone when the next one answers
        await watch(other, challenges[0], "board.unwatch")
    assert sum(hub.listeners(f"board/challenge/{challenge}") for challenge in challenges) in (0, 8)


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


async def test_records_and_seasons_tell_of_what_changes_them(server: LiveServer) -> None:
    """A win changes the records, the close of a daily its seasons, and a void all of them."""
    day = day_of(server) + timedelta(days=2)
    challenge = await make_daily(server, day)
    await go_to(server, day)
    seasons = [f"season/{period}/{WIN.ruleset}" for period in ("week", "month", "all")]
    async with connected(server) as watcher, server.playing("Ada") as ada, server.playing("Ben") as ben:
        told = {}
        for board in (f"records/{WIN.ruleset}", f"daily/today/{WIN.ruleset}", *seasons):
            answer = await watcher.ask("board.watch", board=board)
            assert (answer["t"], answer["watching"], answer["total"], answer["top"]) == ("board", True, 0, []), board
            told[board] = answer["board"]
        assert told[f"daily/today/{WIN.ruleset}"] == f"challenge/{challenge}"
        assert told[seasons[0]] == f"season/{week_of(day).key}/{WIN.ruleset}"
        await give_up(ben, challenge)
        assert (await watcher.told("board"))["board"] == f"challenge/{challenge}"
        await quiet(watcher)
        server.manual.advance(2 * SECOND)
        await win_daily(server, ada, challenge, 20 * SECOND)
        news = [await watcher.told("board") for _ in range(2)]
        assert {one["board"]: one["total"] for one in news} == {
            f"records/{WIN.ruleset}": 1,
            f"challenge/{challenge}": 2,
        }
        assert [row["player"]["name"] for row in news[0]["top"]][:1] == ["Ada"]
        await quiet(watcher)
        await go_to(server, day + timedelta(days=1))  # the daily closes
        news = [await watcher.told("board") for _ in range(4)]
        assert {one["board"] for one in news} == {told[board] for board in seasons} | {f"challenge/{challenge}"}
        season = next(one for one in news if one["board"] == told[seasons[2]])
        assert [(row["rank"], row["player"]["name"], row["points"]) for row in season["season"]] == [
            (1, "Ada", 750),
            (2, "Ben", 250),
        ]
        assert "challenge" not in season
        await quiet(watcher)
        server.manual.advance(2 * SECOND)
        own = next(one for one in news if "challenge" in one)["top"][0]["attempt"]
        await withdrawing.void(server.app.services, own)
        news = [await watcher.told("board") for _ in range(5)]
        assert {one["board"] for one in news} == set(told.values())
        left = {one["board"]: one["total"] for one in news}
        assert left.pop(f"records/{WIN.ruleset}") == 0
        assert set(left.values()) == {1}
        await quiet(watcher)


async def test_one_board_is_named_and_it_must_be_one(server: LiveServer) -> None:
    challenge = await server.make_challenge(WIN.ruleset, WIN.seed)
    async with connected(server) as watcher:
        for fields, code in (
            ({}, "protocol/malformed"),
            ({"challenge": challenge, "board": f"challenge/{challenge}"}, "protocol/malformed"),
            ({"board": "records/klondike"}, "ruleset/unknown"),
            ({"board": "season/2026-W60/pyramid"}, "not_found"),
            ({"board": "season/2027-W01/pyramid"}, "not_found"),
            ({"board": "season/all/klondike"}, "ruleset/unknown"),
            ({"board": "season/all"}, "challenge/unknown"),
            ({"board": "rating/pyramid"}, "challenge/unknown"),
        ):
            answer = await watcher.ask("board.watch", **fields)
            assert (answer["t"], answer["code"]) == ("error", code), fields
        assert (await watcher.ask("board.watch", board=f"challenge/{challenge}"))["challenge"] == challenge
