"""Looking through the stock for admins: deals that are free, by difficulty, par and first moves. No seed is told."""

from collections.abc import Sequence
from typing import Any, Final, cast

import msgspec
from sqlalchemy import Select, exists, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.core.deck import DEAL_VERSION
from server.store.admin_tables import Plan
from server.store.ids import is_id
from server.store.stock import Difficulty
from server.store.tables import PUBLIC, Challenge, Deal


class Wish(msgspec.Struct, frozen=True):
    """Which deals: of a ruleset, of some levels (none: all), with a par and with free first moves within bounds.

    A first move is free where a win was proved after it.
    """

    ruleset: str
    levels: tuple[Difficulty, ...] = ()
    par_least: int | None = None
    par_most: int | None = None
    free_least: int | None = None
    free_most: int | None = None

    def fits(self, difficulty: str, par: int, free: int) -> bool:
        """Whether a deal of these figures is wanted."""
        return (
            (not self.levels or difficulty in self.levels)
            and (self.par_least is None or par >= self.par_least)
            and (self.par_most is None or par <= self.par_most)
            and (self.free_least is None or free >= self.free_least)
            and (self.free_most is None or free <= self.free_most)
        )


class DealView(msgspec.Struct, frozen=True):
    """What an admin may know of a deal that is not used."""

    id: str
    ruleset: str
    difficulty: Difficulty
    par: int
    par_exact: bool
    score: int | None
    first_moves: int
    winnable_first_moves: int
    dead_ends: int
    hardness: int
    made_at: int


_VIEW: Final = tuple(getattr(Deal, name) for name in DealView.__struct_fields__)


async def free(conn: AsyncConnection, wish: Wish, rules_version: int, limit: int, after: str | None) -> list[DealView]:
    """At most ``limit`` deals that no challenge has and nobody has planned, oldest first, after the one of an id."""
    query = _free().where(Deal.ruleset == wish.ruleset, Deal.rules_version == rules_version)
    if wish.levels:
        query = query.where(Deal.difficulty.in_(wish.levels))
    bounds = (
        (wish.par_least, Deal.par, True),
        (wish.par_most, Deal.par, False),
        (wish.free_least, Deal.winnable_first_moves, True),
        (wish.free_most, Deal.winnable_first_moves, False),
    )
    for value, column, least in bounds:
        if value is not None:
            query = query.where(column >= value if least else column <= value)
    if after is not None:
        query = query.where(Deal.id > after)
    rows = await conn.execute(query.order_by(Deal.id).limit(limit))
    return [DealView(*row) for row in rows]


async def free_of(conn: AsyncConnection, ids: Sequence[str]) -> list[DealView]:
    """Those of some deals that are free still."""
    rows = await conn.execute(_free().where(Deal.id.in_(ids)).order_by(Deal.id))
    return [DealView(*row) for row in rows]


async def one_free(conn: AsyncConnection, deal_id: str) -> DealView | None:
    """A deal that is free, None for any other. It stays so until this transaction ends."""
    if not is_id(deal_id):
        return None
    row = (await conn.execute(_free().where(Deal.id == deal_id).with_for_update(of=Deal))).first()
    return None if row is None else DealView(*row)


async def seed_of(conn: AsyncConnection, deal_id: str) -> str | None:
    """The secret seed of a deal that no challenge has, for the server's own use."""
    if not is_id(deal_id):
        return None
    return (await conn.execute(select(Deal.seed).where(Deal.id == deal_id, Deal.used_by.is_(None)))).scalar()


async def ruleset_of(conn: AsyncConnection, deal_id: str) -> str | None:
    """The ruleset of a deal, None where there is none."""
    if not is_id(deal_id):
        return None
    return (await conn.execute(select(Deal.ruleset).where(Deal.id == deal_id))).scalar()


async def levels_of(conn: AsyncConnection, ids: Sequence[str]) -> dict[str, Difficulty]:
    """The difficulties of deals, or of the deals of challenges, by their ids."""
    found: dict[str, Difficulty] = {}
    for start in range(0, len(ids), 500):
        part = ids[start : start + 500]
        rows = await conn.execute(
            select(Deal.id, Deal.used_by, Deal.difficulty).where(Deal.id.in_(part) | Deal.used_by.in_(part))
        )
        for deal_id, challenge_id, difficulty in rows:
            found[deal_id] = cast(Difficulty, difficulty)
            if challenge_id is not None:
                found[challenge_id] = cast(Difficulty, difficulty)
    return found


def _free() -> Select[*tuple[Any, ...]]:
    return select(*_VIEW).where(
        Deal.used_by.is_(None),
        Deal.deal_version == DEAL_VERSION,
        ~exists().where(Plan.deal_id == Deal.id),
        ~exists().where(Challenge.seed == Deal.seed, PUBLIC),
    )
