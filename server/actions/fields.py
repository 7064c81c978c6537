"""The field of a daily: how everybody's results are spread and where one's own lies. Numbers only, never a move.

Only who has finished the daily may see it while it is open: before that it would tell how hard the deal is.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from server.actions import dailies
from server.actions.house import Services
from server.errors import GameError
from server.play import figures
from server.play.figures import Spread
from server.store import attempts, boards, profiles
from server.store.boards import Line
from server.store.challenges import ChallengeRow
from server.store.tables import Result

#: Logs that the pace of the field is taken from.
SAMPLE: Final = 200
TENTHS: Final = tuple(range(11))
#: Milliseconds for which the spreads of an open daily are good enough, and dailies that are remembered.
FRESH_MS: Final = 10_000
REMEMBERED: Final = 64


#: Times are counted by the second: finer ones make no bar.
_SECONDS: Final = Result.time_ms // 1000 * 1000


class Pace(NamedTuple):
    """After how many milliseconds each tenth of a log had been made: the median of a sample, and one's own."""

    median_ms: list[int]
    own_ms: list[int] | None
    sample: int


class Own(NamedTuple):
    """One's own line, its points as of now (0 to 1000, see docs/adr/0012)."""

    line: Line
    of: int
    points: int


class Field(NamedTuple):
    """The field of a daily."""

    challenge: ChallengeRow
    total: int
    won: int
    own: Own | None
    times: Spread | None
    moves: Spread | None
    progress: Spread | None
    pace: Pace | None


class Counts(NamedTuple):
    """What of a field is the same for every reader, as of an instant."""

    at_ms: int
    closed: bool
    times: list[tuple[int, int]]
    moves: list[tuple[int, int]]
    progress: list[tuple[int, int]]
    median_ms: list[int] | None
    sample: int


async def field(services: Services, date_text: str, key: str, player_id: str | None) -> Field:
    """The field of a daily, for who has finished it, and for everybody after its close.

    Raises ``auth/required`` or ``challenge/barred`` before, ``challenge/unknown`` or ``ruleset/unknown``.
    """
    row = await dailies.daily(services, date_text, key)
    async with services.store.reading() as conn:
        attempt = None if player_id is None else await attempts.ranked_attempt(conn, player_id, row.id)
        line = None if player_id is None else await boards.line(conn, row.id, "main", player_id)
        own_times = {} if line is None or attempt is None else await profiles.times_of(conn, [attempt.number])
    if row.closed_at is None and (attempt is None or attempt.over is None):
        if player_id is None:
            raise GameError("auth/required", "the field is open to those who have finished, until the close")
        raise GameError("challenge/barred", "the field is open to those who have finished, until the close")
    finished_at = 0 if attempt is None or attempt.finished_at is None else attempt.finished_at
    counts = await _counts(services, row, finished_at)
    total = sum(count for _, count in counts.progress)
    own = None if line is None else await _own(services, row, line)
    won = line is not None and line.outcome == "won"
    pace = None
    if counts.median_ms is not None:
        mine = own_times.get(attempt.number) if attempt is not None else None
        pace = Pace(counts.median_ms, None if not mine else tenths(mine), counts.sample)
    return Field(
        row,
        total,
        sum(count for _, count in counts.times),
        own,
        figures.spread("ms", counts.times, line.time_ms if line is not None and won else None),
        figures.spread("moves", counts.moves, line.moves if line is not None and won else None),
        figures.spread("cards", counts.progress, None if line is None else line.progress),
        pace,
    )


def points(rank: int, equal: int, total: int) -> int:
    """What a result of that rank is worth, with ``equal`` results of that rank out of ``total`` (docs/adr/0012)."""
    return 500 * (2 * (total - rank + 1) - equal) // total


def tenths(times: Sequence[int]) -> list[int]:
    """When each tenth of a log with entries at these times had been made."""
    return [0 if tenth == 0 else times[-(-len(times) * tenth // 10) - 1] for tenth in TENTHS]


async def _own(services: Services, row: ChallengeRow, line: Line) -> Own:
    async with services.store.reading() as conn:
        total = await boards.total(conn, row.id)
        equal = await boards.equal_to(conn, row.id, line.player.id)
    return Own(line, total, points(line.rank, equal, total))


async def _counts(services: Services, row: ChallengeRow, since: int) -> Counts:
    """The counts of a field as of ``since`` or later, remembered for a while: they cost a walk over all results."""
    remembered = services.fields
    now = services.clock.now_ms()
    known = remembered.get(row.id)
    closed = row.closed_at is not None
    if known is not None and known.closed == closed and since < known.at_ms and now - known.at_ms < FRESH_MS:
        return known
    async with services.store.reading() as conn:
        times = await profiles.counted(conn, row.id, _SECONDS, won=True)
        moves = await profiles.counted(conn, row.id, Result.moves, won=True)
        progress = await profiles.counted(conn, row.id, Result.progress, won=False)
        chosen = await profiles.sampled(conn, row.id, sum(count for _, count in progress), SAMPLE)
        logs = await profiles.times_of(conn, chosen)
    paces = [tenths(times) for times in logs.values() if times]
    middle = [figures.median(column) or 0 for column in zip(*paces, strict=True)] if paces else None
    counts = Counts(now, closed, times, moves, progress, middle, len(paces))
    remembered.pop(row.id, None)
    remembered[row.id] = counts
    while len(remembered) > REMEMBERED:
        del remembered[next(iter(remembered))]
    return counts
