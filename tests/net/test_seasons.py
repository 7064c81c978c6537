"""Seasons, records and profiles over HTTP, and what voids, erasures, midnights and changes of clocks do to them."""

from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from server.actions import withdrawing
from server.actions.dates import midnight_ms
from server.clock import ManualClock
from server.store.rebuild import Difference, rebuild
from tests.net.pastimes import SECOND, WIN, day_of, get, give_up, go_to, make_daily, win_daily
from tests.net.test_http import NOBODY, refused
from tests.support.live_server import DAY, HOUR, LiveServer, live_server

KEY = WIN.ruleset


@pytest.fixture
async def server(database_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    """A running server without limits, on both databases."""
    async with live_server(database_url, tmp_path, sandbox=True) as running:
        yield running


async def no_difference(server: LiveServer) -> None:
    found: list[Difference] = []
    await rebuild(server.app.services.store, fix=False, tell=found.append)
    assert found == []


def standings(season: Any) -> list[tuple[int, str, int]]:
    return [(row["rank"], row["player"]["name"], row["points"]) for row in season["rows"]]


async def test_a_closed_daily_gives_points_to_week_month_and_all_time(server: LiveServer) -> None:
    day = day_of(server) + timedelta(days=2)
    challenge = await make_daily(server, day)
    await go_to(server, day)
    async with server.playing("Ada") as ada, server.playing("Ben") as ben, server.playing("Cem") as cem:
        await win_daily(server, ada, challenge, 10 * SECOND)
        await win_daily(server, ben, challenge, 10 * SECOND)
        await give_up(cem, challenge)
        assert (await get(server, f"/boards/season/week/{KEY}"))["rows"] == []  # not before the close
        await go_to(server, day + timedelta(days=1))
        week = await get(server, f"/boards/season/week/{KEY}", ada.token)
        assert standings(week) == [(1, "Ada", 666), (1, "Ben", 666), (3, "Cem", 166)]
        assert (week["me"]["rank"], week["me"]["player"]["name"], week["total"]) == (1, "Ada", 3)
        assert {(row["counted"], row["played"], row["score"] - row["points"]) for row in week["rows"]} == {(1, 1, 0)}
        year, number, _ = day.isocalendar()
        assert (week["period"], week["kind"], week["running"]) == (f"{year}-W{number:02d}", "week", True)
        assert week["begins"] <= day.isoformat() <= week["ends"]
        assert "500" in week["formula"]
        for period in (week["period"], "month", f"{day:%Y-%m}", "all"):
            assert standings(await get(server, f"/boards/season/{period}/{KEY}")) == standings(week)
        assert standings(await get(server, f"/boards/season/{week['previous_period']}/{KEY}")) == []
        assert week["next_period"] is None
    await no_difference(server)


async def test_r50_voiding_and_excluding_move_the_others_up_everywhere_at_once(server: LiveServer) -> None:
    """R50: profile, daily board, records and seasons agree after every step."""
    first = day_of(server) + timedelta(days=2)
    second = first + timedelta(days=1)
    one, two = await make_daily(server, first), await make_daily(server, second)
    async with server.playing("Ada") as ada, server.playing("Ben") as ben:
        me = ada.welcome["player"]["id"]
        await go_to(server, first)
        better = await win_daily(server, ada, one, 5 * SECOND)
        await win_daily(server, ben, one, 8 * SECOND)
        await go_to(server, second)
        await win_daily(server, ada, two, 9 * SECOND)
        await win_daily(server, ben, two, 20 * SECOND)

        async def seen() -> tuple[Any, ...]:
            """What everything says of Ada and of Ben."""
            profile = await get(server, f"/players/{me}")
            records = await get(server, f"/boards/records/{KEY}", ada.token)
            board = await get(server, f"/boards/challenge/{one}", ada.token)
            season = await get(server, f"/boards/season/all/{KEY}", ada.token)
            best = {game["ruleset"]: game["best_time_ms"] for game in profile["games"]}.get(KEY)
            assert best == (None if records["me"] is None else records["me"]["time_ms"])
            assert [row["rank"] for row in records["rows"]] == list(range(1, len(records["rows"]) + 1))
            played = sum(game["played"] for game in profile["games"])
            assert played == (0 if season["me"] is None else season["me"]["played"]) + (second == day_of(server))
            await no_difference(server)
            names = [(row["rank"], row["player"]["name"]) for row in board["rows"]]
            return best, names, standings(season)

        assert (await seen())[:2] == (5 * SECOND, [(1, "Ada"), (2, "Ben")])
        await go_to(server, second + timedelta(days=1))
        assert await seen() == (5 * SECOND, [(1, "Ada"), (2, "Ben")], [(1, "Ada", 1500), (2, "Ben", 500)])
        await withdrawing.void(server.app.services, better)
        assert await seen() == (9 * SECOND, [(1, "Ben")], [(1, "Ada", 750), (1, "Ben", 750)])
        assert await withdrawing.exclude(server.app.services, me) == 1
        assert await seen() == (None, [(1, "Ben")], [(1, "Ben", 1000)])
        with pytest.raises(Exception, match="attempt/over"):
            await withdrawing.void(server.app.services, better)


async def test_an_erased_player_leaves_a_line_without_a_name_or_nothing(server: LiveServer) -> None:
    day = day_of(server) + timedelta(days=2)
    challenge = await make_daily(server, day)
    await go_to(server, day)
    async with server.playing("Ada") as ada, server.playing("Ben") as ben:
        for player, seconds in ((ada, 5), (ben, 6)):
            await win_daily(server, player, challenge, seconds * SECOND)
        await go_to(server, day + timedelta(days=1))
        await withdrawing.erase(server.app.services, ada.welcome["player"]["id"], results=False)
        board = await get(server, f"/boards/challenge/{challenge}")
        assert [row["player"]["name"] for row in board["rows"]] == ["deleted player", "Ben"]
        async with server.http(ada.token) as http:
            refused(await http.get("/api/v1/me"), 401, "auth/invalid")
        await withdrawing.erase(server.app.services, ben.welcome["player"]["id"], results=True)
        assert standings(await get(server, f"/boards/season/all/{KEY}")) == [(1, "deleted player", 500)]
        with pytest.raises(Exception, match="not_found"):
            await withdrawing.erase(server.app.services, NOBODY, results=False)
    await no_difference(server)


async def test_an_open_attempt_that_is_voided_tells_its_player(server: LiveServer) -> None:
    async with server.playing("Ada") as ada:
        state = await ada.start("daily/today/pyramid")
        await ada.play(state["attempt"], state["legal"][0])
        await withdrawing.void(server.app.services, state["attempt"])
        told = await ada.told("state")
        assert (told["over"], told["seq"]) == ("void", 2)
        assert (await ada.resign(state["attempt"], 2))["code"] == "attempt/over"
    await no_difference(server)


async def test_r46_a_daily_finished_after_midnight_stands_on_the_day_it_was_started(
    sqlite_url: str, tmp_path: Path
) -> None:
    day = date(2026, 3, 12)
    clock = ManualClock(midnight_ms(date(2026, 3, 10)) + 12 * HOUR)
    async with live_server(sqlite_url, tmp_path, clock) as server, server.playing("Ada") as ada:
        challenge = await make_daily(server, day)
        await go_to(server, day, DAY - 30 * SECOND)
        attempt = (await ada.start(f"daily/today/{KEY}"))["attempt"]
        server.manual.advance(60 * SECOND)
        for move in WIN.moves:
            played = await ada.play(attempt, move)
        assert (played["over"], played["result"]["time_ms"]) == ("won", 60 * SECOND)
        old = await get(server, f"/boards/daily/{day}/{KEY}", ada.token)
        assert (old["challenge"]["id"], old["me"]["rank"]) == (challenge, 1)
        new = await get(server, f"/boards/daily/today/{KEY}", ada.token)
        assert (new["challenge"]["date"], new["total"], new["me"]) == (str(day + timedelta(days=1)), 0, None)
        me = ada.welcome["player"]["id"]
        profile = await get(server, f"/players/{me}")
        assert (profile["streak"]["current"], profile["streak"]["today"]) == (1, False)
        assert profile["recent"][0]["date"] == str(day)
        states = {d["date"]: d["state"] for d in (await get(server, f"/players/{me}/calendar/2026-03"))["days"]}
        assert [states[f"2026-03-{number}"] for number in (11, 12, 13, 14)] == ["missed", "played", "open", "future"]
        fresh = await ada.start(f"daily/today/{KEY}")
        assert (fresh["challenge"]["date"], fresh["over"]) == (str(day + timedelta(days=1)), None)


@pytest.mark.parametrize("change", [date(2026, 3, 8), date(2026, 3, 29), date(2026, 10, 25), date(2026, 11, 1)])
async def test_r47_days_go_on_by_one_over_every_change_of_clocks(sqlite_url: str, tmp_path: Path, change: date) -> None:
    """R47: the clocks of New York and of Rome change; the day of the dailies is the UTC date for everybody."""
    start = midnight_ms(change) - DAY
    async with live_server(sqlite_url, tmp_path, ManualClock(start)) as server, server.playing("Ada") as ada:
        seen: list[str] = []
        for hour in range(4 * 24):
            server.manual.set(start + hour * HOUR)
            await server.manual.parked(3)
            day = await get(server, "/dailies/today")
            seconds = (midnight_ms(date.fromisoformat(day["date"])) + DAY - server.manual.now_ms()) // SECOND
            assert day["next_at"] > day["now"]
            assert 0 < seconds <= 24 * 3600
            if day["date"] not in seen:
                seen.append(day["date"])
                await give_up(ada, "daily/today/thirteen")
        assert seen == [str(change + timedelta(days=number)) for number in (-1, 0, 1, 2)]
        async with server.app.services.store.reading() as conn:
            made = (await conn.execute(text("SELECT date, ruleset, count(*) FROM challenges GROUP BY 1, 2"))).all()
        assert {count for _, _, count in made} == {1}
        profile = await get(server, f"/players/{ada.welcome['player']['id']}")
        assert (profile["streak"]["current"], profile["streak"]["longest"]) == (4, 4)


async def test_the_reader_s_place_on_earth_changes_no_day(server: LiveServer) -> None:
    """Time zones from UTC-11 to UTC+14: what clients say of theirs is no part of any answer."""
    answers = []
    for zone in ("Pacific/Pago_Pago", "Etc/UTC", "Pacific/Kiritimati"):
        async with server.http() as http:
            headers = {"Time-Zone": zone, "Accept-Language": "tr-TR", "Date": "Sat, 01 Jan 2000 00:00:00 GMT"}
            pages = [f"/boards/daily/today/{KEY}", f"/boards/season/week/{KEY}", "/dailies/today"]
            answers.append([(await http.get(f"/api/v1{page}", headers=headers)).text for page in pages])
    assert answers[0] == answers[1] == answers[2]


async def test_r52_a_win_never_counts_twice_and_a_killed_server_books_no_loss(sqlite_url: str, tmp_path: Path) -> None:
    clock = ManualClock()
    async with live_server(sqlite_url, tmp_path, clock, sandbox=True) as server, server.playing("Ada") as ada:
        challenge = await server.make_challenge(WIN.ruleset, WIN.seed)
        attempt = await win_daily(server, ada, challenge, 5 * SECOND)
        async with server.playing(token=ada.token) as tab:
            await tab.sync(attempt)
            await tab.undo(attempt)
            await tab.play(attempt, WIN.moves[-1], len(WIN.moves) - 1)
            for seq, move in enumerate(WIN.moves):
                await tab.play(attempt, move, seq)
        going_on = await ada.start("daily/today/thirteen")
        await ada.play(going_on["attempt"], going_on["legal"][0])
        me, token = ada.welcome["player"]["id"], ada.token
    async with live_server(sqlite_url, tmp_path, clock, sandbox=True) as server:
        profile = await get(server, f"/players/{me}", token)
        assert [(game["ruleset"], game["played"], game["won"]) for game in profile["games"]] == [(KEY, 1, 1)]
        assert profile["games"][0]["best_time_ms"] == 5 * SECOND
        assert (await get(server, f"/boards/records/{KEY}"))["total"] == 1
        assert len(profile["recent"]) == 1


async def test_an_outage_never_breaks_a_streak(sqlite_url: str, tmp_path: Path) -> None:
    clock = ManualClock()
    async with live_server(sqlite_url, tmp_path, clock) as server, server.playing("Ada") as ada:
        await give_up(ada, "daily/today/thirteen")
        me, token = ada.welcome["player"]["id"], ada.token
    clock.advance(3 * DAY + 2 * HOUR)  # nobody is there
    async with live_server(sqlite_url, tmp_path, clock) as server, server.playing(token=token) as ada:
        await give_up(ada, "daily/today/thirteen")
        assert (await get(server, f"/players/{me}"))["streak"]["current"] == 2
        month = await get(server, f"/players/{me}/calendar/2026-01")
        assert [day["state"] for day in month["days"][:4]] == ["played", "outage", "outage", "played"]


async def test_what_is_no_period_no_ruleset_or_no_player_is_not_found(server: LiveServer) -> None:
    async with server.http() as http:
        for path, code in (
            (f"/boards/season/2026-W54/{KEY}", "not_found"),
            (f"/boards/season/2099-01/{KEY}", "not_found"),
            ("/boards/season/week/klondike", "ruleset/unknown"),
            ("/boards/records/klondike", "ruleset/unknown"),
            (f"/boards/rating/{KEY}", "not_found"),
            (f"/players/{NOBODY}", "not_found"),
            ("/players/nobody", "not_found"),
            (f"/players/{NOBODY}/calendar/2026-01", "not_found"),
            ("/dailies/2019-01-01/pyramid/field", "challenge/unknown"),
        ):
            refused(await http.get(f"/api/v1{path}"), 404, code)
        refused(await http.get(f"/api/v1/boards/records/{KEY}", params={"by": "main"}), 400, "protocol/malformed")
        refused(await http.get(f"/api/v1/boards/season/all/{KEY}", params={"friends": 1}), 401, "auth/required")
