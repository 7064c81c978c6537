"""The statements of ladders, put together once for each shape: that takes longer than running them.

Their parameters are those of the shape's conditions, ``at_KEY`` for each column of a place, and of a rank also
``class``, ``bucket`` and ``lowest`` (see :func:`server.store.ladder.key_values`).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Integer,
    ScalarSelect,
    Select,
    String,
    Tuple,
    bindparam,
    func,
    literal,
    select,
    tuple_,
    union_all,
)

from server.store.shapes import TIES, Counted, Shape
from server.store.tables import Id, Tally

Number = ScalarSelect[int]


def _at(names: Sequence[str]) -> Tuple:
    """The parameters of a place."""
    return tuple_(*(_parameter(f"at_{name}") for name in names))


def _parameter(name: str) -> BindParameter[int]:
    return bindparam(name, type_=BigInteger)


@lru_cache(maxsize=256)
def beside(shape: Shape[Any], forwards: bool, beside: bool) -> Select[*tuple[Any, ...]]:
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
def own(shape: Shape[Any]) -> Select[*tuple[Any, ...]]:
    """A player's rows, in no order: that could tempt a database to walk down the board until it meets him."""
    mine = shape.source.c.player_id == bindparam("own", type_=Id)
    own = [select(*shape.columns(shape.order)).where(*lane, mine) for lane in shape.lanes]
    return shape.show((union_all(*own) if len(own) > 1 else own[0]).subquery("chosen"))


@lru_cache(maxsize=64)
def rank(shape: Shape[Any]) -> Select[*tuple[Any, ...]]:
    """How many rows are better than some keys, in two numbers to be added."""
    return select(*_better(shape))


@lru_cache(maxsize=64)
def equal(shape: Shape[Any]) -> Select[*tuple[Any, ...]]:
    """How many rows have some keys."""
    return select(_count(shape, *_same_keys(shape)))


@lru_cache(maxsize=64)
def total(shape: Shape[Any]) -> Select[*tuple[Any, ...]]:
    """How many rows a board has."""
    return select(_total(shape))


@lru_cache(maxsize=64)
def numbers(shape: Shape[Any]) -> Select[*tuple[Any, ...]]:
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
