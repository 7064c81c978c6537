"""Boards of challenges, of records and of seasons as ladders, and what their lines show (C10, DESIGN 7).

The order is total: the keys, then the instant of finishing, then the attempt. A view narrows a board to accounts, to
bots or to somebody's friends; ranks and totals are those within the view.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final, Literal, TypeVar, cast

import msgspec
from sqlalchemy import FromClause, Select, String, Subquery, Table, and_, bindparam, literal_column, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.play.attempt import Over
from server.play.ranking import By, Order
from server.play.ranking import Result as RankedResult
from server.store import ladder
from server.store.ladder import Ladder, Page, Values
from server.store.lanes import LANES, STANDINGS, Who
from server.store.players import PlayerRow
from server.store.shapes import Conditions, Counted, Row, Shape
from server.store.tables import Attempt, Challenge, Follow, Id, Player, Result, Standing
from server.store.tallies import scope_of_challenge, scope_of_season

L = TypeVar("L")

#: Rows of one answer at most.
LARGEST_PAGE: Final = 100

#: What a board of records is ordered by.
RecordsBy = Literal["time", "moves"]

_RESULTS: Final = cast(Table, Result.__table__)
_STANDINGS: Final = cast(Table, Standing.__table__)


@dataclass(frozen=True, slots=True)
class View:
    """Whom a board shows. ``friends_of`` narrows it to a player and those whom he follows."""

    who: Who = "all"
    friends_of: str | None = None


EVERYBODY: Final = View()


class Line(msgspec.Struct, frozen=True):
    """One line of a board of results. ``time_ms`` is milliseconds from start to end, ``finished_at`` an instant."""

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


class RecordLine(msgspec.Struct, frozen=True):
    """One line of the records of a ruleset: a win, and the challenge in which it was won."""

    line: Line
    challenge_id: str
    challenge_kind: str
    challenge_date: str | None


class SeasonLine(msgspec.Struct, frozen=True):
    """One line of a season: points of ``counted`` dailies out of ``played`` closed ones."""

    rank: int
    player: PlayerRow
    points: int
    counted: int
    played: int


def of_challenge(challenge_id: str, by: By, view: View = EVERYBODY) -> Ladder[Line]:
    """A board of a challenge."""
    values = {"challenge": challenge_id, "scope": scope_of_challenge(challenge_id)}
    return _ladder(_challenge_shape(by, view.who, view.friends_of is not None), values, view)


def of_records(ruleset: str, by: RecordsBy, view: View = EVERYBODY) -> Ladder[RecordLine]:
    """The ranked wins of a ruleset, fastest first or fewest moves first; a player stands there with each of his."""
    values = {"ruleset": ruleset, "scope": ruleset}
    return _ladder(_records_shape(by, view.who, view.friends_of is not None), values, view)


def of_season(period: str, ruleset: str, view: View = EVERYBODY) -> Ladder[SeasonLine]:
    """The season points of a period (by its key) and a ruleset."""
    values = {"period": period, "ruleset": ruleset, "scope": scope_of_season(period, ruleset)}
    return _ladder(_season_shape(view.who, view.friends_of is not None), values, view)


def _ladder(shape: Shape[L], values: Values, view: View) -> Ladder[L]:
    if view.friends_of is None:
        return Ladder(shape, values)
    del values["scope"]  # friends are counted as they are
    return Ladder(shape, values | {"friends_of": view.friends_of})


@cache
def _challenge_shape(by: By, who: Who, friends: bool) -> Shape[Line]:
    keys = ("class", "main_1", "main_2") if by == "main" else ("class", "moves_1", "moves_2")
    scope = (Result.challenge_id == bindparam("challenge", type_=Id),)
    return _of_results(by, keys, scope, Counted(by, LANES[who], klass=True), friends, _show_results, _line)


@cache
def _records_shape(by: RecordsBy, who: Who, friends: bool) -> Shape[RecordLine]:
    keys = ("time_ms", "moves") if by == "time" else ("moves", "time_ms")
    # Written out, not bound: the indices of records hold only wins, and a database must see that these are asked for.
    scope = (Result.ruleset == bindparam("ruleset", type_=String), Result.klass == literal_column("0"))
    counted = Counted("fastest" if by == "time" else "fewest", LANES[who])
    return _of_results(f"records-{by}", keys, scope, counted, friends, _show_records, _record_line)


@cache
def _season_shape(who: Who, friends: bool) -> Shape[SeasonLine]:
    scope: Conditions = (
        Standing.period == bindparam("period", type_=String),
        Standing.ruleset == bindparam("ruleset", type_=String),
        Standing.who == STANDINGS[who],
    )
    show = partial(_show_standings, scope=scope)
    if friends:
        return Shape("season", _friends(_STANDINGS, scope), ("key",), ((),), None, show, _season_line)
    return Shape("season", _STANDINGS, ("key",), (scope,), Counted("season", (STANDINGS[who],)), show, _season_line)


def _of_results(
    name: str,
    keys: tuple[str, ...],
    scope: Conditions,
    counted: Counted,
    friends: bool,
    show: Callable[[Subquery], Select[*tuple[Any, ...]]],
    line: Callable[[int, Row], L],
) -> Shape[L]:
    if friends:
        # Every lane of the index is named, so that each friend's row is found by its key and not by a walk.
        conditions = (*scope, Result.lane.in_(counted.lanes))
        return Shape(name, _friends(_RESULTS, conditions), keys, ((),), None, show, line)
    lanes = tuple((*scope, Result.lane == lane) for lane in counted.lanes)
    return Shape(name, _RESULTS, keys, lanes, counted, show, line)


def _friends(table: Table, scope: Conditions) -> FromClause:
    """The rows of a player and of those whom he follows, put together before anything is done with them."""
    me = bindparam("friends_of", type_=Id)
    followed = select(Follow.followed_id).where(Follow.follower_id == me)
    chosen = select(table).where(*scope, table.c.player_id.in_(followed.union_all(select(me))))
    return chosen.cte("friends").prefix_with("MATERIALIZED")


_PLAYER: Final = (
    Player.kind.label("player_kind"),
    Player.name.label("player_name"),
    Player.created_at.label("player_created_at"),
)
_FIGURES: Final = ("challenge_id", "player_id", "outcome", "time_ms", "moves", "undos", "progress", "score")


def _show_standings(chosen: Subquery, scope: Conditions) -> Select[*tuple[Any, ...]]:
    own = (Standing.player_id, Standing.points, Standing.counted, Standing.played)
    same = (_STANDINGS.c[column.name] == column for column in chosen.c)  # all that its index holds
    shown = select(chosen, *own, *_PLAYER).join(Standing, and_(*scope, *same))
    return shown.join(Player, Player.id == Standing.player_id)


def _show_results(chosen: Subquery) -> Select[*tuple[Any, ...]]:
    figures = (_RESULTS.c[name] for name in _FIGURES if name not in chosen.c)
    shown = select(chosen, *figures, *_PLAYER, Attempt.id.label("attempt_id"))
    shown = shown.join(Result, Result.attempt == chosen.c.attempt).join(Player, Player.id == Result.player_id)
    return shown.join(Attempt, Attempt.number == chosen.c.attempt)


def _show_records(chosen: Subquery) -> Select[*tuple[Any, ...]]:
    shown = _show_results(chosen).add_columns(Challenge.kind.label("kind"), Challenge.date.label("date"))
    return shown.join(Challenge, Challenge.id == Result.challenge_id)


def _player(row: Row) -> PlayerRow:
    return PlayerRow(row["player_id"], row["player_kind"], row["player_name"], row["player_created_at"])


def _line(rank: int, row: Row) -> Line:
    figures = (row[name] for name in ("outcome", "time_ms", "moves", "undos", "progress", "score", "finished_at"))
    return Line(rank, row["attempt_id"], _player(row), *figures)


def _record_line(rank: int, row: Row) -> RecordLine:
    return RecordLine(_line(rank, row), row["challenge_id"], row["kind"], row["date"])


def _season_line(rank: int, row: Row) -> SeasonLine:
    return SeasonLine(rank, _player(row), row["points"], row["counted"], row["played"])


async def page(
    conn: AsyncConnection,
    challenge_id: str,
    by: By,
    limit: int,
    *,
    after: str | None = None,
    before: str | None = None,
) -> Page[Line]:
    """At most ``limit`` rows of a challenge's board; see :func:`server.store.ladder.page`."""
    return await ladder.page(conn, of_challenge(challenge_id, by), limit, after=after, before=before)


