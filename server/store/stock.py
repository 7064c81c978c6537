"""The stock of certified deals: each is used once, by one challenge, and its certificate stays with that for ever."""

from collections.abc import Sequence
from typing import Final, Literal, cast

import msgspec
from sqlalchemy import case, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.core.deck import DEAL_VERSION
from server.core.rules import Rules
from server.store.admin_tables import Plan
from server.store.challenges import insert_or_leave
from server.store.tables import PUBLIC, Challenge, Deal

#: As the column is constrained, and as certificates say it.
Difficulty = Literal["easy", "medium", "hard", "expert"]


class DealRow(msgspec.Struct, frozen=True):
    """A deal of the stock as stored. All but ``difficulty`` is secret until the challenge ``used_by`` is closed.

    ``witness`` are moves with single spaces; ``dead_ends`` and ``hardness`` are per mille.
    """

    id: str
    ruleset: str
    rules_version: int
    deal_version: int
    seed: str
    commitment: str
    solver_version: int
    witness: str
    par: int
    par_exact: bool
    score: int | None
    first_moves: int
    winnable_first_moves: int
    dead_ends: int
    hardness: int
    difficulty: Difficulty
    nodes: int
    ms: int
    made_at: int
    used_by: str | None = None
    used_at: int | None = None


_DEAL: Final = tuple(getattr(Deal, name) for name in DealRow.__struct_fields__)


async def add(conn: AsyncConnection, deal: DealRow) -> bool:
    """Store a deal that is not used; False where its seed has been used before, by a deal or a challenge."""
    assert deal.used_by is None, "a deal is taken by take(), under the challenge that stands"
    used = await conn.execute(select(exists().where(Challenge.seed == deal.seed, PUBLIC)))
    if used.scalar_one():
        return False
    made = await conn.execute(insert_or_leave(conn, Deal).values(msgspec.structs.asdict(deal)))
    return made.rowcount == 1


async def add_used(conn: AsyncConnection, deal: DealRow, challenge_id: str, now_ms: int) -> None:
    """Store the certificate of a challenge that was just made from a deal that never lay in stock."""
    used = msgspec.structs.replace(deal, used_by=challenge_id, used_at=max(now_ms, deal.made_at))
    await conn.execute(insert_or_leave(conn, Deal).values(msgspec.structs.asdict(used)))


async def pick(conn: AsyncConnection, rules: Rules, levels: Sequence[str]) -> DealRow | None:
    """An unused deal of the first of these levels that has one, the oldest; None where none has.

    Until the transaction ends nobody else picks it. :func:`mark_used` must follow, or it stays in stock.
    """
    nearest = case({level: place for place, level in enumerate(levels)}, value=Deal.difficulty)
    query = (
        select(*_DEAL)
        .where(
            Deal.ruleset == rules.key,
            Deal.difficulty.in_(levels),
            Deal.used_by.is_(None),
            Deal.rules_version == rules.version,
            Deal.deal_version == DEAL_VERSION,
            ~exists().where(Challenge.seed == Deal.seed, PUBLIC),
            ~exists().where(Plan.deal_id == Deal.id),
        )
        .order_by(nearest, Deal.made_at, Deal.id)
        .limit(1)
        .with_for_update(skip_locked=True, of=Deal)
    )
    row = (await conn.execute(query)).first()
    return None if row is None else DealRow(*row)


async def chosen(conn: AsyncConnection, rules: Rules, deal_id: str) -> DealRow | None:
    """A certain deal for a challenge; None where it is used, or of other rules. :func:`mark_used` must follow."""
    query = select(*_DEAL).where(
        Deal.id == deal_id,
        Deal.ruleset == rules.key,
        Deal.used_by.is_(None),
        Deal.rules_version == rules.version,
        Deal.deal_version == DEAL_VERSION,
    )
    row = (await conn.execute(query.with_for_update())).first()
    return None if row is None else DealRow(*row)


async def mark_used(conn: AsyncConnection, deal_id: str, challenge_id: str, now_ms: int) -> None:
    """Give a deal that was picked in this transaction to its challenge, for ever."""
    at = func.max(now_ms, Deal.made_at) if conn.dialect.name == "sqlite" else func.greatest(now_ms, Deal.made_at)
    used = await conn.execute(
        update(Deal).where(Deal.id == deal_id, Deal.used_by.is_(None)).values(used_by=challenge_id, used_at=at)
    )
    assert used.rowcount == 1, "the deal was picked in this transaction"


async def of_challenge(conn: AsyncConnection, challenge_id: str) -> DealRow | None:
    """The certified deal of a challenge, None where it has none."""
    row = (await conn.execute(select(*_DEAL).where(Deal.used_by == challenge_id))).first()
    return None if row is None else DealRow(*row)


async def unused(conn: AsyncConnection, rules: Rules) -> dict[Difficulty, int]:
    """How many unused deals of a ruleset's present version there are, by difficulty."""
    rows = await conn.execute(
        select(Deal.difficulty, func.count())
        .where(
            Deal.ruleset == rules.key,
            Deal.used_by.is_(None),
            Deal.rules_version == rules.version,
            Deal.deal_version == DEAL_VERSION,
        )
        .group_by(Deal.difficulty)
    )
    return {cast(Difficulty, level): count for level, count in rows}
