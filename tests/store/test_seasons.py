"""Season points and standings: what spoils them is found and mended, closing twice is closing once, lanes are kept."""

from datetime import date

import pytest

from server.commands.population import Plan, populate
from server.store import challenges, players, seasons
from server.store.engine import Store
from server.store.lanes import ACCOUNT, BOT, GUEST, lane_of
from server.store.rebuild import Difference, rebuild
from server.store.recorder import Recorder
from tests.store.seeding import NOW, Seeder, challenge_row, end

PLAN = Plan(players=25, days=3, last=date(2026, 11, 30), taste=1.0)


async def differences(store: Store, *, fix: bool = False) -> list[Difference]:
    found: list[Difference] = []
    await rebuild(store, fix=fix, tell=found.append)
    return found


async def everything(seeder: Seeder) -> list[object]:
    return [
        await seeder.ask("SELECT * FROM daily_points ORDER BY attempt"),
        await seeder.ask("SELECT * FROM standings ORDER BY period, ruleset, who, player_id"),
        await seeder.ask('SELECT * FROM tallies WHERE count > 0 ORDER BY scope, board, lane, "class", bucket'),
    ]


#: What may be wrong in what follows from the results, and how that is told.
WRONG = [
    ("UPDATE daily_points SET points = points - 1 WHERE points > 900", "points"),
    ("DELETE FROM daily_points WHERE points > 900", "points"),
    ("UPDATE standings SET points = points + 1, key = key - 1 WHERE period = 'all'", "wrong standings"),
    ("UPDATE standings SET played = played + 1 WHERE who = 0", "wrong standings"),
    ("UPDATE standings SET finished_at = 1 WHERE period = '2026-11'", "wrong standings"),
    ("DELETE FROM standings WHERE period = '2026-W48'", "wrong standings"),
    (
        (
            "INSERT INTO standings SELECT '2025-W01', ruleset, who, player_id, points, key, played, counted,"
            " finished_at, attempt FROM standings WHERE period = 'all'"
        ),
        "wrong standings",
    ),
    ("UPDATE tallies SET count = count + 1 WHERE board = 'season'", "tally"),
    ("DELETE FROM tallies WHERE board = 'season' AND scope LIKE 'all/%'", "tally"),
]


async def test_what_is_not_what_the_results_say_is_found_and_mended(store: Store, seeder: Seeder) -> None:
    await populate(store, PLAN, lambda done, count: None)
    before = await everything(seeder)
    for statement, what in WRONG:
        await seeder.tell(statement)
        assert await everything(seeder) != before, statement
        found = await differences(store)
        assert what in {difference.what.partition(".")[0] for difference in found}, statement
        await differences(store, fix=True)
        # Points that were wrong are written before the standings are looked at, so one run mends both.
        assert await differences(store) == [], statement
        assert await everything(seeder) == before, statement


async def test_closing_twice_is_closing_once_and_an_open_daily_gives_nothing(store: Store, seeder: Seeder) -> None:
    row = challenge_row(kind="daily", date="2026-01-01", closes_at=NOW)
    challenge, recorder = await seeder.challenge(row), Recorder(store)
    for attempt, key in zip(await seeder.attempts(3, challenge=challenge), (1, 2, 2), strict=True):
        await recorder.append(end(attempt, 0, keys=(key, 1)))
    await recorder.close()
    async with store.writing() as conn:
        await seasons.settle(conn, row)
    assert await seeder.ask("SELECT * FROM daily_points") == []
    for _ in range(2):
        async with store.writing() as conn:
            assert await challenges.mark_closed(conn, challenge, NOW)
            closed = await challenges.challenge(conn, challenge)
            assert closed is not None
            await seasons.settle(conn, closed)
        assert await seeder.ask("SELECT points FROM daily_points ORDER BY attempt") == [(833,), (333,), (333,)]
        tallies = await seeder.ask("SELECT scope, sum(count) FROM tallies WHERE board = 'season' GROUP BY 1 ORDER BY 1")
        assert [(scope, int(str(count))) for scope, count in tallies] == [
            ("2026-01/pyramid", 3),
            ("2026-W01/pyramid", 3),
            ("all/pyramid", 3),
        ]


@pytest.mark.parametrize(
    ("kind", "created", "since", "lane"),
    [
        ("guest", 0, None, GUEST), ("bot", 0, None, BOT), ("bot", 99, None, BOT), ("account", 9, None, ACCOUNT),
        ("account", 10, None, GUEST), ("account", 0, 9, ACCOUNT), ("account", 0, 10, GUEST), ("account", 0, 99, GUEST),
    ],
)  # fmt: skip
def test_an_account_counts_as_one_from_the_challenge_after_it_was_made(
    kind: str, created: int, since: int | None, lane: int
) -> None:
    assert lane_of(kind, created, since, opens_at=10) == lane


async def test_a_result_claimed_later_does_not_enter_the_boards_of_accounts(store: Store, seeder: Seeder) -> None:
    recorder = Recorder(store)
    (before,) = await seeder.attempts(1)
    await recorder.append(end(before, 0))
    player = (await seeder.row(before)).player_id
    async with store.writing() as conn:
        assert await players.become_account(conn, player, "Ada", "ada", NOW + 1)
        assert not await players.become_account(conn, player, "Ada", "ada", NOW + 2)
        assert not await players.become_account(conn, "nobody", "Ada", "ada", NOW + 2)
    assert await seeder.ask("SELECT lane FROM results") == [(GUEST,)]
    await recorder.close()
