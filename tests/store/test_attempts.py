"""Attempts as stored: one ranked one for ever, practice as often as one likes (DESIGN 6, X7)."""

import asyncio

import pytest
from msgspec.structs import replace
from sqlalchemy import event

from server.errors import GameError
from server.store import attempts, challenges
from server.store.engine import Store
from server.store.recorder import Recorder
from tests.store.seeding import NOW, Seeder, move, new_id
from tests.support.scale import rounds


async def start(store: Store, challenge: str, player: str, ranked: bool = True) -> tuple[attempts.AttemptRow, bool]:
    async with store.writing() as conn:
        return await attempts.start_attempt(
            conn, new_id(), challenge, player, ranked=ranked, undo_policy="none", now_ms=NOW + 7, progress=3
        )


async def test_simultaneous_starts_are_one_attempt(store: Store, seeder: Seeder) -> None:
    """X7: all get the same one, and one of them has made it."""
    for _ in range(rounds(gate=50, soak=2000)):
        challenge, player = await seeder.challenge(), await seeder.player()
        answers = await asyncio.gather(*(start(store, challenge, player) for _ in range(5)))
        assert len({row.id for row, _ in answers}) == 1
        assert sum(made for _, made in answers) == 1
    assert await seeder.ask("SELECT 1 FROM attempts GROUP BY challenge_id, player_id HAVING count(*) > 1") == []


@pytest.mark.postgres
@pytest.mark.fault
async def test_simultaneous_starts_on_two_workers_are_one_attempt(migrated_postgres_url: str) -> None:
    """X7, with a control: without the unique key the same starts make several."""
    workers = [await Store.open(migrated_postgres_url) for _ in range(2)]
    seeder = Seeder(workers[0])

    async def doubles(count: int) -> int:
        for _ in range(count):
            challenge, player = await seeder.challenge(), await seeder.player()
            answers = await asyncio.gather(*(start(workers[n % 2], challenge, player) for n in range(6)))
            if len({row.id for row, _ in answers}) > 1:
                return 1
        return 0

    assert await doubles(rounds(gate=500, soak=20_000)) == 0
    await seeder.tell("DROP INDEX uq_attempts_ranked")
    try:
        assert await doubles(100) == 1, "the test would not notice"
    finally:
        await seeder.tell("TRUNCATE attempts CASCADE")
        await seeder.tell("CREATE UNIQUE INDEX uq_attempts_ranked ON attempts (challenge_id, player_id) WHERE ranked")
    for worker in workers:
        await worker.close()


async def test_a_start_is_read_back(store: Store, seeder: Seeder) -> None:
    challenge, player = await seeder.challenge(), await seeder.player()
    row, made = await start(store, challenge, player)
    assert made
    assert (row.challenge_id, row.player_id, row.undo_policy, row.ranked) == (challenge, player, "none", True)
    assert (row.started_at, row.seq, row.progress, row.last_at_ms, row.over) == (NOW + 7, 0, 3, 0, None)
    async with store.reading() as conn:
        assert await attempts.attempt(conn, row.id) == row
        assert await attempts.ranked_attempt(conn, player, challenge) == row
        assert await attempts.ranked_attempts(conn, player, [challenge, await seeder.challenge()]) == {challenge: row}
        assert await attempts.ranked_attempts(conn, player, []) == {}
        assert await attempts.count_open(conn, challenge) == 1


async def test_practice_is_free_and_not_ranked(store: Store, seeder: Seeder) -> None:
    challenge, player = await seeder.challenge(), await seeder.player()
    rows = [await start(store, challenge, player, ranked=False) for _ in range(2)]
    assert [made for _, made in rows] == [True, True]
    async with store.reading() as conn:
        assert await attempts.ranked_attempt(conn, player, challenge) is None
        own = await attempts.open_attempts_of(conn, player, limit=10)
        assert [row.id for row in own] == [rows[1][0].id, rows[0][0].id], "latest first"
        assert len(await attempts.open_attempts_of(conn, player, limit=1)) == 1


