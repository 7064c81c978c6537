"""Bodies of events in the HTTP API, as players and admins see them."""

from typing import Literal

from server.net.schemas import Body, ChallengeBody, PlayerBody, Ranked, TomorrowBody


class EventBody(Body):
    """An event and its challenges in their order; before it opens these tell their commitments only."""

    id: str
    name: str
    state: Literal["coming", "open", "closed", "void"]
    opens_at: str
    ends_at: str | None
    closes_at: str | None
    challenges: list[ChallengeBody | TomorrowBody]


class EventsBody(Body):
    """Events, made latest first. `next` is what to go on `before`."""

    events: list[EventBody]
    next: str | None


class EventRow(Body):
    """A line of an event's board: points of the deals that were played, added up."""

    rank: Ranked
    player: PlayerBody
    points: int
    played: int
    won: int
    time_ms: int


class EventBoardBody(Body):
    """Lines of an event's board, after the first `skip`; equal points are an equal rank."""

    event: EventBody
    rows: list[EventRow]
    total: int
    skip: int
