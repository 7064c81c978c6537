"""From profiles, calendars and fields to the bodies of the HTTP API."""

from server.actions.dates import iso
from server.actions.fields import TENTHS, Field, Pace
from server.actions.fields import Own as OwnPlace
from server.actions.profiles import Calendar, Day, Profile, Recent, Statistics
from server.core.rules import Rules
from server.net.board_schemas import (
    BarBody,
    CalendarBody,
    DayBody,
    DayGame,
    FieldBody,
    FieldOwn,
    GameBody,
    PaceBody,
    ProfileBody,
    RecentBody,
    SpreadBody,
    StreakBody,
)
from server.net.shapes import player
from server.play.figures import Spread
from server.store.profiles import Game


def profile(found: Profile) -> ProfileBody:
    """A player's page."""
    streak = found.streak
    return ProfileBody(
        player=player(found.player),
        since=found.since.isoformat(),
        followers=found.followers,
        following=found.following,
        followed=found.followed,
        streak=StreakBody(
            current=streak.current,
            longest=streak.longest,
            freezes=streak.freezes,
            next_freeze_in=streak.next_freeze_in,
            today=found.today,
        ),
        games=[_statistics(one) for one in found.statistics],
        recent=[_recent(one) for one in found.recent],
        ratings={},
    )


def calendar(found: Calendar) -> CalendarBody:
    """A month of a player."""
    return CalendarBody(
        player=player(found.player),
        month=found.key,
        previous=found.before,
        next=found.after,
        days=[_day(day) for day in found.days],
    )


def field(found: Field) -> FieldBody:
    """The field of a daily."""
    row = found.challenge
    return FieldBody(
        challenge=row.id,
        ruleset=row.ruleset,
        date=row.date or "",
        closed=row.closed_at is not None,
        total=found.total,
        won=found.won,
        own=None if found.own is None else _own(found.own),
        times=spread(found.times),
        moves=spread(found.moves),
        progress=spread(found.progress),
        scores=spread(found.scores),
        pace=None if found.pace is None else _pace(found.pace),
    )


def spread(found: Spread | None) -> SpreadBody | None:
    """How values are spread."""
    if found is None:
        return None
    bars = [BarBody(start=bar.start, end=bar.end, count=bar.values) for bar in found.bars]
    return SpreadBody(unit=found.unit, bars=bars, own=found.own, total=found.total, open_ended=found.open_ended)


def _statistics(found: Statistics) -> GameBody:
    return GameBody(
        ruleset=found.rules.key,
        title=found.rules.title,
        played=found.played,
        won=found.won,
        best_time_ms=found.best_time_ms,
        fewest_moves=found.fewest_moves,
        median_time_ms=found.median_time_ms,
        best_score=found.best_score,
        maximum=found.rules.layout.maximum,
        times=spread(found.times),
        moves=spread(found.moves),
    )


def _recent(found: Recent) -> RecentBody:
    game = found.game
    return RecentBody(
        attempt=game.attempt_id,
        challenge=game.challenge_id,
        kind=game.kind,
        ruleset=game.ruleset,
        title=found.rules.title,
        date=game.date,
        closed=game.closed,
        outcome=game.outcome,
        time_ms=game.time_ms,
        moves=game.moves,
        undos=game.undos,
        progress=game.progress,
        maximum=found.rules.layout.maximum,
        score=game.score,
        rank=found.rank,
        of=found.of,
        finished_at=iso(game.finished_at),
    )


def _day(day: Day) -> DayBody:
    return DayBody(date=day.day.isoformat(), state=day.state, results=[_day_game(*game) for game in day.games])


def _day_game(game: Game, rules: Rules) -> DayGame:
    return DayGame(
        attempt=game.attempt_id,
        challenge=game.challenge_id,
        ruleset=game.ruleset,
        title=rules.title,
        outcome=game.outcome,
        time_ms=game.time_ms,
        moves=game.moves,
        progress=game.progress,
        maximum=rules.layout.maximum,
        points=game.points,
    )


def _own(own: OwnPlace) -> FieldOwn:
    line = own.line
    return FieldOwn(
        outcome=line.outcome,
        time_ms=line.time_ms,
        moves=line.moves,
        progress=line.progress,
        score=line.score,
        rank=line.rank,
        of=own.of,
        points=own.points,
        percentile=own.points / 10,
        beaten=own.beaten,
        equal=own.equal,
        course=own.course,
    )


def _pace(pace: Pace) -> PaceBody:
    return PaceBody(tenths=list(TENTHS), median_ms=pace.median_ms, own_ms=pace.own_ms, sample=pace.sample)
