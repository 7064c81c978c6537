"""Tables of what the code holds as constants: codes, limits, metrics."""

from collections.abc import Iterator

from prometheus_client import Counter, Histogram
from prometheus_client.metrics import MetricWrapperBase

from server.actions import dailies, house, names, people, starting
from server.actions.admin import calendar, events, identity, importing, searching
from server.actions.admin.roles import ACTIONS, ROLES
from server.commands.reference.markdown import table
from server.commands.reference.words import CODES as MEANINGS
from server.commands.reference.words import words_for
from server.errors import CODES
from server.metrics import Metrics
from server.net import (
    admin_gate,
    answers,
    bodies,
    credentials,
    doors,
    http_protocol,
    messages,
    session,
    socket_app,
    socket_protocol,
)
from server.play import attempt
from server.store import boards, follows


def codes() -> str:
    """Every code with its HTTP status and meaning. Raises :class:`UndocumentedError` where a code has none."""
    rows = ((f"`{code}`", str(status), words_for("code", MEANINGS, code)) for code, status in CODES.items())
    return table(("code", "HTTP", "meaning"), rows)


def roles() -> str:
    """Every action of admins with the roles that may do it."""
    rows = (
        (f"`{action}`", words, *("yes" if role in allowed else "" for role in ROLES))
        for action, (allowed, words) in ACTIONS.items()
    )
    return table(("action", "what", *ROLES), rows)


def limits() -> str:
    """What is bounded, and what happens beyond."""
    rows = [
        ("a frame from a client", f"{messages.MAX_FRAME:,} bytes", "the socket closes with 1009"),
        (
            "messages of a socket",
            f"{session.PER_SECOND} a second, {session.BURST} at once",
            f"`protocol/rate`; after {session.PATIENCE} of these without a rest the socket closes with 1008",
        ),
        (
            "frames of a socket that wait for the one in hand",
            f"{session.INBOX}",
            "nothing more is read until they went",
        ),
        (
            "attempts that a socket holds at once",
            f"{session.TABLES}",
            "the longest unused one gives no more news until `sync`",
        ),
        ("entries that their logs have together", f"{session.ENTRIES:,}", "the same"),
        (
            "practice games that a player starts",
            f"{house.PRACTICES} at once, {house.PRACTICES_PER_S} a second",
            f"`protocol/rate`; {starting.COPIED} entries that are copied count as one more",
        ),
        (
            "time until a socket says `hello` or watches a board",
            f"{socket_app.HELLO_S:.0f} s",
            "the socket closes with 1008",
        ),
        (
            "bytes that wait for a reader",
            f"{socket_protocol.OUTGOING_BOUND:,}",
            "the socket closes with 1013, or is cut off",
        ),
        (
            f"bytes that wait for longer than {socket_protocol.EVICT_AFTER_S:g} s",
            f"{socket_protocol.OUTGOING_HIGH:,}",
            "the socket is cut off",
        ),
        ("moves and undos in a log", f"{attempt.LOG_LIMIT:,}", "`attempt/log_full`"),
        ("a body of a request", f"{bodies.LARGEST:,} bytes", "413"),
        *((f"a body of `{path}`", f"{most:,} bytes", "413") for path, most in bodies.LARGER.items()),
        (
            "attempts of one address to sign in as an admin",
            " and ".join(f"{limit.amount} in {limit.get_expiry():,} s" for limit in admin_gate.SIGN_IN_LIMITS),
            "`protocol/rate` with `Retry-After`",
        ),
        ("a browser's session as an admin", f"{identity.SESSION_MS // 3_600_000} hours", "`auth/invalid`"),
        ("days of the calendar at once", f"{calendar.MOST_DAYS}", "`admin/dates`"),
        ("days ahead that can be planned", f"{calendar.HORIZON}", "`calendar/locked`"),
        ("lines of a list of seeds", f"{importing.MOST_LINES:,}", "`protocol/malformed`"),
        ("deals of an event", f"{events.MOST_DEALS}", "`event/invalid`"),
        ("searches for deals at a time", f"{searching.TOGETHER}", "`job/busy`"),
        ("fresh deals that a search looks at", f"{searching.MOST_TRIES:,}", "the search ends"),
        ("rows of a page of a board", f"{boards.LARGEST_PAGE}", "`protocol/malformed`"),
        ("players whom one follows", f"{follows.MOST}", "`follow/full`"),
        ("boards that a socket watches", f"{session.BOARDS}", "the one watched longest gives no more news"),
        ("characters of a name", f"{names.LONGEST}", "`name/invalid`"),
        ("open attempts that are told of", f"{people.OPEN}", "the latest ones are told"),
        (
            "guests from one address",
            " and ".join(f"{limit.amount} in {limit.get_expiry():,} s" for limit in credentials.GUEST_LIMITS),
            "`protocol/rate` with `Retry-After`",
        ),
        (
            "requests of one address to the API",
            f"{answers.PER_SECOND} a second, {answers.BURST} at once",
            "`protocol/rate` with `Retry-After`",
        ),
        ("connections of one address", f"{doors.MOST}", "429, and the line is closed"),
        (
            "time to send the head of a request, then its body, and to read on",
            f"{http_protocol.PATIENCE_S:.0f} s each",
            "the line is closed",
        ),
        ("a session without use", f"{people.SESSION_MS // people.DAY_MS} days", "`auth/invalid`"),
        ("time to finish a daily after its day", f"{dailies.GRACE_MS // 60_000} minutes", "the attempt is closed"),
    ]
    return table(("what", "limit", "beyond it"), rows)


def metrics() -> str:
    """Every metric, as Prometheus sees it."""
    rows = (
        (f"`{name}`", ", ".join(f"`{label}`" for label in labels), meaning) for name, labels, meaning in metric_names()
    )
    return table(("metric", "labels", "what it tells"), rows)


def metric_names() -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Names, labels and meanings of all metrics."""
    for metric in vars(Metrics()).values():
        if isinstance(metric, MetricWrapperBase):
            name = metric._name  # noqa: SLF001 - the library tells it nowhere else without a sample
            if isinstance(metric, Counter):
                name += "_total"
            elif isinstance(metric, Histogram):
                name += "_bucket`, `_sum`, `_count"
            yield name, tuple(metric._labelnames), metric._documentation  # noqa: SLF001
