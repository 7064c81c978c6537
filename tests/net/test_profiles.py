"""Friends, calendars and the field of a daily over HTTP."""

from datetime import timedelta

import pytest

from server.actions import withdrawing
from server.store import follows, outages
from tests.net.deals import wins
from tests.net.pastimes import SECOND, WIN, day_of, get, give_up, go_to, make_daily, win_daily
from tests.net.test_http import NOBODY, refused
from tests.support.live_server import HOUR, LiveServer

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


async def test_one_sees_who_follows_page_by_page(server: LiveServer) -> None:
    """The latest first, nobody twice or left out, also where several followed in the same instant."""
    ada, token = await server.guest("Ada")
    fans = []
    for number in range(7):
        fan, own = await server.guest(f"Fan {number}")
        server.manual.advance(SECOND if number % 3 == 0 else 0)
        async with server.http(own) as http:
            assert (await http.put(f"/api/v1/me/following/{ada['id']}")).status_code == 200
        fans.append(fan)
    found: list[str] = []
    after: dict[str, str] = {}
    while True:
        page = await get(server, "/me/followers", token, limit=2, **after)
        assert page["total"] == 7
        found += [one["id"] for one in page["players"]]
        if page["next"] is None:
            break
        assert len(page["players"]) == 2
        after = {"after": page["next"]}
    assert sorted(found) == sorted(fan["id"] for fan in fans)
    places = [[fan["id"] for fan in fans].index(one) for one in found]
    assert [place // 3 for place in places] == sorted((place // 3 for place in places), reverse=True)
    async with server.http(token) as http:
        refused(await http.get("/api/v1/me/followers?after=nothing"), 400, "protocol/malformed")
        refused(await http.get("/api/v1/me/followers?limit=101"), 400, "protocol/malformed")
    async with server.http() as http:
        refused(await http.get("/api/v1/me/followers"), 401, "auth/required")


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
            own = field["own"]
            assert (own["beaten"], own["equal"], own["score"], field["scores"]) == (1, 0, None, None)
            assert own["course"] == [0] * 9 + [own["progress"]]
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


async def test_the_field_is_as_it_stands_whoever_finishes_or_is_taken_away(server: LiveServer) -> None:
    """One answer is of one state: the bars, the total and one's own place agree, at once after every change."""
    day = day_of(server) + timedelta(days=2)
    challenge = await make_daily(server, day)
    await go_to(server, day)
    path = f"/dailies/{day}/{KEY}/field"
    async with server.playing("Ada") as ada, server.playing("Ben") as ben, server.playing("Cem") as cem:
        attempts = {ben: await win_daily(server, ben, challenge, 5 * SECOND)}
        attempts[ada] = await win_daily(server, ada, challenge, 20 * SECOND)
        for player, wins, rank in ((cem, 2, 2), (None, 2, 2), (ben, 1, 1)):
            if player is cem:
                attempts[cem] = await give_up(cem, challenge)
            elif player is not None:
                await withdrawing.void(server.app.services, attempts[player])
            field = await get(server, path, ada.token)
            total = 2 if player is ben else 3
            assert (field["total"], field["won"], field["own"]["of"], field["own"]["rank"]) == (
                total,
                wins,
                total,
                rank,
            )
            assert (field["own"]["beaten"], field["own"]["equal"]) == (1, 0)
            assert field["times"]["total"] == field["moves"]["total"] == wins
            assert field["progress"]["total"] == field["pace"]["sample"] == total


async def test_equal_results_are_told_apart_from_worse_ones(server: LiveServer) -> None:
    day = day_of(server) + timedelta(days=2)
    challenge = await make_daily(server, day)
    await go_to(server, day)
    path = f"/dailies/{day}/{KEY}/field"
    players = [await server.player(name) for name in ("Ada", "Ben", "Cem", "Dua")]
    try:
        await win_daily(server, players[0], challenge, 5 * SECOND)
        alone = (await get(server, path, players[0].token))["own"]
        assert (alone["beaten"], alone["equal"], alone["of"]) == (0, 0, 1)
        for player in players[1:3]:
            await win_daily(server, player, challenge, 9 * SECOND)
        await give_up(players[3], challenge)
        found = [(await get(server, path, player.token))["own"] for player in players]
        assert [(own["rank"], own["beaten"], own["equal"]) for own in found] == [
            (1, 3, 0),
            (2, 1, 1),
            (2, 1, 1),
            (4, 0, 0),
        ]
    finally:
        for player in players:
            await player.close()


async def test_the_end_of_an_attempt_is_no_move_of_its_pace(server: LiveServer) -> None:
    """Who moves once and leaves it lying until the close has made all of his moves at once."""
    day = day_of(server) + timedelta(days=2)
    challenge = await make_daily(server, day)
    await go_to(server, day)
    async with server.playing("Ada") as ada, server.playing("Ben") as ben:
        for player in (ada, ben):
            state = await player.start(challenge)
            server.manual.advance(3 * SECOND)
            await player.play(state["attempt"], state["legal"][0])
        server.manual.advance(100 * SECOND)
        await ben.resign(state["attempt"])
        await go_to(server, day + timedelta(days=1))
        for player in (ada, ben):
            field = await get(server, f"/dailies/{day}/{KEY}/field", player.token)
            assert field["pace"]["own_ms"] == [0] + [3 * SECOND] * 10
            assert field["pace"]["median_ms"] == [0] + [3 * SECOND] * 10
            assert field["own"]["course"] == [0] * 9 + [field["own"]["progress"]]


async def test_scores_stand_in_the_field_and_on_the_profile(server: LiveServer) -> None:
    """Foursquare is ranked by its score: it is told wherever its results are."""
    win = wins()["foursquare"][0]
    day = day_of(server) + timedelta(days=2)
    challenge = await make_daily(server, day, win)
    await go_to(server, day)
    async with server.playing("Ada") as ada:
        await win_daily(server, ada, challenge, 9 * SECOND)
        field = await get(server, f"/dailies/{day}/foursquare/field", ada.token)
        profile = await get(server, f"/players/{ada.welcome['player']['id']}")
        score = (await get(server, f"/boards/challenge/{challenge}"))["rows"][0]["score"]
        assert score > 0
        assert field["own"]["score"] == profile["games"][0]["best_score"] == profile["recent"][0]["score"] == score
        scores = field["scores"]
        assert (scores["unit"], scores["total"], scores["bars"][scores["own"]]["start"]) == ("points", 1, score)


async def test_time_without_the_server_is_told_beside_results(server: LiveServer) -> None:
    """Outage credits: on the board, and to whom they were given."""
    services = server.app.services
    async with server.playing("Ada") as ada, server.playing("Ben") as ben:
        state = await ada.start("daily/today/pyramid")
        assert state["credit_ms"] == 0
        assert (await get(server, "/boards/daily/today/pyramid"))["outage_ms"] == 0
        now = services.clock.now_ms()
        server.manual.advance(60 * SECOND)
        async with services.store.writing() as conn:
            await outages.record_outage(conn, now + 10 * SECOND, now + 40 * SECOND)
        async with services.store.writing() as conn:
            await outages.record_outage(conn, now - 50 * HOUR, now - 40 * HOUR)
        assert (await get(server, "/boards/daily/today/pyramid"))["outage_ms"] == 30 * SECOND
        assert (await ben.start("daily/today/pyramid"))["credit_ms"] == 0
        await ada.close()
        async with server.playing(token=ada.token) as again:
            assert (await again.start("daily/today/pyramid"))["credit_ms"] == 30 * SECOND
