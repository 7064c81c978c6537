"""Players: looking them up, and keeping them from everything that counts."""

from typing import Final, NamedTuple

from server.actions import withdrawing
from server.actions.admin.roles import Actor
from server.actions.admin.rulings import checked
from server.actions.house import Services
from server.errors import GameError
from server.store import players, profiles, withdrawals
from server.store.players import PlayerRow
from server.store.profiles import Game

#: Players that a look-up tells of.
MOST: Final = 50
#: Latest games of a player.
GAMES: Final = 20


class Found(NamedTuple):
    """A player, and since when he is blocked."""

    player: PlayerRow
    blocked_at: int | None


class Looked(NamedTuple):
    """A player with his latest games."""

    found: Found
    games: list[Game]


class Blocked(NamedTuple):
    """A player after a block or its end, and how many attempts were taken away."""

    found: Found
    attempts: int


async def find(services: Services, who: Actor, text: str) -> list[Found]:
    """Players of an id, or whose name contains a text; latest first."""
    who.needs("players.read")
    async with services.store.reading() as conn:
        return [Found(player, at) for player, at in await players.found(conn, text.strip(), MOST)]


async def look(services: Services, who: Actor, player_id: str) -> Looked:
    """One player. Raises ``not_found``."""
    who.needs("players.read")
    found = await _found(services, player_id)
    async with services.store.reading() as conn:
        return Looked(found, await profiles.games(conn, player_id, latest=GAMES))


async def block(services: Services, who: Actor, player_id: str, reason: str) -> Blocked:
    """Let a player start nothing ranked any more, and void all that he has reached. Everybody behind moves up.

    Attempts are taken away one after the other, so that nobody who plays waits; a server that is stopped meanwhile
    goes on with it at its next start. Twice is the same as once. Raises ``not_found`` or ``admin/reason``.
    """
    who.needs("players.write")
    reason = checked(reason)
    await _found(services, player_id)
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        if await withdrawals.block(conn, player_id, now):
            count = len(await withdrawals.counting_attempts_of(conn, player_id))
            await who.note(conn, now, "player.block", f"player/{player_id}", after={"attempts": count}, reason=reason)
    taken = await withdraw(services, player_id)
    if taken:
        async with services.store.writing() as conn:
            now = services.clock.now_ms()
            await who.note(conn, now, "player.withdraw", f"player/{player_id}", after={"attempts": taken})
    return Blocked(await _found(services, player_id), taken)


async def unblock(services: Services, who: Actor, player_id: str, reason: str) -> Blocked:
    """Let a player start ranked attempts again; what was taken away stays away.

    Raises ``not_found`` or ``admin/reason``.
    """
    who.needs("players.write")
    reason = checked(reason)
    found = await _found(services, player_id)
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        if await withdrawals.block(conn, player_id, None):
            await who.note(conn, now, "player.unblock", f"player/{player_id}", reason=reason)
    return Blocked(found._replace(blocked_at=None), 0)


async def withdraw(services: Services, player_id: str) -> int:
    """Take away whatever of a blocked player counts somewhere; how many attempts that were."""
    async with services.store.reading() as conn:
        own = await withdrawals.counting_attempts_of(conn, player_id)
    taken = 0
    for attempt_id in own:
        try:
            await withdrawing.void(services, attempt_id)
        except GameError as refusal:
            if refusal.code != "attempt/over":  # somebody else was faster
                raise
        else:
            taken += 1
    return taken


async def finish_blocks(services: Services) -> None:
    """Go on with blocks that a stop of the server has cut off."""
    async with services.store.reading() as conn:
        left = await withdrawals.blocked_who_count(conn)
    for player_id in left:
        await withdraw(services, player_id)


async def _found(services: Services, player_id: str) -> Found:
    async with services.store.reading() as conn:
        player = await players.player(conn, player_id)
        if player is None:
            raise GameError("not_found", "no such player")
        rows = await players.found(conn, player_id, 1)
    return Found(player, rows[0][1])
