"""Events: challenges under one name, and the board that adds them up."""

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import bindparam, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.admin_tables import Event, EventDeal
from server.store.challenges import CHALLENGE, ChallengeRow
from server.store.ids import is_id
from server.store.tables import Challenge, Id, Player


class EventRow(msgspec.Struct, frozen=True):
    """An event as stored, and its challenges in their order. All of them open and close together."""

    id: str
    name: str
    created_at: int
    challenges: tuple[ChallengeRow, ...]

    @property
    def opens_at(self) -> int:
        """The instant at which it opens."""
        return min(row.opens_at for row in self.challenges)

    @property
    def void(self) -> bool:
        """Whether it was cancelled, or all of it is void."""
        return all(row.voided_at is not None for row in self.challenges)


class EventLine(msgspec.Struct, frozen=True):
    """A line of an event's board: ``points`` of ``played`` deals, ``won`` of them, in ``time_ms`` altogether."""

    rank: int
    player_id: str
    player_kind: str
    player_name: str
    points: int
    played: int
    won: int
    time_ms: int


#: As the points of a daily (docs/adr/0012), added up over the deals; equal points are an equal rank.
_BOARD: Final = """
SELECT rank() OVER (ORDER BY points DESC) AS place, player_id, points, played, won, time_ms FROM (
    SELECT player_id, CAST(sum(500 * (2 * (n - better) - t) / n) AS INTEGER) AS points, count(*) AS played,
        sum(CASE WHEN outcome = 'won' THEN 1 ELSE 0 END) AS won, CAST(sum(time_ms) AS BIGINT) AS time_ms,
        max(finished_at) AS finished_at
    FROM (
        SELECT r.player_id, r.outcome, r.time_ms, r.finished_at, count(*) OVER board AS n,
            count(*) OVER (PARTITION BY r.challenge_id, r.class, r.main_1, r.main_2) AS t,
            rank() OVER (PARTITION BY r.challenge_id ORDER BY r.class, r.main_1, r.main_2) - 1 AS better
        FROM event_deals AS d JOIN results AS r ON r.challenge_id = d.challenge_id
        WHERE d.event_id = :event WINDOW board AS (PARTITION BY r.challenge_id)
    ) AS places GROUP BY player_id
) AS sums ORDER BY points DESC, time_ms, finished_at, player_id LIMIT :limit OFFSET :skip
"""

_TOTAL: Final = """
SELECT count(DISTINCT r.player_id) FROM event_deals AS d JOIN results AS r ON r.challenge_id = d.challenge_id
WHERE d.event_id = :event
"""

_EVENT: Final = bindparam("event", type_=Id)


async def create(conn: AsyncConnection, event_id: str, name: str, now_ms: int, challenge_ids: Sequence[str]) -> None:
    """Store an event of challenges that are stored already."""
    await conn.execute(insert(Event).values(id=event_id, name=name, created_at=now_ms))
    rows = [
        {"event_id": event_id, "place": place, "challenge_id": challenge_id}
        for place, challenge_id in enumerate(challenge_ids)
    ]
    await conn.execute(insert(EventDeal), rows)


async def rename(conn: AsyncConnection, event_id: str, name: str) -> None:
    """Give an event another name."""
    await conn.execute(update(Event).where(Event.id == event_id).values(name=name))


async def reschedule(conn: AsyncConnection, event_id: str, opens_at: int, ends_at: int, closes_at: int) -> None:
    """Let all challenges of an event open and close at other instants."""
    own = select(EventDeal.challenge_id).where(EventDeal.event_id == event_id)
    await conn.execute(
        update(Challenge).where(Challenge.id.in_(own)).values(opens_at=opens_at, ends_at=ends_at, closes_at=closes_at)
    )


async def event(conn: AsyncConnection, event_id: str) -> EventRow | None:
    """The event of an id, None where there is none."""
    if not is_id(event_id):
        return None
    found = await _events(conn, [event_id])
    return found[0] if found else None


async def page(conn: AsyncConnection, limit: int, before: str | None) -> list[EventRow]:
    """At most ``limit`` events, made latest first, from before the event of an id."""
    query = select(Event.id).order_by(Event.id.desc()).limit(limit)
    if before is not None:
        query = query.where(Event.id < before)
    return await _events(conn, list((await conn.execute(query)).scalars()))


async def current(conn: AsyncConnection, limit: int, until_ms: int) -> list[EventRow]:
    """At most ``limit`` events with a deal that is neither void nor closed and opens by an instant, latest first."""
    query = (
        select(EventDeal.event_id)
        .join(Challenge, Challenge.id == EventDeal.challenge_id)
        .where(Challenge.closed_at.is_(None), Challenge.voided_at.is_(None), Challenge.opens_at <= until_ms)
        .distinct()
        .order_by(EventDeal.event_id.desc())
        .limit(limit)
    )
    return await _events(conn, list((await conn.execute(query)).scalars()))


async def of_challenge(conn: AsyncConnection, challenge_id: str) -> tuple[str, str] | None:
    """Id and name of the event that a challenge belongs to."""
    row = (
        await conn.execute(
            select(Event.id, Event.name)
            .join(EventDeal, EventDeal.event_id == Event.id)
            .where(EventDeal.challenge_id == challenge_id)
        )
    ).first()
    return None if row is None else (row[0], row[1])


async def lock(conn: AsyncConnection, event_id: str) -> None:
    """Keep an event as it is until this transaction ends."""
    await conn.execute(select(Event.id).where(Event.id == event_id).with_for_update())


async def board(conn: AsyncConnection, event_id: str, limit: int, skip: int) -> tuple[list[EventLine], int]:
    """At most ``limit`` lines of an event's board after the first ``skip``, and how many there are."""
    statement = text(_BOARD).bindparams(_EVENT).columns(player_id=Id)
    rows = (await conn.execute(statement, {"event": event_id, "limit": limit, "skip": skip})).all()
    total = (await conn.execute(text(_TOTAL).bindparams(_EVENT), {"event": event_id})).scalar_one()
    query = select(Player.id, Player.kind, Player.name).where(Player.id.in_([row.player_id for row in rows]))
    who = {player_id: (kind, name) for player_id, kind, name in await conn.execute(query)}
    lines = [
        EventLine(int(place), player, *who[player], int(points), int(played), int(won), int(time_ms))
        for place, player, points, played, won, time_ms in rows
    ]
    return lines, int(total)


async def _events(conn: AsyncConnection, ids: Sequence[str]) -> list[EventRow]:
    heads = {row.id: row for row in await conn.execute(select(Event).where(Event.id.in_(ids)))}
    found: dict[str, list[ChallengeRow]] = {}
    query = (
        select(EventDeal.event_id, *CHALLENGE)
        .join(Challenge, Challenge.id == EventDeal.challenge_id)
        .where(EventDeal.event_id.in_(ids))
        .order_by(EventDeal.event_id, EventDeal.place)
    )
    for event_id, *values in await conn.execute(query):
        found.setdefault(event_id, []).append(ChallengeRow(*values))
    return [EventRow(one, heads[one].name, heads[one].created_at, tuple(found[one])) for one in ids if one in heads]
