"""The bodies of the HTTP API, as the OpenAPI description shows them. Instants are ISO 8601 in UTC with Z."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Ranked = Annotated[int, Field(ge=1)]


class Body(BaseModel):
    """What all bodies share: fields that are None are left out of answers where the route says so."""

    model_config = ConfigDict(frozen=True)


class ErrorBody(Body):
    """Every refusal: a stable code, and English words for a developer."""

    code: str
    message: str


class PlayerBody(Body):
    """A player as others may see him."""

    id: str
    name: str
    kind: Literal["guest", "account", "bot"]


class NewGuest(Body):
    """A wish for a guest; without a name one is made."""

    name: Annotated[str, Field(max_length=200)] | None = None


class GuestBody(Body):
    """A new guest. The token opens the socket (`hello`) and the API (`Authorization: Bearer`); keep it."""

    player: PlayerBody
    token: str


class MeBody(Body):
    """The player himself and what he has open."""

    player: PlayerBody
    open_attempts: list[str]


class MeChange(Body):
    """What a player may change about himself."""

    name: Annotated[str, Field(max_length=200)]


class RulesetBody(Body):
    """A ruleset: its rules in words, its table, how its boards rank, and its greatest progress."""

    key: str
    family: str
    title: str
    rules: list[str]
    rules_page: str
    rules_version: int
    rankings: dict[str, list[str]]
    maximum: int
    undo: Literal["counted", "none", "free"]
    deck_size: int
    daily: bool
    layout: dict[str, Any]


class RulesetsBody(Body):
    """All rulesets."""

    rulesets: list[RulesetBody]


class OwnBody(Body):
    """One's own ranked attempt at a challenge; `rank` of `of` once it stands on the board."""

    attempt: str
    over: str | None
    rank: int | None
    of: int | None
    time_ms: int
    moves: int
    progress: int
    maximum: int


class ChallengeBody(Body):
    """A challenge. `seed` only once it is closed for everybody."""

    id: str
    kind: str
    ruleset: str
    title: str
    date: str | None
    commitment: str
    rules_version: int
    deal_version: int
    opens_at: str
    ends_at: str | None
    closes_at: str | None
    closed: bool
    players: int
    own: OwnBody | None
    seed: str | None


class TomorrowBody(Body):
    """A daily that has not opened: its commitment, and nothing else of the deal."""

    id: str
    kind: str
    ruleset: str
    title: str
    date: str
    commitment: str
    opens_at: str


class DailiesBody(Body):
    """The dailies of a date. `next_at` is the instant at which the next date begins."""

    date: str
    now: str
    next_at: str
    dailies: list[ChallengeBody | TomorrowBody]


#: The record of an attempt (PROTOCOL 3, Record).
RecordBody = dict[str, Any]