async def test_a_closed_challenge_takes_no_new_ranked_attempt(store: Store, seeder: Seeder) -> None:
    challenge, player, late = await seeder.challenge(), await seeder.player(), await seeder.player()
    row, _ = await start(store, challenge, player)
    await seeder.tell("UPDATE attempts SET over = 'closed', finished_at = 1")
    async with store.writing() as conn:
        assert await challenges.mark_closed(conn, challenge, NOW)
    with pytest.raises(GameError) as refusal:
        await start(store, challenge, late)
    assert refusal.value.code == "challenge/closed"
    resumed, made = await start(store, challenge, player)
    assert (resumed.id, made) == (row.id, False)
    _, made = await start(store, challenge, late, ranked=False)
    assert made


async def test_an_unknown_challenge_cannot_be_started(store: Store, seeder: Seeder) -> None:
    with pytest.raises(GameError) as refusal:
        await start(store, new_id(), await seeder.player())
    assert refusal.value.code == "challenge/unknown"


@pytest.mark.postgres
async def test_a_start_and_the_close_never_miss_each_other(migrated_postgres_url: str) -> None:
    """Whichever comes first: a challenge is not closed over an attempt that has just started."""
    store = await Store.open(migrated_postgres_url, connections=10)
    seeder = Seeder(store)

    async def close(challenge: str) -> bool:
        async with store.writing() as conn:
            return await challenges.mark_closed(conn, challenge, NOW)

    async def begin(challenge: str, player: str) -> bool:
        try:
            return (await start(store, challenge, player))[1]
        except GameError:
            return False

    for _ in range(rounds(gate=200, soak=5000)):
        challenge, player = await seeder.challenge(), await seeder.player()
        closed, begun = await asyncio.gather(close(challenge), begin(challenge, player))
        assert closed != begun
    await store.close()


async def test_practice_goes_on_from_a_place_in_another_log(store: Store, seeder: Seeder) -> None:
    source, target = await seeder.attempts(2)
    recorder = Recorder(store)
    for seq in range(4):
        await recorder.append(move(source, seq, f"p{seq + 1}"))
    row = await seeder.row(target)
    async with store.writing() as conn:
        await attempts.copy_log_prefix(conn, source, replace(row, seq=3, moves=3, undos=1, progress=5))
    assert await seeder.log(target) == [("p1", 0), ("p2", 0), ("p3", 0)]
    copied = await seeder.row(target)
    assert (copied.seq, copied.moves, copied.undos, copied.progress, copied.last_at_ms) == (3, 3, 1, 5, 0)
    await recorder.append(move(target, 3, "p9", at_ms=50))
    assert (await seeder.log(target))[-1] == ("p9", 50)
    await recorder.close()

    long = replace(await seeder.row(await seeder.attempt()), seq=5)

    async def copy_too_much() -> None:
        async with store.writing() as conn:
            await attempts.copy_log_prefix(conn, source, long)

    with pytest.raises(ValueError, match="4 entries to copy, 5 wanted"):
        await copy_too_much()
    assert await seeder.log(long.id) == []


async def test_a_deal_without_a_move_is_over_without_a_log(store: Store, seeder: Seeder) -> None:
    attempt = await seeder.attempt()
    async with store.writing() as conn:
        await attempts.mark_over(conn, attempt, "lost", NOW)
    row = await seeder.row(attempt)
    assert (row.over, row.finished_at, row.seq) == ("lost", NOW, 0)


async def test_no_question_about_ranked_attempts_walks_over_all_attempts(sqlite_store: Store) -> None:
    """SQLite takes the partial indices only for conditions that are written as theirs."""
    seeder = Seeder(sqlite_store)
    challenge, player = await seeder.challenge(), await seeder.player()
    asked: list[tuple[str, object]] = []

    def note(conn: object, cursor: object, statement: str, values: object, context: object, many: bool) -> None:
        asked.append((statement, values))

    async with sqlite_store.reading() as conn:
        event.listen(conn.sync_connection, "before_cursor_execute", note)
        await attempts.ranked_attempt(conn, player, challenge)
        await attempts.ranked_attempts(conn, player, [challenge])
        await attempts.count_open(conn, challenge)
        await attempts.open_attempts(conn, challenge, limit=5)
        await attempts.open_attempts_of(conn, player, limit=5)
        questions = [one for one in asked if one[0].startswith("SELECT")]
        assert len(questions) == 5
        for statement, values in questions:
            plan = await conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)  # type: ignore[arg-type]
            steps = [str(row._mapping["detail"]) for row in plan]
            assert not [step for step in steps if step.startswith("SCAN attempts")], (statement, steps)
