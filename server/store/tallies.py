"""Tallies: how many rows of a board lie in each bucket of its first key, kept as rows come and go (DESIGN 7).

A rank is the sum of the tallies of better buckets and a count within one bucket. First keys of results are times in
milliseconds, moves, negated scores or missing progress. The last three are small, and each value is a bucket of its
own; times fall into buckets of about four seconds. The key of a season is its points turned round, in buckets of 32.
So there are some hundred tallies, and even of a million rows some thousand in each. Tallies are apart by lane, so that
a board of accounts or of bots costs no more than that of all.
"""

# ruff: noqa: S608 - the statements are put together from constants

from typing import Final

#: Keys of results below this are buckets of their own; from here on a bucket is `WIDTH` keys wide.
FINE: Final = 4096
WIDTH: Final = 4096

#: Width of a bucket of a season's key; that key is never negative, and both databases cut integer division off.
SEASON_WIDTH: Final = 32

#: The ``{key}`` column's bucket in SQL. Only keys from `FINE` on reach the division.
BUCKET: Final = f"CASE WHEN {{key}} < {FINE} THEN {{key}} ELSE {FINE} + ({{key}} - {FINE}) / {WIDTH} END"

#: A challenge's scope in SQL: its id as 32 hex digits, however the database writes it.
_CHALLENGE: Final = "replace(CAST(challenge_id AS TEXT), '-', '')"

#: The columns by which a tally is known.
KEY: Final = ("scope", "board", "lane", "class", "bucket")
_KEY: Final = ", ".join(KEY)


def bucket(key: int) -> int:
    """The bucket of a result's first key. It never falls as the key grows."""
    return key if key < FINE else FINE + (key - FINE) // WIDTH


def lowest(number: int) -> int:
    """The least first key in a bucket of that number."""
    return number if number < FINE else FINE + (number - FINE) * WIDTH


def scope_of_challenge(challenge_id: str) -> str:
    """The scope of a challenge's own boards."""
    return challenge_id.replace("-", "")


def scope_of_season(period: str, ruleset: str) -> str:
    """The scope of a season's board."""
    return f"{period}/{ruleset}"


def _of_results(source: str) -> str:
    """A row for every board that a result of ``source`` stands on."""
    boards = (
        (_CHALLENGE, "main", "main_1", "true"),
        (_CHALLENGE, "moves", "moves_1", "true"),
        ("ruleset", "fastest", "time_ms", "class = 0"),
        ("ruleset", "fewest", "moves", "class = 0"),
    )
    return " UNION ALL ".join(
        f"SELECT {scope} AS scope, '{board}' AS board, lane, class, {BUCKET.format(key=key)} AS bucket"
        f" FROM (SELECT * FROM {source}) AS source_rows WHERE {which}"
        for scope, board, key, which in boards
    )


def _of_standings(source: str) -> str:
    return (
        "SELECT period || '/' || ruleset AS scope, 'season' AS board, who AS lane, 0 AS class,"
        f" key / {SEASON_WIDTH} AS bucket FROM {source}"
    )


def _deltas(rows: str) -> str:
    """The rows grouped and counted, in the order of their keys.

    All writers touch tallies in that order, so that no two of them wait for each other.
    """
    return f"SELECT {_KEY}, count(*) AS count FROM ({rows}) AS places WHERE true GROUP BY {_KEY} ORDER BY {_KEY}"


def _count_in(rows: str) -> str:
    return (
        f"INSERT INTO tallies ({_KEY}, count) {_deltas(rows)}"
        f" ON CONFLICT ({_KEY}) DO UPDATE SET count = tallies.count + excluded.count"
    )


def _count_out(rows: str) -> str:
    same = " AND ".join(f"tallies.{column} = gone.{column}" for column in KEY)
    return f"UPDATE tallies SET count = tallies.count - gone.count FROM ({_deltas(rows)}) AS gone WHERE {same}"


def count_in(source: str) -> str:
    """The statement that counts in the results of ``source``, a table expression with their columns."""
    return _count_in(_of_results(source))


def count_out(source: str) -> str:
    """The statement that takes the results of ``source`` out of the counts."""
    return _count_out(_of_results(source))


def count_in_standings(source: str) -> str:
    """The statement that counts in the standings of ``source``, a table expression with their columns."""
    return _count_in(_of_standings(source))


def count_out_standings(source: str) -> str:
    """The statement that takes the standings of ``source`` out of the counts."""
    return _count_out(_of_standings(source))


#: The tallies that are not the number of rows in their bucket: key, stored count, true count.
WRONG: Final = (
    f"SELECT {_KEY}, sum(stored) AS stored, sum(counted) AS counted FROM ("
    f"SELECT {_KEY}, count AS stored, 0 AS counted FROM tallies UNION ALL"
    f" SELECT {_KEY}, 0, count FROM ({_deltas(_of_results('results'))}) AS results_counts UNION ALL"
    f" SELECT {_KEY}, 0, count FROM ({_deltas(_of_standings('standings'))}) AS standings_counts"
    f") AS both_counts GROUP BY {_KEY} HAVING sum(stored) <> sum(counted) ORDER BY {_KEY}"
)

#: Sets one tally, named by `KEY`.
SET: Final = (
    f"INSERT INTO tallies ({_KEY}, count) VALUES (:scope, :board, :lane, :class, :bucket, :count)"
    f" ON CONFLICT ({_KEY}) DO UPDATE SET count = excluded.count"
)
