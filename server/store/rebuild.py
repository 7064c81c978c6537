"""Rebuilding: every summary, result, season and tally compared with what the logs say, and corrected on demand.

The log is the truth (DESIGN 1.4). A server may run meanwhile: what differs is looked at again under a lock before it
is touched. Rules are folded in a thread, and transactions are short.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import msgspec
from sqlalchemy import Select, Table, delete, func, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.core.deck import DEAL_VERSION, shuffled
from server.core.rules import UndoPolicy
from server.errors import CorruptLogError, GameError
from server.games import ruleset
from server.play.attempt import Attempt as Fold
from server.play.attempt import fold
from server.play.ranking import stands_on_board
from server.store import tallies
from server.store.engine import Store
from server.store.entries import ending_of
from server.store.lanes import lane_of
from server.store.rebuild_seasons import Difference, compare_seasons
from server.store.tables import Attempt, Challenge, LogEntry, Player, Result

__all__ = ["BATCH", "Difference", "Expected", "Outcome", "rebuild", "written"]

#: Attempts in one transaction.
BATCH: Final = 200

_SUMMARY: Final = ("seq", "moves", "undos", "progress", "last_at_ms", "over", "finished_at")
_ATTEMPTS: Final = cast(Table, Attempt.__table__)
_RESULTS: Final = cast(Table, Result.__table__)
_OWN: Final = "results WHERE attempt = :number"


class Outcome(msgspec.Struct, frozen=True):
    """What a rebuild came to: attempts looked at, differences found, and how many of these were corrected."""

    attempts: int
    differences: int
    corrected: int


class _Stored(msgspec.Struct):
    """Everything that is stored of one attempt; ``head`` has its columns and those of its challenge."""

    head: dict[str, Any]
    log: list[tuple[str, int]]
    result: dict[str, Any] | None


class Expected(msgspec.Struct):
    """What a log says: the columns of the summary, and of the result where the attempt stands on boards."""

    summary: dict[str, Any]
    result: dict[str, Any] | None


async def rebuild(
    store: Store,
    *,
    fix: bool,
    tell: Callable[[Difference], None],
    progress: Callable[[int, int], None] | None = None,
    batch: int = BATCH,
) -> Outcome:
    """Compare everything with the logs. ``tell`` hears of every difference, ``progress`` of attempts done and of all.

    With ``fix``, what differs is corrected; a log is never touched.
    """
    async with store.reading() as conn:
        count = (await conn.execute(select(func.count()).select_from(Attempt))).scalar_one()
    done = found = corrected = number = 0
    while True:
        async with store.reading() as conn:
            rows = await _load(conn, _heads().where(Attempt.number > number).limit(batch))
        if not rows:
            break
        for row, differences in zip(rows, await asyncio.to_thread(_compare_all, rows), strict=True):
            for difference in differences:
                tell(difference)
            found += len(differences)
            if fix and any(difference.what != "log" for difference in differences):
                await _correct(store, row.head["number"])
                corrected += len(differences)
        number = rows[-1].head["number"]
        done += len(rows)
        if progress is not None:
            progress(done, max(count, done))
    further = [await compare_seasons(store, fix=fix), await _compare_tallies(store, fix=fix)]
    wrong = [difference for part in further for difference in part]
    for difference in wrong:
        tell(difference)
    return Outcome(done, found + len(wrong), corrected + (len(wrong) if fix else 0))


def _heads() -> Select[*tuple[Any, ...]]:
    deal = (Challenge.ruleset, Challenge.rules_version, Challenge.deal_version, Challenge.seed, Challenge.opens_at)
    player = (Player.kind, Player.created_at, Player.account_since)
    return (
        select(*_ATTEMPTS.columns, *deal, *player)
        .join(Challenge, Challenge.id == Attempt.challenge_id)
        .join(Player, Player.id == Attempt.player_id)
        .order_by(Attempt.number)
    )


async def _load(conn: AsyncConnection, heads: Select[*tuple[Any, ...]]) -> list[_Stored]:
    """What is stored of the attempts that a query of heads gives."""
    rows = {head["number"]: _Stored(dict(head), [], None) for head in (await conn.execute(heads)).mappings()}
    entries = (
        select(LogEntry.attempt, LogEntry.seq, LogEntry.text, LogEntry.at_ms)
        .where(LogEntry.attempt.in_(rows))
        .order_by(LogEntry.attempt, LogEntry.seq)
    )
    for number, seq, entry, at_ms in await conn.execute(entries):
        # A missing entry leaves a gap that the fold must stumble over, not a shorter log.
        rows[number].log.extend([("", 0)] * (seq - len(rows[number].log)))
        rows[number].log.append((entry, at_ms))
    results = select(*_RESULTS.columns).where(Result.attempt.in_(rows))
    for result in (await conn.execute(results)).mappings():
        rows[result["attempt"]].result = dict(result)
    return list(rows.values())


def _compare_all(rows: Sequence[_Stored]) -> list[list[Difference]]:
    return [_compare(row) for row in rows]


def _compare(row: _Stored) -> list[Difference]:
    try:
        expected = _expected(row)
    except (CorruptLogError, GameError) as error:
        return [Difference(row.head["id"], "log", len(row.log), str(error))]
    place = row.head["id"]
    differences = [
        Difference(place, name, row.head[name], expected.summary[name])
        for name in _SUMMARY
        if row.head[name] != expected.summary[name]
    ]
    stored, computed = row.result or {}, expected.result or {}
    return differences + [
        Difference(place, f"result.{name}", stored.get(name), computed.get(name))
        for name in (column.name for column in _RESULTS.columns)
        if stored.get(name) != computed.get(name)
    ]


def _expected(row: _Stored) -> Expected:
    """Raises CorruptLogError, or GameError where this Samedeal does not know the rules any more."""
    head = row.head
    rules = ruleset(head["ruleset"], head["rules_version"])
    if head["deal_version"] != DEAL_VERSION:
        raise CorruptLogError(f"deal version {head['deal_version']} is not known")
    start = Fold.start(rules, shuffled(head["seed"], rules.deck), UndoPolicy(head["undo_policy"]))
    attempt = fold(start, row.log)
    # The log does not say at what instant it ended, only after how much time of play; what is stored is kept.
    finished_at = head["finished_at"]
    if attempt.over is None:
        finished_at = None
    elif finished_at is None:
        finished_at = head["started_at"] + attempt.at_ms
    return written(head, attempt, finished_at)


def written(head: Mapping[str, Any], attempt: Fold, finished_at: int | None) -> Expected:
    """The rows of an attempt in a certain state: its summary, and its result where it stands on boards.

    ``head`` has ``number``, ``challenge_id``, ``player_id``, ``ranked``, ``ruleset``, ``opens_at``, ``kind``,
    ``created_at`` and ``account_since`` (the last three of the player). ``finished_at`` is an instant, None while open.
    """
    summary = {
        "seq": attempt.seq,
        "moves": attempt.moves,
        "undos": attempt.undos,
        "progress": attempt.progress,
        "last_at_ms": attempt.at_ms,
        "over": attempt.over,
        "finished_at": finished_at,
    }
    if not (head["ranked"] and stands_on_board(attempt)) or finished_at is None:
        return Expected(summary, None)
    end = ending_of(attempt, finished_at)
    result = {
        "attempt": head["number"],
        "challenge_id": head["challenge_id"],
        "player_id": head["player_id"],
        "ruleset": head["ruleset"],
        "lane": lane_of(head["kind"], head["created_at"], head["account_since"], head["opens_at"]),
        "outcome": attempt.over,
        "time_ms": attempt.at_ms,
        "moves": attempt.moves,
        "undos": attempt.undos,
        "progress": attempt.progress,
        "score": end.score,
        "finished_at": finished_at,
        "class": end.klass,
        "main_1": end.main_1,
        "main_2": end.main_2,
        "moves_1": end.moves_1,
        "moves_2": end.moves_2,
    }
    return Expected(summary, result)


async def _correct(store: Store, number: int) -> None:
    """Write what the log of an attempt says, from a second look under a lock."""
    async with store.writing() as conn:
        rows = await _load(conn, _heads().where(Attempt.number == number).with_for_update(of=_ATTEMPTS))
        expected = await asyncio.to_thread(_expected, rows[0])
        own = {"number": number}
        await conn.execute(text(tallies.count_out(_OWN)), own)
        await conn.execute(delete(Result).where(Result.attempt == number))
        await conn.execute(update(Attempt).where(Attempt.number == number).values(expected.summary))
        if expected.result is not None:
            await conn.execute(insert(_RESULTS).values(expected.result))
            await conn.execute(text(tallies.count_in(_OWN)), own)


async def _compare_tallies(store: Store, *, fix: bool) -> list[Difference]:
    """The tallies that are not the number of results in their bucket, corrected with ``fix``."""
    transaction = store.writing() if fix else store.reading()
    async with transaction as conn:
        if fix and store.dialect == "postgresql":
            # No result may come between counting and correcting; recorders wait for this moment.
            await conn.execute(text("LOCK TABLE tallies IN EXCLUSIVE MODE"))
        wrong = (await conn.execute(text(tallies.WRONG))).all()
        for *key, _, counted in wrong if fix else ():
            values = dict(zip((*tallies.KEY, "count"), [*key, int(counted)], strict=True))
            await conn.execute(text(tallies.SET), values)
    return [
        Difference(scope, f"tally.{board}.{lane}.{klass}.{bucket}", int(stored), int(counted))
        for scope, board, lane, klass, bucket, stored, counted in wrong
    ]
