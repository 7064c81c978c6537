"""Heartbeats, outages and what they take off (DESIGN 6)."""

import pytest

from server.store import outages
from server.store.engine import Store
from tests.store.seeding import Seeder


async def test_the_last_heartbeat_is_that_of_any_worker(store: Store) -> None:
    async with store.writing() as conn:
        assert await outages.last_beat(conn) is None
        for worker, at in (("a", 10), ("b", 30), ("a", 20)):
            await outages.beat(conn, worker, at)
        assert await outages.last_beat(conn) == 30


async def test_an_outage_is_stored_once(store: Store, seeder: Seeder) -> None:
    async with store.writing() as conn:
        await outages.beat(conn, "dead", 50)
        await outages.beat(conn, "last", 100)
        assert await outages.record_outage(conn, 100, 400)
        assert not await outages.record_outage(conn, 100, 405)  # a second worker that starts at the same time
        with pytest.raises(ValueError, match="ends after it began"):
            await outages.record_outage(conn, 500, 500)
    assert await seeder.ask("SELECT began_at, ended_at FROM outages") == [(100, 400)]
    assert await seeder.ask("SELECT worker FROM heartbeats") == [("last",)]


@pytest.mark.parametrize(
    ("started_at", "now", "credit"),
    [
        (0, 50, 0),
        (0, 100, 0),
        (0, 150, 50),
        (0, 1000, 300 + 100 + 100),
        (200, 1000, 200 + 100 + 100),
        (400, 1000, 100 + 100),
        (550, 580, 0),
        (650, 680, 30),
        (2000, 3000, 0),
    ],
)
async def test_outages_are_taken_off_where_they_lie_in_the_attempt(
    store: Store, started_at: int, now: int, credit: int
) -> None:
    """DESIGN 6: and what two of them share counts once."""
    async with store.writing() as conn:
        for began_at, ended_at in ((100, 400), (600, 690), (610, 700), (800, 900), (820, 850)):
            await outages.record_outage(conn, began_at, ended_at)
        assert await outages.credit_ms(conn, started_at, now) == credit
