"""Ladders: rows in a total order, read in pages from either end, around a player, and as single ranks (DESIGN 7).

Every board is a ladder. Its keys are columns where smaller is better; rows equal in all of them have equal ranks (1, 2,
2, 4) and are listed in order of finishing. A large ladder counts by tallies and never its rows one by one; a small one
(the friends of somebody) is put together first and counted as it is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    FromClause,
    ScalarSelect,
    Select,
    Subquery,
    Tuple,
    func,
    literal,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store import cursors
from server.store.cursors import Place
from server.store.ids import is_id
from server.store.tables import Tally
from server.store.tallies import SEASON_WIDTH, bucket, lowest

#: What orders rows with equal keys.
TIES: Final = ("finished_at", "attempt")

Line = TypeVar("Line")
Row = Mapping[str, Any]
Conditions = tuple[ColumnElement[bool], ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """The tallies of a ladder. ``klass`` says that the first key is the class, and the second the one in buckets."""

    scope: str
    board: str
    lanes: tuple[int, ...]
    klass: bool = False

    def bucket(self, key: int) -> int:
        """The bucket of the first key in buckets."""
        return key // SEASON_WIDTH if self.board == "season" else bucket(key)

    def lowest(self, number: int) -> int:
        """The least key in a bucket."""
        return number * SEASON_WIDTH if self.board == "season" else lowest(number)


@dataclass(frozen=True, slots=True)
class Ladder(Generic[Line]):
    """A board.

    ``lanes`` are conditions on ``source`` that together choose its rows, each those of one range of an index whose
    columns are the keys and the ties; without tallies they may choose any. ``show`` gives places, a subquery of these
    columns, all that ``line`` needs; it must keep their columns.
    """

    name: str
    source: FromClause
    keys: tuple[str, ...]
    lanes: tuple[Conditions, ...]
    counted: Counted | None
    show: Callable[[Subquery], Select[*tuple[Any, ...]]]
    line: Callable[[int, Row], Line]

    @property
    def order(self) -> tuple[str, ...]:
        """The columns of a place: no two rows are equal in all."""
        return (*self.keys, *TIES)

    def columns(self, names: Sequence[str]) -> list[ColumnElement[Any]]:
        """Columns of the source by name."""
        return [self.source.c[name] for name in names]

    def place(self, row: Row) -> Place:
        """Where a row stands."""
        return tuple(int(row[name]) for name in self.order)


@dataclass(frozen=True, slots=True)
class Page(Generic[Line]):
    """Consecutive lines of a board, best first, and the cursors of the pages next to them, None at either end."""

    lines: list[Line]
    total: int
    next: str | None
    previous: str | None


async def page(
    conn: AsyncConnection, ladder: Ladder[Line], limit: int, *, after: str | None = None, before: str | None = None
) -> Page[Line]:
    """At most ``limit`` rows of a board: the first ones, or those next to a cursor of an earlier answer.

    Raises ``protocol/malformed`` for both cursors at once and for one that no answer gave.
    """
    if after is not None and before is not None:
        raise cursors.malformed()
    size = len(ladder.order)
    if before is not None:
        rows = await _beside(conn, ladder, cursors.read(before, ladder.name, size), limit, forwards=False)
    else:
        place = None if after is None else cursors.read(after, ladder.name, size)
        rows = await _beside(conn, ladder, place, limit, forwards=True)
    return await _ranked(conn, ladder, rows)


async def around(conn: AsyncConnection, ladder: Ladder[Line], player_id: str, limit: int) -> Page[Line] | None:
    """At most ``limit`` rows with the player's own best as near the middle as the ends of the board allow.

    The page is full wherever the board has that many rows (R49). None where the player is not on the board.
    """
    own = await _of_player(conn, ladder, player_id)
    if own is None:
        return None
    place = ladder.place(own)
    above = await _beside(conn, ladder, place, limit - 1, forwards=False)
    below = await _beside(conn, ladder, place, limit - 1, forwards=True)
    take_above = max((limit - 1) // 2, limit - 1 - len(below))
    above = above[-take_above:] if take_above else []
    below = below[: limit - 1 - len(above)]
    return await _ranked(conn, ladder, [*above, own, *below])


async def line(conn: AsyncConnection, ladder: Ladder[Line], player_id: str) -> Line | None:
    """A player's own line of a board, the best where he has several; None where he has none."""
    own = await _of_player(conn, ladder, player_id)
    if own is None:
        return None
    return ladder.line(await rank(conn, ladder, ladder.place(own)[: len(ladder.keys)]), own)


async def rank(conn: AsyncConnection, ladder: Ladder[Line], keys: Sequence[int]) -> int:
    """The rank that a row of these keys has on a board, or would have: one more than the number of better ones."""
    return 1 + int(sum((await conn.execute(select(*_better(ladder, keys)))).one()))


async def equal(conn: AsyncConnection, ladder: Ladder[Line], player_id: str) -> int:
    """How many rows have the keys of a player's own best; 0 where he has none."""
    own = await _of_player(conn, ladder, player_id)
    if own is None:
        return 0
    equals = _count(ladder, *(ladder.source.c[name] == own[name] for name in ladder.keys))
    return int((await conn.execute(select(equals))).scalar_one())


async def total(conn: AsyncConnection, ladder: Ladder[Line]) -> int:
    """How many rows a board has."""
    return int((await conn.execute(select(_total(ladder)))).scalar_one())


