"""Guests and who a token belongs to."""

import hashlib
from dataclasses import dataclass
from typing import Final, Literal, cast

from server.actions.house import Services
from server.actions.names import clean_name
from server.errors import GameError
from server.store import attempts, players

Kind = Literal["guest", "account", "bot"]

DAY_MS: Final = 86_400_000
#: A session ends so long after it was last renewed.
SESSION_MS: Final = 400 * DAY_MS
#: A session that is used is renewed when it is older than this: not a write for every request.
RENEW_MS: Final = DAY_MS
#: So many open attempts are told of.
OPEN: Final = 50


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is logged in."""

    id: str
    name: str
    kind: Kind


def token_hash(token: str) -> bytes:
    """What is stored of a token: who reads the database cannot become a player."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


async def new_guest(services: Services, name: str | None) -> tuple[Person, str]:
    """A new guest and the token of his session. Raises ``name/invalid``.

    Without a name he gets one made of his id, so that guests can be told apart on a board.
    """
    now = services.clock.now_ms()
    player_id = services.new_id(now)
    shown = clean_name(name) if name is not None else f"Guest {int(player_id[-8:], 16) % 10_000:04d}"
    token = services.token()
    async with services.store.writing() as conn:
        await players.create_player(conn, player_id, "guest", shown, now)
        await players.create_session(conn, token_hash(token), player_id, now, now + SESSION_MS)
    return Person(player_id, shown, "guest"), token


async def authenticate(services: Services, token: str) -> Person:
    """Whose token it is. Raises ``auth/invalid``."""
    now = services.clock.now_ms()
    hashed = token_hash(token)
    async with services.store.reading() as conn:
        found = await players.player_by_session(conn, hashed, now)
        seen = await players.last_seen(conn, hashed)
    if found is None:
        raise GameError("auth/invalid", "the token is unknown or no longer valid")
    if seen is not None and now - seen > RENEW_MS:
        async with services.store.writing() as conn:
            await players.touch_session(conn, hashed, now, now + SESSION_MS)
    return Person(found.id, found.name, cast(Kind, found.kind))


async def rename(services: Services, person: Person, name: str) -> Person:
    """The person under another name, on all boards too. Raises ``name/invalid``."""
    if name == person.name:
        return person  # also where it was given to him, and nobody may choose it
    shown = clean_name(name)
    async with services.store.writing() as conn:
        await players.rename_player(conn, person.id, shown)
    return Person(person.id, shown, person.kind)


async def open_attempts(services: Services, player_id: str) -> list[str]:
    """Ids of the person's latest open attempts, latest first."""
    async with services.store.reading() as conn:
        return [row.id for row in await attempts.open_attempts_of(conn, player_id, limit=OPEN)]
