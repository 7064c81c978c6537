"""``samedeal admin``: the admins themselves, and the players."""

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from server.commands.admin_session import As, Reason, act
from server.commands.configuration import DatabaseUrl
from server.commands.console import USAGE, CommandError, say

if TYPE_CHECKING:
    from server.actions.admin.blocking import Found

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the admin.")]
PlayerId = Annotated[str, typer.Argument(metavar="PLAYER", help="The id of the player.")]


class Role(StrEnum):
    """The roles, for the command line."""

    OWNER = "owner"
    SEEDER = "seeder"
    MODERATOR = "moderator"
    AUDITOR = "auditor"


def create(
    name: Name,
    role: Annotated[Role, typer.Option(help="What the admin may do.")] = Role.OWNER,
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Make an admin and print the token, this once."""
    from server.actions.admin import identity

    made = act(database_url, acting, lambda services, who: identity.create(services, who, name, role.value), fresh=True)
    say(f"{made.admin.name} ({made.admin.role}): {made.token}")


def show(acting: As = None, database_url: DatabaseUrl = None) -> None:
    """List the admins."""
    from server.actions.admin import identity
    from server.actions.dates import iso

    for row in act(database_url, acting, identity.every):
        gone = "" if row.revoked_at is None else f", revoked {iso(row.revoked_at)}"
        plays = "" if row.player_id is None else f", plays as {row.player_id}"
        say(f"{row.name} ({row.role}) since {iso(row.created_at)}{plays}{gone}")


def role(
    name: Name,
    to: Annotated[Role, typer.Argument(help="The new role.")],
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Give an admin another role, at once."""
    from server.actions.admin import identity

    row = act(database_url, acting, lambda services, who: identity.set_role(services, who, name, to.value))
    say(f"{row.name} is {row.role}")


def token(name: Name, acting: As = None, database_url: DatabaseUrl = None) -> None:
    """Print a new token of an admin, this once; the old one and all sessions are void."""
    from server.actions.admin import identity

    made = act(database_url, acting, lambda services, who: identity.renew(services, who, name))
    say(f"{made.admin.name} ({made.admin.role}): {made.token}")


def revoke(name: Name, acting: As = None, database_url: DatabaseUrl = None) -> None:
    """Let an admin sign in no more, at once."""
    from server.actions.admin import identity

    act(database_url, acting, lambda services, who: identity.revoke(services, who, name))
    say(f"{name} can sign in no more")


def play_as(acting: As = None, database_url: DatabaseUrl = None) -> None:
    """Name the player as whom an admin plays; the player's token is read from standard input."""
    from server.actions.admin import identity

    given = sys.stdin.readline().strip()
    if not given:
        raise CommandError("the player's token is read from standard input", USAGE)
    person = act(database_url, acting, lambda services, who: identity.bind(services, who, given))
    say(f"{acting} plays as {ascii(person.name)[1:-1]} ({person.id})")


def players(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A part of the name, or the id.")] = "",
    acting: As = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Look players up, latest first."""
    from server.actions.admin import blocking

    for found in act(database_url, acting, lambda services, who: blocking.find(services, who, text)):
        say(_player(found))


def block(player: PlayerId, reason: Reason, acting: As = None, database_url: DatabaseUrl = None) -> None:
    """Let a player start nothing ranked any more, and take away all that counts of him."""
    from server.actions.admin import blocking

    done = act(database_url, acting, lambda services, who: blocking.block(services, who, player, reason))
    say(f"{_player(done.found)}: {done.attempts} attempts taken away")


def unblock(player: PlayerId, reason: Reason, acting: As = None, database_url: DatabaseUrl = None) -> None:
    """Let a player start ranked attempts again; what was taken away stays away."""
    from server.actions.admin import blocking

    say(_player(act(database_url, acting, lambda services, who: blocking.unblock(services, who, player, reason)).found))


def _player(found: "Found") -> str:
    from server.actions.dates import iso

    blocked = "" if found.blocked_at is None else f", blocked {iso(found.blocked_at)}"
    return f"{found.player.id} {ascii(found.player.name)[1:-1]} ({found.player.kind}){blocked}"
