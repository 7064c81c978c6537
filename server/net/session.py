"""One socket's conversation: frames in, answers out, in the order in which they came.

A ``play``, ``undo`` or ``resign`` of a table that the socket holds is served in the turn of the event loop in which
its frame arrived, and answered in the turn in which its commit is known; everything else runs as a task. Either way
the next frame of the socket waits until the one before it has its answer, so order needs no further care.
"""

import secrets
from collections import deque
from functools import partial
from typing import Any, Final, Protocol

import structlog
from msgspec import UNSET

from server.actions import boards, people, starting
from server.actions.board_news import BoardHint, Watched
from server.actions.dates import iso
from server.actions.house import Services
from server.actions.people import Person
from server.actions.table import Answer, Kind, Moved, Refusal, Reloaded, Request, Table, Verdict
from server.errors import GameError
from server.live.bucket import Bucket
from server.net import frames
from server.net.codec import Refused, decode, encode, read_id
from server.net.messages import (
    AnyClientMessage,
    BoardUnwatch,
    BoardWatch,
    Error,
    Hello,
    Hint,
    Hinted,
    OpenThings,
    Ping,
    Play,
    Player,
    Pong,
    Practice,
    Rejected,
    Resign,
    ServerMessage,
    Start,
    Undo,
    Welcome,
    Winnable,
)

log = structlog.get_logger(__name__)

PROTOCOL_VERSION: Final = 1
#: Messages at once, and a second in the long run (PROTOCOL 5).
BURST: Final = 100
PER_SECOND: Final = 20
#: Frames that may wait for the one in hand; with more, nothing is read from the socket until they are served.
INBOX: Final = 64
#: Frames refused for their rate before the socket is closed, unless it rests in between.
PATIENCE: Final = 200
#: Tables that one socket holds in memory; the longest unused one is let go for a further one.
TABLES: Final = 16
#: Boards that one socket watches; the one watched longest is let go for a further one.
BOARDS: Final = 8
#: Entries that the logs of these tables have together, with the same consequence.
ENTRIES: Final = 10_000

POLICY_VIOLATION: Final = 1008

_KINDS: Final[dict[type, Kind]] = {Play: "play", Undo: "undo", Resign: "resign"}


class Socket(Protocol):
    """What a session needs of its connection."""

    def send_frame(self, data: bytes) -> None:
        """Send a text frame, or nothing when the connection is gone."""
        ...

    def close(self, code: int, reason: str = "") -> None:
        """Close the connection."""
        ...

    def hold_reading(self) -> None:
        """Read nothing more for now."""
        ...

    def release_reading(self) -> None:
        """Read on."""
        ...


