"""Dailies from the stock, or proved on the spot; the stock kept, filled and spared (ADR 0013)."""

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from server.actions import dailies, keeping, proving
from server.actions import stock as stocks
from server.actions.proving import PATIENT, Prover, WorkerLost
from server.actions.stock import Filling, Goal, goals_for_days, missing, nearest, needed, row_of
from server.core.deck import shuffled
from server.errors import SolverError
from server.games import ruleset
from server.solve.certificate import Certificate, certify
from server.solve.difficulty import LEVELS
from server.solve.worker import Failure
from server.store import migrate, stock
from server.store.engine import Store
from server.store.stock import DealRow
from tests.store.seeding import deal_row
from tests.support.live_server import DAY, HOUR, NOON, LiveServer, counted_seeds, live_server
from tests.support.services import outside

KEYS = ["pyramid", "thirteen", "thirteen-3", "bakers-dozen", "bakers-dozen-kings", "foursquare"]
PYRAMID = ruleset("pyramid")
TODAY = date(2026, 3, 10)  # a Tuesday: easy; the next day is medium


async def lay_in(url: str, *deals: DealRow) -> None:
    """Put deals into the stock of a database that no server has opened yet."""
    await asyncio.wrap_future(outside(lambda: migrate.upgrade(url)))
    store = await Store.open(url)
    async with store.writing() as conn:
        for deal in deals:
            assert await stock.add(conn, deal)
    await store.close()


async def used(server: LiveServer) -> dict[str, DealRow]:
    """The certified deal of each of today's dailies that has one, by ruleset."""
    async with server.http() as http:
        body = (await http.get("/api/v1/dailies/today")).json()
    found = {}
    async with server.app.services.store.reading() as conn:
        for daily in body["dailies"]:
            deal = await stock.of_challenge(conn, daily["id"])
            if deal is not None:
                found[daily["ruleset"]] = deal
    return found


# --- dailies -------------------------------------------------------------------------------------------------------


async def test_dailies_come_from_the_stock_at_the_level_of_their_weekday(database_url: str, tmp_path: Path) -> None:
    deals = [deal_row(key, level, made_at=NOON - DAY) for key in KEYS for level in LEVELS]
    await lay_in(database_url, *deals)
    async with live_server(database_url, tmp_path) as server, server.http() as http:
        today = (await http.get("/api/v1/dailies/today")).json()["dailies"]
        assert {(one["ruleset"], one["difficulty"]) for one in today} == {(key, "easy") for key in KEYS}
        assert {one["commitment"] for one in today} <= {deal.commitment for deal in deals}
        tomorrow = (await http.get("/api/v1/dailies/tomorrow")).json()["dailies"]
        assert all("difficulty" not in one for one in tomorrow), "tomorrow's commitments only"
        server.manual.set(NOON + DAY)
        await server.manual.parked(3)
        later = (await http.get("/api/v1/dailies/today")).json()["dailies"]
        assert {one["difficulty"] for one in later} == {"medium"}
        assert {one["id"] for one in later} == {one["id"] for one in tomorrow}
        # Thursday wants a hard one, and that went; of what is left the nearest is taken, then there is none.
        server.manual.set(NOON + 3 * DAY)
        await server.manual.parked(3)
        friday = (await http.get("/api/v1/dailies/today")).json()["dailies"]
        assert {one["difficulty"] for one in friday} <= {"expert", "hard", None}


async def test_where_the_level_is_out_the_nearest_is_taken(sqlite_url: str, tmp_path: Path) -> None:
    await lay_in(sqlite_url, deal_row("pyramid", "expert"), deal_row("pyramid", "hard"))
    async with live_server(sqlite_url, tmp_path) as server:
        assert (await used(server))["pyramid"].difficulty == "hard"
    assert [list(nearest(level)) for level in LEVELS] == [
        ["easy", "medium", "hard", "expert"], ["medium", "easy", "hard", "expert"],
        ["hard", "medium", "expert", "easy"], ["expert", "hard", "medium", "easy"],
    ]  # fmt: skip


