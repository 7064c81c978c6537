"""The bodies of boards, profiles and fields for the OpenAPI description. Instants are ISO 8601 UTC with Z."""

from typing import Literal

from server.net.schemas import Body, ChallengeBody, PlayerBody, Ranked

Who = Literal["all", "accounts", "bots"]
PeriodKind = Literal["week", "month", "all"]


class BoardRow(Body):
    """One line of a board. Equal results have equal ranks: 1, 2, 2, 4."""

    rank: Ranked
    player: PlayerBody
    attempt: str
    outcome: str
    time_ms: int
    moves: int
    undos: int
    progress: int
    score: int | None = None


class BoardBody(Body):
    """A page of a board. `next` and `previous` are cursors for `after` and `before`; `me` is one's own line.

    Ranks and `total` are those within `who` and `friends`. `outage_ms` is how long the server was away while the
    challenge was open; it is taken off the time of whoever was playing.
    """

    challenge: ChallengeBody
    by: Literal["main", "moves"]
    who: Who
    friends: bool
    keys: list[str]
    maximum: int
    outage_ms: int
    rows: list[BoardRow]
    total: int
    me: BoardRow | None
    next: str | None
    previous: str | None


class SeasonRow(Body):
    """One line of a season: `points` (also as `score`) of `counted` dailies out of `played` closed ones."""

    rank: Ranked
    player: PlayerBody
    points: int
    score: int
    counted: int
    played: int


class SeasonBody(Body):
    """A page of a season. `begins` and `ends` are its first and last day; `formula` says how points are made.

    Only closed dailies count. `next_period` is null where it has not begun.
    """

    period: str
    kind: PeriodKind
    ruleset: str
    title: str
    begins: str | None
    ends: str | None
    running: bool
    previous_period: str | None
    next_period: str | None
    formula: str
    who: Who
    friends: bool
    rows: list[SeasonRow]
    total: int
    me: SeasonRow | None
    next: str | None
    previous: str | None


class RecordRow(BoardRow):
    """A win among the records of a ruleset, and where it was won. `date` is that of a daily."""

    challenge: str
    kind: str
    date: str | None
    finished_at: str


class RecordsBody(Body):
    """A page of all ranked wins of a ruleset; a player stands there with each of his, `me` is the best one."""

    ruleset: str
    title: str
    by: Literal["time", "moves"]
    who: Who
    friends: bool
    maximum: int
    rows: list[RecordRow]
    total: int
    me: RecordRow | None
    next: str | None
    previous: str | None


class BarBody(Body):
    """How many values (`count`) lie from `start` up to, but not at, `end`."""

    start: int
    end: int
    count: int


class SpreadBody(Body):
    """How values are spread over bars of equal width, of which the last may be cut off at the greatest value.

    `own` is the index of the bar with one's own value. With `open_ended` the last bar has everything from its `start`
    on, also what lies above its `end`.
    """

    unit: Literal["ms", "moves", "cards", "points"]
    bars: list[BarBody]
    own: int | None
    total: int
    open_ended: bool


class StreakBody(Body):
    """Days in a row with a finished ranked daily. A freeze covers a missed day; `next_freeze_in` is in days.

    `today` says whether a daily of the present date is finished.
    """

    current: int
    longest: int
    freezes: int
    next_freeze_in: int
    today: bool


class GameBody(Body):
    """A player's results in one ruleset; best, median, `times` and `moves` are those of wins.

    `best_score` is null where the ruleset has no score.
    """

    ruleset: str
    title: str
    played: int
    won: int
    best_time_ms: int | None
    fewest_moves: int | None
    median_time_ms: int | None
    best_score: int | None
    maximum: int
    times: SpreadBody | None
    moves: SpreadBody | None


class RecentBody(Body):
    """One of a player's latest games: its result and its place, and no move."""

    attempt: str
    challenge: str
    kind: str
    ruleset: str
    title: str
    date: str | None
    closed: bool
    outcome: str
    time_ms: int
    moves: int
    undos: int
    progress: int
    maximum: int
    score: int | None
    rank: int | None
    of: int | None
    finished_at: str


class ProfileBody(Body):
    """A player as everybody may see him. `followed` is for the reader; `ratings` by ruleset."""

    player: PlayerBody
    since: str
    followers: int
    following: int
    followed: bool
    streak: StreakBody
    games: list[GameBody]
    recent: list[RecentBody]
    ratings: dict[str, int]


class DayGame(Body):
    """A result on a calendar; `points` after the close."""

    attempt: str
    challenge: str
    ruleset: str
    title: str
    outcome: str
    time_ms: int
    moves: int
    progress: int
    maximum: int
    points: int | None


class DayBody(Body):
    """A day of a calendar. `frozen`: missed, and covered by a freeze.

    `outage`: missed, and not held against him: the server was away, or a daily of the day is void.
    """

    date: str
    state: Literal["played", "frozen", "outage", "missed", "open", "future"]
    results: list[DayGame]


class CalendarBody(Body):
    """A month of a player's dailies. `next` is null where the month has not begun."""

    player: PlayerBody
    month: str
    previous: str | None
    next: str | None
    days: list[DayBody]


class FollowedBody(Body):
    """A player, whether one follows him now, and how many do."""

    player: PlayerBody
    followed: bool
    followers: int


class FollowingBody(Body):
    """Whom one follows, by name."""

    players: list[PlayerBody]
    total: int


class FollowersBody(Body):
    """A page of those who follow oneself, the latest first. `next` is a cursor for `after`."""

    players: list[PlayerBody]
    total: int
    next: str | None


class FieldOwn(Body):
    """One's own result in the field. `points` (0 to 1000) and `percentile` (0 to 100) are those of this moment.

    In both, equal results count half, and one's own among them. Of the `of` - 1 others, `beaten` did worse and `equal`
    did as well. `course` is the progress at the end of each tenth of one's time.
    """

    outcome: str
    time_ms: int
    moves: int
    progress: int
    score: int | None
    rank: int
    of: int
    points: int
    percentile: float
    beaten: int
    equal: int
    course: list[int]


class PaceBody(Body):
    """After how many milliseconds each tenth of the moves and undos had been made.

    `median_ms` is the median of `sample` attempts, `own_ms` is one's own.
    """

    tenths: list[int]
    median_ms: list[int]
    own_ms: list[int] | None
    sample: int


class FieldBody(Body):
    """The field of a daily in numbers. `times`, `moves` and `scores` are those of wins, `progress` that of all.

    Of a field of more than 20,000 results the bars may be ten seconds older than the rest. `scores` is null where the
    ruleset has no score.
    """

    challenge: str
    ruleset: str
    date: str
    closed: bool
    total: int
    won: int
    own: FieldOwn | None
    times: SpreadBody | None
    moves: SpreadBody | None
    progress: SpreadBody | None
    scores: SpreadBody | None
    pace: PaceBody | None
