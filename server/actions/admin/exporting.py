"""Files: results and moves of closed challenges, and the audit log, read a batch at a time while they are sent."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Final

from server.actions import dailies
from server.actions.admin.calendar import parse_day
from server.actions.admin.roles import Actor
from server.actions.dates import midnight_ms
from server.actions.house import Services
from server.games import ruleset
from server.store import audit, exports
from server.store.audit import Entry
from server.store.exports import Choice, MoveLine, ResultLine

#: Results, or audit entries, that are read at once.
BATCH: Final = 500
#: Logs that are read at once.
LOGS: Final = 50
#: Entries of a page of the audit log.
PAGE: Final = 100


async def choice(
    services: Services,
    who: Actor,
    *,
    first: str | None = None,
    last: str | None = None,
    key: str | None = None,
    kind: str | None = None,
    challenge: str | None = None,
) -> Choice:
    """Which challenges a file is about. Raises ``admin/dates``, ``ruleset/unknown`` or ``challenge/unknown``."""
    who.needs("results.read")
    return Choice(
        None if first is None else midnight_ms(parse_day(first)),
        None if last is None else midnight_ms(parse_day(last) + timedelta(days=1)),
        None if key is None else ruleset(key).key,
        kind,
        None if challenge is None else (await dailies.stored(services, challenge)).id,
    )


def results(services: Services, who: Actor, chosen: Choice) -> AsyncIterator[list[ResultLine]]:
    """All results of closed challenges."""
    who.needs("results.read")
    return _results(services, chosen)


def moves(services: Services, who: Actor, chosen: Choice) -> AsyncIterator[list[MoveLine]]:
    """All moves of ranked attempts at closed challenges."""
    who.needs("results.read")
    return _moves(services, chosen)


def audit_log(services: Services, who: Actor) -> AsyncIterator[list[Entry]]:
    """The whole audit log, oldest first."""
    who.needs("audit.read")
    return _audit(services)


async def audit_page(
    services: Services,
    who: Actor,
    *,
    limit: int = PAGE,
    before: int | None = None,
    action: str | None = None,
    admin: str | None = None,
    target: str | None = None,
) -> tuple[list[Entry], int | None]:
    """Entries of the audit log, latest first; and the number to go on before, None at the end."""
    who.needs("audit.read")
    async with services.store.reading() as conn:
        found = await audit.page(conn, limit=limit + 1, before=before, action=action, admin=admin, target=target)
    return found[:limit], found[limit - 1].number if len(found) > limit else None


async def _results(services: Services, chosen: Choice) -> AsyncIterator[list[ResultLine]]:
    after = 0
    while True:
        async with services.store.reading() as conn:
            found = await exports.results(conn, chosen, after, BATCH)
        yield found
        if len(found) < BATCH:
            return
        after = found[-1].number


async def _moves(services: Services, chosen: Choice) -> AsyncIterator[list[MoveLine]]:
    after = 0
    while True:
        async with services.store.reading() as conn:
            end, logs = await exports.moves(conn, chosen, after, LOGS)
        yield [line for log in logs for line in log]
        if end is None:
            return
        after = end


async def _audit(services: Services) -> AsyncIterator[list[Entry]]:
    after = 0
    while True:
        async with services.store.reading() as conn:
            found = await audit.since(conn, after, BATCH)
        yield found
        if len(found) < BATCH:
            return
        after = found[-1].number