@pytest.mark.timeout(240)
async def test_with_an_empty_stock_the_day_is_proved_on_the_spot_and_the_log_says_so(
    sqlite_url: str, tmp_path: Path
) -> None:
    with capture_logs() as lines:
        async with live_server(sqlite_url, tmp_path, prove_seconds=200) as server, server.playing() as ada:
            await server.app.services.maker.daily(ruleset("thirteen"), TODAY)  # as long as a busy machine takes
            assert (await ada.start("daily/today/thirteen"))["challenge"]["date"] == "2026-03-10"
            await dailies.ensure(server.app.services, TODAY)
            found = await used(server)
            assert list(found) == KEYS
            for key, deal in found.items():
                rules = ruleset(key)
                position = rules.deal(shuffled(deal.seed, rules.deck))
                for move in deal.witness.split():
                    assert move in rules.moves(position)
                    position = position.after(rules.steps(position, move))
                assert rules.outcome(position) == "won"
            assert server.app.services.maker._prover is None or server.app.services.maker._proving, "no idle workers"
    told = [line for line in lines if line["event"] == "daily made without stock" and line["date"] == "2026-03-10"]
    assert {line["ruleset"] for line in told} == set(KEYS)
    assert all(line["proved"] and line["log_level"] == "warning" for line in told)


async def test_a_proof_that_takes_too_long_leaves_an_unproved_daily_that_is_called_nothing(
    sqlite_url: str, tmp_path: Path
) -> None:
    with capture_logs() as lines:
        async with live_server(sqlite_url, tmp_path, prove_seconds=0.001) as server, server.http() as http:
            shown = (await http.get("/api/v1/dailies/today")).json()["dailies"]
            assert [one["ruleset"] for one in shown] == KEYS
            assert {one["difficulty"] for one in shown} == {None}
            assert await used(server) == {}
    assert any(line["event"] == "no deal was proved in time" for line in lines)
    assert all(not line["proved"] for line in lines if line["event"] == "daily made without stock")


