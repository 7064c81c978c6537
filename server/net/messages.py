"""What crosses the socket, as typed structs: a closed union of client messages and one struct per server message.

The protocol reference in docs/ is generated from this module: docstrings, types and bounds are its text.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

#: The largest frame that a client may send, in bytes.
MAX_FRAME = 4096

Id = Annotated[str, Meta(max_length=40)]
Reference = Annotated[str, Meta(max_length=80)]
Seq = Annotated[int, Meta(ge=0, le=1_000_000)]
MoveText = Annotated[str, Meta(max_length=64)]
Token = Annotated[str, Meta(max_length=200)]


class ClientMessage(Struct, tag_field="t", frozen=True):
    """A frame from a client. `id` comes back in the direct answer."""

    id: Id | None = None


class Hello(ClientMessage, tag="hello", kw_only=True, frozen=True):
    """First message of every socket. Browsers are known by their session cookie, others send a token."""

    v: int
    token: Token | None = None


class Start(ClientMessage, tag="start", kw_only=True, frozen=True):
    """Start one's ranked attempt at a challenge, or resume it: the clock runs from the first start."""

    challenge: Reference


class From(Struct, frozen=True):
    """A place in an attempt whose challenge is closed: its first `seq` entries."""

    attempt: Id
    seq: Seq


class Practice(ClientMessage, tag="practice", kw_only=True, frozen=True):
    """Start an unranked attempt: at a ruleset (`seed` is optional), at a closed challenge, or from a place."""

    ruleset: Id | None = None
    seed: Reference | None = None
    challenge: Reference | None = None
    from_: From | None = msgspec.field(name="from", default=None)


class Play(ClientMessage, tag="play", kw_only=True, frozen=True):
    """Make a move. `seq` is the number of log entries that the sender believes there are."""

    attempt: Id
    seq: Seq
    move: MoveText


class Undo(ClientMessage, tag="undo", kw_only=True, frozen=True):
    """Go back one move."""

    attempt: Id
    seq: Seq


class Resign(ClientMessage, tag="resign", kw_only=True, frozen=True):
    """End one's attempt."""

    attempt: Id
    seq: Seq


class Sync(ClientMessage, tag="sync", kw_only=True, frozen=True):
    """Ask for the whole state of one's attempt, and for news of it on this socket."""

    attempt: Id


class Hint(ClientMessage, tag="hint", kw_only=True, frozen=True):
    """Ask for the next move of a winning line from where one's practice stands. Other requests do not wait for it."""

    attempt: Id


class Ping(ClientMessage, tag="ping", frozen=True):
    """Ask for a sign of life and the server's time."""


class BoardWatch(ClientMessage, tag="board.watch", kw_only=True, frozen=True):
    """Ask for news of a board, also before `hello`: `board`, or `challenge` alone. Eight boards a socket at most."""

    challenge: Reference | None = None
    board: Reference | None = None


class BoardUnwatch(ClientMessage, tag="board.unwatch", kw_only=True, frozen=True):
    """Ask for no more news of a board: `board`, or `challenge` alone."""

    challenge: Reference | None = None
    board: Reference | None = None


AnyClientMessage = Hello | Start | Practice | Play | Undo | Resign | Sync | Hint | Ping | BoardWatch | BoardUnwatch
CLIENT_MESSAGES = (Hello, Start, Practice, Play, Undo, Resign, Sync, Hint, Ping, BoardWatch, BoardUnwatch)


class ServerMessage(Struct, tag_field="t", kw_only=True, frozen=True):
    """A frame to a client. `id` repeats the id of the message that it answers."""

    id: str | UnsetType = UNSET


class Player(Struct, frozen=True):
    """A player as others may see him."""

    id: str
    name: str
    kind: Literal["guest", "account", "bot"]


class OpenThings(Struct, frozen=True):
    """What the player has open: ids of attempts, codes of rooms."""

    attempts: list[str]
    rooms: list[str]


class Welcome(ServerMessage, tag="welcome", kw_only=True, frozen=True):
    """The socket is ready. `limits` tells what is allowed as [count, seconds]."""

    v: int
    player: Player
    now: str
    limits: dict[str, tuple[int, int]]
    open: OpenThings


