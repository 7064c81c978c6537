"""Who the admins are, and how they sign in."""

import re
from typing import Final, NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection

from server.actions import people
from server.actions.admin.roles import CONSOLE, Actor, Via, actor
from server.actions.house import Services
from server.actions.people import Person, token_hash
from server.errors import GameError
from server.store import admins
from server.store.admins import AdminRow, Role

#: A browser's session ends so long after it began.
SESSION_MS: Final = 12 * 3_600_000

#: Names that the audit log gives to who has none.
_RESERVED: Final = frozenset({CONSOLE.name})

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}", re.ASCII)


class NewAdmin(NamedTuple):
    """An admin, and the token that is told this once."""

    admin: AdminRow
    token: str


async def create(services: Services, who: Actor, name: str, role: Role) -> NewAdmin:
    """Make an admin. Raises ``name/invalid``, or ``admin/exists`` where the name is taken for ever."""
    who.needs("admins.write")
    if not _NAME.fullmatch(name):
        raise GameError("name/invalid", "the name of an admin is 1 to 40 letters, digits, dots, dashes, underscores")
    if name.lower() in _RESERVED:
        raise GameError("name/invalid", "this name stands for the console in the audit log")
    now = services.clock.now_ms()
    token, admin_id = services.token(), services.new_id(now)
    async with services.store.writing() as conn:
        if await admins.is_taken(conn, name) or not await admins.create(conn, admin_id, name, role, now):
            raise GameError("admin/exists", "an admin has, or had, this name")
        await admins.add_token(conn, token_hash(token), admin_id, now, None)
        await who.note(conn, now, "admin.create", name, after={"role": role})
    return NewAdmin(AdminRow(admin_id, name, role, now, None, None), token)


async def every(services: Services, who: Actor) -> list[AdminRow]:
    """All admins, revoked ones too."""
    who.needs("admins.read")
    async with services.store.reading() as conn:
        return await admins.every(conn)


async def set_role(services: Services, who: Actor, name: str, role: Role) -> AdminRow:
    """Change a role. Raises ``not_found``, or ``admin/last_owner``."""
    who.needs("admins.write")
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        row = await _named(conn, name)
        if row.role != role:
            await _another_owner(conn, row)
            await admins.set_role(conn, row.id, role)
            await who.note(conn, now, "admin.role", name, before={"role": row.role}, after={"role": role})
        return await _named(conn, name)


async def renew(services: Services, who: Actor, name: str) -> NewAdmin:
    """A new token for an admin; the old one and all sessions are void. Raises ``not_found``."""
    who.needs("admins.write")
    now = services.clock.now_ms()
    token = services.token()
    async with services.store.writing() as conn:
        row = await _named(conn, name)
        await admins.drop_tokens(conn, row.id)
        await admins.add_token(conn, token_hash(token), row.id, now, None)
        await who.note(conn, now, "admin.token", name)
    return NewAdmin(row, token)


async def revoke(services: Services, who: Actor, name: str) -> None:
    """Let an admin sign in no more, at once. Raises ``not_found``, or ``admin/last_owner``."""
    who.needs("admins.write")
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        row = await _named(conn, name)
        await _another_owner(conn, row)
        await admins.revoke(conn, row.id, now)
        await who.note(conn, now, "admin.revoke", name, before={"role": row.role})


async def sign_in(services: Services, token: str) -> tuple[Actor, str]:
    """The admin of a token, and the token of a new session of his browser. Raises ``auth/invalid``."""
    now = services.clock.now_ms()
    session = services.token()
    async with services.store.writing() as conn:
        row = await admins.by_token(conn, token_hash(token), now, session=False)
        if row is None:
            raise GameError("auth/invalid", "the token is unknown or no longer valid")
        await admins.drop_expired(conn, now)
        await admins.add_token(conn, token_hash(session), row.id, now, now + SESSION_MS)
        who = actor(row, "http")
        await who.note(conn, now, "session.begin", row.name)
    return who, session


async def sign_out(services: Services, who: Actor, session: str) -> None:
    """End a session of a browser."""
    who.needs("self.session")
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        await admins.drop_token(conn, token_hash(session))
        await who.note(conn, now, "session.end", who.name)


async def authenticate(services: Services, token: str, *, session: bool) -> Actor:
    """Who an admin's token, or with ``session`` a browser's session, belongs to. Raises ``auth/invalid``."""
    async with services.store.reading() as conn:
        row = await admins.by_token(conn, token_hash(token), services.clock.now_ms(), session=session)
    if row is None:
        raise GameError("auth/invalid", "the token is unknown or no longer valid")
    return actor(row, "http")


async def named(services: Services, name: str, via: Via) -> Actor:
    """The admin of a name, for the command line. Raises ``not_found``, also for one who was revoked."""
    async with services.store.reading() as conn:
        return actor(await _named(conn, name), via)


async def bind(services: Services, who: Actor, player_token: str) -> Person:
    """Name the player as whom an admin plays, by a token of that player. What bars the admin bars him.

    Earlier names stay barred too. Raises ``auth/invalid``, or ``admin/unbound`` for who has no name as an admin.
    """
    who.needs("self.bind")
    if who.admin_id is None:
        raise GameError("admin/unbound", "only an admin with a name plays as somebody")
    person = await people.authenticate(services, player_token)
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        await admins.bind(conn, who.admin_id, person.id, now)
        await who.note(
            conn, now, "admin.player", who.name, before={"player": who.player_id}, after={"player": person.id}
        )
    return person


async def _named(conn: AsyncConnection, name: str) -> AdminRow:
    row = await admins.named(conn, name)
    if row is None or row.revoked_at is not None:
        raise GameError("not_found", "no such admin")
    return row


async def _another_owner(conn: AsyncConnection, row: AdminRow) -> None:
    """Refuse to take the last owner away."""
    if row.role == "owner" and await admins.owners(conn) < 2:
        raise GameError("admin/last_owner", "one owner must remain")
