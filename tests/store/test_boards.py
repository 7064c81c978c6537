"""Boards: equal ranks, pages in both directions, the page around a player (C10, R49, DESIGN 7)."""

import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from server.errors import GameError
from server.play.ranking import BOARDS, By, Order
from server.store import attempts, boards, cursors
from server.store.boards import Line
from server.store.engine import Store
from server.store.entries import Stored
from server.store.ladder import Page
from server.store.recorder import Recorder
from tests.store.seeding import NOW, Seeder, end
from tests.store.test_recorder import submit


class Board:
    """A challenge with results of given keys, and its whole board worked out the plain way."""

    def __init__(self, store: Store, challenge: str, keys: dict[str, tuple[int, int, int, int]]) -> None:
        self.store = store
        self.challenge = challenge
        self._keys = keys  # attempt -> class, first, second, finished_at; in order of attempt number

    def expected(self, by: By) -> list[tuple[int, str]]:
        """(rank, attempt) of every line: 1, 2, 2, 4, listed in order of finishing."""

        def order(attempt: str) -> tuple[int, int, int]:
            klass, first, second, _ = self._keys[attempt]
            return (klass, first, second) if by == "main" else (klass, second, first)

        listed = sorted(self._keys, key=lambda attempt: (order(attempt), self._keys[attempt][3]))
        return [(1 + sum(order(other) < order(attempt) for other in listed), attempt) for attempt in listed]

    async def page(self, by: By, limit: int, after: str | None = None, before: str | None = None) -> Page[Line]:
        async with self.store.reading() as conn:
            return await boards.page(conn, self.challenge, by, limit, after=after, before=before)

    async def around(self, by: By, player: str, limit: int) -> Page[Line] | None:
        async with self.store.reading() as conn:
            return await boards.around(conn, self.challenge, by, player, limit)


def told(lines: list[Line]) -> list[tuple[int, str]]:
    return [(line.rank, line.attempt_id) for line in lines]