class Session:
    """The state of one socket."""

    def __init__(self, services: Services, socket: Socket, cookie_token: str | None) -> None:
        self._services = services
        self._socket = socket
        self._cookie_token = cookie_token
        self._person: Person | None = None
        self._tables: dict[str, Table] = {}
        #: The table that was asked for or played at last.
        self._at: Table | None = None
        self._boards: dict[Watched, None] = {}
        #: Frames with the instants of their arrival, and whether the rate allows them.
        self._inbox: deque[tuple[bytes, int, bool]] = deque()
        self._busy = False
        self._pumping = False
        self._held_back = False
        self._closed = False
        #: The attempt and seq that the sender of stale requests has been shown.
        self._stale_told: tuple[str, int] | None = None
        self._refused_for_rate = 0
        now = services.clock.now_ms()
        self._bucket = None if services.unlimited else Bucket(BURST, PER_SECOND, now)
        services.metrics.sockets.inc()

    @property
    def greeted(self) -> bool:
        """Whether somebody has said who he is."""
        return self._person is not None

    @property
    def watching(self) -> bool:
        """Whether the socket watches a board."""
        return bool(self._boards)

    # --- frames in -------------------------------------------------------------------------------------------------

    def feed(self, frame: bytes) -> None:
        """Take a frame; its arrival is the instant that counts for the move in it."""
        if self._closed:
            return
        now = self._services.clock.now_ms()
        bucket = self._bucket
        allowed = bucket is None or bucket.take(now)
        if self._refused_for_rate and bucket is not None and bucket.rested:
            self._refused_for_rate = 0
        if not self._busy and not self._inbox:
            self._take(frame, now, allowed)
            return
        self._inbox.append((frame, now, allowed))
        if len(self._inbox) >= INBOX and not self._held_back:
            self._held_back = True
            self._socket.hold_reading()

    def _pump(self) -> None:
        if self._pumping or not self._inbox:
            return
        self._pumping = True
        try:
            while self._inbox and not self._busy and not self._closed:
                self._take(*self._inbox.popleft())
        finally:
            self._pumping = False
        if self._held_back and not self._inbox and not self._closed:
            self._held_back = False
            self._socket.release_reading()

    def _take(self, frame: bytes, arrived_ms: int, allowed: bool) -> None:
        if not allowed:
            self._over_rate(frame)
            return
        try:
            message = decode(frame)
        except Refused as refused:
            log.info("frame refused", code=refused.code, size=len(frame))
            self._services.metrics.refused.labels(refused.code).inc()
            self._send_error(refused, refused.frame_id)
            return
        kind = _KINDS.get(type(message))
        if kind is not None:
            table = self._tables.get(message.attempt)  # type: ignore[union-attr]
            if table is not None:
                self._ask(table, kind, message, arrived_ms)
                return
        self._busy = True
        self._services.spawn(self._serve(message, arrived_ms))

    def _over_rate(self, frame: bytes) -> None:
        self._refused_for_rate += 1
        if self._refused_for_rate > PATIENCE:
            self._socket.close(POLICY_VIOLATION, "too many messages")
            self.close()
            return
        self._services.metrics.refused.labels("protocol/rate").inc()
        if self._refused_for_rate == 1:
            log.info("socket over its rate")
        self._send_error(GameError("protocol/rate", "too many messages"), read_id(frame))

    # --- the way of a move -----------------------------------------------------------------------------------------

    def _ask(self, table: Table, kind: Kind, message: Any, arrived_ms: int) -> None:
        self._busy = True
        if table is not self._at:
            self._turn_to(table)
        text = message.move if kind == "play" else ""
        table.request(Request(kind, message.seq, text, arrived_ms, partial(self._answered, message.id), self))

    def _answered(self, frame_id: str | None, answer: Answer) -> None:
        self._deliver(frame_id, answer)
        self._busy = False
        self._pump()

    def _deliver(self, frame_id: str | None, answer: Answer) -> None:
        if type(answer) is Moved:
            self._stale_told = None
            self._send(frames.played(answer, frame_id))
        else:
            assert isinstance(answer, Refusal)
            self._rejected(answer, frame_id)

    def _rejected(self, refusal: Refusal, frame_id: str | None) -> None:
        table = refusal.table
        attempt_id = table.seat.attempt_id
        self._services.metrics.refused.labels(refusal.code).inc()
        self._send(Rejected(**_repeat(frame_id), attempt=attempt_id, seq=refusal.seq, code=refusal.code))
        if refusal.code != "attempt/stale":
            self._stale_told = None
        elif self._stale_told != (attempt_id, refusal.seq):
            self._stale_told = attempt_id, refusal.seq
            self._send_state(table)

    # --- everything else -------------------------------------------------------------------------------------------

    async def _serve(self, message: AnyClientMessage, arrived_ms: int) -> None:
        try:
            await self._dispatch(message, arrived_ms)
        except GameError as refusal:
            self._services.metrics.refused.labels(refusal.code).inc()
            if isinstance(message, Play | Undo | Resign) and self._person is not None:
                self._send(Rejected(**_repeat(message.id), attempt=message.attempt, seq=None, code=refusal.code))
            else:
                self._send_error(refusal, message.id)
        except Exception:
            fault = secrets.token_hex(4)
            log.exception("message failed", fault=fault, message=type(message).__name__)
            self._send_error(GameError("internal", f"fault {fault}"), message.id)
        finally:
            self._busy = False
            self._pump()

    async def _dispatch(self, message: AnyClientMessage, arrived_ms: int) -> None:
        if isinstance(message, Hello):
            await self._hello(message)
            return
        if isinstance(message, Ping):
            self._send(Pong(**_repeat(message.id), now=iso(self._services.clock.now_ms())))
            return
        if isinstance(message, BoardWatch | BoardUnwatch):
            await self._watch(message)
            return
        person = self._person
        if person is None:
            raise GameError("auth/required", "say hello first")
        if isinstance(message, Start):
            table = await starting.start(self._services, person.id, message.challenge, arrived_ms)
        elif isinstance(message, Practice):
            table = await starting.practice(self._services, person.id, _wish(message), arrived_ms)
        else:
            table = await self._services.house.open(message.attempt, person.id)
        try:
            if isinstance(message, Hint):
                self._services.house.hold(table)
                self._services.spawn(self._hint(table, message.id, arrived_ms))
            elif isinstance(message, Play | Undo | Resign):
                self._hold(table, watch=False)
                text = message.move if isinstance(message, Play) else ""
                answer = await table.ask(_KINDS[type(message)], message.seq, text, arrived_ms, self)
                self._deliver(message.id, answer)
            else:
                self._hold(table, watch=True)
                self._stale_told = None
                await self._show(table, message.id)
        finally:
            self._services.house.release(table)

    async def _hint(self, table: Table, frame_id: str | None, arrived_ms: int) -> None:
        """Answer when the search is done; the socket's other frames do not wait for it."""
        try:
            found = await self._services.guiding.hint(table, arrived_ms)
        except GameError as refusal:
            self._services.metrics.refused.labels(refusal.code).inc()
            self._send_error(refusal, frame_id)
        else:
            self._send(Hinted(**_repeat(frame_id), attempt=table.seat.attempt_id, seq=found.seq, move=found.move))
        finally:
            self._services.house.release(table)

    async def _hello(self, message: Hello) -> None:
        if message.v != PROTOCOL_VERSION:
            raise GameError("protocol/version", f"this server speaks version {PROTOCOL_VERSION}")
        token = message.token if message.token is not None else self._cookie_token
        if token is None:
            raise GameError("auth/required", "a session cookie or a token is needed")
        person = await people.authenticate(self._services, token)
        if self._person is not None and self._person.id != person.id:
            raise GameError("auth/invalid", "this socket belongs to another player")
        self._person = person
        attempts = await people.open_attempts(self._services, person.id)
        self._send(
            Welcome(
                **_repeat(message.id),
                v=PROTOCOL_VERSION,
                player=Player(person.id, person.name, person.kind),
                now=iso(self._services.clock.now_ms()),
                limits={} if self._bucket is None else {"messages": (BURST, BURST // PER_SECOND)},
                open=OpenThings(attempts, []),
            )
        )

    async def _watch(self, message: BoardWatch | BoardUnwatch) -> None:
        """Boards are for everybody, so who has not said hello may watch them too."""
        news = self._services.board_news
        reference = message.challenge if message.board is None else message.board
        if reference is None or None not in (message.challenge, message.board):
            raise GameError("protocol/malformed", "one board is named, by board or by challenge")
        board = await boards.watched(self._services, reference)
        self._boards.pop(board, None)
        news.unwatch(board, self)
        watching = isinstance(message, BoardWatch) and not self._closed
        if watching:  # before the look at the board, so that nothing is missed between the two
            self._boards[board] = None
            news.watch(board, self)
            while len(self._boards) > BOARDS:
                oldest = next(iter(self._boards))
                del self._boards[oldest]
                news.unwatch(oldest, self)
        self._send(frames.board(await news.hint(board), watching=watching, frame_id=message.id))

    # --- tables ----------------------------------------------------------------------------------------------------

    def _hold(self, table: Table, *, watch: bool) -> None:
        """Keep a table in memory for this socket, and take its news where it was started or synced."""
        if self._closed:
            return
        attempt_id = table.seat.attempt_id
        if self._tables.pop(attempt_id, None) is None:
            self._services.house.hold(table)
        self._tables[attempt_id] = table
        self._turn_to(table)
        if watch:
            self._services.hub.subscribe(attempt_id, self)
        while len(self._tables) > TABLES or (len(self._tables) > 1 and self._entries() > ENTRIES):
            self._let_go(next(iter(self._tables)))

    def _turn_to(self, table: Table) -> None:
        """The player is at this table now, and no longer at the one before."""
        before, self._at = self._at, table
        if before is not None and before is not table:
            self._services.guiding.left(before)

    def _entries(self) -> int:
        return sum(table.attempt.seq for table in self._tables.values())

    def _let_go(self, attempt_id: str) -> None:
        self._services.hub.unsubscribe(attempt_id, self)
        table = self._tables.pop(attempt_id)
        if table is self._at:
            self._at = None
        self._services.house.release(table)

    def notify(self, news: Any) -> None:
        """Pass on what happened at a table that this socket watches."""
        if isinstance(news, Moved):
            self._send(frames.played(news))
        elif isinstance(news, Verdict):
            self._send(Winnable(attempt=news.table.seat.attempt_id, seq=news.seq, winnable=news.winnable))
        elif isinstance(news, Reloaded):
            self._send_state(news.table)
        elif isinstance(news, BoardHint):
            self._send(frames.board(news, watching=True))

    def close(self) -> None:
        """The connection is gone: let go of everything. What is under way is finished, and answered to nobody."""
        if self._closed:
            return
        self._closed = True
        self._inbox.clear()
        for attempt_id in tuple(self._tables):
            self._let_go(attempt_id)
        for board in self._boards:
            self._services.board_news.unwatch(board, self)
        self._boards.clear()
        self._services.metrics.sockets.dec()

    # --- frames out ------------------------------------------------------------------------------------------------

    def _send(self, message: ServerMessage) -> None:
        if not self._closed:
            self._socket.send_frame(encode(message))

    def _send_error(self, refusal: GameError, frame_id: str | None) -> None:
        reason = UNSET if refusal.reason is None else refusal.reason
        self._send(Error(**_repeat(frame_id), code=refusal.code, message=refusal.message, reason=reason))

    def _send_state(self, table: Table) -> None:
        self._services.spawn(self._show(table, None))

    async def _show(self, table: Table, frame_id: str | None) -> None:
        standing = await self._services.house.standing(table)
        attempt = table.attempt
        if attempt.over is not None and standing is None:  # it ended while the standing was looked up
            standing = await self._services.house.standing(table)
        winnable = self._services.house.verdict(table, attempt)
        self._send(frames.state(table, attempt, self._services.clock.now_ms(), winnable, standing, frame_id))


def _repeat(frame_id: str | None) -> dict[str, str]:
    return {} if frame_id is None else {"id": frame_id}


def _wish(message: Practice) -> starting.PracticeWish:
    return starting.PracticeWish(
        ruleset=message.ruleset,
        seed=message.seed,
        challenge=message.challenge,
        origin=None if message.from_ is None else (message.from_.attempt, message.from_.seq),
    )
