"""Log lines: one event a line, for people or for programs, without anything about a person.

No frame, body, token, seed or network address is ever logged: whatever a client does wrong is one line without
payload. Events are constant English phrases; what varies goes into named values. A value under one of the names in
`PRIVATE` is replaced before it is written, so that a slip does no harm.
"""

import logging
import re
import sys
import traceback
from typing import Literal, TextIO

import structlog
from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger

PRIVATE = frozenset(
    {
        "address", "authorization", "body", "client", "cookie", "email", "forwarded_for", "frame", "headers",
        "ip", "name", "password", "payload", "peer", "remote", "seed", "session", "text", "token",
    }
)  # fmt: skip
"""Names under which nothing may be logged."""

WITHHELD = "[withheld]"

_QUIET = ("aiosqlite", "alembic", "asyncio", "hpack", "multipart", "sqlalchemy", "uvicorn", "websockets")
"""Libraries whose lines below a warning name addresses or repeat what the server says better."""

_ROW = re.compile(r"^DETAIL:.*?(?=^\[SQL|^The above |^During handling|^Traceback|\Z)", re.MULTILINE | re.DOTALL)
"""What PostgreSQL says of a row that it refuses: its values, a seed or a name among them."""


def configure(
    format: Literal["console", "json"] = "console",  # noqa: A002 - the name of the setting
    level: Literal["debug", "info", "warning", "error"] = "info",
    stream: TextIO | None = None,
) -> None:
    """Make this process log, ours and what libraries say, to `stream` (standard error by default).

    May be called again; the last call counts.
    """
    stream = stream or sys.stderr
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        withhold_private,
    ]
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_ending(format, stream)],
        )
    )
    root = logging.getLogger()
    for old in list(root.handlers):
        if getattr(old, "samedeal", False):
            root.removeHandler(old)
    handler.samedeal = True  # type: ignore[attr-defined]
    root.addHandler(handler)
    root.setLevel(level.upper())
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def withhold_private(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Replace every value whose name is in `PRIVATE`."""
    for name in PRIVATE & event.keys():
        event[name] = WITHHELD
    return event


def _ending(format: str, stream: TextIO) -> list[Processor]:  # noqa: A002
    """How an event becomes a line at last. Tracebacks show no local variables: those hold payloads."""
    if format == "json":
        tell = structlog.processors.ExceptionRenderer(_traceback)
        return [tell, structlog.processors.JSONRenderer(ensure_ascii=False)]
    return [
        structlog.dev.ConsoleRenderer(
            colors=stream.isatty(),
            exception_formatter=_write_traceback,
            repr_native_str=True,  # a line feed in a value must not make a second line
        )
    ]


def _traceback(exc_info: ExcInfo) -> str:
    return _ROW.sub(f"DETAIL: {WITHHELD}\n", "".join(traceback.format_exception(exc_info[1]))).rstrip("\n")


def _write_traceback(stream: TextIO, exc_info: ExcInfo) -> None:
    stream.write(f"\n{_traceback(exc_info)}")
