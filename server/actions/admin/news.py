"""What commands beside the server have done: those who play or watch what it concerns are told.

The audit log is where another process says what it did. Who asks this server itself is served at once; what it reads
here is told within two seconds.
"""

from typing import Final

import msgspec
import structlog

from server.actions.admin import rulings
from server.actions.house import Services
from server.errors import GameError
from server.store import audit, challenges
from server.store.audit import Entry

log = structlog.get_logger(__name__)

#: Entries that are read at once.
MOST: Final = 200


async def look(services: Services) -> None:
    """Tell of what commands have done since the last look; the first look only finds out where the log ends."""
    try:
        async with services.store.reading() as conn:
            if services.audited is None:
                services.audited = await audit.latest(conn)
                return
            entries = await audit.since(conn, services.audited, MOST)
        for entry in entries:
            services.audited = entry.number
            if entry.via == "command":
                await _tell(services, entry)
    except GameError as refusal:
        log.warning("commands not heard of", code=refusal.code)


async def _tell(services: Services, entry: Entry) -> None:
    if entry.action in ("challenge.void", "attempt.exclude", "challenge.extend"):
        challenge_id = str(msgspec.json.decode(entry.before or "{}")["challenge"])
        async with services.store.reading() as conn:
            row = await challenges.challenge(conn, challenge_id)
        assert row is not None, "challenges stay"
        if entry.action != "challenge.extend":
            rulings.announce(services, row)
        elif row.closes_at is not None:
            services.house.extended(row.id, row.closes_at)
    elif entry.action == "player.withdraw":
        services.fields.clear()
        services.house.withdrawn(entry.target.removeprefix("player/"))
        services.board_news.all_changed()
