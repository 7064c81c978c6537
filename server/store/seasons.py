"""Seasons: the points of closed dailies, and the standings that they add up to (DESIGN 7, docs/adr/0012).

Everything here follows from the results of closed dailies, so it can be written again at any time: when a daily
closes, when a result is taken away later, and by a rebuild. Points of one daily are

    500 * (2 * (n - r + 1) - t) / n, rounded down,

with ``n`` results on its main board, the own rank ``r`` and ``t`` results of that rank: a thousand times the share of
the field that one beat, where equals count half. A week's standing adds up the best five dailies of an ISO week, a
month's the best five of the days that each ISO week has in the month, and that of all time the weeks.
"""

# ruff: noqa: S608 - the statements are put together from constants

from datetime import date
from typing import Final

from sqlalchemy import TextClause, bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store import periods, tallies
from server.store.challenges import ChallengeRow
from server.store.periods import PeriodKind
from server.store.tables import Id

#: So many dailies of a week count.
BEST: Final = 5
#: What a standing's points are taken from to make its key.
TOP: Final = 1_000_000_000

#: One writer of seasons at a time on PostgreSQL; SQLite has one anyway.
_LOCK: Final = "SELECT pg_advisory_xact_lock(7264310975)"

#: ``:challenge`` in a statement is an id, however the database writes it.
CHALLENGE: Final = bindparam("challenge", type_=Id)

_POINTS: Final = """
SELECT attempt, challenge_id, player_id, ruleset, CAST(:week AS INTEGER) AS week, CAST(:month AS INTEGER) AS month,
    500 * (2 * (n - better) - t) / n AS points
FROM (
    SELECT attempt, challenge_id, player_id, ruleset, count(*) OVER () AS n,
        count(*) OVER (PARTITION BY class, main_1, main_2) AS t,
        rank() OVER (ORDER BY class, main_1, main_2) - 1 AS better
    FROM results WHERE challenge_id = :challenge
) AS places
"""

_COLUMNS: Final = "attempt, challenge_id, player_id, ruleset, week, month, points"
_WRITE_POINTS: Final = (
    f"INSERT INTO daily_points ({_COLUMNS}) SELECT * FROM ({_POINTS}) AS worth WHERE true"
    " ON CONFLICT (attempt) DO UPDATE SET points = excluded.points"
)
_DROP_POINTS: Final = (
    "DELETE FROM daily_points WHERE challenge_id = :challenge"
    " AND NOT EXISTS (SELECT 1 FROM results WHERE results.attempt = daily_points.attempt)"
)
#: Points of one challenge that are not what its results say: attempt, stored points, true points.
_WRONG_POINTS: Final = (
    "SELECT attempt, max(stored) AS stored, max(computed) AS computed FROM ("
    "SELECT attempt, points AS stored, NULL AS computed FROM daily_points WHERE challenge_id = :challenge"
    f" AND week = :week AND month = :month UNION ALL SELECT attempt, NULL, points FROM ({_POINTS}) AS worth"
    ") AS sides GROUP BY attempt HAVING max(stored) IS NULL OR max(computed) IS NULL OR max(stored) <> max(computed)"
)

_OF_CHALLENGE: Final = "IN (SELECT player_id FROM daily_points WHERE challenge_id = :challenge)"


def _standings(kind: PeriodKind, players: str = "") -> str:
    """The standings of a period as they follow from the points; ``players`` narrows them by a condition.

    A result is counted for everybody, and once more among the accounts or the bots.
    """
    piece = {"week": "p.week", "month": "p.week, p.month", "all": "p.week"}[kind]
    within = {"week": "AND p.week = :number", "month": "AND p.month = :number", "all": ""}[kind]
    best = f"sum(CASE WHEN place <= {BEST} THEN points END)"
    return f"""
SELECT CAST(:period AS TEXT) AS period, ruleset, who, player_id, {best} AS points, {TOP} - {best} AS key,
    count(*) AS played, sum(CASE WHEN place <= {BEST} THEN 1 ELSE 0 END) AS counted,
    max(finished_at) AS finished_at, max(attempt) AS attempt
FROM (
    SELECT p.ruleset, lanes.who, p.player_id, p.points, p.attempt, r.finished_at,
        row_number() OVER (PARTITION BY lanes.who, p.player_id, {piece} ORDER BY p.points DESC, p.attempt) AS place
    FROM daily_points AS p JOIN results AS r ON r.attempt = p.attempt
    JOIN (SELECT 0 AS who UNION ALL SELECT 1 UNION ALL SELECT 2) AS lanes ON lanes.who = 0 OR lanes.who = r.lane
    WHERE p.ruleset = :ruleset {within} {f"AND p.player_id {players}" if players else ""}
) AS places GROUP BY ruleset, who, player_id
"""


_STANDING: Final = "period, ruleset, who, player_id, points, key, played, counted, finished_at, attempt"
_CHOSEN: Final = "standings WHERE period = :period AND ruleset = :ruleset"
_KINDS: Final[tuple[PeriodKind, ...]] = ("week", "month", "all")


