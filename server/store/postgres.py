"""PostgreSQL by asyncpg: pooled connections that are proved durable before anything is stored."""

from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from server.errors import ConfigurationError

#: Seconds for a connection, a statement and a place in the pool; then the caller hears of it.
PATIENCE_S: Final = 10.0

#: Kinds of commit that wait for this server's own disk.
_DURABLE: Final = frozenset({"on", "local", "remote_write", "remote_apply"})


async def open_engines(address: URL, connections: int) -> tuple[AsyncEngine, AsyncEngine]:
    """The engine of ordinary transactions and one with a single connection for the recorder.

    The recorder has its own so that slow requests, which may hold all others, never keep a move waiting.
    Raises :class:`ConfigurationError` where the server cannot be reached or would answer before it is durable.
    """
    engine = _engine(address, connections)
    try:
        async with engine.connect() as conn:
            for name, good in (("fsync", frozenset({"on"})), ("synchronous_commit", _DURABLE)):
                value = str(await conn.scalar(text(f"SHOW {name}")))
                if value not in good:
                    raise ConfigurationError(
                        f"PostgreSQL has {name} = {value}: acknowledged moves could be lost; set it to on"
                    )
    except (OSError, SQLAlchemyError) as error:
        await engine.dispose()
        raise ConfigurationError(f"cannot use the PostgreSQL database: {type(error).__name__}") from error
    except ConfigurationError:
        await engine.dispose()
        raise
    return engine, _engine(address, 1, isolation_level="AUTOCOMMIT")


def _engine(address: URL, connections: int, **options: Any) -> AsyncEngine:
    return create_async_engine(
        address,
        hide_parameters=True,  # names, tokens and seeds must not get into the log with an error
        pool_size=connections,
        max_overflow=0,
        pool_timeout=PATIENCE_S,
        pool_pre_ping=True,
        connect_args={
            "timeout": PATIENCE_S,
            "command_timeout": PATIENCE_S,
            # Statements here are short; compiling them takes longer than running them.
            "server_settings": {"application_name": "samedeal", "jit": "off"},
        },
        **options,
    )
