"""What a ruling changes for whom: the difference between what stood before and what stands after."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection

from server.actions.profiles import excused_days, first_open
from server.play import streaks
from server.store import effects, profiles
from server.store.challenges import ChallengeRow
from server.store.effects import Standings

#: Lines of each kind that an effect shows; the counts are those of all.
SHOWN: Final = 200
#: Players, and days, that are looked at together.
_TOGETHER: Final = 100
#: Days that are looked back to find where a streak may come from.
_FARTHEST: Final = 1000

#: A player, a figure before and after, and a period where there is one.
_Row = tuple[Any, ...]


class Change(NamedTuple):
    """A figure of a player that changes; None where there is none. ``period`` belongs to season points."""

    player_id: str
    name: str
    before: int | None
    after: int | None
    period: str | None = None


class Changes(NamedTuple):
    """Changes of one kind: how many there are, and the first of them."""

    total: int
    shown: list[Change]


class Effect(NamedTuple):
    """What a ruling changes: attempts by how they stand, ranks (after None: off the board), points, streaks in days.

    ``ends_at`` and ``closes_at`` are set where a challenge is extended.
    """

    challenge: ChallengeRow
    dry_run: bool
    attempts_before: dict[str, int]
    attempts_after: dict[str, int]
    ranks: Changes
    points: Changes
    streaks: Changes
    ends_at: int | None = None
    closes_at: int | None = None

    def told(self) -> dict[str, object]:
        """What the audit log keeps of it: numbers, and nobody's name."""
        return {
            "attempts": self.attempts_after,
            "ranks_changed": self.ranks.total,
            "points_changed": self.points.total,
            "streaks_changed": self.streaks.total,
        }


class Before(NamedTuple):
    """What stood before a ruling; ``excused`` where its day broke no streak even then."""

    standings: Standings
    streaks: dict[str, int]
    excused: bool


async def before(conn: AsyncConnection, challenge: ChallengeRow, now_ms: int) -> Before:
    """What stands because of a challenge, to be compared with what stands later in the same transaction."""
    found = await effects.standings(conn, challenge)
    running = await _streaks(conn, challenge, tuple(found.ranks), now_ms)
    return Before(found, running, await _excused(conn, challenge, now_ms))


async def difference(
    conn: AsyncConnection, challenge: ChallengeRow, earlier: Before, now_ms: int, *, dry_run: bool
) -> Effect:
    """What has changed since ``earlier``."""
    players = tuple(earlier.standings.ranks)
    later = await effects.standings(conn, challenge, players)
    streaks_after = await _streaks(conn, challenge, players, now_ms)
    ranks = [
        (player, rank, later.ranks.get(player))
        for player, rank in earlier.standings.ranks.items()
        if later.ranks.get(player) != rank
    ]
    points_before, points_after = earlier.standings.points, later.points
    points = [
        (player, points_before.get((period, player)), points_after.get((period, player)), period)
        for period, player in sorted({*points_before, *points_after})
        if points_before.get((period, player)) != points_after.get((period, player))
    ]
    ranks.sort(key=lambda change: (change[1], change[0]))
    place = earlier.standings.ranks
    days = [
        (player, earlier.streaks[player], streaks_after[player])
        for player in sorted(earlier.streaks, key=lambda player: (place[player], player))
        if streaks_after[player] != earlier.streaks[player]
    ]
    if await _excused(conn, challenge, now_ms) and not earlier.excused:
        days += await _of_those_who_missed(conn, challenge, frozenset(players), now_ms)
    shown = {row[0] for rows in (ranks, points, days) for row in rows[:SHOWN]}
    names = await effects.names(conn, sorted(shown))
    return Effect(
        challenge,
        dry_run,
        earlier.standings.over,
        later.over,
        _changes(ranks, names),
        _changes(points, names),
        _changes(days, names),
    )


def _changes(rows: Sequence[_Row], names: dict[str, str]) -> Changes:
    shown = rows[:SHOWN]
    return Changes(len(rows), [Change(player, names.get(player, ""), *figures) for player, *figures in shown])


async def _streaks(
    conn: AsyncConnection, challenge: ChallengeRow, players: Iterable[str], now_ms: int
) -> dict[str, int]:
    """The running streaks of players, in days; only a daily changes any."""
    chosen = sorted(players)
    if challenge.kind != "daily" or not chosen:
        return {}
    opened = first_open(now_ms)
    finished = await _finished(conn, chosen)
    excused = await _excused_since(conn, finished, opened, now_ms)
    return {player: streaks.streak(days, excused, opened).current for player, days in finished.items()}


async def _of_those_who_missed(
    conn: AsyncConnection, challenge: ChallengeRow, known: frozenset[str], now_ms: int
) -> list[_Row]:
    """What it means to all but the ``known`` that the day of a challenge breaks no streak any more.

    Only streaks that reached the day can change: of those who finished a daily so few days before it that freezes may
    have covered the days between, and none on the day itself.
    """
    assert challenge.date is not None, "only dailies have days"
    day = date.fromisoformat(challenge.date).toordinal()
    since = await _reached_from(conn, day, now_ms)
    opened = first_open(now_ms)
    found: list[_Row] = []
    missed = await profiles.who_missed(conn, challenge.date, since.isoformat())
    others = [player for player in missed if player not in known]
    for start in range(0, len(others), _TOGETHER):
        finished = await _finished(conn, others[start : start + _TOGETHER])
        excused = await _excused_since(conn, finished, opened, now_ms)
        for player, days in sorted(finished.items()):
            before = streaks.streak(days, excused - {day}, opened).current
            after = streaks.streak(days, excused, opened).current
            if before != after:
                found.append((player, before, after))
        await asyncio.sleep(0)  # there may be thousands, and others want to play
    return found


async def _reached_from(conn: AsyncConnection, day: int, now_ms: int) -> date:
    """The first day from which a streak can have reached ``day`` over missed days alone."""
    first, excused, missed = day, frozenset[int](), 0
    for earlier in range(day - 1, day - _FARTHEST, -1):
        if earlier < first:
            first = earlier - _TOGETHER
            excused = await excused_days(conn, date.fromordinal(first), now_ms)
        missed += earlier not in excused
        if missed > streaks.MOST_FREEZES:
            return date.fromordinal(earlier)
    return date.fromordinal(day - _FARTHEST)


async def _finished(conn: AsyncConnection, players: Sequence[str]) -> dict[str, list[int]]:
    """The days on which players finished a ranked daily."""
    dates = await profiles.finished_dates_of(conn, players)
    return {player: [date.fromisoformat(text).toordinal() for text in dates.get(player, ())] for player in players}


async def _excused_since(
    conn: AsyncConnection, finished: Mapping[str, Sequence[int]], opened: int, now_ms: int
) -> frozenset[int]:
    """The days that break no streak, from the first day on which somebody finished."""
    first = min((day for days in finished.values() for day in days), default=opened)
    return await excused_days(conn, date.fromordinal(min(first, opened)), now_ms)


async def _excused(conn: AsyncConnection, challenge: ChallengeRow, now_ms: int) -> bool:
    """Whether missing the day of a challenge breaks no streak."""
    if challenge.kind != "daily" or challenge.date is None:
        return True
    day = date.fromisoformat(challenge.date)
    return day.toordinal() in await excused_days(conn, day, now_ms)
