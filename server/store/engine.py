"""Connections and transactions: one way of reading and one of writing, on SQLite and on PostgreSQL.

A transaction always ends and its connection always returns, whatever is cancelled meanwhile: a player who cuts the
line in the middle of a request must not keep a connection or leave half a move (field report R40).
"""

import asyncio
import importlib.util
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Final, Literal, Self, TypeVar, cast

import structlog
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.pool import QueuePool

from server.errors import ConfigurationError, GameError
from server.store import postgres, sqlite

T = TypeVar("T")

Dialect = Literal["sqlite", "postgresql"]

#: Connections for requests, unless told otherwise: readers on SQLite, readers and writers on PostgreSQL.
CONNECTIONS: Final = 5

#: What the drivers and the pool raise while a database is down, full, locked or cut off: no fault of the request.
UNAVAILABLE: Final = (OperationalError, InterfaceError, NoConnectionError, OSError, TimeoutError)

#: What PostgreSQL calls a transaction that it has ended because of others: not serializable, deadlock.
BROKEN_OFF: Final = ("40001", "40P01")

#: Seconds after which a client may try again.
RETRY_AFTER_S: Final = 2

log = structlog.get_logger(__name__)


class Store:
    """An open database. Make one with :meth:`open`; everything but the recorder goes through its two transactions."""

    def __init__(
        self,
        dialect: Dialect,
        writer: AsyncEngine,
        reader: AsyncEngine,
        recorder: AsyncEngine | sqlite.Direct,
    ) -> None:
        self.dialect: Final[Dialect] = dialect
        self.recorder: Final = recorder
        self._writer = writer
        self._reader = reader
        self._returning: set[asyncio.Task[None]] = set()
        # SQLite has one writer at a time; waiting for it here costs nothing, waiting in the driver blocks a thread.
        self.turn: Final = asyncio.Lock() if dialect == "sqlite" else None

    @classmethod
    async def open(cls, url: str, *, connections: int = CONNECTIONS) -> Self:
        """Connect to ``sqlite+aiosqlite:///FILE`` or ``postgresql+asyncpg://…``.

        Raises :class:`ConfigurationError` where the database cannot be reached, is too old, or would not keep the
        promise of durable commits.
        """
        address = parse_url(url)
        if address.get_backend_name() == "sqlite":
            return cls("sqlite", *await sqlite.open_engines(address, connections))
        engine, recorder = await postgres.open_engines(address, connections)
        reader = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        return cls("postgresql", engine, reader, recorder)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that sees one state of the database throughout and cannot write.

        Raises ``try_later`` while the database is not to be had.
        """
        async with _or_later(), self._transaction(self._reader) as conn:
            yield conn

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A writing transaction: committed at the end of the block, rolled back where the block raises.

        Raises ``try_later`` while the database is not to be had, or has no room.
        """
        if self.turn is None:
            async with _or_later(), self._transaction(self._writer) as conn:
                yield conn
        else:
            async with _or_later(), self.turn, self._transaction(self._writer) as conn:
                yield conn

    async def close(self) -> None:
        """Close every connection. Whatever runs must have ended, the recorder too."""
        await self.settled()
        if isinstance(self.recorder, sqlite.Direct):
            self.recorder.close()
        else:
            await self.recorder.dispose()
        await self._reader.dispose()
        await self._writer.dispose()
        await asyncio.sleep(0)  # a connection that was cut off takes one more turn of the loop to be gone

    async def settled(self) -> None:
        """Wait until every connection that a cancelled caller had asked for is back."""
        while self._returning:
            await asyncio.wait(set(self._returning))

    @asynccontextmanager
    async def _transaction(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        conn = await self._connection(engine)
        try:
            yield conn  # its first statement begins the transaction
        except BaseException:
            # A statement that was cancelled may have been BEGIN, of which then nobody knows whether it happened. On
            # PostgreSQL SQLAlchemy closes such a connection instead of giving it back; SQLite's thread works off what
            # it was told, one thing after the other, so there the rollback of closing is enough.
            await settle(conn.close())
            raise
        else:
            await settle(_commit(conn))

    async def _connection(self, engine: AsyncEngine) -> AsyncConnection:
        """A connection of the pool. Making one is never broken off, as the drivers would leave half of it behind."""
        making = asyncio.ensure_future(engine.connect())
        try:
            return await asyncio.shield(making)
        except asyncio.CancelledError:
            if self.turn is not None:
                # Returning a connection rolls back, and the recorder uses the same one: not after this turn.
                await settle(_give_back(making))
            else:
                returning = asyncio.create_task(_give_back(making))
                self._returning.add(returning)
                returning.add_done_callback(self._returning.discard)
            raise

    def checked_out(self) -> int:
        """How many connections requests hold at this moment."""
        pools = {id(engine.pool): engine.pool for engine in (self._writer, self._reader)}
        return sum(cast(QueuePool, pool).checkedout() for pool in pools.values())


def parse_url(url: str) -> URL:
    """The address of a database. Raises :class:`ConfigurationError` for any other database or driver than the two."""
    try:
        address = make_url(url)
    except ArgumentError as error:
        raise ConfigurationError("the database address is not in SQLAlchemy's form") from error
    if address.drivername not in ("sqlite+aiosqlite", "postgresql+asyncpg"):
        raise ConfigurationError(f"no {address.drivername}: use sqlite+aiosqlite or postgresql+asyncpg")
    if address.get_backend_name() == "postgresql" and importlib.util.find_spec("asyncpg") is None:
        raise ConfigurationError("PostgreSQL needs its driver: pip install 'samedeal[postgres]'")
    if address.get_backend_name() == "sqlite" and address.database in (None, "", ":memory:"):
        raise ConfigurationError("SQLite needs a file: a database in memory is neither durable nor shared")
    return address


async def settle(work: Awaitable[T]) -> T:
    """Finish ``work`` even if the caller is cancelled meanwhile; the cancellation is passed on afterwards."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        if not task.cancelled():
            task.exception()  # looked at, so that the loop does not complain that nobody did
        raise cancelled
    return task.result()


@asynccontextmanager
async def _or_later() -> AsyncIterator[None]:
    """Turn what a database says that is down, full, locked or cut off into the refusal that clients know."""
    try:
        yield
    except UNAVAILABLE as error:
        log.warning("database not available", error=type(error).__name__)
        raise GameError("try_later", "the database does not answer", retry_after_s=RETRY_AFTER_S) from error
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) not in BROKEN_OFF:
            raise
        log.warning("transaction broken off", sqlstate=getattr(error.orig, "sqlstate", None))
        raise GameError("try_later", "others were faster", retry_after_s=1) from error


async def _commit(conn: AsyncConnection) -> None:
    try:
        await conn.commit()
    finally:
        await conn.close()


async def _give_back(making: asyncio.Future[AsyncConnection]) -> None:
    """Return a connection that nobody waits for any more, as soon as it is there."""
    try:
        conn = await making
    except (OSError, SQLAlchemyError):
        return  # there is none; whoever asks next is told why
    await conn.close()
