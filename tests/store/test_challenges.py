"""Challenges as stored: one daily a date, and closing (DESIGN 6)."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError

from server.errors import GameError
from server.store import attempts, challenges, withdrawals
from server.store.challenges import ChallengeRow
from server.store.engine import Store
from server.store.entries import Stored
from server.store.recorder import Recorder
from tests.store.seeding import NOW, Seeder, challenge_row, end, move


async def test_there_is_one_daily_for_a_date_and_ruleset(store: Store, seeder: Seeder) -> None:
    """DESIGN 6: two workers cannot make two, and both get the one that stands."""
    rivals = [challenge_row("daily", date="2026-03-29") for _ in range(4)]

    async def make(row: ChallengeRow) -> tuple[ChallengeRow, bool]:
        async with store.writing() as conn:
            return await challenges.insert_challenge(conn, row)

    answers = await asyncio.gather(*(make(row) for row in rivals))
    assert len({row.id for row, _ in answers}) == 1
    assert sum(made for _, made in answers) == 1
    async with store.reading() as conn:
        assert await challenges.daily(conn, "2026-03-29", "pyramid") == answers[0][0]
        assert await challenges.daily(conn, "2026-03-30", "pyramid") is None
        assert await challenges.daily(conn, "2026-03-29", "thirteen") is None


async def test_dailies_of_a_date_come_by_ruleset(store: Store, seeder: Seeder) -> None:
    for ruleset, date in (("thirteen", "2026-01-01"), ("pyramid", "2026-01-01"), ("pyramid", "2026-01-02")):
        await seeder.challenge(challenge_row("daily", ruleset, date))
    await seeder.challenge(challenge_row("event"))
    async with store.reading() as conn:
        assert [row.ruleset for row in await challenges.dailies(conn, "2026-01-01")] == ["pyramid", "thirteen"]


async def test_the_same_row_twice_is_one_challenge(store: Store, seeder: Seeder) -> None:
    row = challenge_row()
    async with store.writing() as conn:
        assert await challenges.insert_challenge(conn, row) == (row, True)
        assert await challenges.insert_challenge(conn, row) == (row, False)
        assert await challenges.challenge(conn, row.id) == row


@pytest.mark.parametrize(
    ("change", "constraint"),
    [
        ({"kind": "nonsense"}, "ck_challenges_kind"),
        ({"date": "2026-01-01"}, "ck_challenges_daily_date"),
        ({"kind": "daily"}, "ck_challenges_daily_date"),
        ({"seed": "00"}, "ck_challenges_seed"),
        ({"commitment": ""}, "ck_challenges_commitment"),
        ({"ends_at": NOW - 1}, "ck_challenges_ends_at"),
        ({"closes_at": NOW - 1}, "ck_challenges_closes_at"),
        ({"opens_at": -1}, "ck_challenges_opens_at"),
        ({"rules_version": 0}, "ck_challenges_rules_version"),
        ({"ruleset": ""}, "ck_challenges_ruleset"),
    ],
    ids=str,
)
async def test_the_database_defends_itself(
    store: Store, seeder: Seeder, change: dict[str, int | str], constraint: str
) -> None:
    with pytest.raises(IntegrityError, match=constraint):
        await seeder.challenge(replace(challenge_row(), **change))


async def test_a_challenge_closes_when_nobody_plays_any_more(store: Store, seeder: Seeder) -> None:
    """DESIGN 6: open attempts are ended first; only then are seed and records public."""
    challenge = await seeder.challenge(challenge_row(closes_at=NOW + 100))
    await seeder.challenge(challenge_row(closes_at=NOW + 101))
    await seeder.challenge(challenge_row())
    first, second = await seeder.attempts(2, challenge=challenge)
    practising = await seeder.attempt(challenge=challenge, ranked=False)
    recorder = Recorder(store)
    async with store.writing() as conn:
        assert await challenges.challenges_to_close(conn, NOW + 99) == []
        assert [row.id for row in await challenges.challenges_to_close(conn, NOW + 100)] == [challenge]
        assert {row.id for row in await attempts.open_attempts(conn, challenge, limit=10)} == {first, second}
        assert len(await attempts.open_attempts(conn, challenge, limit=1)) == 1
        assert not await challenges.mark_closed(conn, challenge, NOW + 100)
    for attempt in (first, second):
        await recorder.append(end(attempt, 0, over="closed", text="close", moves=0))
    await recorder.close()
    async with store.writing() as conn:
        assert await challenges.mark_closed(conn, challenge, NOW + 200)
        assert await challenges.mark_closed(conn, challenge, NOW + 300)
        row = await challenges.challenge(conn, challenge)
        assert row is not None
        assert row.closed_at == NOW + 200
        assert await challenges.challenges_to_close(conn, NOW + 100) == []
    assert (await seeder.row(practising)).over is None


# --- locks, which SQLite with its one writer has no need of --------------------------------------------------------


@pytest.fixture
async def postgres_store(migrated_postgres_url: str) -> AsyncIterator[Store]:
    opened = await Store.open(migrated_postgres_url)
    yield opened
    await opened.close()


@pytest.mark.postgres
async def test_results_are_stored_while_a_challenge_is_locked(postgres_store: Store) -> None:
    """Whoever voids holds the challenge and waits for the counts; who finishes holds those: he must not wait too."""
    seeder, recorder = Seeder(postgres_store), Recorder(postgres_store)
    challenge = await seeder.challenge()
    attempt, other = await seeder.attempts(2, challenge=challenge)
    async with postgres_store.writing() as conn, asyncio.timeout(20):
        await challenges.lock(conn, challenge)
        assert await recorder.append(end(attempt, 0)) is Stored.COMMITTED
    async with postgres_store.writing() as conn, asyncio.timeout(20):
        assert await withdrawals.void(conn, attempt, 500, NOW + 9000) is not None
        assert await recorder.append(move(other, 0)) is Stored.COMMITTED
    await recorder.close()
    assert await seeder.ask("SELECT count(*) FROM results") == [(0,)]


@pytest.mark.postgres
async def test_one_of_two_who_wait_for_each_other_may_try_again(postgres_store: Store) -> None:
    seeder = Seeder(postgres_store)
    ids = [await seeder.challenge(), await seeder.challenge()]
    both = asyncio.Barrier(2)

    async def lock(first: str, second: str) -> str:
        try:
            async with postgres_store.writing() as conn:
                await challenges.lock(conn, first)
                await both.wait()
                await challenges.lock(conn, second)
        except GameError as refusal:
            return refusal.code
        return "done"

    assert sorted(await asyncio.gather(lock(*ids), lock(*reversed(ids)))) == ["done", "try_later"]
