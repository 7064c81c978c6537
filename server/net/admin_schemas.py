"""The bodies of the admin's API. Instants are ISO 8601 UTC with Z; no seed ever leaves by any of them."""

from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field

from server.net.schemas import Body, ChallengeBody, PlayerBody, TomorrowBody

RoleName = Literal["owner", "seeder", "moderator", "auditor"]
Level = Literal["easy", "medium", "hard", "expert"]
Reason = Annotated[str, Field(max_length=600)]
Day = Annotated[str, Field(max_length=10)]
Key = Annotated[str, Field(max_length=40)]
Id = Annotated[str, Field(max_length=40)]
Instant = AwareDatetime


class SignIn(Body):
    """A token of an admin, as `samedeal admin create` printed it."""

    token: Annotated[str, Field(max_length=200)]


class AdminSelfBody(Body):
    """The admin who is signed in: what the role may do, and the id of the player as whom he plays."""

    name: str
    role: RoleName
    actions: list[str]
    player: str | None


class PlayerToken(Body):
    """A token of the player as whom the admin plays; without one, the player of this browser's session."""

    token: Annotated[str, Field(max_length=200)] | None = None


class AdminBody(Body):
    """An admin. `revoked_at` is set for who can sign in no more."""

    name: str
    role: RoleName
    created_at: str
    revoked_at: str | None
    player: str | None


class AdminsBody(Body):
    """All admins, by name."""

    admins: list[AdminBody]


class NewAdminBody(Body):
    """A new admin, or one with a new token. The token is told this once."""

    admin: AdminBody
    token: str


class AdminWish(Body):
    """A wish for an admin."""

    name: Annotated[str, Field(max_length=40)]
    role: RoleName


class RoleChange(Body):
    """Another role."""

    role: RoleName


class MatrixRow(Body):
    """What can be done, in words, and by which roles."""

    action: str
    words: str
    roles: list[RoleName]


class MatrixBody(Body):
    """All actions and who may do them."""

    actions: list[MatrixRow]


class CellBody(Body):
    """A day and a ruleset of the calendar.

    Only what is `coming` can be planned; `published` means that the commitment is out. `source` says where the deal
    comes from: the `rule` of weekdays, a planned `difficulty`, a chosen `deal`, or a `seed` of an admin's own.
    `version` is what a change must name, 0 without a plan.
    """

    date: str
    ruleset: str
    title: str
    state: Literal["closed", "running", "published", "coming"]
    source: Literal["rule", "difficulty", "deal", "seed"]
    difficulty: Level | None
    deal: str | None
    version: int
    challenge: str | None
    commitment: str | None
    closes_at: str | None
    void: bool
    results: int


class PlanBody(Body):
    """The calendar from a date to another. `rule` is the difficulty of each weekday, Monday first."""

    first: str
    last: str
    today: str
    rule: list[Level]
    cells: list[CellBody]


class CellsBody(Body):
    """Cells of the calendar as they stand after a change."""

    cells: list[CellBody]


class CellWish(Body):
    """What is planned for a day and ruleset, by somebody who has seen a version: a difficulty, or a deal by its id."""

    version: Annotated[int, Field(ge=0)]
    difficulty: Level | None = None
    deal: Id | None = None


class PairWish(Body):
    """A ruleset on two days, with the versions that the mover has seen."""

    ruleset: Key
    first_version: Annotated[int, Field(ge=0)]
    second_version: Annotated[int, Field(ge=0)]


class Exchange(Body):
    """Two days, and the rulesets whose plans change places; all of them or none."""

    first: Day
    second: Day
    cells: Annotated[list[PairWish], Field(min_length=1, max_length=20)]


