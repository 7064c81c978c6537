"""Groups of entries on SQLite: one transaction of two statements, whatever the number of entries.

Two statements for all entries, instead of two for each, keep the recorder's thread away from the interpreter's lock
while the event loop serves players. A group is a table of values, filled up with empty rows to a power of two: so
there are few different statements, and the driver keeps them prepared. What few entries need goes as JSON text.
"""

# ruff: noqa: S608 - the statements are put together from constants

import sqlite3
from collections.abc import Sequence
from functools import cache, partial
from typing import Final, NamedTuple

import msgspec

from server.store import tallies
from server.store.engine import Store, settle
from server.store.entries import Append, PoisonedError, encode
from server.store.lanes import LANE
from server.store.sqlite import Direct

#: The group `?1` as JSON, an entry a row. CROSS JOIN: start from the entries and look their attempts up.
_ENTRIES: Final = "json_each(?1) AS e CROSS JOIN attempts AS a ON a.number = json_extract(e.value, '$[0]')"

#: The fence: an entry must be the next of an open attempt; voiding is possible after the end too.
_NEXT: Final = "a.seq = {seq} AND (a.over IS NULL OR ({text} = 'void' AND a.over <> 'void'))"
_NEXT_IN_JSON: Final = _NEXT.format(seq="json_extract(e.value, '$[1]')", text="json_extract(e.value, '$[2]')")
_NEXT_IN_ROW: Final = _NEXT.format(seq="e.column2", text="e.column3")

#: Columns of a row of values: attempt, seq, text, at_ms, moves, undos, progress.
_COLUMNS: Final = 7
_EMPTY: Final = (None,) * _COLUMNS


class _Statements(NamedTuple):
    """What stores a group of so many rows."""

    rows: int
    insert: str
    summary: str


@cache
def _statements(rows: int) -> _Statements:
    """The statements for a number of rows."""
    row = f"({', '.join('?' * _COLUMNS)})"
    values = f"(VALUES {', '.join([row] * rows)}) AS e"
    return _Statements(
        rows,
        "INSERT INTO log (attempt, seq, text, at_ms) SELECT a.number, e.column2, e.column3, e.column4"
        f" FROM {values} CROSS JOIN attempts AS a ON a.number = e.column1 WHERE {_NEXT_IN_ROW} ON CONFLICT DO NOTHING",
        "UPDATE attempts SET seq = e.column2 + 1, moves = e.column5, undos = e.column6, progress = e.column7,"
        f" last_at_ms = e.column4 FROM {values} WHERE attempts.number = e.column1",
    )


_FIT: Final = (
    f"SELECT e.key FROM {_ENTRIES} WHERE {_NEXT_IN_JSON} AND NOT EXISTS"
    " (SELECT 1 FROM log WHERE log.attempt = a.number AND log.seq = a.seq) ORDER BY e.key"
)

_STANDING: Final = (
    f"SELECT e.key FROM {_ENTRIES} JOIN log AS l ON l.attempt = a.number AND l.seq = json_extract(e.value, '$[1]')"
    " WHERE l.text = json_extract(e.value, '$[2]') AND l.at_ms = json_extract(e.value, '$[3]') ORDER BY e.key"
)

# Apart from the summary, because these columns stand in indices that an open attempt's move need not touch.
_OVER: Final = (
    "UPDATE attempts SET over = json_extract(e.value, '$[7][0]'), finished_at = json_extract(e.value, '$[7][1]')"
    " FROM json_each(?1) AS e WHERE attempts.number = json_extract(e.value, '$[0]')"
)

_RESULT: Final = (
    "INSERT INTO results (attempt, challenge_id, player_id, ruleset, lane, outcome, time_ms, moves, undos, progress,"
    " finished_at, score, class, main_1, main_2, moves_1, moves_2) SELECT a.number, a.challenge_id, a.player_id,"
    f" c.ruleset, {LANE}, a.over, a.last_at_ms, a.moves, a.undos, a.progress, a.finished_at,"
    " json_extract(e.value, '$[7][2]'), json_extract(e.value, '$[7][3]'), json_extract(e.value, '$[7][4]'),"
    " json_extract(e.value, '$[7][5]'), json_extract(e.value, '$[7][6]'), json_extract(e.value, '$[7][7]')"
    f" FROM {_ENTRIES} JOIN challenges AS c ON c.id = a.challenge_id JOIN players AS p ON p.id = a.player_id"
    " WHERE a.ranked AND a.moves > 0 AND a.over <> 'void' ON CONFLICT DO NOTHING RETURNING attempt"
)

