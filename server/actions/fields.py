"""The field of a daily: how everybody's results are spread and where one's own lies. Numbers only, never a move.

Only who has finished the daily may see it while it is open: before that it would tell how hard the deal is.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection

from server.actions import dailies
from server.actions.folding import course_of
from server.actions.house import Services
from server.core.rules import UndoPolicy
from server.errors import GameError
from server.games import ruleset
from server.play import figures
from server.play.attempt import ENDINGS
from server.play.figures import Spread
from server.store import attempts, boards, profiles
from server.store.attempts import AttemptRow
from server.store.boards import Line
from server.store.challenges import ChallengeRow
from server.store.tables import Result

#: Logs that the pace of the field is taken from.
SAMPLE: Final = 200
TENTHS: Final = tuple(range(11))
#: Milliseconds for which the spreads of a large open daily are good enough, and dailies that are remembered.
FRESH_MS: Final = 10_000
REMEMBERED: Final = 64
#: Up to so many results the spreads are counted again whenever one has come or gone: it takes some milliseconds.
LARGE: Final = 20_000


#: Times are counted by the second: finer ones make no bar.
_SECONDS: Final = Result.time_ms // 1000 * 1000


class Pace(NamedTuple):
    """After how many milliseconds each tenth of the moves had been made: the median of a sample, and one's own."""

    median_ms: list[int]
    own_ms: list[int] | None
    sample: int


class Own(NamedTuple):
    """One's own line, and what it is worth as of now (0 to 1000, see docs/adr/0012).

    ``beaten`` of the others are worse, ``equal`` have the same rank. ``course`` is the progress at the end of each
    tenth of one's time.
    """

    line: Line
    of: int
    points: int
    beaten: int
    equal: int
    course: list[int]


class Field(NamedTuple):
    """The field of a daily."""

    challenge: ChallengeRow
    total: int
    won: int
    own: Own | None
    times: Spread | None
    moves: Spread | None
    progress: Spread | None
    scores: Spread | None
    pace: Pace | None


class Counts(NamedTuple):
    """What of a field is the same for every reader, as of an instant."""

    at_ms: int
    closed: bool
    total: int
    times: list[tuple[int, int]]
    moves: list[tuple[int, int]]
    progress: list[tuple[int, int]]
    scores: list[tuple[int, int]]
    median_ms: list[int] | None
    sample: int


class _Seen(NamedTuple):
    """What one reading transaction found of a field: one state, whatever happens beside it."""

    attempt: AttemptRow | None
    line: Line | None
    log: list[tuple[str, int]]
    total: int
    equal: int
    counts: Counts | None


async def field(services: Services, date_text: str, key: str, player_id: str | None) -> Field:
    """The field of a daily, for who has finished it, and for everybody after its close.

    Raises ``auth/required`` or ``challenge/barred`` before, ``challenge/unknown`` or ``ruleset/unknown``.
    """
    row = await dailies.daily(services, date_text, key)
    seen = await _look(services, row, player_id, count=False)
    if row.closed_at is None and (seen.attempt is None or seen.attempt.over is None):
        if player_id is None:
            raise GameError("auth/required", "the field is open to those who have finished, until the close")
        raise GameError("challenge/barred", "the field is open to those who have finished, until the close")
    if seen.counts is None:
        async with services.counting:  # who comes meanwhile waits, and finds it counted
            seen = await _look(services, row, player_id, count=True)
    counts, line = seen.counts, seen.line
    assert counts is not None, "they were counted"
    own = None if line is None or seen.attempt is None else await _own(services, row, seen.attempt, line, seen)
    pace = None
    if counts.median_ms is not None:
        made = [at_ms for text, at_ms in seen.log if text not in ENDINGS]
        pace = Pace(counts.median_ms, tenths(made) if made else None, counts.sample)
    won = None if line is None or line.outcome != "won" else line
    return Field(
        row,
        seen.total,
        min(seen.total, sum(count for _, count in counts.times)),
        own,
        figures.spread("ms", counts.times, None if won is None else won.time_ms),
        figures.spread("moves", counts.moves, None if won is None else won.moves),
        figures.spread("cards", counts.progress, None if line is None else line.progress),
        figures.spread("points", counts.scores, None if won is None else won.score),
        pace,
    )