async def around(conn: AsyncConnection, challenge_id: str, by: By, player_id: str, limit: int) -> Page[Line] | None:
    """The rows of a challenge's board around a player's own; see :func:`server.store.ladder.around`."""
    return await ladder.around(conn, of_challenge(challenge_id, by), player_id, limit)


async def line(conn: AsyncConnection, challenge_id: str, by: By, player_id: str) -> Line | None:
    """A player's own line of a challenge's board, None where he has none."""
    return await ladder.line(conn, of_challenge(challenge_id, by), player_id)


async def rank(conn: AsyncConnection, challenge_id: str, by: By, order: Order) -> int:
    """The rank that a result of this order has on a challenge's board, or would have."""
    return await ladder.rank(conn, of_challenge(challenge_id, by), order)


async def total(conn: AsyncConnection, challenge_id: str) -> int:
    """How many results stand on a challenge's boards."""
    return await ladder.total(conn, of_challenge(challenge_id, "main"))


async def equal_to(conn: AsyncConnection, challenge_id: str, player_id: str) -> int:
    """How many results of a challenge's main board have the rank of a player's own, which is one of them."""
    return await ladder.equal(conn, of_challenge(challenge_id, "main"), player_id)


async def result_of_attempt(conn: AsyncConnection, number: int) -> RankedResult | None:
    """The result that the attempt of that number has on its challenge's boards, None where it has none."""
    columns = (Result.outcome, Result.time_ms, Result.moves, Result.undos, Result.progress, Result.score)
    row = (await conn.execute(select(*columns).where(Result.attempt == number))).first()
    return None if row is None else RankedResult(cast(Over, row.outcome), *row[1:])


async def stands(conn: AsyncConnection, number: int) -> bool:
    """Whether the attempt of that number stands on its challenge's boards."""
    return (await conn.execute(select(Result.attempt).where(Result.attempt == number))).first() is not None
