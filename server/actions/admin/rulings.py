"""Rulings on challenges that have begun: void, exclude, extend. Nothing else of them ever changes.

Each can be rehearsed: the same is done in a transaction that is then given up, so that what is told is what will be.
"""

from collections.abc import Awaitable, Callable
from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from server.actions import dailies
from server.actions.admin import effects
from server.actions.admin.effects import Effect
from server.actions.admin.roles import Actor
from server.actions.dailies import Listed
from server.actions.dates import iso
from server.actions.house import Services
from server.errors import GameError, SamedealError
from server.store import attempts, challenges, withdrawals
from server.store.attempts import AttemptRow
from server.store.challenges import ChallengeRow

log = structlog.get_logger(__name__)

#: A challenge is extended by so many milliseconds at most.
LONGEST_EXTENSION_MS: Final = 31 * 86_400_000
#: Characters of a reason.
LONGEST_REASON: Final = 500

#: Attempts in one answer.
PAGE: Final = 100

Ruling = Callable[[AsyncConnection, ChallengeRow, int], Awaitable[None]]


class _Rehearsed(SamedealError):
    """The transaction was a rehearsal and is to be given up."""


async def void(services: Services, who: Actor, reference: str, reason: str, *, dry_run: bool = False) -> Effect:
    """Take a challenge out of everything that counts; it breaks nobody's streak.

    Raises ``challenge/unknown`` (also for practice), ``challenge/void`` where it is void already, or
    ``admin/reason``.
    """
    who.needs("rulings.write")
    row = await _challenge(services, reference)

    async def ruling(conn: AsyncConnection, challenge: ChallengeRow, now: int) -> None:
        _must_count(challenge)
        await withdrawals.void_challenge(conn, challenge.id, now)

    effect = await _rule(services, who, "challenge.void", row, reason, ruling, target=name_of(row), dry_run=dry_run)
    if not dry_run:
        announce(services, row)
    return effect


async def exclude(services: Services, who: Actor, attempt_id: str, reason: str, *, dry_run: bool = False) -> Effect:
    """Take one ranked attempt, open or ended, out of everything that counts; its player has no other.

    Raises ``attempt/unknown``, ``attempt/over`` where it is void already, or ``admin/reason``.
    """
    who.needs("rulings.write")
    async with services.store.reading() as conn:
        own = await attempts.attempt(conn, attempt_id)
    if own is None or not own.ranked:
        raise GameError("attempt/unknown", "no such ranked attempt")
    row = await dailies.by_id(services, own.challenge_id)

    async def ruling(conn: AsyncConnection, challenge: ChallengeRow, now: int) -> None:
        standing = await attempts.attempt(conn, own.id)
        assert standing is not None, "attempts stay"
        at_ms = standing.last_at_ms if standing.over is not None else max(0, now - standing.started_at)
        if await withdrawals.void(conn, own.id, at_ms, now) is None:
            raise GameError("attempt/over", "the attempt is void already")

    target = f"attempt/{own.id}"
    effect = await _rule(services, who, "attempt.exclude", row, reason, ruling, target=target, dry_run=dry_run)
    if not dry_run:
        announce(services, row)
    return effect


async def extend(
    services: Services, who: Actor, reference: str, until_ms: int, reason: str, *, dry_run: bool = False
) -> Effect:
    """Let a challenge be started until a later instant; it closes as much later as it would have.

    Raises ``challenge/unknown``, ``challenge/closed``, ``challenge/void``, ``admin/reason``, or ``admin/dates`` for an
    instant that is no later one or lies too far away.
    """
    who.needs("rulings.write")
    row = await _challenge(services, reference)
    times: list[int] = []

    async def ruling(conn: AsyncConnection, challenge: ChallengeRow, now: int) -> None:
        _must_count(challenge)
        if challenge.closed_at is not None or challenge.ends_at is None or challenge.closes_at is None:
            raise GameError("challenge/closed", "what has closed stays closed")
        by_ms = until_ms - challenge.ends_at
        if not 0 < by_ms <= LONGEST_EXTENSION_MS or until_ms <= now:
            raise GameError("admin/dates", "a challenge is extended to a later instant, within 31 days")
        times[:] = [until_ms, challenge.closes_at + by_ms]
        if not await withdrawals.extend(conn, challenge.id, *times):
            raise GameError("challenge/closed", "what has closed stays closed")

    effect = await _rule(services, who, "challenge.extend", row, reason, ruling, target=name_of(row), dry_run=dry_run)
    if not dry_run:
        services.house.extended(row.id, times[1])
    return effect._replace(ends_at=times[0], closes_at=times[1])


