"""Events of one's own: made, changed and cancelled before they open; afterwards there are rulings only."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection

from server.actions import events
from server.actions import stock as stocks
from server.actions.admin.roles import Actor
from server.actions.admin.rulings import checked
from server.actions.dailies import GRACE_MS
from server.actions.dates import iso
from server.actions.events import EventView
from server.actions.house import Services
from server.core.deck import parse_seed, shuffled
from server.errors import GameError
from server.games import ruleset
from server.store import challenges, plans, stock, withdrawals
from server.store import deals as free
from server.store import events as stored
from server.store.challenges import ChallengeRow
from server.store.events import EventRow
from server.store.stock import DealRow, Difficulty

DAY_MS: Final = 86_400_000
#: Deals of one event.
MOST_DEALS: Final = 30
#: An event opens within so many days, and ends so many days after that at the latest.
HORIZON_DAYS: Final = 400
LONGEST_DAYS: Final = 92


class DealWish(NamedTuple):
    """A deal of an event: of a ruleset, from the stock by id or difficulty, or with a seed of one's own.

    Who gives a seed may have given it to others, so nobody ranks on it.
    """

    ruleset: str
    seed: str | None = None
    difficulty: Difficulty | None = None
    deal_id: str | None = None


class Times(NamedTuple):
    """When an event opens, when it can be started last, and when it closes. Instants in milliseconds."""

    opens_at: int
    ends_at: int
    closes_at: int


async def make(services: Services, who: Actor, name: str, times: Times, deals: Sequence[DealWish]) -> EventView:
    """Make an event. Its commitments are public at once.

    Raises ``event/invalid``, ``ruleset/unknown``, ``seed/invalid``, ``deal/used`` or ``deal/none``.
    """
    who.needs("events.write")
    name = clean(name)
    now = services.clock.now_ms()
    _check(times, now)
    if not 1 <= len(deals) <= MOST_DEALS:
        raise GameError("event/invalid", f"an event has 1 to {MOST_DEALS} deals")
    seeds = _own_seeds(deals)
    event_id = services.new_id(now)
    async with services.store.writing() as conn:
        await plans.alone(conn)
        if await plans.used_seeds(conn, seeds):
            raise GameError("deal/used", "a seed was used before")
        rows = [await _deal(services, conn, deal, times, now) for deal in deals]
        await stored.create(conn, event_id, name, now, [row.id for row in rows])
        await who.note(conn, now, "event.make", f"event/{event_id}", after=_told(name, rows))
    return await events.one(services, event_id, None)


async def change(services: Services, who: Actor, event_id: str, name: str | None, times: Times | None) -> EventView:
    """Change the name or the times of an event that has not opened.

    Raises ``event/unknown``, ``event/opened`` or ``event/invalid``.
    """
    who.needs("events.write")
    name = None if name is None else clean(name)
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        await stored.lock(conn, event_id)
        row = _must_come(await stored.event(conn, event_id), now)
        if name is not None:
            await stored.rename(conn, event_id, name)
        if times is not None:
            _check(times, now)
            await stored.reschedule(conn, event_id, *times)
        after = await stored.event(conn, event_id)
        assert after is not None, "events stay"
        await who.note(
            conn,
            now,
            "event.change",
            f"event/{event_id}",
            before=_told(row.name, row.challenges),
            after=_told(after.name, after.challenges),
        )
    return await events.one(services, event_id, None)


async def cancel(services: Services, who: Actor, event_id: str, reason: str) -> EventView:
    """Call off an event that has not opened; it stays in the list as void.

    Raises ``event/unknown``, ``event/opened`` or ``admin/reason``.
    """
    who.needs("events.write")
    reason = checked(reason)
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        await stored.lock(conn, event_id)
        row = _must_come(await stored.event(conn, event_id), now)
        for deal in row.challenges:
            await withdrawals.void_challenge(conn, deal.id, now)
        before = _told(row.name, row.challenges)
        await who.note(conn, now, "event.cancel", f"event/{event_id}", before=before, reason=reason)
    return await events.one(services, event_id, None)


async def every(services: Services, who: Actor, before: str | None) -> tuple[list[EventView], str | None]:
    """As :func:`server.actions.events.every`."""
    who.needs("events.read")
    return await events.every(services, None, before)


def clean(name: str) -> str:
    """The name of an event without spaces around it. Raises ``event/invalid``."""
    name = name.strip()
    if not 1 <= len(name) <= 80 or not name.isprintable():
        raise GameError("event/invalid", "the name of an event has 1 to 80 characters in one line")
    return name


def _check(times: Times, now_ms: int) -> None:
    opens_at, ends_at, closes_at = times
    if not now_ms <= opens_at <= now_ms + HORIZON_DAYS * DAY_MS:
        raise GameError("event/invalid", f"an event opens from now on, within {HORIZON_DAYS} days")
    if not opens_at < ends_at <= opens_at + LONGEST_DAYS * DAY_MS:
        raise GameError("event/invalid", f"an event ends after it opens, within {LONGEST_DAYS} days")
    if not ends_at <= closes_at <= ends_at + LONGEST_DAYS * DAY_MS:
        raise GameError("event/invalid", f"an event closes when it ends or later, within {LONGEST_DAYS} days")


def default_close(ends_at: int) -> int:
    """When an event closes that says nothing of it: as a daily, an hour after its end."""
    return ends_at + GRACE_MS


def _own_seeds(deals: Sequence[DealWish]) -> list[str]:
    """The seeds that are given, each the seed of a deal that can be played."""
    seeds = [deal.seed for deal in deals if deal.seed is not None]
    for deal in deals:
        rules = ruleset(deal.ruleset)
        if sum(wish is not None for wish in (deal.seed, deal.difficulty, deal.deal_id)) > 1:
            raise GameError("event/invalid", "a deal has a seed, a difficulty or an id")
        if deal.seed is not None:
            parse_seed(deal.seed)
            if not rules.moves(rules.deal(shuffled(deal.seed, rules.deck))):
                raise GameError("event/invalid", "the deal of a seed has no first move")
    if len(set(seeds)) < len(seeds):
        raise GameError("deal/used", "a seed is given twice")
    return seeds


async def _deal(services: Services, conn: AsyncConnection, deal: DealWish, times: Times, now_ms: int) -> ChallengeRow:
    """Make the challenge of one deal."""
    if deal.seed is not None:
        made, _ = await challenges.insert_challenge(conn, _row(services, deal, times, now_ms, deal.seed))
        return made
    chosen = await _from_stock(conn, deal)
    made, _ = await challenges.insert_challenge(conn, _row(services, deal, times, now_ms, chosen.seed))
    await stock.mark_used(conn, chosen.id, made.id, now_ms)
    return made


async def _from_stock(conn: AsyncConnection, deal: DealWish) -> DealRow:
    """A deal of the stock: who is ranked on it may trust that it was proved."""
    rules = ruleset(deal.ruleset)
    if deal.deal_id is None:
        levels = stocks.nearest("medium") if deal.difficulty is None else [deal.difficulty]
        picked = await stock.pick(conn, rules, levels)
        if picked is None:
            of = "" if deal.difficulty is None else f" of the level {deal.difficulty}"
            raise GameError("deal/none", f"no deal{of} of {rules.key} is in stock: fill it, or search for deals, first")
        return picked
    if await free.ruleset_of(conn, deal.deal_id) != rules.key:
        raise GameError("deal/unknown", "no deal of this ruleset has that id")
    if await free.one_free(conn, deal.deal_id) is None:
        raise GameError("deal/used", "the deal is used or planned")
    chosen = await stock.chosen(conn, rules, deal.deal_id)
    if chosen is None:
        raise GameError("deal/used", "the deal is one of older rules")
    return chosen


def _row(services: Services, deal: DealWish, times: Times, now_ms: int, seed: str) -> ChallengeRow:
    return ChallengeRow.of(
        ruleset(deal.ruleset),
        seed,
        id=services.new_id(now_ms),
        kind="event",
        opens_at=times.opens_at,
        ends_at=times.ends_at,
        closes_at=times.closes_at,
        created_at=now_ms,
        unranked=deal.seed is not None,
    )


def _must_come(row: EventRow | None, now_ms: int) -> EventRow:
    if row is None:
        raise GameError("event/unknown", "no such event")
    if row.opens_at <= now_ms or row.void:
        raise GameError("event/opened", "the event has opened, or was cancelled")
    return row


def _told(name: str, rows: Sequence[ChallengeRow]) -> dict[str, object]:
    """An event as the audit log has it."""
    first = rows[0]
    assert first.ends_at is not None, "events end"
    assert first.closes_at is not None, "events close"
    return {
        "name": name,
        "opens_at": iso(first.opens_at),
        "ends_at": iso(first.ends_at),
        "closes_at": iso(first.closes_at),
        "deals": [{"ruleset": row.ruleset, "challenge": row.id, "unranked": row.unranked} for row in rows],
    }
