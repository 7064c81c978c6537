"""A daily from the first hello to the board, over a real socket."""

import json
from pathlib import Path

from tests.support.live_server import DAY, HOUR, NOON, live_server


def wins() -> dict[str, list[dict[str, object]]]:
    lines = (Path(__file__).parent.parent / "vectors" / "wins.jsonl").read_text().splitlines()
    by: dict[str, list[dict[str, object]]] = {}
    for line in lines:
        case = json.loads(line)
        by.setdefault(case["ruleset"], []).append(case)
    return by


async def test_every_ruleset_is_won_over_the_socket_and_stands_on_its_board(sqlite_url: str, tmp_path: Path) -> None:
    async with (
        live_server(sqlite_url, tmp_path) as server,
        server.playing("Ada") as ada,
        server.http(ada.token) as http,
    ):
        for key, cases in wins().items():
            case = cases[0]
            challenge = await server.make_challenge(key, str(case["seed"]))
            state = await ada.start(challenge)
            assert state["t"] == "state", state
            attempt = state["attempt"]
            for move in str(case["moves"]).split():
                server.manual.advance(250)
                played = await ada.play(attempt, move)
                assert played["t"] == "played", (key, move, played)
            expect = case["expect"]
            assert isinstance(expect, dict)
            assert (played["over"], played["moves"], played["progress"]) == (
                expect["over"],
                expect["moves"],
                expect["progress"],
            )
            assert played["result"]["rank"] == played["result"]["of"] == 1
            assert played["result"]["time_ms"] == 250 * len(str(case["moves"]).split())
            board = (await http.get(f"/api/v1/boards/challenge/{challenge}")).json()
            assert [row["player"]["name"] for row in board["rows"]] == ["Ada"]
            assert board["me"]["rank"] == 1


async def test_six_dailies_stand_every_day_and_are_played_to_their_close(sqlite_url: str, tmp_path: Path) -> None:
    async with live_server(sqlite_url, tmp_path) as server, server.playing() as ada, server.http(ada.token) as http:
        today = (await http.get("/api/v1/dailies/today")).json()
        assert [daily["ruleset"] for daily in today["dailies"]] == [
            "pyramid", "thirteen", "thirteen-3", "bakers-dozen", "bakers-dozen-kings", "foursquare"
        ]  # fmt: skip
        assert all(daily["seed"] is None for daily in today["dailies"])
        state = await ada.start("daily/today/pyramid")
        await ada.play(state["attempt"], state["legal"][0])
        server.manual.set(NOON + DAY // 2 + HOUR)
        server.manual.advance(20_000)
        closed = await ada.told("played")
        assert (closed["move"], closed["over"]) == ("close", "closed")
        record = (await http.get(f"/api/v1/attempts/{state['attempt']}")).json()
        assert record["log"][-1] == ["close", DAY // 2 + HOUR]
        assert (await ada.start("daily/today/pyramid"))["challenge"]["date"] != today["date"]
