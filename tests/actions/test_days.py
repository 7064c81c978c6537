"""Dailies and clocks: one of each a date, closed an hour after its day, come what may (DESIGN 6)."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from server.actions import dailies, upkeep
from server.actions.dates import iso, midnight_ms, parse_date, today
from server.clock import ManualClock
from server.core.deck import commitment
from server.errors import GameError
from server.store import challenges
from server.store.outages import credit_ms
from tests.support.live_server import DAY, HOUR, NOON, LiveServer, counted_seeds, live_server

KEYS = ["pyramid", "thirteen", "thirteen-3", "bakers-dozen", "bakers-dozen-kings", "foursquare"]
MINUTE = 60_000


def instant(text: str) -> int:
    """The instant of an ISO text, in milliseconds."""
    return int(datetime.fromisoformat(text).timestamp() * 1000)


@pytest.fixture
async def server(sqlite_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    """A running server at noon, without limits."""
    async with live_server(sqlite_url, tmp_path, sandbox=True) as running:
        yield running


async def move_to(server: LiveServer, instant_ms: int) -> None:
    """Move the clock, and wait until the tickers have done what is due and sleep again."""
    server.manual.set(instant_ms)
    await server.manual.parked(3)


# --- R46: over midnight --------------------------------------------------------------------------------------------


async def test_r46_a_daily_begun_before_midnight_belongs_to_its_day(sqlite_url: str, tmp_path: Path) -> None:
    clock = ManualClock(instant("2026-03-10T23:59:30Z"))
    async with (
        live_server(sqlite_url, tmp_path, clock) as server,
        server.playing("Ada") as ada,
        server.http(ada.token) as http,
    ):
        old = await ada.start("daily/today/pyramid")
        await ada.play(old["attempt"], "s")
        await move_to(server, instant("2026-03-11T00:00:30Z"))
        played = await ada.play(old["attempt"], "s")
        assert (played["t"], played["at_ms"]) == ("played", MINUTE)
        assert (await ada.start(old["challenge"]["id"]))["attempt"] == old["attempt"]
        result = (await ada.resign(old["attempt"]))["result"]
        assert (result["rank"], result["time_ms"]) == (1, MINUTE)
        new = await ada.start("daily/today/pyramid")
        assert new["challenge"]["date"] == "2026-03-11"
        assert (new["seq"], new["commitment"] == old["commitment"]) == (0, False)
        assert (await http.get("/api/v1/boards/daily/2026-03-10/pyramid")).json()["total"] == 1
        assert (await http.get("/api/v1/boards/daily/2026-03-11/pyramid")).json()["total"] == 0
        assert (await http.get("/api/v1/dailies/2026-03-10")).json()["dailies"][0]["own"]["rank"] == 1


async def test_r46_the_last_millisecond_of_a_day_and_of_the_hour_after_it(server: LiveServer) -> None:
    midnight = NOON + DAY // 2
    async with server.playing() as ada, server.playing() as bob:
        await move_to(server, midnight - 1)
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        assert ada.states[attempt]["challenge"]["date"] == "2026-03-10"
        await move_to(server, midnight)
        assert (await bob.start("daily/2026-03-10/pyramid"))["code"] == "challenge/closed"
        assert (await bob.start("daily/today/pyramid"))["challenge"]["date"] == "2026-03-11"
        server.manual._now_ms = midnight + HOUR - 1
        assert (await ada.play(attempt, "s"))["at_ms"] == HOUR
        server.manual._now_ms = midnight + HOUR
        assert (await ada.play(attempt, "s"))["code"] == "attempt/over"


# --- R47 and X17: every kind of day --------------------------------------------------------------------------------


@pytest.mark.parametrize("change", ["2026-03-08", "2026-03-29", "2026-10-25", "2026-11-01"])
async def test_r47_hour_by_hour_over_the_changes_of_clocks_elsewhere(
    sqlite_url: str, tmp_path: Path, change: str
) -> None:
    """On these days clocks are changed in New York, in Rome, in Rome, and in New York."""
    start = instant(f"{change}T00:00:00Z") - DAY // 2
    async with live_server(sqlite_url, tmp_path, ManualClock(start)) as server, server.http() as http:
        seen: dict[str, list[str]] = {}
        for hour in range(48):
            now = start + hour * HOUR
            if hour:
                await move_to(server, now)
            body = (await http.get("/api/v1/dailies/today")).json()
            for zone in ("America/New_York", "Europe/Rome"):
                here = datetime.fromtimestamp(now / 1000, ZoneInfo(zone))
                countdown = datetime.fromisoformat(body["next_at"]) - here
                assert timedelta(0) < countdown <= timedelta(hours=24)
            ids = [daily["id"] for daily in body["dailies"]]
            assert seen.setdefault(body["date"], ids) == ids
            assert [daily["ruleset"] for daily in body["dailies"]] == KEYS
        day = datetime.fromisoformat(change).date()
        assert list(seen) == [(day + timedelta(days=offset)).isoformat() for offset in (-1, 0, 1)]
        assert len({one for ids in seen.values() for one in ids}) == 3 * len(KEYS)


@pytest.mark.parametrize(
    "turn",
    [
        "2027-01-01T00:00:00Z", "2028-02-29T00:00:00Z", "2028-03-01T00:00:00Z", "2027-03-01T00:00:00Z",
        "2026-03-29T00:00:00Z", "2026-10-25T00:00:00Z", "2026-11-01T00:00:00Z", "2100-03-01T00:00:00Z",
    ],
)  # fmt: skip
async def test_x17_the_day_changes_once_at_midnight_utc(sqlite_url: str, tmp_path: Path, turn: str) -> None:
    midnight = instant(turn)
    async with live_server(sqlite_url, tmp_path, ManualClock(midnight - 1)) as server, server.http() as http:

        async def dates() -> tuple[str, str, str]:
            bodies = [(await http.get(f"/api/v1/dailies/{day}")).json() for day in ("today", "tomorrow")]
            return bodies[0]["date"], bodies[1]["date"], bodies[0]["next_at"]

        day = datetime.fromtimestamp(midnight / 1000, UTC).date()
        yesterday, tomorrow = day - timedelta(days=1), day + timedelta(days=1)
        assert await dates() == (yesterday.isoformat(), day.isoformat(), iso(midnight))
        for instant_ms in (midnight, midnight + 1, midnight + DAY - 1):
            await move_to(server, instant_ms)
            assert await dates() == (day.isoformat(), tomorrow.isoformat(), iso(midnight + DAY))
        async with server.app.services.store.reading() as conn:
            made = [await challenges.dailies(conn, date.isoformat()) for date in (yesterday, day, tomorrow)]
        assert [[row.ruleset for row in rows] for rows in made] == [sorted(KEYS)] * 3
        assert all(row.ends_at == row.opens_at + DAY for rows in made for row in rows)


def test_dates_are_counted_on_the_calendar_and_later_ones_are_refused() -> None:
    now = instant("2028-02-28T23:59:59.999Z")
    assert (today(now).isoformat(), parse_date("tomorrow", now).isoformat()) == ("2028-02-28", "2028-02-29")
    assert parse_date("2028-02-29", now) == parse_date("tomorrow", now)
    for text in (
        "2028-03-01",
        "2027-02-29",
        "2019-12-31",
        "",
        "2028-2-28",
        "20280228",
        "２０２８-02-28",
        "2028-02-28\n",
    ):
        with pytest.raises(GameError) as refused:
            parse_date(text, now)
        assert refused.value.code == "challenge/unknown"
    assert midnight_ms(today(now)) == instant("2028-02-28T00:00:00Z")


# --- one daily for a date and a ruleset ----------------------------------------------------------------------------


async def test_fifty_requests_at_once_make_each_daily_once(server: LiveServer) -> None:
    server.manual._now_ms = NOON + 5 * DAY  # the tickers slept: the first request makes what is missing
    async with server.http() as http:
        answers = await asyncio.gather(*(http.get("/api/v1/dailies/today") for _ in range(50)))
    bodies = [answer.json()["dailies"] for answer in answers]
    assert all(body == bodies[0] for body in bodies)
    assert [daily["ruleset"] for daily in bodies[0]] == KEYS
    async with server.app.services.store.reading() as conn:
        assert len(await challenges.dailies(conn, "2026-03-15")) == len(KEYS)


@pytest.mark.postgres
async def test_two_servers_on_one_database_have_the_same_dailies_and_close_them_once(
    postgres_url: str, tmp_path: Path
) -> None:
    one = LiveServer(postgres_url, tmp_path, ManualClock(NOON), seed=counted_seeds("one"))
    other = LiveServer(postgres_url, tmp_path, ManualClock(NOON), seed=counted_seeds("other"))
    await asyncio.gather(one.start(), other.start())
    try:
        async with one.http() as http, other.http() as http_of_other, one.playing() as ada:
            clients = [http, http_of_other] * 10
            bodies = [
                answer.json()["dailies"]
                for answer in await asyncio.gather(*(client.get("/api/v1/dailies/today") for client in clients))
            ]
            assert all(body == bodies[0] for body in bodies)
            attempt = (await ada.start("daily/today/pyramid"))["attempt"]
            async with other.playing(token=ada.token) as phone:
                starts = [player.start("daily/today/foursquare") for player in (ada, phone) * 10]
                assert len({state["attempt"] for state in await asyncio.gather(*starts)}) == 1
                assert (await phone.start("daily/today/pyramid"))["attempt"] == attempt
                await ada.play(attempt, "s")  # the other server's copy is old now: the log is the fence
                stale = await phone.ask("play", attempt=attempt, seq=0, move=phone.states[attempt]["legal"][0])
                if stale["t"] == "rejected":
                    assert (stale["code"], stale["seq"]) == ("attempt/stale", 1)
                assert (await phone.sync(attempt))["seq"] == 1
                assert (await phone.undo(attempt))["seq"] == 2
                assert (await ada.play(attempt, "s", 1))["code"] == "attempt/stale"
                assert (await ada.told("state"))["seq"] == 2
            for later in (NOON + DAY // 2, NOON + DAY // 2 + HOUR):
                one.manual.set(later)
                other.manual.set(later)
                await asyncio.gather(one.manual.parked(3), other.manual.parked(3))
            record = (await http_of_other.get(f"/api/v1/attempts/{attempt}")).json()
            assert [entry[0] for entry in record["log"]] == ["s", "undo", "close"]
            days = [
                (await client.get("/api/v1/dailies/2026-03-11")).json()["dailies"] for client in (http, http_of_other)
            ]
            assert [[day["commitment"] for day in days[0]]] == [[day["commitment"] for day in days[1]]]
    finally:
        await asyncio.gather(one.stop(), other.stop())


# --- closing -------------------------------------------------------------------------------------------------------


async def test_the_close_ends_what_is_open_and_only_then_reveals(server: LiveServer) -> None:
    midnight = NOON + DAY // 2
    async with server.playing() as ada, server.playing() as bob, server.http() as http:
        hers = (await ada.start("daily/today/pyramid"))["attempt"]
        his = (await bob.start("daily/today/pyramid"))["attempt"]
        await ada.play(hers, "s")
        await bob.play(his, "s")
        await bob.resign(his)
        await move_to(server, midnight + HOUR - 1)
        before = (await http.get("/api/v1/dailies/2026-03-10")).json()["dailies"]
        assert [daily["seed"] for daily in before] == [None] * len(KEYS)
        await move_to(server, midnight + HOUR + upkeep.CLOSING_MS)
        closed = await ada.told("played")
        assert (closed["over"], closed["at_ms"], closed["result"]["outcome"]) == ("closed", DAY // 2 + HOUR, "closed")
        after = (await http.get("/api/v1/dailies/2026-03-10")).json()["dailies"]
        assert [commitment(daily["seed"]) for daily in after] == [daily["commitment"] for daily in before]
        board = (await http.get("/api/v1/boards/daily/2026-03-10/pyramid")).json()
        assert sorted(row["outcome"] for row in board["rows"]) == ["closed", "resigned"]
        assert (await ada.play(hers, "s"))["code"] == "attempt/over"


async def test_moves_that_race_the_close_are_before_it_or_refused(server: LiveServer) -> None:
    close = NOON + DAY // 2 + HOUR
    players = [await server.player() for _ in range(8)]
    attempts = [(await player.start("daily/today/pyramid"))["attempt"] for player in players]
    server.manual._now_ms = close - 1
    for player, attempt in zip(players, attempts, strict=True):
        for seq in range(10):
            await player.send(t="play", attempt=attempt, seq=seq, move="s")
    closing = asyncio.create_task(dailies.close_due(server.app.services))
    first = await players[0].told("played")
    players[0].news.put_nowait(first)
    server.manual.set(close)
    await asyncio.gather(closing, dailies.close_due(server.app.services), dailies.close_due(server.app.services))
    async with server.http() as http:
        for player, attempt in zip(players, attempts, strict=True):
            await player.ask("ping")
            log = (await http.get(f"/api/v1/attempts/{attempt}")).json()["log"]
            assert [text for text, _ in log[:-1]] == ["s"] * (len(log) - 1)
            assert log[-1] == ["close", DAY // 2 + HOUR]
            told = [player.news.get_nowait() for _ in range(player.news.qsize())]
            assert sorted(news["seq"] for news in told if news["t"] == "played") == list(range(1, len(log) + 1))
            assert all(news["code"] in ("attempt/over", "attempt/stale") for news in told if news["t"] == "rejected")
            await player.close()


async def test_many_open_attempts_are_all_closed(server: LiveServer) -> None:
    players = [await server.player() for _ in range(70)]  # more than are closed together
    for player in players:
        await player.start("daily/today/foursquare")
        await player.cut()
    await move_to(server, NOON + DAY // 2 + HOUR + upkeep.CLOSING_MS)
    async with server.http() as http:
        assert all(daily["closed"] for daily in (await http.get("/api/v1/dailies/2026-03-10")).json()["dailies"])


async def test_a_server_asleep_over_the_close_closes_at_its_start_with_the_time_of_the_close(
    sqlite_url: str, tmp_path: Path
) -> None:
    clock = ManualClock(instant("2026-03-10T23:00:00Z"))
    async with live_server(sqlite_url, tmp_path, clock) as server, server.playing() as ada:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        clock.advance(10 * MINUTE)
        await ada.play(attempt, "s")
    clock.set(instant("2026-03-14T09:00:00Z"))
    async with (
        live_server(sqlite_url, tmp_path, clock) as server,
        server.playing(token=ada.token) as ada,
        server.http() as http,
    ):
        record = (await http.get(f"/api/v1/attempts/{attempt}")).json()
        # It was down from ten past eleven: that did not count, and from the close on nothing does.
        assert record["log"] == [["s", 10 * MINUTE], ["close", 10 * MINUTE]]
        assert record["seed"]
        assert (await ada.start("daily/today/pyramid"))["challenge"]["date"] == "2026-03-14"
        refused = await http.get("/api/v1/dailies/2026-03-12")
        assert refused.status_code == 404  # days on which nobody was there have no dailies


async def test_an_outage_that_outlasts_the_close_takes_nothing_off_the_time_before_it(
    sqlite_url: str, tmp_path: Path
) -> None:
    clock = ManualClock(instant("2026-03-10T22:00:00Z"))
    async with live_server(sqlite_url, tmp_path, clock) as server, server.playing() as ada:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        await ada.play(attempt, "s")
        clock.set(instant("2026-03-11T00:30:00Z"))
        await clock.parked(3)
    clock.set(instant("2026-03-11T12:00:00Z"))
    async with live_server(sqlite_url, tmp_path, clock) as server, server.http(ada.token) as http:
        record = (await http.get(f"/api/v1/attempts/{attempt}")).json()
        assert record["log"][-1] == ["close", 150 * MINUTE]


# --- outages and time ----------------------------------------------------------------------------------------------


async def test_the_time_in_which_the_server_was_away_does_not_count(sqlite_url: str, tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    async with live_server(sqlite_url, tmp_path, clock) as server, server.playing() as ada:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        clock.advance(1000)
        await ada.play(attempt, "s")
        clock.advance(500)
    for gap in (HOUR, 3000):
        clock.advance(gap)
        async with live_server(sqlite_url, tmp_path, clock) as server, server.playing(token=ada.token) as ada:
            before = await ada.sync(attempt)
            assert before["elapsed_ms"] in (1500, 2000)
            clock.advance(500)
            played = await ada.play(attempt, "s")
            assert played["at_ms"] == before["elapsed_ms"] + 500
            assert (await ada.sync(attempt))["elapsed_ms"] == played["at_ms"]
            async with server.app.services.store.reading() as conn:
                recorded = await credit_ms(conn, NOON, clock.now_ms())
            assert recorded in (HOUR, HOUR + 3000)


async def test_a_restart_faster_than_a_heartbeat_is_no_outage(sqlite_url: str, tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    async with live_server(sqlite_url, tmp_path, clock) as server, server.playing() as ada:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
    clock.advance(upkeep.BEAT_MS)
    async with live_server(sqlite_url, tmp_path, clock) as server, server.playing(token=ada.token) as ada:
        assert (await ada.sync(attempt))["elapsed_ms"] == upkeep.BEAT_MS


async def test_at_ms_never_falls_whatever_the_clock_says(server: LiveServer) -> None:
    async with server.playing() as ada, server.http(ada.token) as http:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        for step in (500, -400, -HOUR, 100, 0, HOUR + 1000, -1):
            server.manual._now_ms += step  # a clock that keeps no promise
            assert (await ada.play(attempt, "s"))["t"] == "played"
        times = [at_ms for _, at_ms in (await http.get(f"/api/v1/attempts/{attempt}")).json()["log"]]
        assert times == sorted(times)
        assert times[0] == 500


async def test_the_time_of_a_move_is_that_of_its_arrival(server: LiveServer) -> None:
    async with server.playing() as ada, server.playing() as bob:
        attempt = (await ada.start("daily/today/pyramid"))["attempt"]
        server.manual.advance(1000)
        turn = server.app.services.store.turn
        assert turn is not None
        async with turn:  # the database is busy: the move waits for its commit
            await ada.send(t="play", attempt=attempt, seq=0, move="s")
            while not server.app.services.recorder.waiting and server.app.services.house._tables[attempt].idle:
                await bob.ask("ping")
            server.manual.advance(500)
        assert (await ada.told("played"))["at_ms"] == 1000


async def test_a_failing_database_stops_no_ticker(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise OSError("the disk is gone")

    with monkeypatch.context() as patched:
        patched.setattr(dailies, "ensure", broken)
        patched.setattr(dailies, "close_due", broken)
        await move_to(server, NOON + DAY // 2)
    await move_to(server, NOON + DAY // 2 + upkeep.RETRY_MS)
    async with server.app.services.store.reading() as conn:
        assert len(await challenges.dailies(conn, "2026-03-12")) == len(KEYS)
