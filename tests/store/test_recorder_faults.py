"""The recorder when the database fails: nothing false is told, nothing is stored twice, and it heals (X1-X6)."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import text

from server.store import sqlite
from server.store.engine import Store
from server.store.entries import Append, Groups, Stored
from server.store.recorder import FIRST_PAUSE_S, LONGEST_PAUSE_S, Recorder, groups_of
from tests.store.seeding import Seeder, end, move, number_of
from tests.store.test_recorder import submit
from tests.support.patience import busy
from tests.support.scale import rounds

COMMITTED, STALE, FAILED = Stored.COMMITTED, Stored.STALE, Stored.FAILED
pytestmark = pytest.mark.fault
ROOT = Path(__file__).resolve().parents[2]


class Pauses:
    """Stands for sleeping: notes how long, and goes on at once."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        await asyncio.sleep(0)


class Fails:
    """Groups whose commits fail as often as told, before or after the true commit."""

    def __init__(self, store: Store, *, before: int = 0, after: int = 0) -> None:
        self._true: Groups = groups_of(store)
        self.before = before
        self.after = after
        self.standing_fails = 0

    async def commit(self, entries: Sequence[Append]) -> Sequence[int]:
        if self.before:
            self.before -= 1
            raise ConnectionResetError("cut before the commit")
        answer = await self._true.commit(entries)
        if self.after:
            self.after -= 1
            raise ConnectionResetError("cut in the commit")
        return answer

    async def standing(self, entries: Sequence[Append]) -> Sequence[int]:
        if self.standing_fails:
            self.standing_fails -= 1
            raise ConnectionResetError("still gone")
        return await self._true.standing(entries)

    async def close(self) -> None:
        await self._true.close()


async def test_a_single_failure_is_not_felt(store: Store, seeder: Seeder) -> None:
    pauses = Pauses()
    recorder = Recorder(store, groups=Fails(store, before=1), pause=pauses)
    ids = await seeder.attempts(3)
    assert await submit(recorder, *(move(attempt, 0) for attempt in ids)) == [COMMITTED] * 3
    assert recorder.healthy
    assert pauses.seconds == [FIRST_PAUSE_S]
    await recorder.close()


async def test_a_commit_of_unknown_fate_is_looked_up_and_not_made_twice(store: Store, seeder: Seeder) -> None:
    """X4: the line is cut in COMMIT, which happened all the same; one result, and all are told."""
    recorder = Recorder(store, groups=Fails(store, after=1), pause=Pauses())
    ids = await seeder.attempts(3)
    assert await submit(recorder, end(ids[0], 0), move(ids[1], 0), move(ids[2], 0)) == [COMMITTED] * 3
    assert [len(await seeder.log(attempt)) for attempt in ids] == [1, 1, 1]
    assert await seeder.ask("SELECT count(*) FROM results") == [(1,)]
    assert await seeder.ask("SELECT sum(count) FROM tallies WHERE board = 'main'") == [(1,)]
    await recorder.close()


async def test_after_a_cut_commit_another_worker_s_entry_is_not_taken_for_ours(store: Store, seeder: Seeder) -> None:
    recorder = Recorder(store, groups=Fails(store, before=1), pause=Pauses())
    other = Recorder(store)
    mine, neighbour = await seeder.attempts(2)
    assert await other.append(move(mine, 0, "other")) is COMMITTED
    await other.close()
    assert await submit(recorder, move(mine, 0, "mine"), move(neighbour, 0)) == [STALE, COMMITTED]
    await recorder.close()


async def test_while_the_database_is_gone_all_are_told_and_afterwards_it_heals(store: Store, seeder: Seeder) -> None:
    pauses = Pauses()
    failing = Fails(store, before=9)
    failing.standing_fails = 1
    recorder = Recorder(store, groups=failing, pause=pauses, largest_group=2)
    ids = await seeder.attempts(5)
    entries = [move(attempt, 0) for attempt in ids]
    assert await submit(recorder, *entries) == [FAILED] * 5  # those that waited behind the group too
    healthy = recorder.healthy
    assert not healthy
    for _ in range(7):
        assert await recorder.append(entries[0]) is FAILED
    assert await submit(recorder, *entries) == [COMMITTED] * 5
    assert recorder.healthy
    assert pauses.seconds[0] == FIRST_PAUSE_S
    assert pauses.seconds == sorted(pauses.seconds)
    assert pauses.seconds[-1] == LONGEST_PAUSE_S
    await recorder.close()


