"""Previews: an admin plays a coming deal without a result, as the player that he has named.

From then on he knows the deal, so the player has no ranked attempt at it. The seed is not told, before or afterwards.
"""

from typing import NamedTuple

from server.actions import starting
from server.actions.admin.calendar import parse_day
from server.actions.admin.planning import daily_rules
from server.actions.admin.roles import Actor, player_of
from server.actions.admin.rulings import name_of
from server.actions.house import Services
from server.core.rules import Rules
from server.errors import GameError
from server.games import ruleset
from server.store import admins, challenges, deals, plans
from server.store.attempts import AttemptRow
from server.store.challenges import ChallengeRow


class _Coming(NamedTuple):
    """A deal that nobody can play yet, and what the audit log calls it."""

    rules: Rules
    seed: str
    target: str


async def preview_day(services: Services, who: Actor, day_text: str, key: str) -> AttemptRow:
    """Play the deal of a coming day.

    Raises ``admin/unbound``, ``admin/dates``, ``ruleset/unknown``, ``challenge/closed`` for a day that has begun, or
    ``deal/none`` where no deal is chosen yet.
    """
    who.needs("deals.preview")
    player_of(who)
    day, rules = parse_day(day_text), daily_rules(key)
    async with services.store.reading() as conn:
        made = await challenges.daily(conn, day.isoformat(), key)
        plan = await plans.plan(conn, day.isoformat(), key)
        seed = None if plan is None else plan.seed
        if plan is not None and plan.deal_id is not None:
            seed = await deals.seed_of(conn, plan.deal_id)
    if made is not None:
        return await _play(services, who, _of(services, made))
    if seed is None:
        raise GameError("deal/none", "no deal is chosen for that day yet")
    return await _play(services, who, _Coming(rules, seed, f"daily/{day}/{key}"))


async def preview_deal(services: Services, who: Actor, deal_id: str) -> AttemptRow:
    """Play a deal of the stock that no challenge has. Raises ``admin/unbound`` or ``deal/unknown``."""
    who.needs("deals.preview")
    player_of(who)
    async with services.store.reading() as conn:
        key, seed = await deals.ruleset_of(conn, deal_id), await deals.seed_of(conn, deal_id)
    if key is None or seed is None:
        raise GameError("deal/unknown", "no unused deal has that id")
    return await _play(services, who, _Coming(ruleset(key), seed, f"deal/{deal_id}"))


async def preview_challenge(services: Services, who: Actor, challenge_id: str) -> AttemptRow:
    """Play a challenge that has not opened: one of an event, or tomorrow's daily.

    Raises ``admin/unbound``, ``challenge/unknown``, or ``challenge/closed`` where it has opened.
    """
    who.needs("deals.preview")
    player_of(who)
    async with services.store.reading() as conn:
        row = await challenges.challenge(conn, challenge_id)
    if row is None or row.kind not in ("daily", "event"):
        raise GameError("challenge/unknown", "no such challenge")
    return await _play(services, who, _of(services, row))


def _of(services: Services, row: ChallengeRow) -> _Coming:
    if row.opens_at <= services.clock.now_ms():
        raise GameError("challenge/closed", "what has opened can be played by everybody")
    return _Coming(ruleset(row.ruleset, row.rules_version), row.seed, name_of(row))


async def _play(services: Services, who: Actor, coming: _Coming) -> AttemptRow:
    admin_id, player_id = player_of(who)
    now = services.clock.now_ms()
    row = ChallengeRow.of(
        coming.rules,
        coming.seed,
        id=services.new_id(now),
        kind="practice",
        opens_at=now,
        created_at=now,
        preview=True,
    )
    async with services.store.writing() as conn:
        # Barred before a card is shown.
        await admins.bar(conn, admin_id, [row.commitment], "previewed", now)
        await challenges.insert_challenge(conn, row)
        await who.note(conn, now, "deal.preview", coming.target, after={"player": player_id})
    return await starting.practise(services, player_id, row, now)