async def attempts_at(
    services: Services, who: Actor, reference: str, after: int
) -> tuple[Listed, list[tuple[AttemptRow, str]], int | None]:
    """A challenge and its ranked attempts with their players' names; and the number to go on after, None at the end.

    Raises ``challenge/unknown``.
    """
    who.needs("rulings.read")
    row = await _challenge(services, reference)
    async with services.store.reading() as conn:
        found = await attempts.ranked_at(conn, row.id, after, PAGE + 1)
    listed = await dailies.listed(services, row, None)
    return listed, found[:PAGE], found[PAGE - 1][0].number if len(found) > PAGE else None


def name_of(row: ChallengeRow) -> str:
    """What the audit log calls a challenge."""
    return f"daily/{row.date}/{row.ruleset}" if row.kind == "daily" else f"challenge/{row.id}"


def announce(services: Services, row: ChallengeRow) -> None:
    """Tell those who play a challenge or watch its boards that results have gone."""
    services.fields.pop(row.id, None)
    services.house.overruled(row.id)
    services.board_news.withdrawn(row)


def checked(reason: str) -> str:
    """A reason without spaces around it. Raises ``admin/reason`` for none and for too long a one."""
    reason = reason.strip()
    if not 1 <= len(reason) <= LONGEST_REASON or not reason.isprintable():
        raise GameError("admin/reason", f"a reason has 1 to {LONGEST_REASON} characters in one line")
    return reason


async def _challenge(services: Services, reference: str) -> ChallengeRow:
    row = await dailies.stored(services, reference)
    if row.kind == "practice":
        raise GameError("challenge/unknown", "practice counts for nobody")
    return row


def _must_count(row: ChallengeRow) -> None:
    if row.voided_at is not None:
        raise GameError("challenge/void", "the challenge is void already")


async def _rule(
    services: Services,
    who: Actor,
    action: str,
    row: ChallengeRow,
    reason: str,
    ruling: Ruling,
    *,
    target: str,
    dry_run: bool,
) -> Effect:
    reason = checked(reason)
    now = services.clock.now_ms()
    effect: Effect | None = None
    try:
        async with services.store.writing() as conn:
            await challenges.lock(conn, row.id)
            standing = await challenges.challenge(conn, row.id)
            assert standing is not None, "challenges stay"
            earlier = await effects.before(conn, standing, now)
            await ruling(conn, standing, now)
            after = await challenges.challenge(conn, row.id)
            assert after is not None, "challenges stay"
            effect = await effects.difference(conn, after, earlier, now, dry_run=dry_run)
            if dry_run:
                raise _Rehearsed
            times = {"ends_at": _told(after.ends_at), "closes_at": _told(after.closes_at)}
            await who.note(
                conn,
                now,
                action,
                target,
                before={
                    "challenge": row.id,
                    "attempts": effect.attempts_before,
                    "ends_at": _told(standing.ends_at),
                    "closes_at": _told(standing.closes_at),
                },
                after=effect.told() | times,
                reason=reason,
            )
    except _Rehearsed:
        assert effect is not None
        return effect._replace(challenge=row)
    log.info("ruling", action=action, kind=row.kind, ruleset=row.ruleset, date=row.date)
    assert effect is not None
    return effect


def _told(instant_ms: int | None) -> str | None:
    return None if instant_ms is None else iso(instant_ms)