async def test_closing_while_the_database_is_gone_tells_all_and_ends(store: Store, seeder: Seeder) -> None:
    recorder = Recorder(store, groups=Fails(store, before=1000), pause=Pauses(), largest_group=1)
    ids = await seeder.attempts(3)
    waiting = [asyncio.ensure_future(recorder.append(move(attempt, 0))) for attempt in ids]
    await asyncio.sleep(0)
    await recorder.close()
    assert await asyncio.gather(*waiting) == [FAILED] * 3
    assert await seeder.ask("SELECT * FROM log") == []


async def test_a_full_disk_acknowledges_nothing_and_is_survived(sqlite_store: Store) -> None:
    """X3: the file may not grow; every group fails whole, reading goes on, and space makes it well again."""
    seeder = Seeder(sqlite_store)
    pauses = Pauses()
    recorder = Recorder(sqlite_store, pause=pauses)
    ids = await seeder.attempts(200)
    direct = sqlite_store.recorder
    assert isinstance(direct, sqlite.Direct)

    def fill(connection: sqlite3.Connection) -> None:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count={pages}")

    await direct.run(fill)
    acknowledged = [0] * len(ids)
    answers: list[Stored] = []
    while FAILED not in answers:
        entries = [move(attempt, seq, "p22p28") for attempt, seq in zip(ids, acknowledged, strict=True)]
        answers = await submit(recorder, *entries)
        assert set(answers) in ({COMMITTED}, {FAILED}), "a group is whole or not at all"
        acknowledged = [seq + (answer is COMMITTED) for seq, answer in zip(acknowledged, answers, strict=True)]
    assert [len(await seeder.log(attempt)) for attempt in ids] == acknowledged
    await direct.run(lambda connection: connection.execute("PRAGMA max_page_count=1000000").fetchone())
    assert await recorder.append(move(ids[0], acknowledged[0])) is COMMITTED
    assert recorder.healthy
    await recorder.close()


@pytest.mark.postgres
async def test_a_connection_cut_by_postgresql_is_replaced(migrated_postgres_url: str) -> None:
    """X4: the recorder's connection is cut between two groups; nobody notices."""
    store = await Store.open(migrated_postgres_url)
    seeder = Seeder(store)
    recorder = Recorder(store, pause=Pauses())
    attempt = await seeder.attempt()
    assert await recorder.append(move(attempt, 0)) is COMMITTED
    for seq in range(1, 4):
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        await seeder.ask(f"{cut} AND pid <> pg_backend_pid()")
        assert await recorder.append(move(attempt, seq)) is COMMITTED
    assert [seq for seq, _ in enumerate(await seeder.log(attempt))] == [0, 1, 2, 3]
    await recorder.close()
    await store.close()


@pytest.mark.postgres
async def test_two_workers_on_the_same_attempts_never_both_write_an_entry(migrated_postgres_url: str) -> None:
    """X6: each wins some, loses some, and every log has one entry a place, each acknowledged to its writer alone."""
    stores = [await Store.open(migrated_postgres_url) for _ in range(2)]
    recorders = [Recorder(store) for store in stores]
    seeder = Seeder(stores[0])
    ids = await seeder.attempts(20)
    won: dict[int, list[str]] = {number_of(attempt): [] for attempt in ids}
    for seq in range(rounds(gate=200, soak=2000)):
        mine = [move(attempt, seq, "mine") for attempt in ids]
        theirs = [move(attempt, seq, "theirs") for attempt in reversed(ids)]
        answers = await asyncio.gather(submit(recorders[0], *mine), submit(recorders[1], *theirs))
        for entry, stored in zip([*mine, *theirs], [*answers[0], *answers[1]], strict=True):
            assert stored in (COMMITTED, STALE)
            if stored is COMMITTED:
                won[entry.attempt].append(entry.text)
    for attempt in ids:
        assert [text for text, _ in await seeder.log(attempt)] == won[number_of(attempt)]
    for recorder, store in zip(recorders, stores, strict=True):
        await recorder.close()
        await store.close()


