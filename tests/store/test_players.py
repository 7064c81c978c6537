"""Players and their sessions as stored."""

import pytest
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError

from server.store import attempts, challenges, players
from server.store.engine import Store
from tests.store.seeding import NOW, Seeder, new_id

NO_IDS = ["", "x", "daily", "\0", "019b75e0-0000-7000-8000-000000000000"]


async def test_a_player_is_made_read_and_renamed(store: Store, seeder: Seeder) -> None:
    player_id = new_id()
    async with store.writing() as conn:
        made = await players.create_player(conn, player_id, "guest", "Ada", NOW)
        assert await players.rename_player(conn, player_id, "Şule")
    async with store.reading() as conn:
        assert await players.player(conn, player_id) == replace(made, name="Şule")


@pytest.mark.parametrize("unknown", NO_IDS)
async def test_unknown_ids_are_nobody_s(store: Store, unknown: str) -> None:
    async with store.writing() as conn:
        assert await players.player(conn, unknown) is None
        assert not await players.rename_player(conn, unknown, "x")
        assert await challenges.challenge(conn, unknown) is None
        assert await attempts.attempt(conn, unknown) is None
        assert await attempts.log(conn, unknown) == []


async def test_a_name_key_belongs_to_one(store: Store, seeder: Seeder) -> None:
    async def twice() -> None:
        async with store.writing() as conn:
            for name in ("Ada", "ADA"):
                await players.create_player(conn, new_id(), "account", name, NOW, name_key="ada")

    with pytest.raises(IntegrityError, match=r"name_key"):
        await twice()


async def test_a_session_lives_until_it_expires_or_ends(store: Store, seeder: Seeder) -> None:
    player_id = await seeder.player()
    hashes = [bytes([n]) * 32 for n in range(3)]
    async with store.writing() as conn:
        for n, token in enumerate(hashes):
            await players.create_session(conn, token, player_id, NOW, NOW + 1000 * (n + 1))
    async with store.reading() as conn:
        found = await players.player_by_session(conn, hashes[0], NOW + 999)
        assert found is not None
        assert found.id == player_id
        assert await players.player_by_session(conn, hashes[0], NOW + 1000) is None
        assert await players.player_by_session(conn, bytes(31) + b"\1", NOW) is None
        assert await players.last_seen(conn, hashes[0]) == NOW
        assert await players.last_seen(conn, bytes(31) + b"\1") is None
    async with store.writing() as conn:
        await players.touch_session(conn, hashes[0], NOW + 500, NOW + 9000)
        await players.touch_session(conn, hashes[0], NOW + 400, NOW + 8000)  # another worker, a moment behind
        assert await players.last_seen(conn, hashes[0]) == NOW + 500
        assert await players.player_by_session(conn, hashes[0], NOW + 8999) is not None
        assert await players.delete_expired_sessions(conn, NOW + 2000) == 1
        assert await players.delete_session(conn, hashes[2])
        assert not await players.delete_session(conn, hashes[2])
    assert await seeder.ask("SELECT count(*) FROM sessions") == [(1,)]
