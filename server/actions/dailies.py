"""The dailies: made a day ahead, one for each date and ruleset, closed an hour after their day (DESIGN 6)."""

import asyncio
from datetime import date, timedelta
from typing import Final, NamedTuple

import structlog

from server.actions.dates import midnight_ms, parse_date, today
from server.actions.house import Services
from server.actions.places import Place, place_of, players_of
from server.core.deck import DEAL_VERSION, commitment, shuffled
from server.core.rules import Rules, Undecided
from server.errors import GameError
from server.games import ruleset, rulesets
from server.store import attempts, challenges, seasons
from server.store.attempts import AttemptRow
from server.store.challenges import ChallengeRow

log = structlog.get_logger(__name__)

#: A daily may be finished so long after its day has ended.
GRACE_MS: Final = 3_600_000
#: Attempts at a daily close so many at a time, so that a full house does not wait in one line.
CLOSE_TOGETHER: Final = 64


class Own(NamedTuple):
    """A player's own ranked attempt at a challenge, and its place once it stands on the board."""

    attempt: AttemptRow
    place: Place | None


class Listed(NamedTuple):
    """A challenge as lists show it. ``seed`` only once it is closed."""

    challenge: ChallengeRow
    rules: Rules
    players: int
    own: Own | None
    seed: str | None


def daily_rulesets() -> tuple[Rules, ...]:
    """The rulesets that have a daily, in the order in which they are listed."""
    daily = [rules for rules in rulesets().values() if rules.daily is not None]
    return tuple(sorted(daily, key=lambda rules: (rules.daily, rules.key)))


async def ensure(services: Services, day: date) -> list[ChallengeRow]:
    """The dailies of a date, made where they are missing; whoever makes one first, all get the same."""
    async with services.store.reading() as conn:
        present = {row.ruleset: row for row in await challenges.dailies(conn, day.isoformat())}
    rows = []
    for rules in daily_rulesets():
        row = present.get(rules.key)
        rows.append(row if row is not None else await _make(services, rules, day))
    return rows


async def _make(services: Services, rules: Rules, day: date) -> ChallengeRow:
    seed = await asyncio.to_thread(_fair_seed, services, rules)
    now = services.clock.now_ms()
    opens, ends = midnight_ms(day), midnight_ms(day + timedelta(days=1))
    row = ChallengeRow(
        id=services.new_id(now),
        kind="daily",
        ruleset=rules.key,
        rules_version=rules.version,
        deal_version=DEAL_VERSION,
        date=day.isoformat(),
        seed=seed,
        commitment=commitment(seed),
        opens_at=opens,
        ends_at=ends,
        closes_at=ends + GRACE_MS,
        closed_at=None,
        created_at=now,
    )
    async with services.store.writing() as conn:
        standing, made = await challenges.insert_challenge(conn, row)
    if made:
        log.info("daily made", ruleset=rules.key, date=row.date)
    return standing


def _fair_seed(services: Services, rules: Rules) -> str:
    """A fresh secret seed whose deal is not known to be unwinnable and has a first move."""
    while True:
        seed = services.seed()
        start = rules.deal(shuffled(seed, rules.deck))
        if not rules.moves(start):
            continue
        try:
            winnable = rules.winnable(rules.view(start), {})
        except Undecided:
            continue
        if winnable is not False:
            return seed


async def resolve(services: Services, reference: str) -> ChallengeRow:
    """The challenge of an id or of ``daily/DATE/RULESET``. Raises ``challenge/unknown`` or ``ruleset/unknown``."""
    if not reference.startswith("daily/"):
        return await by_id(services, reference)
    parts = reference.split("/")
    if len(parts) != 3:
        raise GameError("challenge/unknown", "a daily is daily/DATE/RULESET")
    return await daily(services, parts[1], parts[2])


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
    if row is None and day >= today(now):
        row = next((made for made in await ensure(services, day) if made.ruleset == key), None)
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
    return Listed(row, rules, players, own, row.seed if row.closed_at is not None else None)


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
            group = await attempts.open_attempts(conn, row.id, limit=CLOSE_TOGETHER)
        await asyncio.gather(*(services.house.close_attempt(attempt.id, row.closes_at) for attempt in group))
        if not group:
            async with services.store.writing() as conn:
                closed = await challenges.mark_closed(conn, row.id, services.clock.now_ms())
                standing = await challenges.challenge(conn, row.id) if closed else None
                if standing is not None:
                    await seasons.settle(conn, standing)
    log.info("challenge closed", kind=row.kind, ruleset=row.ruleset, date=row.date)