async def make(seeder: Seeder, keys: list[tuple[int, int, int]]) -> Board:
    """Results of (class, first, second), finishing in pairs at one instant."""
    challenge = await seeder.challenge()
    ids = await seeder.attempts(len(keys), challenge=challenge)
    entries = [
        end(attempt, 0, over="resigned" if klass else "won", keys=(first, second), finished_at=NOW + place // 2)
        for place, (attempt, (klass, first, second)) in enumerate(zip(ids, keys, strict=True))
    ]
    recorder = Recorder(seeder.store)
    assert set(await submit(recorder, *entries)) <= {Stored.COMMITTED}
    await recorder.close()
    made = {attempt: (*key, NOW + place // 2) for place, (attempt, key) in enumerate(zip(ids, keys, strict=True))}
    return Board(seeder.store, challenge, made)


def many(seed: int, count: int) -> list[tuple[int, int, int]]:
    """Keys full of ties: times around borders of buckets, few numbers of moves, negative scores, a second class."""
    chance = random.Random(seed)
    firsts = [-24, -3, 0, 15, 4095, 4096, 4097, 5119, 5120, 6143, 6144, 900_000, 3_600_000]
    return [
        (int(chance.random() < 0.3), chance.choice(firsts), chance.choice([-5, 40, 41, 41, 90])) for _ in range(count)
    ]


async def test_equal_keys_are_equal_ranks_in_order_of_finishing(store: Store, seeder: Seeder) -> None:
    board = await make(seeder, [(0, 900, 7), (0, 800, 9), (0, 800, 9), (0, 700, 9), (1, 3, 0), (1, 3, 0), (0, 800, 8)])
    page = await board.page("main", 100)
    assert [line.rank for line in page.lines] == [1, 2, 3, 3, 5, 6, 6]
    assert told(page.lines) == board.expected("main")
    assert (page.total, page.next, page.previous) == (7, None, None)
    assert [line.outcome for line in page.lines][-2:] == ["resigned", "resigned"]


@pytest.mark.parametrize("by", BOARDS)
@pytest.mark.parametrize("limit", [1, 3, 7, 100])
async def test_pages_in_both_directions_are_the_whole_board(store: Store, seeder: Seeder, by: By, limit: int) -> None:
    """R49: paging backwards gives the same ranks as paging forwards, with ties across the borders of pages."""
    board = await make(seeder, many(limit, 40))
    expected = board.expected(by)
    forwards: list[tuple[int, str]] = []
    page = await board.page(by, limit)
    assert page.previous is None
    while True:
        forwards += told(page.lines)
        assert page.total == 40
        if page.next is None:
            break
        assert len(page.lines) == limit
        last, page = page, await board.page(by, limit, after=page.next)
        back = await board.page(by, limit, before=page.previous)
        assert told(back.lines) == told(last.lines)
    assert forwards == expected
    backwards = told(page.lines)
    while page.previous is not None:
        page = await board.page(by, limit, before=page.previous)
        backwards = told(page.lines) + backwards
    assert backwards == expected


@pytest.mark.parametrize("limit", [4, 5])
async def test_the_page_around_a_player_is_full_and_has_no_gap(store: Store, seeder: Seeder, limit: int) -> None:
    """R49: ten results, every player, at both ends too."""
    board = await make(seeder, [(0, 1000 + place // 2, 5) for place in range(10)])
    whole = await board.page("main", 10)
    places = told(whole.lines)
    for place, line in enumerate(whole.lines):
        page = await board.around("main", line.player.id, limit)
        assert page is not None
        assert len(page.lines) == limit
        assert line in page.lines
        begin = places.index(told(page.lines)[0])
        assert told(page.lines) == places[begin : begin + limit], "no gap, and the ranks of the whole list"
        assert (page.previous is None) == (begin == 0)
        assert (page.next is None) == (begin + limit == 10)
        middle = place - begin
        if 2 <= place <= 10 - limit:
            assert middle in ((limit - 1) // 2, limit // 2), "own line in the middle"


@pytest.mark.parametrize("limit", [1, 2, 30])
async def test_the_page_around_a_player_may_be_larger_or_hardly_there(store: Store, seeder: Seeder, limit: int) -> None:
    board = await make(seeder, [(0, 5, 5)] * 6)
    expected = board.expected("main")
    for _, attempt in expected:
        page = await board.around("main", (await seeder.row(attempt)).player_id, limit)
        assert page is not None
        assert len(page.lines) == min(limit, 6)
        assert attempt in [line.attempt_id for line in page.lines]


async def test_single_ranks_are_those_of_the_list(store: Store, seeder: Seeder) -> None:
    board = await make(seeder, many(99, 60))
    for by in BOARDS:
        lines = {line.attempt_id: line for line in (await board.page(by, 100)).lines}
        async with store.reading() as conn:
            assert await boards.total(conn, board.challenge) == 60
            for rank, attempt in board.expected(by):
                own = await boards.line(conn, board.challenge, by, lines[attempt].player.id)
                assert own is not None
                assert own == lines[attempt]
                assert own.rank == rank


async def test_a_rank_is_told_also_for_an_order_that_nobody_has(store: Store, seeder: Seeder) -> None:
    board = await make(seeder, many(5, 40))
    everybody = board.expected("main")
    async with store.reading() as conn:
        assert await boards.rank(conn, board.challenge, "main", Order(0, -1000, 0)) == 1
        assert await boards.rank(conn, board.challenge, "main", Order(1, 10**9, 0)) == len(everybody) + 1
        assert await boards.rank(conn, await seeder.challenge(), "main", Order(1, 1, 1)) == 1


async def test_who_is_not_on_the_board_has_no_line(store: Store, seeder: Seeder) -> None:
    board = await make(seeder, [(0, 1, 1)])
    attempt = await seeder.attempt(challenge=board.challenge)
    stranger = (await seeder.row(attempt)).player_id
    async with store.reading() as conn:
        for player in (stranger, "nobody", ""):
            assert await boards.line(conn, board.challenge, "main", player) is None
            assert await boards.around(conn, board.challenge, "main", player, 5) is None
        assert not await boards.stands(conn, (await seeder.row(attempt)).number)
        assert await boards.result_of_attempt(conn, (await seeder.row(attempt)).number) is None


async def test_an_empty_board_is_an_empty_page(store: Store, seeder: Seeder) -> None:
    async with store.reading() as conn:
        page = await boards.page(conn, await seeder.challenge(), "main", 10)
    assert page == Page([], 0, None, None)


async def test_the_result_of_an_attempt_is_the_one_on_the_board(store: Store, seeder: Seeder) -> None:
    board = await make(seeder, [(0, 500, 3)])
    ((_, attempt),) = board.expected("main")
    async with store.reading() as conn:
        row = await attempts.attempt(conn, attempt)
        assert row is not None
        assert await boards.stands(conn, row.number)
        result = await boards.result_of_attempt(conn, row.number)
    assert result is not None
    assert (result.outcome, result.time_ms, result.moves, result.progress) == ("won", 0, 1, 28)


async def test_boards_of_other_challenges_do_not_mix(store: Store, seeder: Seeder) -> None:
    one, other = await make(seeder, many(1, 9)), await make(seeder, many(2, 9))
    for board in (one, other):
        assert told((await board.page("main", 100)).lines) == board.expected("main")


PLACE = (0, 61_000, -24, NOW, 17)


def test_a_cursor_is_a_short_word_for_addresses() -> None:
    for by in BOARDS:
        text = cursors.write(by, PLACE)
        assert cursors.read(text, by, 5) == PLACE
        assert text.replace("-", "").replace("_", "").isalnum()
        assert len(text) < cursors.LONGEST


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: text[:-1],
        lambda text: text + "A",
        lambda text: text + "=",
        lambda text: text.swapcase(),
        lambda text: "é" + text,
        lambda text: "\0" * 8,
        lambda text: text * 100,
        lambda text: cursors.write("moves", PLACE),
        lambda text: cursors.write("main", PLACE[1:]),
        lambda text: cursors.write("main", (*PLACE, 1)),
        lambda text: cursors.write("main", (0, 1 << 63, *PLACE[2:])),
        lambda text: cursors.write("main", (0, 10**30, *PLACE[2:])),
        lambda text: "WyJtYWluIixbMCwxLjUsMSwxLDFdXQ",  # a fraction among the keys
        lambda text: "W10",
        lambda text: "bnVsbA",
    ],
)
async def test_other_words_are_no_cursors(spoil: Callable[[str], str], sqlite_store: Store) -> None:
    bad = spoil(cursors.write("main", PLACE))
    async with sqlite_store.reading() as conn:
        with pytest.raises(GameError) as after:
            await boards.page(conn, "x", "main", 10, after=bad)
        with pytest.raises(GameError) as before:
            await boards.page(conn, "x", "main", 10, before=bad)
    assert after.value.code == before.value.code == "protocol/malformed"


async def test_both_cursors_at_once_are_refused(sqlite_store: Store) -> None:
    good = cursors.write("main", PLACE)
    async with sqlite_store.reading() as conn:
        with pytest.raises(GameError) as refusal:
            await boards.page(conn, "x", "main", 10, after=good, before=good)
    assert refusal.value.code == "protocol/malformed"


def test_buckets_never_fall() -> None:
    from server.store.tallies import FINE, WIDTH, bucket, lowest

    keys = [*range(-60, 60), *range(FINE - 5, FINE + 3 * WIDTH), 10**9]
    assert all(bucket(low) <= bucket(high) for low, high in pairwise(keys))
    assert all(lowest(bucket(key)) <= key for key in keys)
    assert all(bucket(lowest(bucket(key)) - 1) == bucket(key) - 1 for key in keys)
