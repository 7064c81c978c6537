"""Roles, and what each may do: the one table that every action, route and command asks (docs/admin.md prints it)."""

from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy.ext.asyncio import AsyncConnection

from server.errors import GameError
from server.store import audit
from server.store.admins import AdminRow, Role

Via = Literal["http", "command"]

ROLES: Final[tuple[Role, ...]] = ("owner", "seeder", "moderator", "auditor")

_OWNER: Final = frozenset[Role]({"owner"})
_SEEDING: Final = frozenset[Role]({"owner", "seeder"})
_ORDER: Final = frozenset[Role]({"owner", "moderator"})
_EVERYBODY: Final = frozenset[Role](ROLES)

#: What can be done, by whom, and in words. Actions that end in ``.read`` change nothing.
ACTIONS: Final[dict[str, tuple[frozenset[Role], str]]] = {
    "self.read": (_EVERYBODY, "see who one is"),
    "self.session": (_EVERYBODY, "sign in and out"),
    "self.bind": (_OWNER | {"seeder", "moderator"}, "name the player as whom one plays"),
    "admins.read": (_OWNER | {"auditor"}, "list admins"),
    "admins.write": (_OWNER, "make admins, change their roles, renew and revoke their tokens"),
    "calendar.read": (_OWNER | {"seeder", "auditor"}, "see the calendar"),
    "calendar.write": (_SEEDING, "schedule, move, swap, clear and fill days"),
    "calendar.import": (_SEEDING, "import lists of seeds"),
    "deals.read": (_OWNER | {"seeder", "auditor"}, "list deals of the stock, see searches"),
    "deals.search": (_SEEDING, "search for deals, cancel a search"),
    "deals.preview": (_SEEDING, "play a coming deal without a result"),
    "events.read": (_EVERYBODY, "list events, coming ones too"),
    "events.write": (_SEEDING, "make events, change and cancel those that have not opened"),
    "rulings.read": (_OWNER | {"moderator", "auditor"}, "see what is to be ruled on: challenges and their attempts"),
    "rulings.write": (_ORDER, "void and extend challenges, exclude attempts; also as a dry run"),
    "players.read": (_OWNER | {"moderator", "auditor"}, "look players up"),
    "players.write": (_ORDER, "block and unblock players"),
    "results.read": (_OWNER | {"moderator", "auditor"}, "take away results and moves of closed challenges as files"),
    "audit.read": (_OWNER | {"moderator", "auditor"}, "read the audit log and take it away as a file"),
}


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts. ``admin_id`` None is whoever owns the machine and uses its command line without a name."""

    admin_id: str | None
    name: str
    role: Role
    via: Via
    player_id: str | None = None

    def may(self, action: str) -> bool:
        """Whether the role allows an action of :data:`ACTIONS`."""
        return self.role in ACTIONS[action][0]

    def needs(self, action: str) -> None:
        """Raises ``auth/forbidden`` where the role does not allow the action."""
        if not self.may(action):
            raise GameError("auth/forbidden", f"the role {self.role} may not: {ACTIONS[action][1]}")

    async def note(
        self,
        conn: AsyncConnection,
        now_ms: int,
        action: str,
        target: str,
        *,
        before: object = None,
        after: object = None,
        reason: str | None = None,
    ) -> int:
        """Write what is done in this transaction into the audit log; the number of the entry."""
        return await audit.append(
            conn,
            at=now_ms,
            admin_id=self.admin_id,
            admin=self.name,
            role=self.role,
            via=self.via,
            action=action,
            target=target,
            before=before,
            after=after,
            reason=reason,
        )


#: Whoever can open the database from the command line.
CONSOLE: Final = Actor(None, "console", "owner", "command")


def actor(row: AdminRow, via: Via) -> Actor:
    """An admin who acts."""
    return Actor(row.id, row.name, row.role, via, row.player_id)


def player_of(who: Actor) -> tuple[str, str]:
    """The ids of the admin and of the player as whom he plays. Raises ``admin/unbound`` where nobody is named.

    Who knows a deal beforehand must be somebody who can be kept from ranking on it.
    """
    if who.admin_id is None or who.player_id is None:
        raise GameError("admin/unbound", "first name the player as whom you play")
    return who.admin_id, who.player_id
