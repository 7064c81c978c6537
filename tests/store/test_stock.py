"""The stock of certified deals: a seed is used once, a certificate stays with its challenge, on both databases."""

import asyncio
from typing import Any

import msgspec
import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from server.games import ruleset
from server.store import challenges, stock
from server.store.engine import Store
from server.store.stock import DealRow
from server.store.tables import Deal
from tests.store.seeding import NOW, Seeder, challenge_row, deal_row

PYRAMID = ruleset("pyramid")


async def stored(store: Store, *deals: DealRow) -> None:
    async with store.writing() as conn:
        for deal in deals:
            assert await stock.add(conn, deal)


async def taken(store: Store, date: str, *levels: str) -> DealRow | None:
    """What a daily of a date takes out."""
    async with store.writing() as conn:
        deal = await stock.pick(conn, PYRAMID, levels)
        if deal is None:
            return None
        row = msgspec.structs.replace(challenge_row(kind="daily", date=date), seed=deal.seed)
        await challenges.insert_challenge(conn, row)
        await stock.mark_used(conn, deal.id, row.id, NOW)
        return await stock.of_challenge(conn, row.id)


async def test_a_deal_comes_back_as_it_was_stored_and_belongs_to_its_challenge_for_ever(store: Store) -> None:
    deal = deal_row(score=21, par_exact=False)
    await stored(store, deal)
    used = await taken(store, "2026-01-01", "easy")
    assert used is not None
    assert msgspec.structs.replace(used, used_by=None, used_at=None) == deal
    assert used.used_at == NOW
    assert await taken(store, "2026-01-02", "easy") is None


async def test_the_oldest_of_the_first_level_that_has_one_is_taken(store: Store) -> None:
    late, early = deal_row(difficulty="hard", made_at=NOW + 5), deal_row(difficulty="hard", made_at=NOW - 5)
    await stored(store, late, early, deal_row(difficulty="expert", made_at=NOW - 9), deal_row("thirteen", "medium"))
    first = await taken(store, "2026-01-01", "medium", "hard", "expert")
    second = await taken(store, "2026-01-02", "medium", "hard", "expert")
    third = await taken(store, "2026-01-03", "medium", "hard", "expert")
    assert first is not None
    assert second is not None
    assert third is not None
    assert (first.id, second.id, third.difficulty) == (early.id, late.id, "expert")
    # However the clock was set when it was made, it was not used before.
    assert second.used_at == late.made_at


async def test_a_seed_is_used_once_whatever_used_it(store: Store, seeder: Seeder) -> None:
    deal = deal_row()
    daily = challenge_row(kind="daily", date="2026-01-01")
    event = msgspec.structs.replace(challenge_row(), seed="ab" * 16)
    practised = msgspec.structs.replace(challenge_row(kind="practice"), seed="cd" * 16)
    for row in (daily, event, practised):
        await seeder.challenge(row)
    await stored(store, deal)
    async with store.writing() as conn:
        assert not await stock.add(conn, deal_row(seed=deal.seed))
        assert not await stock.add(conn, deal_row(seed=daily.seed))
        assert not await stock.add(conn, deal_row(seed=event.seed))
        assert await stock.add(conn, deal_row(seed=practised.seed)), "anybody may practise with any seed"


async def test_two_dailies_never_have_one_seed(store: Store, seeder: Seeder) -> None:
    daily = challenge_row(kind="daily", date="2026-01-01")
    await seeder.challenge(daily)
    again = msgspec.structs.replace(challenge_row(kind="daily", date="2026-01-02"), seed=daily.seed)
    columns = msgspec.structs.asdict(again)
    with pytest.raises(IntegrityError, match="seed"):
        async with store.writing() as conn:
            await conn.execute(
                text(f"INSERT INTO challenges ({', '.join(columns)}) VALUES ({', '.join(f':{c}' for c in columns)})"),
                columns | {"id": again.id.replace("-", "") if store.dialect == "sqlite" else again.id},
            )


async def test_a_deal_whose_seed_an_event_has_used_meanwhile_is_not_taken(store: Store, seeder: Seeder) -> None:
    deal = deal_row()
    await stored(store, deal)
    await seeder.challenge(msgspec.structs.replace(challenge_row(), seed=deal.seed))
    assert await taken(store, "2026-01-01", "easy") is None


async def test_deals_of_other_versions_of_the_rules_are_neither_counted_nor_taken(store: Store) -> None:
    await stored(store, deal_row(rules_version=2), deal_row(deal_version=2), deal_row("thirteen"))
    async with store.reading() as conn:
        assert await stock.unused(conn, PYRAMID) == {}
        assert await stock.unused(conn, ruleset("thirteen")) == {"easy": 1}
    assert await taken(store, "2026-01-01", "easy") is None


async def test_many_at_once_each_get_a_deal_of_their_own(store: Store) -> None:
    await stored(store, *(deal_row() for _ in range(6)))
    used = await asyncio.gather(*(taken(store, f"2026-01-{day:02}", "easy") for day in range(1, 9)))
    found = [deal.id for deal in used if deal is not None]
    assert len(found) == len(set(found)) == 6


@pytest.mark.parametrize(
    ("constraint", "wrong"),
    [
        ("ruleset", {"ruleset": ""}),
        ("rules_version", {"rules_version": 0}),
        ("deal_version", {"deal_version": 0}),
        ("seed", {"seed": "ab", "commitment": "0" * 64}),
        ("commitment", {"commitment": "00"}),
        ("solver_version", {"solver_version": 0}),
        ("witness", {"witness": ""}),
        ("par", {"par": 0}),
        ("first_moves", {"winnable_first_moves": 5}),
        ("first_moves", {"winnable_first_moves": 0}),
        ("dead_ends", {"dead_ends": 1001}),
        ("hardness", {"hardness": -1}),
        ("nodes", {"nodes": -1}),
        ("ms", {"ms": -1}),
        ("made_at", {"made_at": -1}),
    ],
)
async def test_the_database_refuses_what_no_certificate_says(
    store: Store, constraint: str, wrong: dict[str, Any]
) -> None:
    row = msgspec.structs.asdict(deal_row())
    with pytest.raises(IntegrityError, match=f"ck_stock_{constraint}"):
        async with store.writing() as conn:
            await conn.execute(Deal.__table__.insert().values(row | wrong))  # type: ignore[attr-defined]


async def test_a_deal_is_used_by_one_challenge_at_an_instant(store: Store, seeder: Seeder) -> None:
    event = await seeder.challenge(challenge_row())
    row = msgspec.structs.asdict(deal_row())
    table: Any = Deal.__table__
    for wrong, name in (
        ({"used_by": event}, "ck_stock_used"),
        ({"used_at": NOW}, "ck_stock_used"),
        ({"used_by": event, "used_at": NOW - 1}, "ck_stock_used_at"),
        ({"difficulty": "hopeless"}, "ck_stock_difficulty"),
    ):
        with pytest.raises(IntegrityError, match=name):
            async with store.writing() as conn:
                await conn.execute(table.insert().values(row | wrong))
    async with store.writing() as conn:
        await stock.add_used(conn, deal_row(), event, NOW)
    with pytest.raises(IntegrityError, match="used_by"):
        async with store.writing() as conn:
            await conn.execute(table.insert().values(row | {"used_by": event, "used_at": NOW}))
