"""Ladders: rows in a total order, read in pages from either end, around a player, and as single ranks (DESIGN 7).

Every board is a ladder. Its keys are columns where smaller is better; rows equal in all of them have equal ranks (1, 2,
2, 4) and are listed in order of finishing. A large ladder counts by tallies and never its rows one by one; a small one
(the friends of somebody) is put together first and counted as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from sqlalchemy.ext.asyncio import AsyncConnection

from server.store import cursors, statements
from server.store.cursors import Place
from server.store.ids import is_id
from server.store.shapes import TIES, Line, Row, Shape

Values = dict[str, Any]


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
    better = await conn.execute(statements.rank(ladder.shape), ladder.values | key_values(ladder.shape, keys))
    return 1 + int(sum(better.one()))


async def equal(conn: AsyncConnection, ladder: Ladder[Line], player_id: str) -> int:
    """How many rows have the keys of a player's own best; 0 where he has none."""
    own = await _of_player(conn, ladder, player_id)
    if own is None:
        return 0
    keys = ladder.shape.place(own)[: len(ladder.shape.keys)]
    equals = await conn.execute(statements.equal(ladder.shape), ladder.values | key_values(ladder.shape, keys))
    return int(equals.scalar_one())


async def total(conn: AsyncConnection, ladder: Ladder[Line]) -> int:
    """How many rows a board has."""
    return int((await conn.execute(statements.total(ladder.shape), ladder.values)).scalar_one())


async def _beside(
    conn: AsyncConnection, ladder: Ladder[Line], place: Place | None, limit: int, *, forwards: bool
) -> list[Row]:
    """At most ``limit`` rows after a place (from the start where there is none) or before it, best first."""
    shape = ladder.shape
    values = ladder.values | {"limit": limit}
    if place is not None:
        values |= {f"at_{name}": value for name, value in zip(shape.order, place, strict=True)}
    query = statements.beside(shape, forwards, place is not None)
    rows: list[Row] = [dict(row) for row in (await conn.execute(query, values)).mappings()]
    return rows if forwards else rows[::-1]


async def _of_player(conn: AsyncConnection, ladder: Ladder[Line], player_id: str) -> Row | None:
    if not is_id(player_id):
        return None
    rows = (await conn.execute(statements.own(ladder.shape), ladder.values | {"own": player_id})).mappings().all()
    return min((dict(row) for row in rows), key=ladder.shape.place, default=None)


async def _ranked(conn: AsyncConnection, ladder: Ladder[Line], rows: Sequence[Row]) -> Page[Line]:
    """The page of consecutive rows, with their ranks and the ways on."""
    if not rows:
        return Page([], await total(conn, ladder), None, None)
    shape = ladder.shape
    number = len(shape.keys)
    first = shape.place(rows[0])
    values = ladder.values | key_values(shape, first[:number])
    values |= {f"at_{name}": value for name, value in zip(TIES, first[number:], strict=True)}
    size, equals_before, *better = (await conn.execute(statements.numbers(shape), values)).one()
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


def key_values(shape: Shape[Any], keys: Sequence[int]) -> Values:
    """The parameters of a rank: the keys, and the bucket of the first of them."""
    values = {f"at_{name}": value for name, value in zip(shape.keys, keys, strict=True)}
    if shape.counted is not None:
        own = shape.counted.bucket(values[f"at_{shape.ranked_by[0]}"])
        values |= {"bucket": own, "lowest": shape.counted.lowest(own)}
        values |= {"class": keys[0] if shape.counted.klass else 0}
    return values
