"""Events over HTTP, as players see them."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from server.actions import events
from server.actions.house import Services
from server.actions.people import Person
from server.net import event_shapes
from server.net.credentials import Credentials
from server.net.event_schemas import EventBoardBody, EventBody, EventsBody
from server.net.refusals import refusals


def event_routes(services: Services, credentials: Credentials) -> APIRouter:
    """The routes under ``/events``."""
    router = APIRouter()
    viewer = Depends(credentials.viewer)

    @router.get("/events", responses=refusals("auth/invalid", "protocol/malformed"))
    async def every(
        person: Annotated[Person | None, viewer],
        before: Annotated[str | None, Query(max_length=40)] = None,
        current: bool = False,
    ) -> EventsBody:
        """Events, made latest first, cancelled ones too. Each of their challenges is started by its id.

        With `current` only those that run, and then those that open within seven days, in the order of their opening.
        """
        views, following = (
            (await events.current(services, _id(person)), None)
            if current
            else await events.every(services, _id(person), before)
        )
        now = services.clock.now_ms()
        return EventsBody(events=[event_shapes.event(view, now) for view in views], next=following)

    @router.get("/events/{event_id}", responses=refusals("auth/invalid", "event/unknown"))
    async def one(event_id: str, person: Annotated[Person | None, viewer]) -> EventBody:
        """One event."""
        return event_shapes.event(await events.one(services, event_id, _id(person)), services.clock.now_ms())

    @router.get(
        "/events/{event_id}/board",
        responses=refusals("auth/invalid", "event/unknown", "challenge/not_open", "protocol/malformed"),
    )
    async def board(
        event_id: str,
        person: Annotated[Person | None, viewer],
        skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
        limit: Annotated[int, Query(ge=1, le=events.LINES)] = events.LINES,
    ) -> EventBoardBody:
        """An event's board: each deal gives points as a daily does, and they are added up."""
        found = await events.board(services, event_id, _id(person), skip, limit)
        return event_shapes.event_board(found, services.clock.now_ms())

    return router


def _id(person: Person | None) -> str | None:
    return None if person is None else person.id
