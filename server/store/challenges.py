"""Challenges: fixed deals that can be attempted (DESIGN 6). Instants are milliseconds since the Unix epoch."""

from collections.abc import Sequence
from typing import Final, Self

import msgspec
from sqlalchemy import ColumnElement, Insert, exists, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from server.core.deck import DEAL_VERSION, commitment
from server.core.rules import Rules
from server.store.ids import is_id
from server.store.tables import RANKED, Attempt, Base, Challenge


class ChallengeRow(msgspec.Struct, frozen=True):
    """A challenge as stored. ``seed`` is secret until ``closed_at`` is set.

    ``kind`` is ``daily``, ``race``, ``event`` or ``practice``; ``date`` (``YYYY-MM-DD``) belongs to dailies;
    ``ends_at`` is the last instant to start, ``closes_at`` the one at which open attempts are to be ended. A void
    challenge counts for nobody, an unranked one has no ranked attempts, and a preview never tells its seed.
    """

    id: str
    kind: str
    ruleset: str
    rules_version: int
    deal_version: int
    date: str | None
    seed: str
    commitment: str
    opens_at: int
    ends_at: int | None
    closes_at: int | None
    closed_at: int | None
    created_at: int
    voided_at: int | None = None
    unranked: bool = False
    preview: bool = False

    @classmethod
    def of(
        cls,
        rules: Rules,
        seed: str,
        *,
        id: str,  # noqa: A002 - the name of the field
        kind: str,
        opens_at: int,
        created_at: int,
        date: str | None = None,
        ends_at: int | None = None,
        closes_at: int | None = None,
        closed_at: int | None = None,
        unranked: bool = False,
        preview: bool = False,
    ) -> Self:
        """A challenge of the present deal and rules from a seed."""
        return cls(
            id=id,
            kind=kind,
            ruleset=rules.key,
            rules_version=rules.version,
            deal_version=DEAL_VERSION,
            date=date,
            seed=seed,
            commitment=commitment(seed),
            opens_at=opens_at,
            ends_at=ends_at,
            closes_at=closes_at,
            closed_at=closed_at,
            created_at=created_at,
            unranked=unranked,
            preview=preview,
        )

    @property
    def takes_ranked(self) -> bool:
        """Whether attempts at it can be ranked."""
        return self.kind != "practice" and not self.unranked


#: The columns of a challenge, in the order of :class:`ChallengeRow`.
CHALLENGE: Final = tuple(getattr(Challenge, name) for name in ChallengeRow.__struct_fields__)


def insert_or_leave(conn: AsyncConnection, table: type[Base]) -> Insert:
    """An INSERT that does nothing where a row with the same key stands."""
    if conn.dialect.name == "postgresql":
        return postgresql.insert(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()


async def insert_challenge(conn: AsyncConnection, row: ChallengeRow) -> tuple[ChallengeRow, bool]:
    """Store a challenge; the answer is the one that stands, and whether it is this one.

    There is one daily for a date and ruleset: where another worker made it first, that one stands.
    """
    made = await conn.execute(insert_or_leave(conn, Challenge).values(msgspec.structs.asdict(row)))
    if made.rowcount == 1:
        return row, True
    standing = None if row.date is None else await daily(conn, row.date, row.ruleset)
    standing = standing or await challenge(conn, row.id)
    assert standing is not None, "a challenge that could not be stored stands already"
    return standing, False


async def challenge(conn: AsyncConnection, challenge_id: str) -> ChallengeRow | None:
    """The challenge of that id, None where there is none."""
    if not is_id(challenge_id):
        return None
    return await _one(conn, Challenge.id == challenge_id)


async def daily(conn: AsyncConnection, date: str, ruleset: str) -> ChallengeRow | None:
    """The daily of a date (``YYYY-MM-DD``) and ruleset, None where it has not been made."""
    return await _one(conn, Challenge.kind == "daily", Challenge.date == date, Challenge.ruleset == ruleset)


async def dailies(conn: AsyncConnection, date: str) -> list[ChallengeRow]:
    """The dailies of a date (``YYYY-MM-DD``), by ruleset."""
    rows = await conn.execute(
        select(*CHALLENGE).where(Challenge.kind == "daily", Challenge.date == date).order_by(Challenge.ruleset)
    )
    return [ChallengeRow(*row) for row in rows]


async def dailies_between(conn: AsyncConnection, first: str, last: str) -> dict[tuple[str, str], ChallengeRow]:
    """The dailies from a date to another, by date and ruleset."""
    rows = await conn.execute(select(*CHALLENGE).where(Challenge.kind == "daily", Challenge.date.between(first, last)))
    return {(str(row.date), row.ruleset): ChallengeRow(*row) for row in rows}


async def challenges_to_close(conn: AsyncConnection, now_ms: int) -> Sequence[ChallengeRow]:
    """The challenges whose closing instant has come but that are not marked as closed, longest overdue first."""
    rows = await conn.execute(
        select(*CHALLENGE)
        .where(Challenge.closed_at.is_(None), Challenge.closes_at <= now_ms)
        .order_by(Challenge.closes_at, Challenge.id)
    )
    return [ChallengeRow(*row) for row in rows]


async def closed_dailies(conn: AsyncConnection) -> list[ChallengeRow]:
    """Every daily that is closed for everybody, by date and ruleset."""
    rows = await conn.execute(
        select(*CHALLENGE)
        .where(Challenge.kind == "daily", Challenge.closed_at.is_not(None))
        .order_by(Challenge.date, Challenge.ruleset)
    )
    return [ChallengeRow(*row) for row in rows]


async def lock(conn: AsyncConnection, challenge_id: str) -> None:
    """Keep a challenge as it is, and let nobody start it, until this transaction ends.

    To be taken before attempts and tallies are. Results may still be stored: PostgreSQL looks at their challenge after
    it has counted them, and must not wait then for somebody who waits for the counts.
    """
    await conn.execute(select(Challenge.id).where(Challenge.id == challenge_id).with_for_update(key_share=True))


async def mark_closed(conn: AsyncConnection, challenge_id: str, now_ms: int) -> bool:
    """Mark a challenge as closed for everybody, unless a ranked attempt is still open; whether it is closed now.

    From then on its seed and records are public. The row is locked first, so that an attempt that is starting at
    this moment is either seen here or finds the challenge closed.
    """
    await lock(conn, challenge_id)
    standing = await conn.execute(select(Challenge.closed_at).where(Challenge.id == challenge_id))
    if standing.scalar_one() is not None:
        return True
    still_open = exists().where(Attempt.challenge_id == challenge_id, RANKED, Attempt.over.is_(None))
    closed = await conn.execute(
        update(Challenge).where(Challenge.id == challenge_id, ~still_open).values(closed_at=now_ms)
    )
    return closed.rowcount == 1


async def _one(conn: AsyncConnection, *conditions: ColumnElement[bool]) -> ChallengeRow | None:
    row = (await conn.execute(select(*CHALLENGE).where(*conditions))).first()
    return None if row is None else ChallengeRow(*row)