class Challenge(Struct, kw_only=True, frozen=True):
    """The challenge of an attempt. `closes_at` is the instant (ISO 8601 UTC) at which open attempts are ended."""

    id: str
    kind: Literal["daily", "race", "event", "practice"]
    date: str | UnsetType = UNSET
    closes_at: str | UnsetType = UNSET


class Result(Struct, kw_only=True, frozen=True):
    """How an attempt ended. `rank` of `of` on its board; unranked attempts have neither. Times in milliseconds."""

    outcome: str
    rank: int | UnsetType = UNSET
    of: int | UnsetType = UNSET
    time_ms: int
    moves: int
    undos: int
    progress: int
    score: int | UnsetType = UNSET


StepWire = tuple[str | int, ...]


class State(ServerMessage, tag="state", kw_only=True, frozen=True):
    """The whole state of an attempt, as far as its player may see it.

    `credit_ms` is how long the server was away meanwhile; that is not part of `elapsed_ms`.
    """

    attempt: str
    ruleset: str
    challenge: Challenge
    ranked: bool
    undo: str
    seq: int
    elapsed_ms: int
    layout: msgspec.Raw
    piles: dict[str, list[str]]
    legal: tuple[str, ...]
    can_undo: bool
    moves: int
    undos: int
    progress: int
    over: str | None
    winnable: bool | None
    deal_winnable: bool | None
    commitment: str
    credit_ms: int
    result: Result | UnsetType = UNSET


class Played(ServerMessage, tag="played", kw_only=True, frozen=True):
    """An entry was stored; `seq` is the new number of entries. `piles` holds those that changed, as now visible."""

    attempt: str
    seq: int
    at_ms: int
    move: str
    steps: tuple[StepWire, ...]
    piles: dict[str, list[str]]
    legal: tuple[str, ...]
    can_undo: bool
    moves: int
    progress: int
    over: str | None
    winnable: bool | None
    result: Result | UnsetType = UNSET


class Rejected(ServerMessage, tag="rejected", kw_only=True, frozen=True):
    """A request changed nothing. `seq` is the true number of entries, null where the attempt is not the sender's."""

    attempt: str
    seq: int | None
    code: str


class Winnable(ServerMessage, tag="winnable", kw_only=True, frozen=True):
    """A verdict that took longer than its `played`. Void unless `seq` is current."""

    attempt: str
    seq: int
    winnable: bool | None


class Hinted(ServerMessage, tag="hint", kw_only=True, frozen=True):
    """The next move of a winning line, by the true order of the cards. Void unless `seq` is current."""

    attempt: str
    seq: int
    move: str


class Pong(ServerMessage, tag="pong", kw_only=True, frozen=True):
    """The answer to `ping`, with the server's time (ISO 8601 UTC)."""

    now: str


class Error(ServerMessage, tag="error", kw_only=True, frozen=True):
    """A refusal that does not belong to the log of an attempt.

    `reason` tells more of `attempt/no_hint`: `ranked`, `lost` or `undecided`.
    """

    code: str
    message: str
    reason: str | UnsetType = UNSET


class BoardLine(Struct, kw_only=True, frozen=True):
    """One line of a board. Equal results have equal ranks: 1, 2, 2, 4. Times in milliseconds."""

    rank: int
    player: Player
    attempt: str
    outcome: str
    time_ms: int
    moves: int
    undos: int
    progress: int
    score: int | UnsetType = UNSET


class SeasonLine(Struct, kw_only=True, frozen=True):
    """One line of a season: `points` of `counted` dailies out of `played` closed ones. Equal points, equal ranks."""

    rank: int
    player: Player
    points: int
    counted: int
    played: int


class Board(ServerMessage, tag="board", kw_only=True, frozen=True):
    """A board as it stands: the answer to `board.watch` and `board.unwatch`, then news, at most one a second.

    News is a hint: whoever shows another part of the board asks for it again.
    """

    board: str
    challenge: str | UnsetType = UNSET
    watching: bool
    total: int
    top: list[BoardLine]
    season: list[SeasonLine] | UnsetType = UNSET


SERVER_MESSAGES = (Welcome, State, Played, Rejected, Winnable, Hinted, Pong, Error, Board)
