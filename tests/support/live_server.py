"""A real server on a real port, inside the test's process, with a clock that the test moves and seeds that it knows."""

import asyncio
import contextlib
import hashlib
import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

import httpx

from server.actions.admin import identity
from server.actions.admin.roles import CONSOLE, actor
from server.app import Application, Server
from server.clock import Clock, ManualClock
from server.games import ruleset
from server.settings import Settings
from server.store import challenges
from server.store.admins import Role
from server.store.challenges import ChallengeRow
from tests.support.migrated import bring_to_head
from tests.support.plain_http import plain_http
from tests.support.player import Player
from tests.support.services import outside

#: 2026-03-10T12:00:00Z, an ordinary noon.
NOON = 1_773_144_000_000
HOUR = 3_600_000
DAY = 24 * HOUR


def counted_seeds(salt: str = "") -> Callable[[], str]:
    """Seeds that are the same in every run of a test."""
    numbers = itertools.count()
    return lambda: hashlib.sha256(f"{salt}/{next(numbers)}".encode()).hexdigest()[:32]


def _salt(clock: Clock) -> str:
    """What makes the seeds of a server that starts later on the same database others than those it had before."""
    return "" if clock.now_ms() == NOON else str(clock.now_ms())


class LiveServer:
    """A server that runs in the loop of its test."""

    def __init__(self, database_url: str, folder: Path, clock: Clock, **options: Any) -> None:
        chosen = {name: options.pop(name) for name in Settings.model_fields if name in options}
        # Unless a test is about the stock, deals are taken as they come: proofs take their time.
        chosen = {"stock_days": 0, "prove_seconds": 0, **chosen}
        self.settings = Settings(host="127.0.0.1", port=0, database_url=database_url, data_dir=folder, **chosen)
        self.clock = clock
        self.app = Application(self.settings, clock=clock, **{"seed": counted_seeds(_salt(clock)), **options})
        self.server = Server(self.app)
        # On a busy machine it must not close a connection on which a request of the same loop is under way.
        config = self.server.config
        config.timeout_keep_alive = 60
        config.http = partial(cast(Any, config.http), patience_s=60)  # type: ignore[assignment]  # as the server does
        self._running: asyncio.Task[None] | None = None

    async def start(self) -> "LiveServer":
        """Migrate, start and wait until it listens."""
        await asyncio.wrap_future(outside(lambda: bring_to_head(self.settings.database_url)))
        listening = asyncio.Event()
        self.server._announce = lambda _: listening.set()
        self._running = asyncio.get_running_loop().create_task(self.server.serve())
        waiter = asyncio.get_running_loop().create_task(listening.wait())
        await asyncio.wait({self._running, waiter}, return_when=asyncio.FIRST_COMPLETED)
        if not listening.is_set():
            waiter.cancel()
            await self._running
            raise RuntimeError("the server did not start; its log says why")
        return self

    async def stop(self) -> None:
        """Stop it as SIGTERM would."""
        self.server.should_exit = True
        if self._running is not None:
            await self._running
            self._running = None

    @property
    def manual(self) -> ManualClock:
        """The clock, where the test moves it."""
        assert isinstance(self.clock, ManualClock)
        return self.clock

    @property
    def base_url(self) -> str:
        """Where browsers find it."""
        return self.server.address.replace("localhost", "127.0.0.1")

    @property
    def socket_url(self) -> str:
        """Where sockets connect."""
        return self.base_url.replace("http://", "ws://") + "/ws"

    def http(self, token: str | None = None) -> httpx.AsyncClient:
        """An HTTP client of the API; with a token, as that player."""
        return plain_http(self.base_url, token, timeout_s=60)

    async def guest(self, name: str | None = None) -> tuple[dict[str, Any], str]:
        """A new guest and his token, made over HTTP."""
        async with self.http() as http:
            answer = await http.post("/api/v1/guests", json={"name": name} if name else {})
        assert answer.status_code == 201, answer.text
        body = answer.json()
        return body["player"], body["token"]

    async def player(self, name: str | None = None, token: str | None = None) -> Player:
        """A player who has said hello, new unless a token is given."""
        if token is None:
            _, token = await self.guest(name)
        player = await Player.connect(self.socket_url, token)
        await player.hello()
        return player

    @contextlib.asynccontextmanager
    async def playing(self, name: str | None = None, token: str | None = None) -> AsyncIterator[Player]:
        """A player for the length of a block."""
        player = await self.player(name, token)
        try:
            yield player
        finally:
            await player.close()

    async def admin(self, role: Role, name: str | None = None, *, player: Player | None = None) -> httpx.AsyncClient:
        """An HTTP client of the API as a new admin of a role; with a player, the one as whom he plays."""
        services = self.app.services
        made = await identity.create(services, CONSOLE, name or f"{role}-{services.token()[:8].strip('-_')}", role)
        if player is not None:
            await identity.bind(services, actor(made.admin, "http"), player.token or "")
        return self.http(made.token)

    async def make_challenge(
        self,
        key: str,
        seed: str,
        *,
        opens_in: int = 0,
        ends_in: int = DAY,
        closes_in: int = DAY + HOUR,
    ) -> str:
        """A ranked challenge with a known seed; its id. Times in milliseconds from now."""
        services = self.app.services
        now = services.clock.now_ms()
        row = ChallengeRow.of(
            ruleset(key),
            seed,
            id=services.new_id(now),
            kind="event",
            opens_at=now + opens_in,
            ends_at=now + ends_in,
            closes_at=now + closes_in,
            created_at=now,
        )
        async with services.store.writing() as conn:
            made, _ = await challenges.insert_challenge(conn, row)
        return str(made.id)


@contextlib.asynccontextmanager
async def live_server(
    database_url: str, folder: Path, clock: Clock | None = None, **options: Any
) -> AsyncIterator[LiveServer]:
    """A running server for the length of a block, at noon of an ordinary day unless a clock is given."""
    server = LiveServer(database_url, folder, clock if clock is not None else ManualClock(NOON), **options)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


class ThreadedServer:
    """A server in a thread with a loop of its own, for tests that are not asynchronous (browsers)."""

    def __init__(self, database_url: str, folder: Path, clock: Clock, **options: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self._make = partial(LiveServer, database_url, folder, clock, **options)
        self.live: LiveServer = None  # type: ignore[assignment]  # set by start

    @contextlib.contextmanager
    def running(self) -> Iterator["ThreadedServer"]:
        """Run for the length of a block."""
        import threading

        thread = threading.Thread(target=self._loop.run_forever, name="live-server")
        thread.start()
        try:
            self.live = self._make()
            self.call(self.live.start())
            yield self
        finally:
            self.call(self.live.stop())
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join()
            self._loop.close()

    def call(self, work: Any) -> Any:
        """Run a coroutine in the server's loop and wait for what it returns."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(300)

    @property
    def base_url(self) -> str:
        """Where browsers find it."""
        return self.live.base_url

    def make_challenge(self, key: str, seed: str, **times: int) -> str:
        """A ranked challenge with a known seed; its id."""
        return str(self.call(self.live.make_challenge(key, seed, **times)))

    def advance(self, by_ms: int) -> None:
        """Move a manual clock on, in the server's thread."""

        async def move() -> None:
            self.live.manual.advance(by_ms)

        self.call(move())
