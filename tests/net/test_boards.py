"""Boards over HTTP: pages both ways, around oneself, equal ranks, and cursors that nobody gave (PROTOCOL 3, C10)."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.net.deals import wins
from tests.net.test_http import refused
from tests.support.live_server import LiveServer, live_server

Row = dict[str, Any]
#: Milliseconds to win in, by player: places 1, 2, 2, 4, 5, 5, 5, 8, 9, 10.
TIMES = {"A": 1000, "B": 2000, "C": 2000, "D": 3000, "E": 4000, "F": 4000, "G": 4000, "H": 5000, "I": 6000, "J": 7000}
RANKS = [1, 2, 2, 4, 5, 5, 5, 8, 9, 10]
#: The shortest of the shared winning lines whose board goes by time.
WIN = min(
    (win for key in ("pyramid", "pyramid-cover", "thirteen-3") for win in wins()[key]), key=lambda w: len(w.moves)
)


class Board:
    """A challenge that ten players have won."""

    def __init__(self, server: LiveServer, challenge: str, tokens: dict[str, str]) -> None:
        self.server, self.challenge, self.tokens = server, challenge, tokens

    async def get(self, who: str | None = None, **query: Any) -> Any:
        """A page as somebody sees it."""
        answer = await self.answer(who, **query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def answer(self, who: str | None = None, **query: Any) -> httpx.Response:
        """The answer to a request for a page."""
        async with self.server.http(None if who is None else self.tokens[who]) as http:
            return await http.get(f"/api/v1/boards/challenge/{self.challenge}", params=query)


def names(rows: list[Row]) -> str:
    return "".join(row["player"]["name"] for row in rows)


@pytest.fixture
async def board(sqlite_url: str, tmp_path: Path) -> AsyncIterator[Board]:
    """The board of ten wins, written in another order than that of the ranks."""
    async with live_server(sqlite_url, tmp_path, sandbox=True) as server:
        challenge = await server.make_challenge(WIN.ruleset, WIN.seed)
        tokens: dict[str, str] = {}
        for name in "JBHEAGCIFD":
            async with server.playing(name) as player:
                tokens[name] = player.token or ""
                attempt = (await player.start(challenge))["attempt"]
                server.manual.advance(TIMES[name])
                for seq, move in enumerate(WIN.moves):
                    await player.send(t="play", attempt=attempt, seq=seq, move=move)
                for _ in WIN.moves:
                    played = await player.told("played")
                assert played["over"] == "won"
        yield Board(server, challenge, tokens)


async def test_r49_around_me_is_full_has_no_gaps_and_has_the_ranks_of_the_whole_list(board: Board) -> None:
    whole = (await board.get(limit=100))["rows"]
    assert [row["rank"] for row in whole] == RANKS
    assert names(whole) == "ABCDEGFHIJ"  # equal ones in the order of finishing
    for place, name in enumerate(names(whole)):
        for limit in (4, 5, 10):
            page = await board.get(name, around="me", limit=limit)
            assert page["rows"] in [whole[start : start + limit] for start in range(11 - limit)], (name, limit)
            assert name in names(page["rows"])
            assert (page["me"], page["total"]) == (whole[place], 10)


async def test_r49_paging_backwards_gives_the_ranks_of_paging_forwards(board: Board) -> None:
    whole = (await board.get(limit=100))["rows"]
    for limit in (1, 3, 4, 10):
        page = await board.get(limit=limit)
        assert page["previous"] is None
        forwards = [page]
        while forwards[-1]["next"] is not None:
            forwards.append(await board.get(limit=limit, after=forwards[-1]["next"]))
        assert [row for page in forwards for row in page["rows"]] == whole
        backwards = [forwards[-1]]
        while backwards[0]["previous"] is not None:
            backwards.insert(0, await board.get(limit=limit, before=backwards[0]["previous"]))
        assert [row for page in backwards for row in page["rows"]] == whole


async def test_the_whole_board_has_no_further_page_and_the_other_order_ranks_by_moves(board: Board) -> None:
    page = await board.get(limit=10)
    assert (page["next"], page["previous"], page["total"], page["me"]) == (None, None, 10, None)
    moves = await board.get("J", by="moves")
    assert (page["keys"], moves["keys"]) == (["time", "moves"], ["moves", "time"])
    assert [row["rank"] for row in moves["rows"]] == RANKS  # all took as many moves, so time decides
    assert moves["me"]["rank"] == 10


async def test_limits_orders_and_cursors_that_do_not_fit_are_refused(board: Board) -> None:
    cursor = (await board.get(limit=3))["next"]
    bad: list[dict[str, Any]] = [
        {"limit": 0}, {"limit": 101}, {"limit": -1}, {"limit": "x"}, {"limit": 1.5}, {"limit": 10**30}, {"by": "score"},
        {"by": ""}, {"after": ""}, {"after": "x"}, {"before": "\0"}, {"after": cursor + "x"}, {"after": cursor[:-1]},
        {"after": cursor, "before": cursor}, {"after": "x" * 201}, {"around": "you"}, {"around": "me", "after": cursor},
        {"after": "ğ"}, {"after": "99999999999999999999.1.1"}, {"before": "-1"},
    ]  # fmt: skip
    for query in bad:
        refused(await board.answer("A", **query), 400, "protocol/malformed")
    assert (await board.answer(limit=100)).status_code == 200


async def test_a_board_without_anybody_is_empty_and_around_nobody_is_its_beginning(server: LiveServer) -> None:
    async with server.playing() as ada, server.http(ada.token) as http:
        await ada.start("daily/today/pyramid")  # an open attempt is no result
        for query in ("", "?around=me", "?by=moves&limit=1"):
            page = (await http.get(f"/api/v1/boards/daily/today/pyramid{query}")).json()
            assert (page["rows"], page["total"], page["me"], page["next"], page["previous"]) == (
                [],
                0,
                None,
                None,
                None,
            )


async def test_around_me_for_who_is_not_on_the_board_is_its_beginning(board: Board) -> None:
    async with (
        board.server.playing() as guest,
        board.server.http(guest.token) as http,
        board.server.http() as nobody,
    ):
        for client in (http, nobody):
            page = (await client.get(f"/api/v1/boards/challenge/{board.challenge}?around=me&limit=4")).json()
            assert (names(page["rows"]), page["me"]) == ("ABCD", None)
    # A new name stands on the boards at once.
    async with board.server.http(board.tokens["A"]) as http:
        await http.patch("/api/v1/me", json={"name": "Z"})
    assert names((await board.get(limit=2))["rows"]) == "ZB"


async def test_unfinished_ones_stand_behind_the_won_by_progress_alone(board: Board) -> None:
    for name, moves, end in (("K", 9, True), ("L", 30, True), ("M", 12, False)):
        async with board.server.playing(name) as player:
            attempt = (await player.start(board.challenge))["attempt"]
            for move in WIN.moves[:moves]:
                await player.play(attempt, move)
            if end:
                await player.resign(attempt)
    rows = (await board.get(limit=100))["rows"][10:]
    assert names(rows) == "LK"  # who still plays stands on no board
    assert [row["outcome"] for row in rows] == ["resigned", "resigned"]
    assert rows[0]["progress"] > rows[1]["progress"]
    assert [row["rank"] for row in rows] == [11, 12]