async def test_a_daily_is_made_where_no_worker_process_can_be(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    async with live_server(sqlite_url, tmp_path, prove_seconds=30) as server, server.http() as http:
        assert len((await http.get("/api/v1/dailies/today")).json()["dailies"]) == len(KEYS)


# --- finding deals -------------------------------------------------------------------------------------------------


class Means:
    """What the stock needs of a running server, with a script in place of worker processes."""

    def __init__(self, server: LiveServer) -> None:
        services = server.app.services
        self.clock, self.store, self.new_id = services.clock, services.store, services.new_id
        self.seed = counted_seeds("means")


def certified(rules_key: str = "thirteen") -> tuple[str, Certificate]:
    rules = ruleset(rules_key)
    seeds = counted_seeds("certified")
    while True:
        seed = seeds()
        told = certify(rules, seed, lambda: 0.0, hasty=True)
        if told is not None:
            return seed, told


class Scripted(Prover):
    """Finds levels in a given order, on deals that are really certified."""

    def __init__(self, told: Certificate, levels: Sequence[str | Exception | None]) -> None:
        super().__init__(1, 0)
        self.told = told
        self._levels = list(levels)
        self.rules: list[str] = []

    async def prove(self, rules: Any, seed: str, *, hasty: bool = False) -> Certificate | None:
        self.rules.append(rules.key)
        level = self._levels.pop(0)
        if isinstance(level, Exception):
            raise level
        return None if level is None else msgspec.structs.replace(self.told, difficulty=level)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A prover of pyramids whose answers a test decides; each pyramid is the same certified one."""
    seed, told = certified("pyramid")
    made = iter(range(10_000))

    def stored_row(means: Any, rules: Any, _seed: str, certificate: Certificate) -> DealRow:
        real = row_of(means, rules, seed, certificate)
        return msgspec.structs.replace(real, seed=f"{next(made):032x}")

    monkeypatch.setattr(stocks, "row_of", stored_row)

    def make(*levels: str | Exception | None) -> Scripted:
        return Scripted(told, levels)

    return make


async def test_filling_stores_what_it_finds_and_goes_on_where_it_was_broken_off(
    sqlite_url: str, tmp_path: Path, scripted: Any
) -> None:
    goals = [Goal(PYRAMID, "easy", 2), Goal(PYRAMID, "hard", 1)]
    reports: list[tuple[int, int]] = []
    async with live_server(sqlite_url, tmp_path) as server:
        means = Means(server)
        first = Filling(means, goals, scripted("easy", None, "expert", WorkerLost("gone")))
        with pytest.raises(ExceptionGroup):
            await first.run(1, lambda done, of: reports.append((done, of)))
        assert (first.stored, first.tried, first.missing()) == (2, 4, 2)
        assert reports == [(0, 3), (1, 3), (1, 3), (1, 3)]
        again = Filling(means, goals, scripted("hard", SolverError("no win"), "easy"))
        await again.run(1, lambda done, of: None)
        assert (again.stored, again.tried, again.missing()) == (2, 3, 0)
        assert (await stocks.counts(means, [PYRAMID]))["pyramid"] == Counter(easy=2, hard=1, expert=1)
        full = Filling(means, goals, scripted())
        await full.run(2, lambda done, of: None)
        assert full.tried == 0


async def test_what_nobody_looked_for_is_kept_up_to_a_bound(
    sqlite_url: str, tmp_path: Path, scripted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stocks, "SURPLUS", 2)
    async with live_server(sqlite_url, tmp_path) as server:
        filling = Filling(Means(server), [Goal(PYRAMID, "expert", 1)], scripted(*["easy"] * 4, "expert"))
        await filling.run(1, lambda done, of: None)
        assert (await stocks.counts(Means(server), [PYRAMID]))["pyramid"] == Counter(easy=2, expert=1)


def test_goals_are_what_the_weekdays_take() -> None:
    assert needed(date(2026, 3, 9), 7) == Counter(easy=2, medium=2, hard=2, expert=1)
    assert needed(TODAY, 30).total() == 30
    goals = goals_for_days([PYRAMID], TODAY, 30)
    assert sum(goal.deals for goal in goals) == 30
    have: stocks.Stock = {"pyramid": Counter({"easy": 100, "hard": 1})}
    assert [missing(goal, have) for goal in goals] == [0, goals[1].deals, goals[2].deals - 1, goals[3].deals]
    assert missing(Goal(PYRAMID, None, 150), have) == 49


async def test_a_certificate_is_played_once_more_before_it_is_stored(sqlite_url: str, tmp_path: Path) -> None:
    seed, told = certified()
    rules = ruleset("thirteen")
    async with live_server(sqlite_url, tmp_path) as server:
        means = Means(server)
        assert row_of(means, rules, seed, told).par == told.par
        with pytest.raises(SolverError):
            row_of(means, rules, "ab" * 16, told)


# --- worker processes ----------------------------------------------------------------------------------------------


async def test_worker_processes_say_what_certify_says_and_end_with_the_block() -> None:
    rules = ruleset("thirteen")
    seed, told = certified()
    async with Prover(2, PATIENT) as prover:
        found, lost = await asyncio.gather(prover.prove(rules, seed, hasty=True), prover.prove(rules, "00" * 16))
        assert found is not None
        assert msgspec.structs.replace(found, ms=0) == told
        assert lost is None
        processes = set(prover._all)
        assert len(processes) == 2
    assert all(process.returncode is not None for process in processes)


async def test_a_worker_that_dies_is_told_and_followed_by_another() -> None:
    seed, told = certified()
    rules = ruleset("thirteen")
    async with Prover(1, 0) as prover:
        await prover.prove(rules, seed, hasty=True)
        (process,) = prover._all
        process.kill()
        with pytest.raises(WorkerLost):
            await prover.prove(rules, seed, hasty=True)
        found = await prover.prove(rules, seed, hasty=True)
        assert found is not None
        assert found.par == told.par


async def test_a_caller_who_gives_up_ends_the_search() -> None:
    async with Prover(1, 0) as prover:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.001):
                await prover.prove(ruleset("bakers-dozen"), "00" * 16)
        assert prover._all == set()


async def test_a_failure_of_a_solver_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    async def failed(*_: Any) -> bytes:
        return msgspec.json.encode(Failure("move 3 is not legal")) + b"\n"

    monkeypatch.setattr(proving, "_asked", failed)
    async with Prover(1, 0) as prover:
        with pytest.raises(SolverError, match="move 3"):
            await prover.prove(PYRAMID, "00" * 16)


# --- keeping the stock ---------------------------------------------------------------------------------------------


async def test_the_server_keeps_its_stock_warns_when_it_is_low_and_tells_the_metrics(
    sqlite_url: str, tmp_path: Path, scripted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    prover = scripted("easy", None, *["medium"] * 9, *["easy"] * 9, *["hard"] * 9, *["expert"] * 9)
    monkeypatch.setattr(stocks, "daily_rulesets", lambda: (PYRAMID,))
    monkeypatch.setattr(keeping, "REST", 0)
    monkeypatch.setattr(keeping, "Prover", lambda workers, niceness: prover)
    with capture_logs() as lines:
        async with live_server(sqlite_url, tmp_path, stock_days=7, metrics_token="0123456789abcdef") as server:
            await server.manual.parked(4)
            text = server.app.services.metrics.exposition().decode()
            assert 'samedeal_stock_days{ruleset="pyramid"} 7.0' not in text  # found what it needs, and what it found
            have = (await stocks.counts(Means(server), [PYRAMID]))["pyramid"]
            need = needed(TODAY + timedelta(days=2), 7)
            assert all(have[level] >= need[level] for level in LEVELS)
            assert f'samedeal_stock_days{{ruleset="pyramid"}} {have.total()}.0' in text
            assert f'samedeal_stock_deals{{difficulty="easy",ruleset="pyramid"}} {have["easy"]}.0' in text
            asked = len(prover.rules)
            server.manual.advance(keeping.LOOK_MS)
            await server.manual.parked(4)
            assert len(prover.rules) == asked, "a full stock is left alone"
    warnings = [line for line in lines if line["event"] == "the stock of certified deals is low"]
    assert [line["days"] for line in warnings] == [{"pyramid": 0}]
    assert warnings[0]["log_level"] == "warning"


async def test_a_keeper_without_workers_tries_again_and_harms_nobody(
    sqlite_url: str, tmp_path: Path, scripted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    prover = scripted(WorkerLost("none"), "easy", "easy", "medium", "medium", "hard", "hard", "expert")
    monkeypatch.setattr(stocks, "daily_rulesets", lambda: (PYRAMID,))
    monkeypatch.setattr(keeping, "REST", 0)
    monkeypatch.setattr(keeping, "Prover", lambda workers, niceness: prover)
    async with live_server(sqlite_url, tmp_path, stock_days=7) as server, server.http() as http:
        await server.manual.parked(4)
        assert (await http.get("/readyz")).status_code == 200
        server.manual.advance(keeping.RETRY_MS)
        await server.manual.parked(4)
        assert len(prover.rules) == 8


# --- practice ------------------------------------------------------------------------------------------------------


async def test_practice_takes_from_the_stock_only_what_the_dailies_can_spare(sqlite_url: str, tmp_path: Path) -> None:
    need = needed(TODAY, stocks.RESERVE_DAYS)
    deals = [deal_row("pyramid", level) for level in LEVELS for _ in range(need[level])]
    spare = [deal_row("pyramid", "expert") for _ in range(2)]
    # Two of them are today's and tomorrow's dailies: these are spared as well.
    made = [deal_row("pyramid", level) for level in ("easy", "medium")]
    await lay_in(sqlite_url, *deals, *spare, *made)
    async with live_server(sqlite_url, tmp_path) as server, server.playing() as ada:
        started = [await ada.ask("practice", ruleset="pyramid") for _ in range(4)]
        known = {deal.commitment for deal in (*deals, *spare)}
        assert [state["commitment"] in known for state in started] == [True, True, False, False]
        have = (await stocks.counts(Means(server), [PYRAMID]))["pyramid"]
        assert have == need
        seeded = await ada.ask("practice", ruleset="pyramid", seed="12" * 16)
        assert seeded["commitment"] not in known


async def test_practice_of_a_ruleset_without_a_daily_takes_what_there_is(sqlite_url: str, tmp_path: Path) -> None:
    deal = deal_row("pyramid-open", "medium")
    await lay_in(sqlite_url, deal)
    async with live_server(sqlite_url, tmp_path) as server, server.playing() as ada:
        assert (await ada.ask("practice", ruleset="pyramid-open"))["commitment"] == deal.commitment
        assert (await ada.ask("practice", ruleset="pyramid-open"))["commitment"] != deal.commitment


# --- after the close -----------------------------------------------------------------------------------------------


async def test_r46_the_difficulty_and_the_proof_belong_to_the_day_that_was_played(
    sqlite_url: str, tmp_path: Path
) -> None:
    """R46: over midnight a daily keeps its deal and its certificate; only the hour after it makes them public."""
    seed, told = certified("pyramid")
    deal = deal_row(
        "pyramid", "easy", seed=seed, witness=" ".join(told.witness), par=told.par, par_exact=told.par_exact
    )
    await lay_in(sqlite_url, deal)
    async with live_server(sqlite_url, tmp_path) as server, server.playing() as ada, server.http(ada.token) as http:
        old = await ada.start("daily/today/pyramid")
        server.manual.set(NOON + DAY // 2 + HOUR // 2)
        await server.manual.parked(3)
        path = "/api/v1/dailies/2026-03-10"
        open_still = (await http.get(path)).json()["dailies"][0]
        assert (open_still["difficulty"], open_still["par"], open_still["witness"]) == ("easy", None, None)
        server.manual.set(NOON + DAY // 2 + HOUR + 20_000)
        await server.manual.parked(3)
        closed = (await http.get(path)).json()["dailies"][0]
        assert closed["id"] == old["challenge"]["id"]
        assert (closed["par"], closed["witness"], closed["seed"]) == (told.par, " ".join(told.witness), seed)
