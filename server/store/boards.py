"""Boards: the order of a challenge's results, read in pages, around a player, and as single ranks (C10, DESIGN 7).

The order is total: class and two keys, then the instant of finishing, then the attempt. Results equal in class and
keys have equal ranks (1, 2, 2, 4). No answer counts the rows of a whole board: see :mod:`server.store.tallies`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import msgspec
from sqlalchemy import BigInteger, ColumnElement, Select, Tuple, func, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import InstrumentedAttribute

from server.play.attempt import Over
from server.play.ranking import By, Order
from server.play.ranking import Result as RankedResult
from server.store import cursors
from server.store.cursors import Place
from server.store.ids import is_id
from server.store.players import PlayerRow
from server.store.tables import Attempt, Player, Result, Tally
from server.store.tallies import bucket, lowest

#: Rows of one answer at most.
LARGEST_PAGE: Final = 100


class Line(msgspec.Struct, frozen=True):
    """One line of a board. ``time_ms`` is milliseconds from start to end, ``finished_at`` an instant."""

    rank: int
    attempt_id: str
    player: PlayerRow
    outcome: str
    time_ms: int
    moves: int
    undos: int
    progress: int
    score: int | None
    finished_at: int


class Page(msgspec.Struct, frozen=True):
    """Consecutive lines of a board, best first, and the cursors of the pages next to them, None at either end."""

    lines: list[Line]
    total: int
    next: str | None
    previous: str | None


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns that order a board."""

    by: By
    keys: tuple[InstrumentedAttribute[int], ...]

    @property
    def columns(self) -> tuple[InstrumentedAttribute[int], ...]:
        """All five, so that no two results are equal."""
        return (*self.keys, Result.finished_at, Result.attempt)


_ORDERS: Final[dict[By, _Columns]] = {
    "main": _Columns("main", (Result.klass, Result.main_1, Result.main_2)),
    "moves": _Columns("moves", (Result.klass, Result.moves_1, Result.moves_2)),
}


async def page(
    conn: AsyncConnection,
    challenge_id: str,
    by: By,
    limit: int,
    *,
    after: str | None = None,
    before: str | None = None,
) -> Page:
    """At most ``limit`` rows of a board: the first ones, or those next to a cursor of an earlier answer.

    Raises ``protocol/malformed`` for both cursors at once and for one that no answer gave.
    """
    if after is not None and before is not None:
        raise cursors.malformed()
    order = _ORDERS[by]
    if before is not None:
        rows = await _beside(conn, challenge_id, order, cursors.read(before, by), limit, forwards=False)
    else:
        place = None if after is None else cursors.read(after, by)
        rows = await _beside(conn, challenge_id, order, place, limit, forwards=True)
    return await _ranked(conn, challenge_id, order, rows)


