"""Players at the other end of the sockets: guests who play attempts of their own, and others who talk to an echo."""

import asyncio
import json
import random
from collections import deque
from typing import Final, Protocol, Self

import msgspec

from server.bench.figures import BenchError
from server.bench.wire import Wire

#: Seconds within which everything that was asked must have been answered.
PATIENCE_S: Final = 60.0

#: Entries after which an attempt is left for another: a pyramid's stock may be drawn through for ever.
LONGEST: Final = 80

#: How often a move other than the preferred one is made.
WILD: Final = 0.2

#: What is sent to an echo: 60 bytes.
QUESTION: Final = b'{"t":"play","attempt":"0123456789","seq":1,"move":"p22p28"}\n'


class Listener(Protocol):
    """Who waits for what players do."""

    def answered(self) -> None:
        """Take note of one answer."""
        ...

    def failed(self, error: Exception) -> None:
        """Take note that there will be no answer."""
        ...


class Player(Protocol):
    """One socket under load."""

    def play(self, frames: int, listener: Listener) -> None:
        """Send so many frames, each as soon as the one before is answered."""
        ...

    def leave(self) -> None:
        """Cut the line."""
        ...


class Tally:
    """Waits for a number of answers."""

    def __init__(self, expected: int) -> None:
        self._left = expected
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def answered(self) -> None:
        """Take note of one answer."""
        self._left -= 1
        if self._left == 0 and not self._done.done():
            self._done.set_result(None)

    def failed(self, error: Exception) -> None:
        """Give up."""
        if not self._done.done():
            self._done.set_exception(error)

    async def wait(self) -> None:
        """Return once everything is answered. Raises :class:`BenchError` where something is not."""
        try:
            await asyncio.wait_for(self._done, PATIENCE_S)
        except TimeoutError:
            raise BenchError(f"{self._left} frames were not answered") from None


class Echoed:
    """Talks to an echo."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._left = 0
        self._listener: Listener | None = None
        wire.on_frame = self._take

    @classmethod
    async def connect(cls, url: str, *, source: str | None = None) -> Self:
        """A connected socket."""
        return cls(await Wire.connect(url, source=source))

    def play(self, frames: int, listener: Listener) -> None:
        """Send so many frames, each as soon as the one before is answered."""
        self._left, self._listener = frames, listener
        self._wire.send(QUESTION)

    def _take(self, payload: bytes) -> None:
        if self._listener is None:
            raise BenchError("an answer to nothing")
        self._left -= 1
        self._listener.answered()
        if self._left:
            self._wire.send(QUESTION)

    def leave(self) -> None:
        """Cut the line."""
        self._wire.abort()


class _State(msgspec.Struct, tag_field="t", tag="state"):
    attempt: str
    seq: int
    legal: list[str]
    over: str | None


class _Played(msgspec.Struct, tag_field="t", tag="played"):
    attempt: str
    seq: int
    legal: list[str]
    over: str | None


class _Welcome(msgspec.Struct, tag_field="t", tag="welcome"):
    v: int


class _Pong(msgspec.Struct, tag_field="t", tag="pong"):
    now: str


class _Winnable(msgspec.Struct, tag_field="t", tag="winnable"):
    seq: int


_decoder: Final = msgspec.json.Decoder(_State | _Played | _Welcome | _Pong | _Winnable)


class _Place(msgspec.Struct):
    """Where an attempt stands, as its player was told."""

    attempt: str
    seq: int
    legal: list[str]


class Guest:
    """One socket of one guest, with attempts that wait to be played."""

    def __init__(self, wire: Wire, seed: int) -> None:
        """``seed`` decides which moves are made."""
        self._wire = wire
        self._random = random.Random(seed)  # noqa: S311 - which move is made is no secret
        self._answer: asyncio.Future[None] | None = None
        self._attempts: deque[_Place] = deque()
        self._left = 0
        self._listener: Listener | None = None
        #: Moves acknowledged, each by a `played` that followed the one before.
        self.acknowledged = 0
        wire.on_frame = self._take

    @classmethod
    async def connect(cls, url: str, token: str, seed: int, *, source: str | None = None) -> Self:
        """A guest who has said hello."""
        guest = cls(await Wire.connect(url, source=source), seed)
        await guest.hello(token)
        return guest

    async def hello(self, token: str) -> None:
        """Say who is there."""
        await self.ask({"t": "hello", "v": 1, "token": token})

    @property
    def ready(self) -> int:
        """How many attempts wait to be played, the one under way included."""
        return len(self._attempts)

    async def practice(self, ruleset: str, seed: str) -> None:
        """Begin an attempt, to be played later."""
        await self.ask({"t": "practice", "ruleset": ruleset, "seed": seed})

    async def ask(self, message: dict[str, object]) -> None:
        """Send something other than a move and wait for its answer."""
        self._answer = asyncio.get_running_loop().create_future()
        self._wire.send(json.dumps(message).encode())
        try:
            await asyncio.wait_for(self._answer, PATIENCE_S)
        except TimeoutError:
            raise BenchError(f"no answer to {message['t']}") from None

    def ping(self, listener: Listener) -> None:
        """Ask for a sign of life."""
        self._listener = listener
        self._wire.send(b'{"t":"ping","id":"p"}')

    def play(self, frames: int, listener: Listener) -> None:
        """Make so many moves, each as soon as the one before is acknowledged."""
        self._left, self._listener = frames, listener
        self._move()

    def _move(self) -> None:
        if not self._attempts:
            self._fail(BenchError("a player ran out of attempts"))
            return
        place = self._attempts[0]
        wild = self._random.random() < WILD
        move = self._random.choice(place.legal) if wild else place.legal[0]
        self._wire.send(
            b'{"t":"play","attempt":"%b","seq":%d,"move":"%b"}' % (place.attempt.encode(), place.seq, move.encode())
        )

    def _take(self, payload: bytes) -> None:
        try:
            message = _decoder.decode(payload)
        except msgspec.MsgspecError:
            self._fail(BenchError(f"the server refused: {payload[:200].decode()}"))
            return
        if type(message) is _Played:
            self._moved(message)
        elif type(message) is _Pong:
            if self._listener is not None:
                self._listener.answered()
        elif type(message) is not _Winnable:
            if type(message) is _State and message.over is None:
                self._attempts.append(_Place(message.attempt, message.seq, message.legal))
            if self._answer is not None and not self._answer.done():
                self._answer.set_result(None)

    def _moved(self, played: _Played) -> None:
        place = self._attempts[0]
        if self._listener is None or played.attempt != place.attempt or played.seq != place.seq + 1:
            self._fail(BenchError("an acknowledgement that does not follow the one before"))
            return
        self.acknowledged += 1
        place.seq, place.legal = played.seq, played.legal
        if played.over is not None or not played.legal or played.seq >= LONGEST:
            self._attempts.popleft()
        self._left -= 1
        self._listener.answered()
        if self._left:
            self._move()

    def _fail(self, error: BenchError) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error)
        elif self._listener is not None:
            self._listener.failed(error)

    def leave(self) -> None:
        """Cut the line."""
        self._wire.abort()
