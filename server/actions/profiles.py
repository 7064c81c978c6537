"""Profiles: what a player has reached, and on which days. All is read from results, nothing is kept twice (R50)."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final, Literal, NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection

from server.actions.dailies import GRACE_MS
from server.actions.dates import midnight_ms, today
from server.actions.house import Services
from server.core.rules import Rules
from server.errors import GameError
from server.games import ruleset, rulesets
from server.play import figures, streaks
from server.play.figures import Spread
from server.play.streaks import Streak
from server.store import boards, follows, periods, players, profiles
from server.store.players import PlayerRow
from server.store.profiles import Game

#: Games in the list of the latest.
RECENT: Final = 20

DayState = Literal["played", "frozen", "outage", "missed", "open", "future"]


class Statistics(NamedTuple):
    """A player's results in one ruleset. Best, median and spreads are those of wins; times in milliseconds."""

    rules: Rules
    played: int
    won: int
    best_time_ms: int | None
    fewest_moves: int | None
    median_time_ms: int | None
    best_score: int | None
    times: Spread | None
    moves: Spread | None


class Recent(NamedTuple):
    """A game and its place on its challenge's main board."""

    game: Game
    rules: Rules
    rank: int | None
    of: int | None


class Profile(NamedTuple):
    """A player's page. ``today`` says whether a daily of the present date is finished."""

    player: PlayerRow
    since: date
    followers: int
    following: int
    followed: bool
    streak: Streak
    today: bool
    statistics: list[Statistics]
    recent: list[Recent]


class Day(NamedTuple):
    """A day of a calendar, and the results of its dailies."""

    day: date
    state: DayState
    games: list[tuple[Game, Rules]]


class Calendar(NamedTuple):
    """A month of a player; ``before`` and ``after`` are the keys of the months beside it, None for none."""

    player: PlayerRow
    key: str
    before: str | None
    after: str | None
    days: list[Day]


async def profile(services: Services, player_id: str, viewer_id: str | None) -> Profile:
    """A player's page as another sees it. Raises ``not_found``."""
    now = services.clock.now_ms()
    player = await _player(services, player_id)
    async with services.store.reading() as conn:
        own = await profiles.figures(conn, player.id)
        latest = await profiles.games(conn, player.id, latest=RECENT)
        recent = []
        for game in latest:
            line = await boards.line(conn, game.challenge_id, "main", player.id)
            of = await boards.total(conn, game.challenge_id)
            recent.append(Recent(game, ruleset(game.ruleset), None if line is None else line.rank, of))
        followers = await follows.followers(conn, player.id)
        following = await follows.following(conn, player.id)
        followed = viewer_id is not None and await follows.follows(conn, viewer_id, player.id)
    finished, streak, _ = await _streak(services, player.id, now)
    return Profile(
        player,
        today(player.created_at),
        followers,
        following,
        followed,
        streak,
        today(now).toordinal() in finished,
        _statistics(own),
        recent,
    )


async def calendar(services: Services, player_id: str, month: str) -> Calendar:
    """A month (``YYYY-MM``) of a player's dailies. Raises ``not_found``, also for months that have not begun."""
    now = services.clock.now_ms()
    present = today(now)
    period = periods.parse(month, present) if len(month) == 7 else None
    if period is None or period.kind != "month" or period.begins is None or period.ends is None:
        raise GameError("not_found", "a month is YYYY-MM, and has begun")
    player = await _player(services, player_id)
    async with services.store.reading() as conn:
        games = await profiles.dailies_between(conn, player.id, period.begins.isoformat(), period.ends.isoformat())
    finished, streak, outages = await _streak(services, player.id, now, since=period.begins)
    first = first_open(now)
    days = []
    for offset in range((period.ends - period.begins).days + 1):
        day = period.begins + timedelta(days=offset)
        number = day.toordinal()
        state: DayState = "missed"
        if number in finished:
            state = "played"
        elif day > present:
            state = "future"
        elif number >= first:
            state = "open"
        elif number in streak.frozen:
            state = "frozen"
        elif number in outages:
            state = "outage"
        own = [(game, ruleset(game.ruleset)) for game in games if game.date == day.isoformat()]
        days.append(Day(day, state, own))
    before, after = periods.beside(period, present)
    return Calendar(player, period.key, before, after, days)


async def _player(services: Services, player_id: str) -> PlayerRow:
    async with services.store.reading() as conn:
        player = await players.player(conn, player_id)
    if player is None:
        raise GameError("not_found", "no such player")
    return player


async def _streak(
    services: Services, player_id: str, now: int, since: date | None = None
) -> tuple[frozenset[int], Streak, frozenset[int]]:
    """The days finished, the streak, and the days with an outage; days as ordinals."""
    async with services.store.reading() as conn:
        dates = await profiles.finished_dates(conn, player_id)
        finished = frozenset(date.fromisoformat(text).toordinal() for text in dates)
        first = min([*finished, today(now).toordinal(), *([] if since is None else [since.toordinal()])])
        excused = await excused_days(conn, date.fromordinal(first), now)
    return finished, streaks.streak(finished, excused, first_open(now)), excused


async def excused_days(conn: AsyncConnection, first: date, now: int) -> frozenset[int]:
    """The days from ``first`` on that break no streak: with an outage, with a void daily, or with one still open."""
    logged = await profiles.outages_between(conn, midnight_ms(first), now)
    dates = await profiles.excused_dates(conn, first.isoformat(), now)
    return _days_of(logged) | {date.fromisoformat(text).toordinal() for text in dates}


def first_open(now: int) -> int:
    """The first day whose dailies may still be finished: for an hour after midnight that is yesterday."""
    return today(now - GRACE_MS).toordinal()


def _days_of(outages: Sequence[tuple[int, int]]) -> frozenset[int]:
    """The days that outages touch."""
    days: set[int] = set()
    for began_at, ended_at in outages:
        days.update(range(today(began_at).toordinal(), today(ended_at - 1).toordinal() + 1))
    return frozenset(days)


def _statistics(own: Sequence[tuple[str, str, int, int, int | None]]) -> list[Statistics]:
    found = []
    for rules in sorted(rulesets().values(), key=lambda rules: (rules.daily is None, rules.daily or 0, rules.key)):
        games = [row for row in own if row[0] == rules.key]
        if not games:
            continue
        wins = [row for row in games if row[1] == "won"]
        times = [row[2] for row in wins]
        moves = [row[3] for row in wins]
        found.append(
            Statistics(
                rules,
                len(games),
                len(times),
                min(times, default=None),
                min(moves, default=None),
                figures.median(times),
                max((score for *_, score in wins if score is not None), default=None),
                figures.spread("ms", [(value, 1) for value in times]),
                figures.spread("moves", [(value, 1) for value in moves]),
            )
        )
    return found
