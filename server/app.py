"""The composition root: the only place that wires things together, and starts and stops them."""

import asyncio
import contextlib
import gc
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Final
from wsgiref.simple_server import WSGIServer

import structlog
import uvicorn
from prometheus_client import start_http_server

from server import __version__, logs, resources
from server.actions import dailies, keeping, upkeep
from server.actions.admin import blocking
from server.actions.house import Services
from server.clock import Clock, SystemClock
from server.compiling import compiled
from server.errors import ConfigurationError
from server.live.hub import Hub
from server.metrics import Metrics
from server.net.answers import ApiAnswers
from server.net.bodies import BodyLimit
from server.net.credentials import Credentials
from server.net.doors import MOST, Doors
from server.net.health import health_routes
from server.net.http_protocol import HttpProtocol
from server.net.messages import MAX_FRAME
from server.net.socket_app import Receive, Scope, Send, SocketApp
from server.net.socket_protocol import SocketProtocol
from server.net.static import StaticSite
from server.net.whole_api import WholeApi
from server.settings import Settings
from server.store import migrate
from server.store.engine import Store
from server.store.ids import uuid7
from server.store.recorder import Recorder

log = structlog.get_logger(__name__)

SOCKET_PATH: Final = "/ws"
#: Seconds between keep-alive pings, and until an unanswered one closes the socket; proxies cut idle ones after 60.
PING_S: Final = 20.0
#: Seconds that a stopping server waits for requests under way.
GRACE_S: Final = 5


#: Allocations until the collector looks for cycles, and rounds of it until it looks at older objects too. Nothing on
#: the way of a move makes a cycle; with Python's own figures a third of the processor's time went into looking.
COLLECT_AFTER: Final = (20_000, 20, 50)


def new_seed() -> str:
    """A fresh secret seed from the operating system (DESIGN 5)."""
    return secrets.token_hex(16)


def new_token() -> str:
    """A fresh secret token."""
    return secrets.token_urlsafe(32)


def new_id(now_ms: int) -> str:
    """A fresh row id, sortable by the instant at which it was made."""
    return uuid7(now_ms, secrets.token_bytes(10))


@cache
def _site(root: Path, sandbox: bool) -> StaticSite:
    """The browser client as it was when a server of this process first started; never changed, so all share it."""
    return StaticSite(root, sandbox=sandbox)


