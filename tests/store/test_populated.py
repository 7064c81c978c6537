"""A made-up past that was really played: every board equals one computed from the logs by hand, page by page."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import pytest

from server.commands.population import Plan, PopulationError, populate
from server.play.ranking import BOARDS
from server.store import boards, follows, ladder
from server.store.boards import RecordsBy, View
from server.store.engine import Store
from server.store.ladder import Ladder
from server.store.lanes import LANES, Who
from server.store.rebuild import Difference, rebuild
from server.store.recorder import Recorder
from server.store.tables import Base
from tests.store import naive
from tests.store.naive import FILTERS, Game
from tests.store.seeding import Seeder, end

#: Ten days about the end of a year that has a week 53.
PLAN = Plan(players=45, days=10, last=date(2027, 1, 5), taste=1.0)
WHO: tuple[Who, ...] = tuple(LANES)


def nothing(done: int, count: int) -> None:
    pass


#: The rows of the past by table, once it was played: to play it again takes longer than all that is asked of it.
_played: dict[str, list[dict[str, Any]]] = {}


@pytest.fixture
async def past(store: Store) -> list[Game]:
    tables = Base.metadata.sorted_tables
    if not _played:
        await populate(store, PLAN, nothing)
        async with store.reading() as conn:
            for table in tables:
                rows = (await conn.execute(table.select())).mappings()
                _played[table.name] = [dict(row) for row in rows]
    else:
        async with store.writing() as conn:
            for table in tables:
                if _played[table.name]:
                    await conn.execute(table.insert(), _played[table.name])
    return await naive.games(store)


async def whole(store: Store, board: Ladder[Any], limit: int, *, forwards: bool) -> list[Any]:
    """All lines of a board, page by page from one end."""
    lines: list[Any] = []
    async with store.reading() as conn:
        page = await ladder.page(conn, board, limit)
        if not forwards:  # from the end: everything is before the last line of the whole list
            while page.next is not None:
                page = await ladder.page(conn, board, limit, after=page.next)
        while True:
            lines = [*lines, *page.lines] if forwards else [*page.lines, *lines]
            onward = page.next if forwards else page.previous
            if onward is None:
                return lines
            way = {"after": onward} if forwards else {"before": onward}
            page = await ladder.page(conn, board, limit, **way)


async def equals(
    store: Store, board: Ladder[Any], expected: Sequence[tuple[int, Any]], shown: Callable[[Any], Any]
) -> None:
    """A board is what was expected in pages of 7 both ways, with its total and around those at both ends."""
    for forwards in (True, False):
        lines = await whole(store, board, 7, forwards=forwards)
        found = [(getattr(line, "line", line).rank, shown(line)) for line in lines]
        assert found == list(expected)
    async with store.reading() as conn:
        assert await ladder.total(conn, board) == len(expected)


def plain(row_id: str) -> str:
    return row_id.replace("-", "")


def game_of(line: Any) -> tuple[str, str, int, int]:
    return (plain(line.player.id), line.outcome, line.time_ms, line.moves)


def points_of(line: Any) -> tuple[str, int, int, int]:
    return (plain(line.player.id), line.points, line.counted, line.played)


def shown(expected: Sequence[tuple[int, Game]]) -> list[tuple[int, Any]]:
    return [(rank, (game.player, game.outcome, game.time_ms, game.moves)) for rank, game in expected]


async def test_a_rebuild_finds_no_difference_and_the_same_figures_make_the_same_past(store: Store) -> None:
    made = await populate(store, PLAN, nothing)
    found: list[Difference] = []
    outcome = await rebuild(store, fix=False, tell=found.append)
    assert (found, outcome.attempts, outcome.differences) == ([], made.attempts, 0)
    assert made.attempts > 200
    with pytest.raises(PopulationError):
        await populate(store, PLAN, nothing)


async def test_every_day_board_equals_a_naive_one(store: Store, past: list[Game]) -> None:
    ties = 0
    busiest = sorted({g.challenge for g in past}, key=lambda c: -sum(g.challenge == c for g in past))[:6]
    for challenge in busiest:
        own = [game for game in past if game.challenge == challenge]
        for by in BOARDS:
            for who in WHO:
                expected = naive.board(own, by, FILTERS[who])
                ties += naive.has_ties(expected)
                board = boards.of_challenge(_hyphens(challenge), by, View(who))
                await equals(store, board, shown(expected), game_of)
    assert ties, "no board had equal results"


async def test_records_equal_naive_ones(store: Store, past: list[Game]) -> None:
    orders: tuple[RecordsBy, ...] = ("time", "moves")
    for key in ("pyramid", "foursquare"):
        own = [game for game in past if game.ruleset == key]
        for by in orders:
            for who in WHO:
                expected = naive.records(own, by, FILTERS[who])
                board = boards.of_records(key, by, View(who))
                await equals(store, board, shown(expected), lambda found: game_of(found.line))
    assert naive.records([g for g in past if g.ruleset == "pyramid"], "time", FILTERS["all"])


async def test_seasons_equal_naive_ones(store: Store, past: list[Game]) -> None:
    periods: dict[str, Callable[[date], bool]] = {
        "2026-W52": lambda day: day <= date(2026, 12, 27),
        "2026-W53": lambda day: date(2026, 12, 28) <= day <= date(2027, 1, 3),
        "2027-W01": lambda day: day >= date(2027, 1, 4),
        "2026-12": lambda day: day.year == 2026,
        "2027-01": lambda day: day.year == 2027,
        "all": lambda day: True,
    }
    capped = 0
    for key in ("pyramid", "thirteen"):
        own = [game for game in past if game.ruleset == key]
        worth = naive.points(own)
        for period, within in periods.items():
            for who in WHO:
                expected = naive.season(own, worth, within, FILTERS[who])
                capped += sum(row[2] < row[3] for _, row in expected)
                board = boards.of_season(period, key, View(who))
                await equals(store, board, expected, points_of)
    assert capped, "nobody played more than five days of a week"


async def test_boards_of_friends_are_ranked_among_friends(store: Store, past: list[Game]) -> None:
    challenge = max({g.challenge for g in past}, key=lambda c: sum(g.challenge == c for g in past))
    own = [game for game in past if game.challenge == challenge]
    me = _hyphens(own[0].player)
    async with store.writing() as conn:
        for game in own[1:12]:
            await follows.follow(conn, me, _hyphens(game.player), 1)
    async with store.reading() as conn:
        friends = {plain(row.id) for row in await follows.followed(conn, me)} | {plain(me)}
    for who in WHO:
        expected = naive.board([game for game in own if game.player in friends], "main", FILTERS[who])
        await equals(store, boards.of_challenge(_hyphens(challenge), "main", View(who, me)), shown(expected), game_of)
    worth = naive.points([game for game in past if game.ruleset == own[0].ruleset])
    season = naive.season(
        [game for game in past if game.ruleset == own[0].ruleset],
        worth,
        lambda day: True,
        lambda g: g.player in friends,
    )
    board = boards.of_season("all", own[0].ruleset, View("all", me))
    await equals(store, board, season, points_of)


async def test_r49_around_me_is_full_at_both_ends_and_in_between(store: Store, past: list[Game]) -> None:
    key = "pyramid"
    board = boards.of_season("all", key)
    lines = await whole(store, board, 100, forwards=True)
    for place, line in enumerate(lines):
        for limit in (4, 5):
            async with store.reading() as conn:
                page = await ladder.around(conn, board, line.player.id, limit)
                own = await ladder.line(conn, board, line.player.id)
            assert page is not None
            assert own == line
            start = lines.index(page.lines[0])
            assert page.lines == lines[start : start + limit], (place, limit)
            assert line in page.lines


def _hyphens(digits: str) -> str:
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


async def test_paging_while_results_arrive_shows_what_stood_there_once_and_in_order(store: Store) -> None:
    """Better and worse results come between the pages; ties lie across their borders."""
    seeder, recorder = Seeder(store), Recorder(store)
    challenge = await seeder.challenge()

    async def arrive(*keys: int) -> list[str]:
        ids = await seeder.attempts(len(keys), challenge=challenge)
        for attempt, key in zip(ids, keys, strict=True):
            await recorder.append(end(attempt, 0, keys=(key, 1)))
        return ids

    board = boards.of_challenge(challenge, "main")
    first = await arrive(5, 5, 5, 5, 5, 6, 7, 7, 7, 9)
    for forwards in (True, False):
        seen: list[str] = []
        async with store.reading() as conn:
            page = await ladder.page(conn, board, 3)
            while not forwards and page.next is not None:
                page = await ladder.page(conn, board, 3, after=page.next)
        while True:
            seen = [*seen, *(line.attempt_id for line in page.lines)]
            way = {"after": page.next} if forwards else {"before": page.previous}
            if None in way.values():
                break
            await arrive(1, 5, 8, 20)
            async with store.reading() as conn:
                page = await ladder.page(conn, board, 3, **way)
                whole_board = await ladder.page(conn, board, 100)
            ranks = {line.attempt_id: line.rank for line in whole_board.lines}
            assert [ranks[line.attempt_id] for line in page.lines] == [line.rank for line in page.lines]
        assert len(seen) == len(set(seen))
        assert [attempt for attempt in seen if attempt in first] == first if forwards else set(first) <= set(seen)
    await recorder.close()
