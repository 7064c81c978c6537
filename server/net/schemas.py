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


class EventName(Body):
    """The event that a challenge belongs to."""

    id: str
    name: str


class ChallengeBody(Body):
    """A challenge. A void one counts for nobody; at one that is not `ranked` every attempt is practice.

    `difficulty` is `easy`, `medium`, `hard` or `expert`, null where the deal was not certified. `seed`, `par`,
    `par_exact`, `score` and `witness` only once it is closed for everybody: `par` moves are enough to win, as `witness`
    (moves with single spaces) shows; where `par_exact` is true, no win has fewer. `score` is what the witness scores.
    """

    id: str
    kind: str
    ruleset: str
    title: str
    date: str | None
    event: EventName | None
    commitment: str
    rules_version: int
    deal_version: int
    opens_at: str
    ends_at: str | None
    closes_at: str | None
    closed: bool
    void: bool
    ranked: bool
    players: int
    own: OwnBody | None
    difficulty: Literal["easy", "medium", "hard", "expert"] | None
    seed: str | None
    par: int | None
    par_exact: bool | None
    score: int | None
    witness: str | None


class WitnessMove(Body):
    """A move of a winning line, and the piles that it changed."""

    move: str
    piles: dict[str, list[str]]


class WitnessBody(Body):
    """The proof of a closed challenge: a winning line of `par` moves, from the piles of the deal on."""

    challenge: str
    ruleset: str
    par: int
    par_exact: bool
    score: int | None
    layout: dict[str, Any]
    piles: dict[str, list[str]]
    moves: list[WitnessMove]


class TomorrowBody(Body):
    """A challenge that has not opened: its commitment, and nothing else of the deal."""

    id: str
    kind: str
    ruleset: str
    title: str
    date: str
    event: EventName | None
    commitment: str
    opens_at: str
    ends_at: str | None
    closes_at: str | None
    void: bool


class DailiesBody(Body):
    """The dailies of a date. `next_at` is the instant at which the next date begins."""

    date: str
    now: str
    next_at: str
    dailies: list[ChallengeBody | TomorrowBody]


class TurnBody(Body):
    """A move that lost the game. `practice` with `from` this attempt and `seq` leads to where it could be won."""

    seq: int
    move: str


class AnalysisBody(Body):
    """What an attempt came to, by the true order of the cards.

    `fate`: `won`; `winnable`, it could still be won when it ended; `lost`, by the move `lost`, or where that is known
    in part by an entry whose `seq` lies between those of `between`; `never`, the deal could not be won; `undecided`, no
    search came to an end; `untold`, of this game it is not told; `searching`, it is being found out: ask again. `slips`
    are losing moves that were taken back, and `slips_all` says that there are no others. `deal_winnable` is null where
    it is not decided. `par` is the fewest moves if `par_exact`, else the fewest known; `best_score` likewise.
    `above_par` is told of wins.
    """

    attempt: str
    ruleset: str
    over: str
    moves: int
    deal_winnable: bool | None
    par: int | None
    par_exact: bool
    above_par: int | None
    best_score: int | None
    fate: Literal["won", "winnable", "lost", "never", "undecided", "untold", "searching"]
    lost: TurnBody | None
    between: list[int] | None
    slips: list[TurnBody]
    slips_all: bool


#: The record of an attempt (PROTOCOL 3, Record).
RecordBody = dict[str, Any]
