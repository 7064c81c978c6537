"""Plans: which deal or difficulty an admin has chosen for a coming day and ruleset. A plan's seed is secret."""

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import delete, insert, select, text, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.admin_tables import Plan
from server.store.stock import Difficulty
from server.store.tables import PUBLIC, Challenge, Deal

#: Whoever plans a day or makes one waits for this on PostgreSQL; SQLite has one writer anyway.
_LOCK: Final = text("SELECT pg_advisory_xact_lock(7264310976)")

#: Seeds that are looked for at once.
_TOGETHER: Final = 500

#: A day and a ruleset.
Cell = tuple[str, str]


class PlanRow(msgspec.Struct, frozen=True):
    """A plan as stored: for a ``date`` (``YYYY-MM-DD``) and ruleset a difficulty, a deal of the stock, or a seed."""

    date: str
    ruleset: str
    difficulty: Difficulty | None
    deal_id: str | None
    seed: str | None
    version: int
    planned_at: int


_PLAN: Final = tuple(getattr(Plan, name) for name in PlanRow.__struct_fields__)


async def alone(conn: AsyncConnection) -> None:
    """Keep everybody else from planning or making a day until this transaction ends."""
    if conn.dialect.name == "postgresql":
        await conn.execute(_LOCK)


async def alone_with(conn: AsyncConnection, date: str, ruleset: str) -> PlanRow | None:
    """The plan of a day and ruleset, which stays as it is until this transaction ends."""
    await alone(conn)
    return await plan(conn, date, ruleset)


async def plan(conn: AsyncConnection, date: str, ruleset: str) -> PlanRow | None:
    """The plan of a day and ruleset, None where it follows the rule."""
    row = (await conn.execute(select(*_PLAN).where(Plan.date == date, Plan.ruleset == ruleset))).first()
    return None if row is None else PlanRow(*row)


async def between(conn: AsyncConnection, first: str, last: str) -> list[PlanRow]:
    """The plans from a date to another, by date and ruleset."""
    rows = await conn.execute(select(*_PLAN).where(Plan.date.between(first, last)).order_by(Plan.date, Plan.ruleset))
    return [PlanRow(*row) for row in rows]


async def write(conn: AsyncConnection, row: PlanRow) -> None:
    """Store a plan in the place of the one that stands."""
    values = msgspec.structs.asdict(row)
    same = (Plan.date == row.date, Plan.ruleset == row.ruleset)
    if (await conn.execute(update(Plan).where(*same).values(values))).rowcount == 0:
        await conn.execute(insert(Plan).values(values))


async def add(conn: AsyncConnection, rows: Sequence[PlanRow]) -> None:
    """Store plans of days that have none, all at once: whoever plays waits for this."""
    for start in range(0, len(rows), _TOGETHER):
        values = [msgspec.structs.asdict(row) for row in rows[start : start + _TOGETHER]]
        await conn.execute(insert(Plan), values)


async def drop(conn: AsyncConnection, date: str, ruleset: str) -> None:
    """Forget a plan; without effect where there is none."""
    await conn.execute(delete(Plan).where(Plan.date == date, Plan.ruleset == ruleset))


async def made(conn: AsyncConnection, cells: Sequence[Cell]) -> dict[Cell, str]:
    """Those of the days and rulesets whose daily has been made, with its seed."""
    found: dict[Cell, str] = {}
    for start in range(0, len(cells), _TOGETHER):
        rows = await conn.execute(
            select(Challenge.date, Challenge.ruleset, Challenge.seed).where(
                Challenge.kind == "daily",
                tuple_(Challenge.date, Challenge.ruleset).in_(cells[start : start + _TOGETHER]),
            )
        )
        found |= {(str(date), ruleset): seed for date, ruleset, seed in rows}
    return found


async def used_seeds(conn: AsyncConnection, seeds: Sequence[str]) -> set[str]:
    """Those of the seeds that a challenge for everybody, a deal of the stock or a plan has."""
    found: set[str] = set()
    for start in range(0, len(seeds), _TOGETHER):
        part = seeds[start : start + _TOGETHER]
        for column in (Challenge.seed, Deal.seed, Plan.seed):
            query = select(column).where(column.in_(part))
            rows = await conn.execute(query.where(PUBLIC) if column is Challenge.seed else query)
            found |= {str(seed) for seed in rows.scalars()}
    return found
