"""The dailies: made a day ahead, one for each date and ruleset, closed an hour after their day (DESIGN 6)."""

import asyncio
from datetime import date
from typing import Final, NamedTuple

import structlog

from server.actions import making
from server.actions import stock as stocks
from server.actions.dates import parse_date, today
from server.actions.house import Services
from server.actions.places import Place, place_of, players_of
from server.core.rules import Rules
from server.errors import GameError
from server.games import ruleset
from server.store import attempts, challenges, events, seasons, stock
from server.store.attempts import AttemptRow
from server.store.challenges import ChallengeRow
from server.store.stock import Difficulty

log = structlog.get_logger(__name__)

#: A daily may be finished so long after its day has ended.
GRACE_MS: Final = making.GRACE_MS
daily_rulesets = stocks.daily_rulesets

#: Attempts at a daily close so many at a time, so that a full house does not wait in one line.
CLOSE_TOGETHER: Final = 64


class Own(NamedTuple):
    """A player's own ranked attempt at a challenge, and its place once it stands on the board."""

    attempt: AttemptRow
    place: Place | None


class Proof(NamedTuple):
    """What is proved of a closed challenge: ``par`` moves of a ``witness``, exact where no win has fewer."""

    par: int
    par_exact: bool
    score: int | None
    witness: str


class Listed(NamedTuple):
    """A challenge as lists show it: ``difficulty`` once it has opened, ``seed`` and ``proof`` once it is closed."""

    challenge: ChallengeRow
    rules: Rules
    players: int
    own: Own | None
    seed: str | None
    difficulty: Difficulty | None = None
    proof: Proof | None = None
    #: Id and name of the event that it belongs to.
    event: tuple[str, str] | None = None


async def ensure(services: Services, day: date) -> list[ChallengeRow]:
    """The dailies of a date, made where they are missing; whoever makes one first, all get the same."""
    async with services.store.reading() as conn:
        present = {row.ruleset: row for row in await challenges.dailies(conn, day.isoformat())}
    standing = [present.get(rules.key) for rules in daily_rulesets()]
    made = await asyncio.gather(
        *(
            services.maker.daily(rules, day)
            for rules, row in zip(daily_rulesets(), standing, strict=True)
            if row is None
        )
    )
    missing = iter(made)
    return [row if row is not None else next(missing) for row in standing]


async def resolve(services: Services, reference: str) -> ChallengeRow:
    """The challenge of an id or of ``daily/DATE/RULESET``. Raises ``challenge/unknown`` or ``ruleset/unknown``."""
    if not reference.startswith("daily/"):
        return await by_id(services, reference)
    parts = reference.split("/")
    if len(parts) != 3:
        raise GameError("challenge/unknown", "a daily is daily/DATE/RULESET")
    return await daily(services, parts[1], parts[2])


async def stored(services: Services, reference: str) -> ChallengeRow:
    """As :func:`resolve`, but nothing is made that is missing. Raises ``challenge/unknown`` or ``ruleset/unknown``."""
    if not reference.startswith("daily/"):
        return await by_id(services, reference)
    date_text, _, key = reference.removeprefix("daily/").partition("/")
    day = parse_date(date_text, services.clock.now_ms())
    async with services.store.reading() as conn:
        row = await challenges.daily(conn, day.isoformat(), ruleset(key).key)
    if row is None:
        raise GameError("challenge/unknown", "there is no daily of that date and ruleset")
    return row


async def by_id(services: Services, challenge_id: str) -> ChallengeRow:
    """The challenge of an id. Raises ``challenge/unknown``."""
    async with services.store.reading() as conn:
        row = await challenges.challenge(conn, challenge_id)
    if row is None:
        raise GameError("challenge/unknown", "no such challenge")
    return row


async def daily(services: Services, date_text: str, key: str) -> ChallengeRow:
    """The daily of a date and a ruleset; today's and tomorrow's are made where they are missing."""
    rules = ruleset(key)
    now = services.clock.now_ms()
    day = parse_date(date_text, now)
    async with services.store.reading() as conn:
        row = await challenges.daily(conn, day.isoformat(), rules.key)
    if row is None and rules.daily is not None and day >= today(now):
        row = await services.maker.daily(rules, day)
    if row is None:
        raise GameError("challenge/unknown", "there is no daily of that date and ruleset")
    return row


async def dailies(services: Services, date_text: str, player_id: str | None) -> tuple[date, list[Listed]]:
    """The dailies of a date as a player sees them. Raises ``challenge/unknown`` for dates without."""
    now = services.clock.now_ms()
    day = parse_date(date_text, now)
    if day >= today(now):
        rows = await ensure(services, day)
    else:
        async with services.store.reading() as conn:
            rows = list(await challenges.dailies(conn, day.isoformat()))
        places = {rules.key: place for place, rules in enumerate(daily_rulesets())}
        rows.sort(key=lambda row: (places.get(row.ruleset, len(places)), row.ruleset))
    if not rows:
        raise GameError("challenge/unknown", "there are no dailies of that date")
    return day, [await listed(services, row, player_id) for row in rows]


async def listed(services: Services, row: ChallengeRow, player_id: str | None) -> Listed:
    """A challenge as a player sees it: his own attempt, how many play, and after the close the seed."""
    rules = ruleset(row.ruleset, row.rules_version)
    async with services.store.reading() as conn:
        players = await players_of(conn, row.id)
        own_row = None if player_id is None else await attempts.ranked_attempt(conn, player_id, row.id)
        own = None
        if own_row is not None:
            place = None if own_row.over is None else await place_of(conn, row.id, own_row.player_id)
            own = Own(own_row, place)
        deal = await stock.of_challenge(conn, row.id)
        event = await events.of_challenge(conn, row.id) if row.kind == "event" else None
    closed, opened = row.closed_at is not None, row.opens_at <= services.clock.now_ms()
    return Listed(
        row,
        rules,
        players,
        own,
        seed=row.seed if closed else None,
        difficulty=deal.difficulty if deal is not None and opened else None,
        proof=Proof(deal.par, deal.par_exact, deal.score, deal.witness) if deal is not None and closed else None,
        event=event,
    )


async def close_due(services: Services) -> int:
    """Close every challenge whose time has come: end what is open, then reveal. Returns how many were closed."""
    now = services.clock.now_ms()
    async with services.store.reading() as conn:
        due = await challenges.challenges_to_close(conn, now)
    for row in due:
        await _close(services, row)
    return len(due)


async def _close(services: Services, row: ChallengeRow) -> None:
    assert row.closes_at is not None, "only challenges with a closing time come due"
    closed = False
    while not closed:
        async with services.store.reading() as conn:
            standing = await challenges.challenge(conn, row.id)
            if standing is None or standing.closes_at != row.closes_at:
                return  # it was extended meanwhile
            group = await attempts.open_attempts(conn, row.id, limit=CLOSE_TOGETHER)
        await asyncio.gather(*(services.house.close_attempt(attempt.id, row.closes_at) for attempt in group))
        if not group:
            async with services.store.writing() as conn:
                closed = await challenges.mark_closed(conn, row.id, services.clock.now_ms())
                after = await challenges.challenge(conn, row.id) if closed else None
                if after is not None:
                    await seasons.settle(conn, after)
            if after is not None:
                services.board_news.settled(after)
    log.info("challenge closed", kind=row.kind, ruleset=row.ruleset, date=row.date)
