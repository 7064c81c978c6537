"""Tallies: how many results of a board lie in each bucket of its first key, kept as results come and go (DESIGN 7).

A rank is the sum of the tallies of better buckets and a count within one bucket. First keys are times in milliseconds,
moves, negated scores or missing progress. The last three are small, and each value is a bucket of its own; times fall
into buckets of about a second. So there are at most some thousand tallies, and few results in each.
"""

# ruff: noqa: S608 - the statements are put together from constants

from typing import Final

#: Keys below this are buckets of their own; from here on a bucket is `WIDTH` keys wide.
FINE: Final = 4096
WIDTH: Final = 1024

#: The ``{key}`` column's bucket in SQL. Both databases cut integer division off, and only keys from `FINE` on reach it.
BUCKET: Final = f"CASE WHEN {{key}} < {FINE} THEN {{key}} ELSE {FINE} + ({{key}} - {FINE}) / {WIDTH} END"


def bucket(key: int) -> int:
    """The bucket of a first key. It never falls as the key grows."""
    return key if key < FINE else FINE + (key - FINE) // WIDTH


def lowest(number: int) -> int:
    """The least first key in a bucket of that number."""
    return number if number < FINE else FINE + (number - FINE) * WIDTH


def _deltas(source: str) -> str:
    """The rows of a source of results as (challenge_id, board, class, bucket, count), in the order of their keys.

    All writers touch tallies in that order, so that no two of them wait for each other.
    """
    rows = " UNION ALL ".join(
        f"SELECT challenge_id, '{board}' AS board, class, {BUCKET.format(key=f'{board}_1')} AS bucket FROM {source}"
        for board in ("main", "moves")
    )
    return (
        f"SELECT challenge_id, board, class, bucket, count(*) AS count FROM ({rows}) AS places WHERE true"
        " GROUP BY challenge_id, board, class, bucket ORDER BY challenge_id, board, class, bucket"
    )


def count_in(source: str) -> str:
    """The statement that counts in the results of ``source``, a table expression with their columns."""
    return (
        f"INSERT INTO tallies (challenge_id, board, class, bucket, count) {_deltas(source)}"
        " ON CONFLICT (challenge_id, board, class, bucket) DO UPDATE SET count = tallies.count + excluded.count"
    )


def count_out(source: str) -> str:
    """The statement that takes the results of ``source`` out of the counts."""
    return (
        f"UPDATE tallies SET count = tallies.count - gone.count FROM ({_deltas(source)}) AS gone"
        " WHERE tallies.challenge_id = gone.challenge_id AND tallies.board = gone.board"
        " AND tallies.class = gone.class AND tallies.bucket = gone.bucket"
    )


#: The tallies that are not the number of results in their bucket: key, stored count, true count.
WRONG: Final = (
    "SELECT challenge_id, board, class, bucket, sum(stored) AS stored, sum(counted) AS counted FROM ("
    "SELECT challenge_id, board, class, bucket, count AS stored, 0 AS counted FROM tallies UNION ALL"
    f" SELECT challenge_id, board, class, bucket, 0, count FROM ({_deltas('results')}) AS counts"
    ") AS both_counts GROUP BY challenge_id, board, class, bucket HAVING sum(stored) <> sum(counted)"
    " ORDER BY challenge_id, board, class, bucket"
)

#: Sets one tally, named by `KEY`.
SET: Final = (
    "INSERT INTO tallies (challenge_id, board, class, bucket, count)"
    " VALUES (:challenge_id, :board, :klass, :bucket, :count)"
    " ON CONFLICT (challenge_id, board, class, bucket) DO UPDATE SET count = excluded.count"
)
KEY: Final = ("challenge_id", "board", "klass", "bucket", "count")