class Application:
    """The whole server as one ASGI application, with a life of its own.

    Time and randomness come in from outside, so that tests can drive midnight and know the seeds.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock | None = None,
        seed: Callable[[], str] = new_seed,
        token: Callable[[], str] = new_token,
        ids: Callable[[int], str] = new_id,
    ) -> None:
        self.settings = settings
        self._clock: Clock = clock if clock is not None else SystemClock()
        self._seed, self._token, self._ids = seed, token, ids
        self._tickers: list[asyncio.Task[None]] = []
        self._services: Services | None = None
        self._http: Any = None
        self._sockets: SocketApp | None = None
        self._metrics_server: WSGIServer | None = None

    @property
    def services(self) -> Services:
        """What the actions are given; only between :meth:`start` and :meth:`stop`."""
        assert self._services is not None, "the application is not running"
        return self._services

    async def start(self) -> None:
        """Open the database, take note of an outage, make the dailies and start the tickers.

        Dailies that have to be proved first are made while the server listens already.

        The schema must be there (``server.store.migrate``). Raises :class:`ConfigurationError`.
        """
        settings = self.settings
        services = self._services = await self._open()
        worker = self._ids(self._clock.now_ms())
        services.spawn(blocking.finish_blocks(services))
        await upkeep.note_outage(services)
        await upkeep.make_dailies_at_once(services)
        await dailies.close_due(services)
        self._compose(services)
        tickers = [upkeep.beats(services, worker), upkeep.days(services), upkeep.closings(services)]
        if settings.stock_days:
            tickers.append(keeping.keep(services, settings.stock_days))
        for ticker in tickers:
            self._tickers.append(asyncio.get_running_loop().create_task(ticker))
        if settings.metrics_port is not None:
            metrics_server, _ = start_http_server(settings.metrics_port, "127.0.0.1", services.metrics.registry)
            self._metrics_server = metrics_server

    async def _open(self) -> Services:
        """Open the database and make what the actions are given. Raises :class:`ConfigurationError`."""
        store = await Store.open(self.settings.database_url)
        metrics = Metrics()
        return Services(
            clock=self._clock,
            store=store,
            recorder=Recorder(store, on_commit=metrics.committed),
            hub=Hub(),
            metrics=metrics,
            seed=self._seed,
            token=self._token,
            new_id=self._ids,
            unlimited=self.settings.sandbox,
            prove_s=self.settings.prove_seconds,
        )

    @contextlib.asynccontextmanager
    async def at_hand(self) -> AsyncIterator[Services]:
        """What the actions are given, for a command beside a server or without one.

        Nothing is served, nothing happens by itself, and no sign of life is left. Raises :class:`ConfigurationError`.
        """
        services = await self._open()
        try:
            yield services
        finally:
            await services.settled()
            await services.recorder.close()
            await services.settled()
            await services.store.close()

    def _compose(self, services: Services) -> None:
        settings = self.settings
        credentials = Credentials(services, public_origin=settings.origin, secure=settings.secure)
        api = WholeApi(services, credentials, __version__, public_origin=settings.origin, secure=settings.secure)
        site = _site(resources.client_web(), settings.sandbox)
        api.players.router.routes.extend(health_routes(services, settings.metrics_token))
        api.players.router.routes.extend(site.routes())
        self._http = ApiAnswers(BodyLimit(api), services.metrics, unlimited=settings.sandbox)
        self._sockets = SocketApp(
            services,
            Doors(None if settings.sandbox else MOST, settings.trusted_proxies),
            cookie_name=credentials.cookie,
            public_origin=settings.origin,
        )

    async def stop(self) -> None:
        """Stop the tickers, store what was accepted, and close the database."""
        for ticker in self._tickers:
            ticker.cancel()
        await asyncio.gather(*self._tickers, return_exceptions=True)
        self._tickers.clear()
        if self._metrics_server is not None:
            await asyncio.to_thread(self._metrics_server.shutdown)
            self._metrics_server.server_close()
            self._metrics_server = None
        services, self._services = self._services, None
        if services is not None:
            await services.settled()
            await services.recorder.close()
            await services.settled()
            await upkeep.last_beat(services)
            await services.store.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one HTTP request, one socket, or the server's own start and stop."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "websocket":
            if scope["path"] == SOCKET_PATH and self._sockets is not None:
                await self._sockets(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 1008})
        else:
            await self._http(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            await self.start()
        except Exception as error:
            if not isinstance(error, ConfigurationError):
                log.exception("start failed")
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        await send({"type": "lifespan.shutdown.complete"})


class Server(uvicorn.Server):
    """uvicorn, told how to treat our sockets and how to say where it listens."""

    def __init__(self, application: Application, *, announce: Callable[[str], None] | None = None) -> None:
        settings = application.settings
        doors = Doors(None if settings.sandbox else MOST, settings.trusted_proxies)
        super().__init__(
            uvicorn.Config(
                application,
                host=settings.host,
                port=settings.port,
                http=partial(HttpProtocol, doors=doors),  # type: ignore[arg-type]  # all that uvicorn does is to call it
                ws=SocketProtocol,
                ws_max_size=MAX_FRAME,
                ws_ping_interval=PING_S,
                ws_ping_timeout=PING_S,
                ws_per_message_deflate=False,
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=bool(settings.trusted_proxies),
                forwarded_allow_ips=[str(network) for network in settings.trusted_proxies],
                timeout_graceful_shutdown=GRACE_S,
            )
        )
        self._announce = announce

    async def startup(self, sockets: Any = None) -> None:
        """Start listening, and say where."""
        await super().startup(sockets=sockets)
        if self.started and self._announce is not None:
            self._announce(self.address)

    @property
    def address(self) -> str:
        """Where a browser on this machine finds the server."""
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::1", "::") else host  # noqa: S104 - only read
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop cleanly on SIGTERM and SIGINT, and end with exit code 0, as supervisors expect of a clean stop."""
        loop = asyncio.get_running_loop()
        caught = (signal.SIGTERM, signal.SIGINT)
        try:
            for signum in caught:
                loop.add_signal_handler(signum, self.handle_exit, signum, None)
        except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            with super().capture_signals():
                yield
            return
        try:
            yield
        finally:
            for signum in caught:
                loop.remove_signal_handler(signum)


def serve(settings: Settings) -> int:
    """Migrate the database and serve until told to stop; returns the exit code of the process.

    Raises :class:`ConfigurationError` where it cannot start as it is configured.
    """
    logs.configure(settings.log_format, settings.log_level)
    log.info("server starts", version=__version__, judging="compiled" if compiled() else "interpreted")
    sys.setswitchinterval(0.001)  # the recorder's thread must get its word in while the loop is busy
    settings.make_data_dir()
    migrate.upgrade(settings.database_url)
    _raise_descriptors()
    server = Server(Application(settings), announce=_ready)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(server.serve())
    return 0 if server.started else 3


def _raise_descriptors() -> None:
    """Allow as many open files as the system lets us: every connection is one."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):  # macOS calls a limit infinite and refuses it
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _ready(address: str) -> None:
    gc.collect()
    gc.freeze()  # what the start has made stays; no collection need look at it again
    gc.set_threshold(*COLLECT_AFTER)
    gc.enable()
    sys.stdout.write(f"Samedeal is ready: {address}\n")
    sys.stdout.flush()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop
    except ImportError:  # Windows
        return asyncio.new_event_loop
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory
