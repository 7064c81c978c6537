"""Ladders: rows in a total order, read in pages from either end, around a player, and as single ranks (DESIGN 7).

Every board is a ladder. Its keys are columns where smaller is better; rows equal in all of them have equal ranks (1, 2,
2, 4) and are listed in order of finishing. A large ladder counts by tallies and never its rows one by one; a small one
(the friends of somebody) is put together first and counted as it is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    FromClause,
    Integer,
    ScalarSelect,
    Select,
    String,
    Subquery,
    Tuple,
    bindparam,
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
from server.store.tables import Id, Tally
from server.store.tallies import SEASON_WIDTH, bucket, lowest

#: What orders rows with equal keys.
TIES: Final = ("finished_at", "attempt")

Line = TypeVar("Line")
Row = Mapping[str, Any]
Values = dict[str, Any]
Conditions = tuple[ColumnElement[bool], ...]
Number = ScalarSelect[int]


@dataclass(frozen=True, slots=True)
class Counted:
    """The tallies of a ladder. ``klass`` says that the first key is the class, and the second the one in buckets."""

    board: str
    lanes: tuple[int, ...]
    klass: bool = False

    def bucket(self, key: int) -> int:
        """The bucket of the first key in buckets."""
        return key // SEASON_WIDTH if self.board == "season" else bucket(key)

    def lowest(self, number: int) -> int:
        """The least key in a bucket."""
        return number * SEASON_WIDTH if self.board == "season" else lowest(number)


@dataclass(frozen=True, slots=True, eq=False)
class Shape(Generic[Line]):
    """What all boards of one kind have in common; their statements are put together once for each shape.

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

    @property
    def ranked_by(self) -> tuple[str, ...]:
        """The keys but the class."""
        return self.keys[1:] if self.counted is not None and self.counted.klass else self.keys

    def columns(self, names: Sequence[str]) -> list[ColumnElement[Any]]:
        """Columns of the source by name."""
        return [self.source.c[name] for name in names]

    def place(self, row: Row) -> Place:
        """Where a row stands."""
        return tuple(int(row[name]) for name in self.order)


@dataclass(frozen=True, slots=True)
class Ladder(Generic[Line]):
    """One board: its shape, and the values of the parameters in the shape's conditions.

    With tallies, ``scope`` among them is that of the board's tallies.
    """

    shape: Shape[Line]
    values: Values


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
    name, size = ladder.shape.name, len(ladder.shape.order)
    if before is not None:
        rows = await _beside(conn, ladder, cursors.read(before, name, size), limit, forwards=False)
    else:
        place = None if after is None else cursors.read(after, name, size)
        rows = await _beside(conn, ladder, place, limit, forwards=True)
    return await _ranked(conn, ladder, rows)


async def around(conn: AsyncConnection, ladder: Ladder[Line], player_id: str, limit: int) -> Page[Line] | None:
    """At most ``limit`` rows with the player's own best as near the middle as the ends of the board allow.

    The page is full wherever the board has that many rows (R49). None where the player is not on the board.
    """
    own = await _of_player(conn, ladder, player_id)
    if own is None:
        return None
    place = ladder.shape.place(own)
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
    return ladder.shape.line(await rank(conn, ladder, ladder.shape.place(own)[: len(ladder.shape.keys)]), own)


async def rank(conn: AsyncConnection, ladder: Ladder[Line], keys: Sequence[int]) -> int:
    """The rank that a row of these keys has on a board, or would have: one more than the number of better ones."""
    better = await conn.execute(_rank_statement(ladder.shape), ladder.values | _key_values(ladder.shape, keys))
    return 1 + int(sum(better.one()))


async def equal(conn: AsyncConnection, ladder: Ladder[Line], player_id: str) -> int:
    """How many rows have the keys of a player's own best; 0 where he has none."""
    own = await _of_player(conn, ladder, player_id)
    if own is None:
        return 0
    keys = ladder.shape.place(own)[: len(ladder.shape.keys)]
    equals = await conn.execute(_equal_statement(ladder.shape), ladder.values | _key_values(ladder.shape, keys))
    return int(equals.scalar_one())


async def total(conn: AsyncConnection, ladder: Ladder[Line]) -> int:
    """How many rows a board has."""
    return int((await conn.execute(_total_statement(ladder.shape), ladder.values)).scalar_one())


async def _beside(
    conn: AsyncConnection, ladder: Ladder[Line], place: Place | None, limit: int, *, forwards: bool
) -> list[Row]:
    """At most ``limit`` rows after a place (from the start where there is none) or before it, best first."""
    shape = ladder.shape
    values = ladder.values | {"limit": limit}
    if place is not None:
        values |= {f"at_{name}": value for name, value in zip(shape.order, place, strict=True)}
    query = _beside_statement(shape, forwards, place is not None)
    rows: list[Row] = [dict(row) for row in (await conn.execute(query, values)).mappings()]
    return rows if forwards else rows[::-1]


async def _of_player(conn: AsyncConnection, ladder: Ladder[Line], player_id: str) -> Row | None:
    if not is_id(player_id):
        return None
    rows = (await conn.execute(_own_statement(ladder.shape), ladder.values | {"own": player_id})).mappings().all()
    return min((dict(row) for row in rows), key=ladder.shape.place, default=None)


async def _ranked(conn: AsyncConnection, ladder: Ladder[Line], rows: Sequence[Row]) -> Page[Line]:
    """The page of consecutive rows, with their ranks and the ways on."""
    if not rows:
        return Page([], await total(conn, ladder), None, None)
    shape = ladder.shape
    number = len(shape.keys)
    first = shape.place(rows[0])
    values = ladder.values | _key_values(shape, first[:number])
    values |= {f"at_{name}": value for name, value in zip(TIES, first[number:], strict=True)}
    size, equals_before, *better = (await conn.execute(_numbers_statement(shape), values)).one()
    current = 1 + sum(better)
    position = sum(better) + equals_before
    lines: list[Line] = []
    keys = first[:number]
    for index, row in enumerate(rows):
        if (own := shape.place(row)[:number]) != keys:
            current, keys = position + index + 1, own
        lines.append(shape.line(int(current), row))
    more = position + len(rows) < size
    return Page(
        lines,
        int(size),
        cursors.write(shape.name, shape.place(rows[-1])) if more else None,
        cursors.write(shape.name, first) if position else None,
    )


def _key_values(shape: Shape[Any], keys: Sequence[int]) -> Values:
    """The parameters of a rank: the keys, and the bucket of the first of them."""
    values = {f"at_{name}": value for name, value in zip(shape.keys, keys, strict=True)}
    if shape.counted is not None:
        own = shape.counted.bucket(values[f"at_{shape.ranked_by[0]}"])
        values |= {"bucket": own, "lowest": shape.counted.lowest(own)}
        values |= {"class": keys[0] if shape.counted.klass else 0}
    return values


def _at(names: Sequence[str]) -> Tuple:
    """The parameters of a place."""
    return tuple_(*(_parameter(f"at_{name}") for name in names))


def _parameter(name: str) -> BindParameter[int]:
    return bindparam(name, type_=BigInteger)


# Statements are put together once for each shape: that takes longer than running them.


@lru_cache(maxsize=256)
def _beside_statement(shape: Shape[Any], forwards: bool, beside: bool) -> Select[*tuple[Any, ...]]:
    """As many places are taken from every lane in the order of its index, and the best of these shown."""
    limit = bindparam("limit", type_=Integer)
    columns = shape.columns(shape.order)
    parts = []
    for lane in shape.lanes:
        part = select(*columns).where(*lane).limit(limit)
        if beside:
            here, there = tuple_(*columns), _at(shape.order)
            part = part.where(here > there if forwards else here < there)
        parts.append(part.order_by(*(column.asc() if forwards else column.desc() for column in columns)))
    chosen = parts[0].subquery("chosen")
    if len(parts) > 1:
        chosen = union_all(*(select(part.subquery()) for part in parts)).subquery("chosen")
    order = [chosen.c[name] for name in shape.order]
    query = shape.show(chosen).limit(limit)
    return query.order_by(*(column.asc() if forwards else column.desc() for column in order))


@lru_cache(maxsize=64)
def _own_statement(shape: Shape[Any]) -> Select[*tuple[Any, ...]]:
    """A player's rows, in no order: that could tempt a database to walk down the board until it meets him."""
    mine = shape.source.c.player_id == bindparam("own", type_=Id)
    own = [select(*shape.columns(shape.order)).where(*lane, mine) for lane in shape.lanes]
    return shape.show((union_all(*own) if len(own) > 1 else own[0]).subquery("chosen"))


@lru_cache(maxsize=64)
def _rank_statement(shape: Shape[Any]) -> Select[*tuple[Any, ...]]:
    return select(*_better(shape))


@lru_cache(maxsize=64)
def _equal_statement(shape: Shape[Any]) -> Select[*tuple[Any, ...]]:
    return select(_count(shape, *_same_keys(shape)))


@lru_cache(maxsize=64)
def _total_statement(shape: Shape[Any]) -> Select[*tuple[Any, ...]]:
    return select(_total(shape))


@lru_cache(maxsize=64)
def _numbers_statement(shape: Shape[Any]) -> Select[*tuple[Any, ...]]:
    """The total, the rows with the keys of a place that are listed before it, and the better rows."""
    before = _count(shape, *_same_keys(shape), tuple_(*shape.columns(TIES)) < _at(TIES))
    return select(_total(shape), before, *_better(shape))


def _better(shape: Shape[Any]) -> tuple[Number, Number]:
    """How many rows are better than some keys: those in better buckets, and those in the same one."""
    counted = shape.counted
    if counted is None:
        better = _count(shape, tuple_(*shape.columns(shape.keys)) < _at(shape.keys))
        return better, select(literal(0)).scalar_subquery()
    klass, names = _parameter("class"), shape.ranked_by
    whole = _sum(counted).where(tuple_(Tally.klass, Tally.bucket) < tuple_(klass, _parameter("bucket")))
    conditions = [
        shape.source.c[names[0]] >= _parameter("lowest"),
        tuple_(*shape.columns(names)) < _at(names),
    ]
    if counted.klass:
        conditions.append(shape.source.c[shape.keys[0]] == klass)
    return whole.scalar_subquery(), _count(shape, *conditions)


def _same_keys(shape: Shape[Any]) -> list[ColumnElement[bool]]:
    return [shape.source.c[name] == _parameter(f"at_{name}") for name in shape.keys]


def _total(shape: Shape[Any]) -> Number:
    return _count(shape) if shape.counted is None else _sum(shape.counted).scalar_subquery()


def _sum(counted: Counted) -> Select[*tuple[Any, ...]]:
    return select(func.coalesce(func.sum(Tally.count), 0)).where(
        Tally.scope == bindparam("scope", type_=String), Tally.board == counted.board, Tally.lane.in_(counted.lanes)
    )


def _count(shape: Shape[Any], *conditions: ColumnElement[bool]) -> Number:
    """How many rows fulfil all conditions; lane by lane, so that each is one range of the index."""
    parts = [
        select(func.count().label("number")).select_from(shape.source).where(*lane, *conditions) for lane in shape.lanes
    ]
    if len(parts) == 1:
        return parts[0].scalar_subquery()
    numbers = union_all(*parts).subquery()
    return select(func.coalesce(func.sum(numbers.c.number), 0)).scalar_subquery()
