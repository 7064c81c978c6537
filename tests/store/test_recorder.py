"""The recorder: groups, order, and the fence that lets no entry take another's place (DESIGN 1.5, 8)."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from server.core.deck import shuffled
from server.games import ruleset
from server.play.attempt import Attempt
from server.store.engine import Store
from server.store.entries import Append, Stored, ending_of, last_entry
from server.store.recorder import LARGEST_GROUP, Recorder
from tests.store.seeding import NOW, SEED, Seeder, end, move, number_of

COMMITTED, STALE, FAILED = Stored.COMMITTED, Stored.STALE, Stored.FAILED


@pytest.fixture
async def recorder(store: Store) -> AsyncIterator[Recorder]:
    made = Recorder(store)
    yield made
    await made.close()


async def submit(recorder: Recorder, *entries: Append) -> list[Stored]:
    """What becomes of entries that arrive in one turn of the loop."""
    told: list[Stored | None] = [None] * len(entries)
    left = asyncio.Semaphore(0)

    def listen(place: int, entry: Append) -> None:
        def done(stored: Stored) -> None:
            assert told[place] is None, "told twice"
            told[place] = stored
            left.release()

        recorder.submit(entry, done)
        assert told[place] is None, "told before submit had returned"

    for place, entry in enumerate(entries):
        listen(place, entry)
    for _ in entries:
        await left.acquire()
    return [stored for stored in told if stored is not None]


async def test_what_waits_is_stored_in_one_group(store: Store, seeder: Seeder) -> None:
    groups: list[tuple[int, float]] = []
    recorder = Recorder(store, on_commit=lambda count, seconds: groups.append((count, seconds)))
    ids = await seeder.attempts(100)
    assert await submit(recorder, *(move(attempt, 0, "p22", 700, 1) for attempt in ids)) == [COMMITTED] * 100
    assert [count for count, _ in groups] == [100]
    assert groups[0][1] > 0
    for attempt in ids:
        row = await seeder.row(attempt)
        assert (row.seq, row.moves, row.undos, row.progress, row.last_at_ms) == (1, 1, 0, 1, 700)
        assert (row.over, row.finished_at) == (None, None)
        assert await seeder.log(attempt) == [("p22", 700)]
    await recorder.close()


async def test_a_group_has_a_bound(store: Store, seeder: Seeder) -> None:
    groups: list[int] = []
    recorder = Recorder(store, on_commit=lambda count, _: groups.append(count), largest_group=4)
    ids = await seeder.attempts(10)
    assert await submit(recorder, *(move(attempt, 0) for attempt in ids)) == [COMMITTED] * 10
    assert groups == [4, 4, 2]
    await recorder.close()


async def test_entries_of_one_attempt_are_stored_in_their_order(recorder: Recorder, seeder: Seeder) -> None:
    first, second = await seeder.attempts(2)
    entries = [entry for seq in range(20) for entry in (move(first, seq, f"p{seq}"), move(second, seq, f"q{seq}"))]
    assert await submit(recorder, *entries) == [COMMITTED] * 40
    assert [text for text, _ in await seeder.log(first)] == [f"p{seq}" for seq in range(20)]
    assert [text for text, _ in await seeder.log(second)] == [f"q{seq}" for seq in range(20)]
    assert (await seeder.row(first)).seq == 20


async def test_a_stale_entry_spoils_no_neighbour(recorder: Recorder, seeder: Seeder) -> None:
    """DESIGN 8: another worker has played on one of three attempts."""
    ids = await seeder.attempts(3)
    assert await recorder.append(move(ids[1], 0, "other", 50)) is COMMITTED
    mine = [move(attempt, 0, "mine", 90, 3) for attempt in ids]
    assert await submit(recorder, *mine) == [COMMITTED, STALE, COMMITTED]
    assert [await seeder.log(attempt) for attempt in ids] == [[("mine", 90)], [("other", 50)], [("mine", 90)]]
    assert [(await seeder.row(attempt)).last_at_ms for attempt in ids] == [90, 50, 90]


async def test_what_waits_behind_a_stale_entry_is_stale_too(recorder: Recorder, seeder: Seeder) -> None:
    """It would fit by its number, but it was judged on a state that never was."""
    attempt = await seeder.attempt()
    assert await recorder.append(move(attempt, 0, "other")) is COMMITTED
    assert await submit(recorder, move(attempt, 0, "mine"), move(attempt, 1, "mine")) == [STALE, STALE]
    assert await seeder.log(attempt) == [("other", 0)]
    assert await recorder.append(move(attempt, 1, "mine")) is COMMITTED  # after loading the attempt again


@pytest.mark.parametrize("seq", [0, 1, 3, 4, 1000])
async def test_an_entry_must_be_the_next_one(recorder: Recorder, seeder: Seeder, seq: int) -> None:
    attempt, neighbour = await seeder.attempts(2)
    await submit(recorder, move(attempt, 0), move(attempt, 1))
    assert await submit(recorder, move(attempt, seq), move(neighbour, 0)) == [STALE, COMMITTED]
    assert len(await seeder.log(attempt)) == (await seeder.row(attempt)).seq == 2


async def test_an_entry_of_no_attempt_is_stale(recorder: Recorder, seeder: Seeder) -> None:
    attempt = await seeder.attempt()
    unknown = Append(number_of(attempt) + 1, 0, "s", 0, 1, 0, 0)
    assert await submit(recorder, unknown, move(attempt, 0)) == [STALE, COMMITTED]


async def test_a_row_already_in_the_log_is_stale_even_if_the_summary_lags(recorder: Recorder, seeder: Seeder) -> None:
    """The primary key (attempt, seq) is the last word."""
    attempt, neighbour = await seeder.attempts(2)
    number = (await seeder.row(attempt)).number
    await seeder.tell("INSERT INTO log (attempt, seq, text, at_ms) VALUES (:n, 0, 'other', 1)", n=number)
    assert await submit(recorder, move(attempt, 0, "mine"), move(neighbour, 0)) == [STALE, COMMITTED]
    assert await seeder.log(attempt) == [("other", 1)]
    assert (await seeder.row(attempt)).seq == 0


@pytest.mark.parametrize(
    "poison",
    [
        {"at_ms": -1},
        {"text": ""},
        {"text": "x" * 41},
        {"text": "\ud800"},
        {"moves": -1},
        {"undos": 7},
        {"progress": -1},
    ],
    ids=str,
)
async def test_a_poisoned_entry_fails_alone(recorder: Recorder, seeder: Seeder, poison: dict[str, int | str]) -> None:
    from msgspec.structs import replace

    ids = await seeder.attempts(9)
    entries = [move(attempt, 0) for attempt in ids]
    entries[5] = replace(entries[5], **poison)
    assert await submit(recorder, *entries) == [FAILED if place == 5 else COMMITTED for place in range(9)]
    assert await seeder.log(ids[5]) == []
    assert (await seeder.row(ids[5])).seq == 0
    assert await recorder.append(move(ids[5], 0)) is COMMITTED
    assert recorder.healthy


async def test_an_end_writes_the_result_with_the_entry(recorder: Recorder, seeder: Seeder) -> None:
    attempt = await seeder.attempt()
    assert await recorder.append(move(attempt, 0)) is COMMITTED
    assert await recorder.append(end(attempt, 1, keys=(4711, 2), finished_at=NOW + 9)) is COMMITTED
    row = await seeder.row(attempt)
    assert (row.over, row.finished_at, row.seq) == ("won", NOW + 9, 2)
    result = await seeder.ask(
        'SELECT attempt, outcome, time_ms, moves, undos, progress, score, finished_at, "class", main_1, main_2,'
        " moves_1, moves_2 FROM results"
    )
    assert result == [(row.number, "won", 100, 2, 0, 28, None, NOW + 9, 0, 4711, 2, 2, 4711)]
    tallies = await seeder.ask('SELECT board, "class", bucket, count FROM tallies ORDER BY board')
    assert tallies == [
        ("fastest", 0, 100, 1),
        ("fewest", 0, 2, 1),
        ("main", 0, 4096 + (4711 - 4096) // 4096, 1),
        ("moves", 0, 2, 1),
    ]


async def test_nothing_is_accepted_after_the_end(recorder: Recorder, seeder: Seeder) -> None:
    """C4, R52: however the last entry arrives again, there is one result, and it is the first."""
    attempt, neighbour = await seeder.attempts(2)
    win = end(attempt, 0, keys=(1, 1))
    again = end(attempt, 1, keys=(2, 2))
    assert await submit(recorder, win, win, move(attempt, 1), again) == [COMMITTED, STALE, STALE, STALE]
    assert await submit(recorder, win, move(neighbour, 0)) == [STALE, COMMITTED]
    assert await submit(recorder, again) == [STALE]
    assert await seeder.ask("SELECT main_1 FROM results") == [(1,)]
    assert await seeder.ask("SELECT sum(count) FROM tallies WHERE board = 'main'") == [(1,)]


@pytest.mark.parametrize("over", ["resigned", "closed", "lost"])
async def test_other_ends_stand_on_the_board_too(recorder: Recorder, seeder: Seeder, over: str) -> None:
    """C10: shown as such, in the second class."""
    attempt = await seeder.attempt()
    assert await submit(recorder, move(attempt, 0), end(attempt, 1, over=over, moves=1)) == [COMMITTED] * 2
    assert await seeder.ask('SELECT outcome, "class" FROM results') == [(over, 1)]


async def test_an_attempt_that_never_moved_stands_on_no_board(recorder: Recorder, seeder: Seeder) -> None:
    """C10: at least one move in its log."""
    attempt = await seeder.attempt()
    assert await recorder.append(end(attempt, 0, over="resigned", text="resign", moves=0)) is COMMITTED
    assert (await seeder.row(attempt)).over == "resigned"
    assert await seeder.ask("SELECT * FROM results") == []
    assert await seeder.ask("SELECT * FROM tallies") == []


async def test_practice_stands_on_no_board(recorder: Recorder, seeder: Seeder) -> None:
    attempt = await seeder.attempt(ranked=False)
    assert await recorder.append(end(attempt, 0)) is COMMITTED
    assert await seeder.ask("SELECT * FROM results") == []


async def test_a_void_attempt_leaves_its_board_also_after_its_end(recorder: Recorder, seeder: Seeder) -> None:
    challenge = await seeder.challenge()
    voided, other, going_on = await seeder.attempts(3, challenge=challenge)
    await submit(recorder, end(voided, 0), end(other, 0), move(going_on, 0))
    answers = await submit(
        recorder, end(voided, 1, over="void", text="void", moves=1), end(going_on, 1, over="void", text="void", moves=1)
    )
    assert answers == [COMMITTED, COMMITTED]
    assert [(await seeder.row(attempt)).over for attempt in (voided, going_on)] == ["void", "void"]
    assert await seeder.ask("SELECT attempt FROM results") == [((await seeder.row(other)).number,)]
    assert await seeder.ask("SELECT sum(count) FROM tallies WHERE board = 'moves'") == [(1,)]
    assert await submit(recorder, end(voided, 2, over="void", text="void", moves=1)) == [STALE]


async def test_closing_stores_what_waits(store: Store, seeder: Seeder) -> None:
    recorder = Recorder(store, largest_group=5)
    ids = await seeder.attempts(12)
    waiting = [asyncio.ensure_future(recorder.append(move(attempt, 0))) for attempt in ids]
    await asyncio.sleep(0)
    await recorder.close()
    assert await asyncio.gather(*waiting) == [COMMITTED] * 12
    assert await recorder.append(move(ids[0], 1)) is FAILED
    await recorder.close()  # once more does no harm


async def test_a_waiter_that_is_cancelled_loses_nothing(recorder: Recorder, seeder: Seeder) -> None:
    """R40: the transaction is the recorder's, not the client's."""
    gone, stays = await seeder.attempts(2)
    waiter = asyncio.ensure_future(recorder.append(move(gone, 0)))
    other = asyncio.ensure_future(recorder.append(move(stays, 0)))
    await asyncio.sleep(0)
    waiter.cancel()
    assert await other is COMMITTED
    assert await recorder.append(move(gone, 1)) is COMMITTED


async def test_more_than_may_wait_is_refused_at_once(store: Store, seeder: Seeder) -> None:
    recorder = Recorder(store, most_waiting=3)
    ids = await seeder.attempts(5)
    assert await submit(recorder, *(move(attempt, 0) for attempt in ids)) == [COMMITTED] * 3 + [FAILED] * 2
    assert recorder.waiting == 0
    await recorder.close()


async def test_a_listener_that_fails_harms_nobody(store: Store, seeder: Seeder) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("listener")

    recorder = Recorder(store, on_commit=broken)
    first, second = await seeder.attempts(2)
    recorder.submit(move(first, 0), broken)
    assert await recorder.append(move(second, 0)) is COMMITTED
    assert await seeder.log(first) == [("s", 0)]
    await recorder.close()


async def test_groups_of_every_size_are_stored_whole(store: Store, seeder: Seeder) -> None:
    """SQLite gets groups filled up with empty rows: the largest, and those about the powers of two."""
    groups: list[int] = []
    recorder = Recorder(store, on_commit=lambda count, _: groups.append(count))
    ids = await seeder.attempts(LARGEST_GROUP)
    sizes = (LARGEST_GROUP, 129, 128, 127, 5, 4, 3, 2, 1)
    for seq, size in enumerate(sizes):
        assert await submit(recorder, *(move(attempt, seq) for attempt in ids[-size:])) == [COMMITTED] * size
    assert groups == list(sizes)
    counted = await seeder.ask("SELECT seq, count(*) FROM log GROUP BY seq ORDER BY seq")
    assert counted == list(enumerate(sizes))
    summed = await seeder.ask(
        "SELECT count(*) FROM attempts AS a WHERE seq <> (SELECT count(*) FROM log WHERE attempt = a.number)"
    )
    assert summed == [(0,)]
    await recorder.close()


async def test_an_entry_is_made_of_the_attempt_after_it() -> None:
    rules = ruleset("pyramid")
    start = Attempt.start(rules, shuffled(SEED, rules.deck), rules.undo)
    with pytest.raises(ValueError, match="nothing to store"):
        last_entry(7, start, NOW)
    with pytest.raises(ValueError, match="open"):
        ending_of(start, NOW)
    moved = start.play("s", 70)
    assert last_entry(7, moved, NOW) == Append(7, 0, "s", 70, 1, 0, 0, None)
    ended = last_entry(7, moved.undo(80).resign(90), NOW)
    assert (ended.seq, ended.text, ended.at_ms, ended.moves, ended.undos) == (2, "resign", 90, 2, 1)
    assert ended.ending is not None
    assert (ended.ending.over, ended.ending.finished_at, ended.ending.klass) == ("resigned", NOW, 1)
    assert (ended.ending.main_1, ended.ending.moves_1) == (rules.layout.maximum, rules.layout.maximum)