async def test_many_finish_at_once_while_boards_are_read_and_a_batch_is_stored(store: Store, seeder: Seeder) -> None:
    """R41: fifty results, and no error and no wait for anybody."""
    from server.store import boards

    recorder = Recorder(store)
    challenge = await seeder.challenge()
    ids = await seeder.attempts(50, challenge=challenge)

    async def read() -> None:
        async with store.reading() as conn:
            page = await boards.page(conn, challenge, "main", 100)
            assert [line.rank for line in page.lines] == list(range(1, len(page.lines) + 1))

    async def batch() -> None:
        async with store.writing() as conn:
            for worker in range(200):
                await conn.execute(text("INSERT INTO heartbeats (worker, at) VALUES (:w, 1)"), {"w": str(worker)})

    finishing = submit(recorder, *(end(attempt, 0, keys=(place, 1)) for place, attempt in enumerate(ids)))
    async with asyncio.timeout(5 * busy()):
        answers, *_ = await asyncio.gather(finishing, batch(), *(read() for _ in range(20)))
    assert answers == [COMMITTED] * 50
    assert await seeder.ask("SELECT count(*) FROM results") == [(50,)]
    await recorder.close()


async def test_both_players_of_many_races_finish_in_the_same_millisecond(store: Store, seeder: Seeder) -> None:
    """R43: every result is stored, one write that fails keeps no other back, and its player is told."""
    recorder = Recorder(store)
    races = [await seeder.challenge() for _ in range(20)]
    ids = [attempt for race in races for attempt in await seeder.attempts(2, challenge=race)]
    entries = [end(attempt, 0, keys=(1000 + place % 2, 1)) for place, attempt in enumerate(ids)]
    entries[7] = end(ids[7], 0, keys=(1000, 1), moves=-1)
    assert await submit(recorder, *entries) == [FAILED if place == 7 else COMMITTED for place in range(40)]
    assert await seeder.ask("SELECT count(*) FROM results") == [(39,)]
    assert await recorder.append(end(ids[7], 0, keys=(1001, 1))) is COMMITTED
    per_race = await seeder.ask("SELECT count(*), min(main_1), max(main_1) FROM results GROUP BY challenge_id")
    assert list(per_race) == [(2, 1000, 1001)] * 20
    await recorder.close()


WRITER = """
import asyncio, sys
from server.store.engine import Store
from server.store.entries import Append, Stored
from server.store.recorder import Recorder

async def main(url, numbers):
    recorder = Recorder(await Store.open(url))
    def play(number, seq):
        def done(stored):
            print(number if stored is Stored.COMMITTED else stored, seq, flush=True)
            play(number, seq + 1)
        recorder.submit(Append(number, seq, "s", seq * 100, seq + 1, 0, 0), done)
    for number in numbers:
        play(number, int(sys.argv[2]))
    await asyncio.Event().wait()

asyncio.run(main(sys.argv[1], list(map(int, sys.argv[3:]))))
"""


async def test_kill_9_loses_nothing_that_was_acknowledged(migrated_url: str) -> None:
    """X1: acknowledged lost 0, twice 0, gaps 0, whenever the process dies."""
    store = await Store.open(migrated_url)
    seeder = Seeder(store)
    ids = await seeder.attempts(8)
    for _ in range(rounds(gate=20, soak=500)):
        begin = max([len(await seeder.log(attempt)) for attempt in ids])
        for attempt in ids:  # bring all to the same length, so that one number tells the writer where to go on
            recorder = Recorder(store)
            for seq in range(len(await seeder.log(attempt)), begin):
                assert await recorder.append(move(attempt, seq)) is COMMITTED
            await recorder.close()
        acknowledged = await asyncio.to_thread(_write_and_kill, migrated_url, begin, list(map(number_of, ids)), 50)
        assert len(acknowledged) >= 50
        assert set(acknowledged) <= set(map(number_of, ids))
        for attempt in ids:
            log = await seeder.log(attempt)
            assert (await seeder.row(attempt)).seq == len(log), "log and summary are one transaction"
            assert len(log) >= begin + acknowledged.count(number_of(attempt))
            assert [at_ms for _, at_ms in log] == [seq * 100 for seq in range(len(log))], "no gap, nothing twice"
    await store.close()


def _write_and_kill(url: str, begin: int, numbers: Sequence[int], after: int) -> list[int]:
    """Let a process write until it has acknowledged so many entries, kill it, and tell whose it acknowledged."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, url, str(begin), *map(str, numbers)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(after)]
    process.send_signal(signal.SIGKILL)
    lines += process.stdout.readlines()  # what it had said before it died
    process.wait()
    process.stdout.close()
    return [int(line.split()[0]) for line in lines if line.endswith("\n")]