async def settle(conn: AsyncConnection, challenge: ChallengeRow) -> None:
    """Write the points of a closed daily and the standings that they change; without effect on other challenges.

    In the transaction that closes the daily, and in one that takes a result away after the close. Twice is the same
    as once.
    """
    if challenge.date is None or challenge.closed_at is None:
        return
    day = date.fromisoformat(challenge.date)
    await _alone(conn)
    own: dict[str, object] = {"challenge": challenge.id}
    # Points of results that are gone stay until the end: they tell whose standings must be written again.
    await conn.execute(_sql(_WRITE_POINTS), own | _numbers(day))
    for kind in _KINDS:
        values = own | _period(kind, day) | {"ruleset": challenge.ruleset}
        await _rewrite(conn, kind, values, _OF_CHALLENGE)
    await conn.execute(_sql(_DROP_POINTS), own)


async def wrong_points(conn: AsyncConnection, challenge: ChallengeRow) -> list[tuple[int, int | None, int | None]]:
    """Attempts of a closed daily whose stored points are not the true ones: number, stored, true; None for missing."""
    assert challenge.date is not None, "only dailies give points"
    values = {"challenge": challenge.id} | _numbers(date.fromisoformat(challenge.date))
    return [(row[0], row[1], row[2]) for row in await conn.execute(_sql(_WRONG_POINTS), values)]


async def write_points(conn: AsyncConnection, challenge: ChallengeRow) -> None:
    """Write the points of one closed daily, and no standings."""
    assert challenge.date is not None, "only dailies give points"
    await _alone(conn)
    own = {"challenge": challenge.id}
    await conn.execute(_sql("DELETE FROM daily_points WHERE challenge_id = :challenge"), own)
    await conn.execute(_sql(_WRITE_POINTS), own | _numbers(date.fromisoformat(challenge.date)))


async def seasons(conn: AsyncConnection) -> list[tuple[PeriodKind, int, str, str]]:
    """Every period and ruleset with points or standings: kind, number, key of the period, ruleset."""
    found: set[tuple[PeriodKind, int, str, str]] = set()
    for week, month, ruleset in await conn.execute(_sql("SELECT DISTINCT week, month, ruleset FROM daily_points")):
        found.add(("week", week, periods.of_number("week", week).key, ruleset))
        found.add(("month", month, periods.of_number("month", month).key, ruleset))
        found.add(("all", 0, periods.ALL, ruleset))
    known = {(key, ruleset) for _, _, key, ruleset in found}
    for key, ruleset in await conn.execute(_sql("SELECT DISTINCT period, ruleset FROM standings")):
        if (key, ruleset) not in known:  # points are gone and these were left over
            found.add(("all" if key == periods.ALL else "week" if "W" in key else "month", 0, key, ruleset))
    return sorted(found)


async def wrong_standings(conn: AsyncConnection, kind: PeriodKind, number: int, key: str, ruleset: str) -> int:
    """How many standings of a season are not what the points say, missing and superfluous ones too."""
    stored = f"SELECT {_STANDING} FROM {_CHOSEN}"
    true = f"SELECT {_STANDING} FROM ({_standings(kind)}) AS sums"
    different = _sql(
        "SELECT count(*) FROM (SELECT DISTINCT who, player_id FROM ("
        f"SELECT * FROM ({stored} EXCEPT {true}) AS superfluous"
        f" UNION ALL SELECT * FROM ({true} EXCEPT {stored}) AS missing) AS sides) AS rows"
    )
    values = {"period": key, "number": number, "ruleset": ruleset}
    return int((await conn.execute(different, values if kind != "all" else _without_number(values))).scalar_one())


async def write_standings(conn: AsyncConnection, kind: PeriodKind, number: int, key: str, ruleset: str) -> None:
    """Write all standings of a season again."""
    await _alone(conn)
    await _rewrite(conn, kind, {"period": key, "number": number, "ruleset": ruleset}, "")


async def _rewrite(conn: AsyncConnection, kind: PeriodKind, values: dict[str, object], players: str) -> None:
    """Replace the standings of a period, of everybody or of players under a condition, and their tallies."""
    chosen = _CHOSEN + (f" AND player_id {players}" if players else "")
    named = {name: values[name] for name in ("period", "ruleset", *(["challenge"] if players else []))}
    if players:
        await conn.execute(_sql(tallies.count_out_standings(chosen)), named)
    else:  # not taken apart, which would fail where they are wrong
        scope = {"scope": tallies.scope_of_season(str(values["period"]), str(values["ruleset"]))}
        await conn.execute(_sql("DELETE FROM tallies WHERE scope = :scope AND board = 'season'"), scope)
    await conn.execute(_sql(f"DELETE FROM {chosen}"), named)
    added = f"INSERT INTO standings ({_STANDING}) {_standings(kind, players)}"
    await conn.execute(_sql(added), named if kind == "all" else named | {"number": values["number"]})
    await conn.execute(_sql(tallies.count_in_standings(chosen)), named)


def _period(kind: PeriodKind, day: date) -> dict[str, object]:
    if kind == "week":
        return {"period": periods.week_of(day).key, "number": periods.week_number(day)}
    if kind == "month":
        return {"period": periods.month_of(day).key, "number": periods.month_number(day)}
    return {"period": periods.ALL}


def _numbers(day: date) -> dict[str, int]:
    return {"week": periods.week_number(day), "month": periods.month_number(day)}


def _without_number(values: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if name != "number"}


def _sql(statement: str) -> TextClause:
    written = text(statement)
    return written.bindparams(CHALLENGE) if ":challenge" in statement else written


async def _alone(conn: AsyncConnection) -> None:
    if conn.dialect.name == "postgresql":
        await conn.execute(_sql(_LOCK))