class FillWish(Body):
    """Days to be planned by rule: a difficulty by weekday, `mon` to `sun`; without a rule that of the dailies."""

    first: Day
    last: Day
    rulesets: Annotated[list[Key], Field(max_length=20, default_factory=list)]
    rule: dict[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"], Level] | None = None


class FilledBody(Body):
    """How many cells were planned, for how many of these a deal was chosen, and how many were left as they were."""

    planned: int
    chosen: int
    kept: int


class ImportWish(Body):
    """A list of seeds: lines `date,ruleset,seed`, or a JSON object with these fields a line."""

    text: Annotated[str, Field(max_length=500_000)]
    format: Literal["csv", "ndjson"] = "csv"
    dry_run: bool = False


class RefusedLine(Body):
    """A line that cannot be taken, and why; `same_as` is the line before that it repeats."""

    line: int
    code: str
    message: str
    same_as: int | None


class ImportedBody(Body):
    """What became of a list. It is `stored` only if no line was refused, and not as a dry run.

    `planned` lines are new, `unchanged` ones stood already. Of `refused_total` refusals the first ones are told.
    """

    stored: bool
    planned: int
    unchanged: int
    refused: list[RefusedLine]
    refused_total: int


class PreviewWish(Body):
    """What is to be previewed: a date and ruleset, a challenge that has not opened, or a deal of the stock."""

    date: Day | None = None
    ruleset: Key | None = None
    challenge: Id | None = None
    deal: Id | None = None


class PreviewBody(Body):
    """The unranked attempt of a preview; the player as whom the admin plays sends `sync` with it."""

    attempt: str
    player: str


class DealBody(Body):
    """A deal of the stock that nobody has used or planned. Its seed and its winning line are secret.

    `winnable_first_moves` of `first_moves` are proved to leave a win; `dead_ends` and `hardness` are per mille.
    """

    id: str
    ruleset: str
    difficulty: Level
    par: int
    par_exact: bool
    score: int | None
    first_moves: int
    winnable_first_moves: int
    dead_ends: int
    hardness: int
    made_at: str


class DealsBody(Body):
    """Deals that are free, oldest first. `next` is what to go on `after`."""

    deals: list[DealBody]
    next: str | None


class StockRow(Body):
    """The unused deals of a ruleset by difficulty; `days` is for how many days they last, null without a daily."""

    ruleset: str
    title: str
    levels: dict[Level, int]
    days: int | None


class StockBody(Body):
    """The stock by ruleset. Fewer than `few_days` are worth a warning; `keep_days` are kept."""

    rulesets: list[StockRow]
    few_days: int
    keep_days: int


class SearchWish(Body):
    """Which deals are searched: `count` of them, first in stock, then among at most `tries` fresh ones."""

    ruleset: Key
    difficulty: Annotated[list[Level], Field(max_length=4, default_factory=list)]
    par_least: Annotated[int, Field(ge=0, le=10_000)] | None = None
    par_most: Annotated[int, Field(ge=0, le=10_000)] | None = None
    free_least: Annotated[int, Field(ge=0, le=1000)] | None = None
    free_most: Annotated[int, Field(ge=0, le=1000)] | None = None
    count: Annotated[int, Field(ge=1, le=100)] = 10
    tries: Annotated[int, Field(ge=0, le=5000)] = 200


class SearchBody(Body):
    """A search: `done` of at most `total` fresh deals looked at. `found` counts all, `deals` are those still free."""

    id: str
    ruleset: str
    state: Literal["running", "done", "cancelled", "failed"]
    done: int
    total: int
    found: int
    error: str | None
    begun_at: str
    ended_at: str | None
    deals: list[DealBody]


class SearchesBody(Body):
    """The latest searches, without their deals."""

    searches: list[SearchBody]


class RulingWish(Body):
    """Why, and whether it is only to be told what would change."""

    reason: Reason
    dry_run: bool = False


class ExtensionWish(RulingWish):
    """Until when a challenge can be started."""

    until: Instant


class ChangeBody(Body):
    """A figure of a player that changes; null where there is none. `period` belongs to season points."""

    player: str
    name: str
    before: int | None
    after: int | None
    period: str | None


class ChangesBody(Body):
    """How many figures of a kind change, and the first of them."""

    total: int
    shown: list[ChangeBody]


class EffectBody(Body):
    """What a ruling changes, or with `dry_run` would change.

    `attempts_before` and `attempts_after` count the ranked attempts by how they stand. `ranks` are those of the main
    board (after null: off the board), `points` those of seasons, `streaks` are in days.
    """

    challenge: str
    kind: str
    ruleset: str
    date: str | None
    dry_run: bool
    attempts_before: dict[str, int]
    attempts_after: dict[str, int]
    ranks: ChangesBody
    points: ChangesBody
    streaks: ChangesBody
    ends_at: str | None
    closes_at: str | None


class AttemptLine(Body):
    """A ranked attempt as a moderator sees it."""

    attempt: str
    player: str
    name: str
    started_at: str
    over: str | None
    time_ms: int
    moves: int
    undos: int
    progress: int


class AttemptsBody(Body):
    """A challenge and its ranked attempts in the order of their start. `next` is what to go on `after`."""

    challenge: ChallengeBody | TomorrowBody
    attempts: list[AttemptLine]
    next: int | None


class FoundPlayer(Body):
    """A player, and since when he is blocked."""

    player: PlayerBody
    since: str
    blocked_at: str | None


class FoundPlayers(Body):
    """Players that a look-up has found, latest first."""

    players: list[FoundPlayer]


class PlayedBody(Body):
    """A game of a player."""

    attempt: str
    challenge: str
    kind: str
    ruleset: str
    date: str | None
    closed: bool
    outcome: str
    time_ms: int
    moves: int
    finished_at: str


class LookedBody(Body):
    """A player with his latest games."""

    found: FoundPlayer
    games: list[PlayedBody]


class ReasonWish(Body):
    """Why."""

    reason: Reason


class BlockedBody(Body):
    """A player after a block or its end, and how many attempts were taken away."""

    found: FoundPlayer
    attempts: int


class EventDealWish(Body):
    """A deal of an event, from the stock by difficulty or id; or with a seed of one's own, and nobody ranks on it."""

    ruleset: Key
    difficulty: Level | None = None
    deal: Id | None = None
    seed: Annotated[str, Field(max_length=32)] | None = None


class EventWish(Body):
    """An event: it can be started until `ends_at` and closes at `closes_at`, by default an hour later."""

    name: Annotated[str, Field(max_length=100)]
    opens_at: Instant
    ends_at: Instant
    closes_at: Instant | None = None
    deals: Annotated[list[EventDealWish], Field(min_length=1, max_length=50)]


class EventChange(Body):
    """Another name, or other times; the two instants are given together."""

    name: Annotated[str, Field(max_length=100)] | None = None
    opens_at: Instant | None = None
    ends_at: Instant | None = None
    closes_at: Instant | None = None


class AuditLine(Body):
    """What an admin did. `before` and `after` depend on the action."""

    number: int
    at: str
    admin: str
    role: RoleName
    via: Literal["http", "command"]
    action: str
    target: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    reason: str | None


class AuditBody(Body):
    """Entries of the audit log, latest first. `next` is what to go on `before`."""

    entries: list[AuditLine]
    next: int | None