_VOIDED: Final = f"SELECT a.number FROM {_ENTRIES} WHERE a.over = 'void'"
_CHOSEN: Final = "results WHERE attempt IN (SELECT value FROM json_each(?1))"
_COUNT_IN: Final = tallies.count_in(_CHOSEN)
_COUNT_OUT: Final = tallies.count_out(_CHOSEN)
_REMOVE: Final = f"DELETE FROM {_CHOSEN}"

#: What SQLite says of an entry, in contrast to what it says of its disk or its locks.
_FAULTS_OF_ENTRIES: Final = (sqlite3.IntegrityError, sqlite3.DataError, OverflowError, UnicodeError)


class SqliteGroups:
    """The groups of a SQLite store; see :class:`server.store.entries.Groups`."""

    def __init__(self, store: Store) -> None:
        assert isinstance(store.recorder, Direct)
        assert store.turn is not None
        self._direct = store.recorder
        self._turn = store.turn

    async def commit(self, entries: Sequence[Append]) -> Sequence[int]:
        """Store entries of different attempts; see the protocol."""
        async with self._turn:
            return await settle(self._direct.run(partial(_commit, entries)))

    async def standing(self, entries: Sequence[Append]) -> Sequence[int]:
        """The indices of entries that stand in the log exactly as given."""
        async with self._turn:
            return await settle(self._direct.run(partial(_standing, entries)))

    async def close(self) -> None:
        """Nothing is held."""


def _commit(entries: Sequence[Append], connection: sqlite3.Connection) -> Sequence[int]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        refused: Sequence[int] = ()
        if not _store(connection, entries):
            connection.execute("ROLLBACK")  # rare, so it may cost: find out who is stale, and take the others alone
            connection.execute("BEGIN IMMEDIATE")
            fit = {int(key) for (key,) in connection.execute(_FIT, (encode(entries),))}
            refused = [index for index in range(len(entries)) if index not in fit]
            entries = [entry for index, entry in enumerate(entries) if index in fit]
            _store(connection, entries)
        _end(connection, [entry for entry in entries if entry.ending is not None])
        connection.execute("COMMIT")
    except BaseException as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(error, _FAULTS_OF_ENTRIES):
            raise PoisonedError(str(error)) from error
        raise
    return refused


def _store(connection: sqlite3.Connection, entries: Sequence[Append]) -> bool:
    """Write log and summaries; False, and nothing but a part of the log, where an entry is stale."""
    statements = _statements(1 << (len(entries) - 1).bit_length() if entries else 1)
    values: list[object] = []
    for entry in entries:
        values += (entry.attempt, entry.seq, entry.text, entry.at_ms, entry.moves, entry.undos, entry.progress)
    values += _EMPTY * (statements.rows - len(entries))
    if connection.execute(statements.insert, values).rowcount != len(entries):
        return False
    connection.execute(statements.summary, values)
    return True


def _standing(entries: Sequence[Append], connection: sqlite3.Connection) -> Sequence[int]:
    return [int(key) for (key,) in connection.execute(_STANDING, (encode(entries),))]


def _end(connection: sqlite3.Connection, endings: Sequence[Append]) -> None:
    """Write what the entries that end their attempts bring: the ends, the results, the tallies."""
    if not endings:
        return
    group = encode(endings)
    connection.execute(_OVER, (group,))
    added = connection.execute(_RESULT, (group,)).fetchall()
    if added:
        connection.execute(_COUNT_IN, (_numbers(added),))
    voided = connection.execute(_VOIDED, (group,)).fetchall()
    if voided:
        connection.execute(_COUNT_OUT, (_numbers(voided),))
        connection.execute(_REMOVE, (_numbers(voided),))


def _numbers(rows: Sequence[tuple[int]]) -> str:
    return msgspec.json.encode([number for (number,) in rows]).decode()
