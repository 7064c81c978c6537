"""A whole server within this process on which the examples are played: same seeds, clock and ids in every run.

Nothing is left out of the way of a message but the network: frames go into a session as bytes and come out as bytes,
requests go through the ASGI application.
"""

import asyncio
import contextlib
import hashlib
import itertools
import json
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

from server.app import Application
from server.clock import ManualClock
from server.net.session import Session
from server.settings import Settings
from server.store import migrate
from server.store.ids import ENTROPY_BYTES, uuid7

#: 2026-03-10T12:00:00Z.
NOON: Final = 1_773_144_000_000
HOUR: Final = 3_600_000
#: Seconds after which an answer that does not come is a fault of the example.
PATIENCE_S: Final = 20

Message = dict[str, Any]


def counted(salt: str) -> Callable[[int], bytes]:
    """A source of bytes that look random and are the same in every run."""
    numbers = itertools.count()
    return lambda size: hashlib.sha256(f"reference/{salt}/{next(numbers)}".encode()).digest()[:size]


class Line:
    """A socket without a network: takes the place of the protocol below a session."""

    def __init__(self, application: Application) -> None:
        self._frames: asyncio.Queue[bytes] = asyncio.Queue()
        self._session = Session(application.services, self, None)

    def send_frame(self, data: bytes) -> None:
        """Keep a frame for who asks next."""
        self._frames.put_nowait(data)

    def close(self, code: int, reason: str = "") -> None:
        """End the example: none is about a socket that the server closes."""
        raise AssertionError(f"the server closed the socket with {code} {reason}")

    def hold_reading(self) -> None:
        """Do nothing: examples wait for each answer."""

    def release_reading(self) -> None:
        """Do nothing."""

    async def ask(self, frame: Message | str) -> Message:
        """Send a message, or a text that is none, and return the next frame."""
        text = frame if isinstance(frame, str) else json.dumps(frame)
        self._session.feed(text.encode())
        return await self.told()

    async def told(self) -> Message:
        """The next frame."""
        frame: Message = json.loads(await asyncio.wait_for(self._frames.get(), PATIENCE_S))
        return frame

    def hang_up(self) -> None:
        """End the session."""
        self._session.close()


class Stage:
    """The server, its clock, and who plays on it."""

    def __init__(self, application: Application, clock: ManualClock) -> None:
        self.application = application
        self.clock = clock
        self._lines: list[Line] = []

    def line(self) -> Line:
        """A new socket that has not said hello."""
        self._lines.append(Line(self.application))
        return self._lines[-1]

    async def player(self, name: str) -> tuple[Line, str]:
        """A guest who has said hello, and his token."""
        guest = await self.request("POST", "/api/v1/guests", {"name": name})
        line = self.line()
        await line.ask({"t": "hello", "v": 1, "token": guest["token"]})
        return line, guest["token"]

    async def request(self, method: str, target: str, body: Message | None = None, token: str | None = None) -> Message:
        """The JSON body of the answer to an HTTP request."""
        path, _, query = target.partition("?")
        headers = [(b"host", b"localhost:8000"), (b"content-type", b"application/json")]
        if token is not None:
            headers.append((b"authorization", f"Bearer {token}".encode()))
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 50_000),
            "server": ("localhost", 8000),
        }
        sent = b"" if body is None else json.dumps(body).encode()
        received = bytearray()

        async def receive() -> Message:
            return {"type": "http.request", "body": sent, "more_body": False}

        async def send(message: Message) -> None:
            received.extend(message.get("body", b""))

        await self.application(scope, receive, send)
        answer: Message = json.loads(received)
        return answer

    def hang_up(self) -> None:
        """End all conversations."""
        for line in self._lines:
            line.hang_up()


@contextlib.asynccontextmanager
async def stage() -> AsyncIterator[Stage]:
    """A server at noon of an ordinary day, with an empty database of its own, for the length of a block."""
    with tempfile.TemporaryDirectory(prefix="samedeal-docs-") as folder:
        database_url = f"sqlite+aiosqlite:///{Path(folder, 'samedeal.db').as_posix()}"
        await asyncio.to_thread(migrate.upgrade, database_url)
        settings = Settings(
            database_url=database_url,
            data_dir=Path(folder),
            public_url=None,
            redis_url=None,
            metrics_token=None,
            sandbox=False,
            stock_days=0,  # a search takes its time, and what it finds is no matter here
            prove_seconds=0,
        )
        clock, seeds, tokens, entropy = ManualClock(NOON), counted("seed"), counted("token"), counted("id")
        application = Application(
            settings,
            clock=clock,
            seed=lambda: seeds(16).hex(),
            token=lambda: tokens(32).hex()[:43],
            ids=lambda now_ms: uuid7(now_ms, entropy(ENTROPY_BYTES)),
        )
        await application.start()
        set_up = Stage(application, clock)
        try:
            yield set_up
        finally:
            set_up.hang_up()
            await application.stop()
