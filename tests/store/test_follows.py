"""Who follows whom, and the pace of logs: alike on both databases."""

from server.store import follows, profiles
from server.store.engine import Store
from tests.store.seeding import NOW, Seeder


async def test_followers_come_the_latest_first_and_each_once(store: Store, seeder: Seeder) -> None:
    """Those of the same instant by their ids, which both databases order alike."""
    me, *fans = await seeder.players(9)
    since = {fan: NOW + number // 3 for number, fan in enumerate(fans)}
    async with store.writing() as conn:
        for fan, instant in since.items():
            await follows.follow(conn, fan, me, instant)
        await follows.follow(conn, me, fans[0], NOW)
    wanted = sorted(fans, key=lambda fan: (-since[fan], fan))
    for limit in (1, 2, 3, 8, 20):
        found: list[str] = []
        after = None
        async with store.reading() as conn:
            while page := await follows.followed_by(conn, me, limit, after):
                assert len(page) <= limit
                found += [row.id for row, _ in page]
                after = (page[-1][1], page[-1][0].id)
        assert found == wanted, limit


async def test_moves_and_undos_have_a_pace_and_ends_have_none(store: Store, seeder: Seeder) -> None:
    attempt = await seeder.attempt()
    number = (await seeder.row(attempt)).number
    for seq, text in enumerate(("s", "undo", "s", "resign", "void")):
        await seeder.tell(
            "INSERT INTO log (attempt, seq, text, at_ms) VALUES (:number, :seq, :text, :at)",
            number=number,
            seq=seq,
            text=text,
            at=seq * 10,
        )
    async with store.reading() as conn:
        assert await profiles.times_of(conn, [number]) == {number: [0, 10, 20]}
