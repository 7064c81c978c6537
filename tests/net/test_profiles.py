"""Friends, calendars and the field of a daily over HTTP."""

from datetime import timedelta

import pytest

from server.store import follows
from tests.net.pastimes import SECOND, WIN, day_of, get, give_up, go_to, make_daily, win_daily
from tests.net.test_http import NOBODY, refused
from tests.support.live_server import LiveServer

KEY = WIN.ruleset


async def test_one_follows_and_follows_no_more(server: LiveServer) -> None:
    (ada, token), (ben, _) = await server.guest("Ada"), await server.guest("Ben")
    async with server.http(token) as http:
        for method, followed in (("PUT", True), ("PUT", True), ("DELETE", False), ("DELETE", False), ("PUT", True)):
            answer = await http.request(method, f"/api/v1/me/following/{ben['id']}")
            assert answer.json() == {"player": ben, "followed": followed, "followers": int(followed)}
        assert (await http.get("/api/v1/me/following")).json() == {"players": [ben], "total": 1}
        profile = (await http.get(f"/api/v1/players/{ben['id']}")).json()
        assert (profile["followers"], profile["following"], profile["followed"]) == (1, 0, True)
        assert (await get(server, f"/players/{ben['id']}"))["followed"] is False
        refused(await http.put(f"/api/v1/me/following/{ada['id']}"), 400, "protocol/malformed")
        for who in (NOBODY, "nobody"):
            refused(await http.put(f"/api/v1/me/following/{who}"), 404, "not_found")
            refused(await http.delete(f"/api/v1/me/following/{who}"), 404, "not_found")
        other = {"Origin": "https://elsewhere.example"}
        refused(await http.put(f"/api/v1/me/following/{ben['id']}", headers=other), 403, "auth/forbidden")
    async with server.http() as http:
        refused(await http.put(f"/api/v1/me/following/{ben['id']}"), 401, "auth/required")


async def test_nobody_follows_without_end(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follows, "MOST", 2)
    _, token = await server.guest("Ada")
    async with server.http(token) as http:
        for number in range(3):
            other, _ = await server.guest(f"Ben {number}")
            answer = await http.put(f"/api/v1/me/following/{other['id']}")
            assert answer.status_code == (200 if number < 2 else 409)
        refused(answer, 409, "follow/full")
        assert (await http.get("/api/v1/me/following")).json()["total"] == 2


async def test_a_board_of_friends_ranks_among_them(server: LiveServer) -> None:
    challenge = await server.make_challenge(KEY, WIN.seed)
    players = [await server.player(name) for name in ("Ada", "Ben", "Cem")]
    for seconds, player in zip((30, 10, 20), players, strict=True):
        await win_daily(server, player, challenge, seconds * SECOND)
    ada, _, cem = players
    async with server.http(ada.token) as http:
        await http.put(f"/api/v1/me/following/{cem.welcome['player']['id']}")
    for path in (f"/boards/challenge/{challenge}", f"/boards/records/{KEY}"):
        page = await get(server, path, ada.token, friends=1)
        assert [(row["rank"], row["player"]["name"]) for row in page["rows"]] == [(1, "Cem"), (2, "Ada")]
        assert (page["total"], page["me"]["rank"], page["friends"]) == (2, 2, True)
        assert (await get(server, path, ada.token))["me"]["rank"] == 3
        assert (await get(server, path, ada.token, who="accounts"))["total"] == 0
    for player in players:
        await player.close()


async def test_the_field_is_numbers_and_only_for_who_has_finished(server: LiveServer) -> None:
    day = day_of(server) + timedelta(days=2)
    challenge = await make_daily(server, day)
    await go_to(server, day)
    path = f"/api/v1/dailies/{day}/{KEY}/field"
    async with server.playing("Ada") as ada, server.playing("Ben") as ben, server.playing("Cem") as cem:
        await ada.start(challenge)
        await win_daily(server, ben, challenge, 20 * SECOND)
        await give_up(cem, challenge)
        async with server.http() as http, server.http(ada.token) as own, server.http(ben.token) as winner:
            refused(await http.get(path), 401, "auth/required")
            refused(await own.get(path), 403, "challenge/barred")
            field = (await winner.get(path)).json()
            assert (field["total"], field["won"], field["closed"]) == (2, 1, False)
            assert (field["own"]["rank"], field["own"]["of"], field["own"]["points"]) == (1, 2, 750)
            assert field["own"]["percentile"] == 75.0
            assert field["times"]["bars"][field["times"]["own"]]["count"] == 1
            assert sum(bar["count"] for bar in field["progress"]["bars"]) == 2
            assert field["pace"]["tenths"] == list(range(11))
            assert len(field["pace"]["median_ms"]) == len(field["pace"]["own_ms"]) == 11
            assert (field["pace"]["own_ms"][-1], field["pace"]["sample"]) == (20 * SECOND, 2)
            await ada.play((await ada.start(challenge))["attempt"], WIN.moves[0])
            await go_to(server, day + timedelta(days=1))
            after = (await http.get(path)).json()
            assert (after["total"], after["closed"], after["own"]) == (3, True, None)
            assert all(move not in str(after) for move in WIN.moves if move[0] == "p")


async def test_a_calendar_shows_every_day_of_a_month_also_of_a_leap_february(server: LiveServer) -> None:
    async with server.playing("Ada") as ada:
        me = ada.welcome["player"]["id"]
        await give_up(ada, "daily/today/thirteen")
        march = await get(server, f"/players/{me}/calendar/2026-03")
        assert (march["previous"], march["next"], len(march["days"])) == ("2026-02", None, 31)
        played = march["days"][9]
        assert (played["date"], played["state"], played["results"][0]["points"]) == ("2026-03-10", "played", None)
        assert (march["days"][8]["state"], march["days"][10]["state"]) == ("missed", "future")
        leap = await get(server, f"/players/{me}/calendar/2024-02")
        assert (len(leap["days"]), leap["days"][-1]["date"]) == (29, "2024-02-29")
        async with server.http() as http:
            for month in ("2026-04", "2026-13", "2026-W09", "month", "all"):
                refused(await http.get(f"/api/v1/players/{me}/calendar/{month}"), 404, "not_found")