def points(rank: int, equal: int, total: int) -> int:
    """What a result of that rank is worth, with ``equal`` results of that rank out of ``total`` (docs/adr/0012)."""
    return 500 * (2 * (total - rank + 1) - equal) // total


def tenths(times: Sequence[int]) -> list[int]:
    """When each tenth of the moves and undos made at these times had been made."""
    return [0 if tenth == 0 else times[-(-len(times) * tenth // 10) - 1] for tenth in TENTHS]


async def _own(services: Services, row: ChallengeRow, attempt: AttemptRow, line: Line, seen: _Seen) -> Own:
    rules = ruleset(row.ruleset, row.rules_version)
    course = await course_of(services.folding, rules, row.seed, UndoPolicy(attempt.undo_policy), seen.log)
    worse = seen.total - line.rank + 1 - seen.equal
    return Own(
        line,
        seen.total,
        points(line.rank, seen.equal, seen.total),
        worse,
        seen.equal - 1,
        figures.reached_by_tenth(course),
    )


async def _look(services: Services, row: ChallengeRow, player_id: str | None, *, count: bool) -> _Seen:
    """A field as it stands; its counts only where they are known, or where they are to be counted."""
    async with services.store.reading() as conn:
        attempt = None if player_id is None else await attempts.ranked_attempt(conn, player_id, row.id)
        line = None if player_id is None else await boards.line(conn, row.id, "main", player_id)
        log = [] if line is None or attempt is None else await attempts.log(conn, attempt.id)
        total = await boards.total(conn, row.id)
        equal = 0 if line is None else await boards.equal_to(conn, row.id, line.player.id)
        since = 0 if attempt is None or attempt.finished_at is None else attempt.finished_at
        counts = _known(services, row, since, total)
        if counts is None and count:
            counts = await _count(conn, row, services.clock.now_ms(), total)
            _remember(services.fields, row.id, counts)
    return _Seen(attempt, line, log, total, equal, counts)


def _known(services: Services, row: ChallengeRow, since: int, total: int) -> Counts | None:
    """The counts that are remembered of a field of ``total`` results, where they are good enough.

    They cost a walk over all results. Those of a large field may be some seconds older than what stands beside them,
    but not older than ``since``.
    """
    known = services.fields.get(row.id)
    if known is None or known.closed != (row.closed_at is not None):
        return None
    if services.clock.now_ms() - known.at_ms >= FRESH_MS:
        return None
    return known if known.total == total or (total > LARGE and since < known.at_ms) else None


async def _count(conn: AsyncConnection, row: ChallengeRow, now_ms: int, total: int) -> Counts:
    times = await profiles.counted(conn, row.id, _SECONDS, won=True)
    moves = await profiles.counted(conn, row.id, Result.moves, won=True)
    progress = await profiles.counted(conn, row.id, Result.progress, won=False)
    scored = ruleset(row.ruleset, row.rules_version).scores
    scores = await profiles.counted(conn, row.id, Result.score, won=True) if scored else []
    logs = await profiles.times_of(conn, await profiles.sampled(conn, row.id, total, SAMPLE))
    paces = [tenths(made) for made in logs.values()]
    middle = [figures.median(column) or 0 for column in zip(*paces, strict=True)] if paces else None
    return Counts(now_ms, row.closed_at is not None, total, times, moves, progress, scores, middle, len(paces))


def _remember(remembered: dict[str, Counts], challenge_id: str, counts: Counts) -> None:
    remembered.pop(challenge_id, None)
    remembered[challenge_id] = counts
    while len(remembered) > REMEMBERED:
        del remembered[next(iter(remembered))]