Number = ScalarSelect[int]


def _better(ladder: Ladder[Line], keys: Sequence[int]) -> tuple[Number, Number]:
    """How many rows are better than these keys: those in better buckets, and those in the same one."""
    counted = ladder.counted
    if counted is None:
        return _count(ladder, tuple_(*ladder.columns(ladder.keys)) < _values(keys)), select(
            literal(0)
        ).scalar_subquery()
    klass, rest = (keys[0], keys[1:]) if counted.klass else (0, keys)
    names = ladder.keys[1:] if counted.klass else ladder.keys
    own = counted.bucket(rest[0])
    whole = _sum(counted).where(tuple_(Tally.klass, Tally.bucket) < _values((klass, own)))
    conditions = [
        ladder.source.c[names[0]] >= counted.lowest(own),
        tuple_(*ladder.columns(names)) < _values(rest),
    ]
    if counted.klass:
        conditions.append(ladder.source.c[ladder.keys[0]] == klass)
    return whole.scalar_subquery(), _count(ladder, *conditions)


def _total(ladder: Ladder[Line]) -> Number:
    return _count(ladder) if ladder.counted is None else _sum(ladder.counted).scalar_subquery()


def _sum(counted: Counted) -> Select[*tuple[Any, ...]]:
    return select(func.coalesce(func.sum(Tally.count), 0)).where(
        Tally.scope == counted.scope, Tally.board == counted.board, Tally.lane.in_(counted.lanes)
    )


def _values(numbers: Sequence[int]) -> Tuple:
    return tuple_(*(literal(number, BigInteger) for number in numbers))


async def _beside(
    conn: AsyncConnection, ladder: Ladder[Line], place: Place | None, limit: int, *, forwards: bool
) -> list[Row]:
    """At most ``limit`` rows after a place (from the start where there is none) or before it, best first.

    As many are taken from every lane in the order of its index, and the best of these chosen.
    """
    parts = []
    for lane in ladder.lanes:
        columns = ladder.columns(ladder.order)
        part = select(*columns).where(*lane).limit(limit)
        if place is not None:
            here, there = tuple_(*columns), _values(place)
            part = part.where(here > there if forwards else here < there)
        parts.append(part.order_by(*(column.asc() if forwards else column.desc() for column in columns)))
    chosen = parts[0].subquery("chosen")
    if len(parts) > 1:
        chosen = union_all(*(select(part.subquery()) for part in parts)).subquery("chosen")
    query = ladder.show(chosen).limit(limit)
    columns = [chosen.c[name] for name in ladder.order]
    query = query.order_by(*(column.asc() if forwards else column.desc() for column in columns))
    rows: list[Row] = [dict(row) for row in (await conn.execute(query)).mappings()]
    return rows if forwards else rows[::-1]


async def _of_player(conn: AsyncConnection, ladder: Ladder[Line], player_id: str) -> Row | None:
    if not is_id(player_id):
        return None
    columns = ladder.columns(ladder.order)
    own = [select(*columns).where(*lane, ladder.source.c.player_id == player_id) for lane in ladder.lanes]
    chosen = (union_all(*own) if len(own) > 1 else own[0]).subquery("chosen")
    # Not ordered by the database: that could tempt it to walk down the whole board until it meets the player.
    rows = (await conn.execute(ladder.show(chosen))).mappings().all()
    return min((dict(row) for row in rows), key=ladder.place, default=None)


async def _ranked(conn: AsyncConnection, ladder: Ladder[Line], rows: Sequence[Row]) -> Page[Line]:
    """The page of consecutive rows, with their ranks and the ways on."""
    if not rows:
        return Page([], await total(conn, ladder), None, None)
    number = len(ladder.keys)
    first = ladder.place(rows[0])
    asked = select(_total(ladder), _equals_before(ladder, first), *_better(ladder, first[:number]))
    size, equals_before, *better = (await conn.execute(asked)).one()
    current = 1 + sum(better)
    position = sum(better) + equals_before
    lines: list[Line] = []
    keys = first[:number]
    for index, row in enumerate(rows):
        if (own := ladder.place(row)[:number]) != keys:
            current, keys = position + index + 1, own
        lines.append(ladder.line(int(current), row))
    more = position + len(rows) < size
    return Page(
        lines,
        int(size),
        cursors.write(ladder.name, ladder.place(rows[-1])) if more else None,
        cursors.write(ladder.name, first) if position else None,
    )


def _equals_before(ladder: Ladder[Line], place: Place) -> Number:
    """How many rows with the same keys are listed before."""
    number = len(ladder.keys)
    equal = [column == value for column, value in zip(ladder.columns(ladder.keys), place, strict=False)]
    return _count(ladder, *equal, tuple_(*ladder.columns(TIES)) < _values(place[number:]))


def _count(ladder: Ladder[Line], *conditions: ColumnElement[bool]) -> Number:
    """How many rows fulfil all conditions; lane by lane, so that each is one range of the index."""
    parts = [
        select(func.count().label("number")).select_from(ladder.source).where(*lane, *conditions)
        for lane in ladder.lanes
    ]
    if len(parts) == 1:
        return parts[0].scalar_subquery()
    numbers = union_all(*parts).subquery()
    return select(func.coalesce(func.sum(numbers.c.number), 0)).scalar_subquery()
