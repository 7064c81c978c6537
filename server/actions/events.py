"""Events as players see them: a name, deals, when they open and close, and a board that adds the deals up."""

from typing import Final, Literal, NamedTuple

from server.actions import dailies
from server.actions.dailies import Listed
from server.actions.house import Services
from server.errors import GameError
from server.store import events
from server.store.events import EventLine, EventRow

#: Events in one answer.
PAGE: Final = 20
#: How long before its opening an event is announced, in milliseconds.
SOON_MS: Final = 7 * 86_400_000
#: Lines of a board in one answer.
LINES: Final = 100

State = Literal["coming", "open", "closed", "void"]


class EventView(NamedTuple):
    """An event and its challenges as a player sees them. Instants are milliseconds since the epoch."""

    event: EventRow
    state: State
    deals: list[Listed]


class EventBoard(NamedTuple):
    """Lines of an event's board, how many it has, and how many come before them."""

    view: EventView
    lines: list[EventLine]
    total: int
    skip: int


def state_of(row: EventRow, now_ms: int) -> State:
    """How an event stands."""
    if row.void:
        return "void"
    if now_ms < row.opens_at:
        return "coming"
    return "closed" if all(deal.closed_at is not None for deal in row.challenges) else "open"


async def every(
    services: Services, player_id: str | None, before: str | None = None
) -> tuple[list[EventView], str | None]:
    """The latest events, from before one of an id; and the id to go on from, None at the end."""
    async with services.store.reading() as conn:
        rows = await events.page(conn, PAGE + 1, before)
    views = [await view(services, row, player_id) for row in rows[:PAGE]]
    return views, rows[PAGE - 1].id if len(rows) > PAGE else None


async def current(services: Services, player_id: str | None) -> list[EventView]:
    """Events that run, then those that open soon, each by the instant at which it opens."""
    now = services.clock.now_ms()
    async with services.store.reading() as conn:
        rows = await events.current(conn, PAGE, now + SOON_MS)
    rows.sort(key=lambda row: (row.opens_at > now, row.opens_at, row.id))
    return [await view(services, row, player_id) for row in rows]


async def one(services: Services, event_id: str, player_id: str | None) -> EventView:
    """An event by its id. Raises ``event/unknown``."""
    return await view(services, await stored(services, event_id), player_id)


async def stored(services: Services, event_id: str) -> EventRow:
    """An event as stored. Raises ``event/unknown``."""
    async with services.store.reading() as conn:
        row = await events.event(conn, event_id)
    if row is None:
        raise GameError("event/unknown", "no such event")
    return row


async def view(services: Services, row: EventRow, player_id: str | None) -> EventView:
    """An event as a player sees it."""
    deals = [await dailies.listed(services, deal, player_id) for deal in row.challenges]
    return EventView(row, state_of(row, services.clock.now_ms()), deals)


async def board(services: Services, event_id: str, player_id: str | None, skip: int, limit: int) -> EventBoard:
    """Lines of an event's board: the points of its deals (docs/adr/0012), added up.

    Raises ``event/unknown``, or ``challenge/not_open`` before it opens.
    """
    found = await one(services, event_id, player_id)
    if found.state == "coming":
        raise GameError("challenge/not_open", "the event has not opened yet")
    async with services.store.reading() as conn:
        lines, total = await events.board(conn, event_id, limit, skip)
    return EventBoard(found, lines, total, skip)