async def around(conn: AsyncConnection, challenge_id: str, by: By, player_id: str, limit: int) -> Page | None:
    """At most ``limit`` rows with the player's own as near the middle as the ends of the board allow.

    The page is full wherever the board has that many rows (R49). None where the player is not on the board.
    """
    order = _ORDERS[by]
    own = await _of_player(conn, challenge_id, order, player_id)
    if own is None:
        return None
    place = _place(own)
    above = await _beside(conn, challenge_id, order, place, limit - 1, forwards=False)
    below = await _beside(conn, challenge_id, order, place, limit - 1, forwards=True)
    take_above = max((limit - 1) // 2, limit - 1 - len(below))
    above = above[-take_above:] if take_above else []
    below = below[: limit - 1 - len(above)]
    return await _ranked(conn, challenge_id, order, [*above, own, *below])


async def line(conn: AsyncConnection, challenge_id: str, by: By, player_id: str) -> Line | None:
    """A player's own line of a board, None where he has none."""
    own = await _of_player(conn, challenge_id, _ORDERS[by], player_id)
    if own is None:
        return None
    return _line(await rank(conn, challenge_id, by, Order(*_place(own).keys)), own)


async def rank(conn: AsyncConnection, challenge_id: str, by: By, order: Order) -> int:
    """The rank that a result of this order has on a board, or would have: one more than the number of better ones."""
    own = bucket(order.first)
    whole = await conn.execute(
        select(func.coalesce(func.sum(Tally.count), 0)).where(
            Tally.challenge_id == challenge_id,
            Tally.board == by,
            tuple_(Tally.klass, Tally.bucket) < _values(order.klass, own),
        )
    )
    klass, first, second = _ORDERS[by].keys
    within = await _count(
        conn,
        challenge_id,
        klass == order.klass,
        first >= lowest(own),
        tuple_(first, second) < _values(order.first, order.second),
    )
    return int(whole.scalar_one()) + within + 1


async def result_of_attempt(conn: AsyncConnection, number: int) -> RankedResult | None:
    """The result that the attempt of that number has on its challenge's boards, None where it has none."""
    columns = (Result.outcome, Result.time_ms, Result.moves, Result.undos, Result.progress, Result.score)
    row = (await conn.execute(select(*columns).where(Result.attempt == number))).first()
    return None if row is None else RankedResult(cast(Over, row.outcome), *row[1:])


async def stands(conn: AsyncConnection, number: int) -> bool:
    """Whether the attempt of that number stands on its challenge's boards."""
    return (await conn.execute(select(Result.attempt).where(Result.attempt == number))).first() is not None


async def total(conn: AsyncConnection, challenge_id: str) -> int:
    """How many results stand on a challenge's boards."""
    counted = select(func.coalesce(func.sum(Tally.count), 0)).where(
        Tally.challenge_id == challenge_id, Tally.board == "main"
    )
    return int((await conn.execute(counted)).scalar_one())


def _select(order: _Columns) -> Select[*tuple[Any, ...]]:
    """Everything a row shows, then the columns of its place."""
    return (
        select(
            Attempt.id,
            Player.id,
            Player.kind,
            Player.name,
            Player.created_at,
            Result.outcome,
            Result.time_ms,
            Result.moves,
            Result.undos,
            Result.progress,
            Result.score,
            Result.finished_at,
            *order.columns,
        )
        .join(Attempt, Attempt.number == Result.attempt)
        .join(Player, Player.id == Result.player_id)
    )


def _place(row: Sequence[Any]) -> Place:
    return Place(*row[-5:])


def _line(rank: int, row: Sequence[Any]) -> Line:
    return Line(rank, row[0], PlayerRow(*row[1:5]), *row[5:-5])


def _values(*numbers: int) -> Tuple:
    return tuple_(*(literal(number, BigInteger) for number in numbers))


async def _beside(
    conn: AsyncConnection, challenge_id: str, order: _Columns, place: Place | None, limit: int, *, forwards: bool
) -> list[Sequence[Any]]:
    """At most ``limit`` rows after a place (from the start where there is none) or before it, best first."""
    query = _select(order).where(Result.challenge_id == challenge_id).limit(limit)
    query = query.order_by(*(column.asc() if forwards else column.desc() for column in order.columns))
    if place is not None:
        here, there = tuple_(*order.columns), _values(*place)
        query = query.where(here > there if forwards else here < there)
    rows: list[Sequence[Any]] = list((await conn.execute(query)).all())
    return rows if forwards else rows[::-1]


async def _of_player(conn: AsyncConnection, challenge_id: str, order: _Columns, player_id: str) -> Sequence[Any] | None:
    if not is_id(player_id):
        return None
    query = _select(order).where(Result.challenge_id == challenge_id, Result.player_id == player_id)
    return (await conn.execute(query)).first()


async def _ranked(conn: AsyncConnection, challenge_id: str, order: _Columns, rows: Sequence[Sequence[Any]]) -> Page:
    """The page of consecutive rows, with their ranks and the ways on."""
    size = await total(conn, challenge_id)
    if not rows:
        return Page([], size, None, None)
    first = _place(rows[0])
    current = await rank(conn, challenge_id, order.by, Order(*first.keys))
    position = current - 1 + await _equals_before(conn, challenge_id, order, first)
    lines: list[Line] = []
    keys = first.keys
    for index, row in enumerate(rows):
        if _place(row).keys != keys:
            current, keys = position + index + 1, _place(row).keys
        lines.append(_line(current, row))
    more = position + len(rows) < size
    return Page(
        lines,
        size,
        cursors.write(order.by, _place(rows[-1])) if more else None,
        cursors.write(order.by, first) if position else None,
    )


async def _equals_before(conn: AsyncConnection, challenge_id: str, order: _Columns, place: Place) -> int:
    """How many results with the same class and keys are listed before."""
    return await _count(
        conn,
        challenge_id,
        *(column == value for column, value in zip(order.keys, place, strict=False)),
        tuple_(Result.finished_at, Result.attempt) < _values(place.finished_at, place.attempt),
    )


async def _count(conn: AsyncConnection, challenge_id: str, *conditions: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(Result).where(Result.challenge_id == challenge_id, *conditions)
    return int((await conn.execute(query)).scalar_one())
