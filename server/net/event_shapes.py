"""From what is known of events to the bodies of the HTTP API."""

from typing import cast

from server.actions.dates import iso
from server.actions.events import EventBoard, EventView
from server.actions.people import Kind
from server.net import shapes
from server.net.event_schemas import EventBoardBody, EventBody, EventRow
from server.net.schemas import PlayerBody


def event(found: EventView, now_ms: int) -> EventBody:
    """An event."""
    first = found.event.challenges[0]
    return EventBody(
        id=found.event.id,
        name=found.event.name,
        state=found.state,
        opens_at=iso(found.event.opens_at),
        ends_at=shapes.told(first.ends_at),
        closes_at=shapes.told(first.closes_at),
        challenges=[shapes.challenge(deal, now_ms) for deal in found.deals],
    )


def event_board(found: EventBoard, now_ms: int) -> EventBoardBody:
    """A part of an event's board."""
    return EventBoardBody(
        event=event(found.view, now_ms),
        rows=[
            EventRow(
                rank=line.rank,
                player=PlayerBody(id=line.player_id, name=line.player_name, kind=cast(Kind, line.player_kind)),
                points=line.points,
                played=line.played,
                won=line.won,
                time_ms=line.time_ms,
            )
            for line in found.lines
        ],
        total=found.total,
        skip=found.skip,
    )
