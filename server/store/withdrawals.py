"""Taking results away: void attempts and erased players. Everybody behind moves up in the same transaction.

A void attempt keeps its log, which ends with ``void``; it stands on no board any more, and the seasons to which it
gave points are written again.
"""

from typing import Final

from sqlalchemy import delete, func, insert, literal, select, text, union, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.play.attempt import VOID
from server.store import challenges, seasons, tallies
from server.store.attempts import AttemptRow
from server.store.attempts import attempt as find
from server.store.ids import is_id
from server.store.tables import RANKED, Attempt, Challenge, Follow, LogEntry, Player, Result, Session

_OWN: Final = "results WHERE attempt = :number"

#: What boards show for a player who has been erased.
ERASED: Final = "deleted player"


async def void(conn: AsyncConnection, attempt_id: str, at_ms: int, now_ms: int) -> AttemptRow | None:
    """Take a ranked attempt out of all rankings, at ``at_ms`` since its start and at the instant ``now_ms``.

    The answer is the attempt after it; None where there is none or it is void already.
    """
    # No daily may close between the look at it and the end of this.
    of = (await conn.execute(select(Attempt.challenge_id).where(Attempt.id == attempt_id))).scalar()
    if of is None:
        return None
    await challenges.lock(conn, of)
    locked = (
        await conn.execute(
            select(Attempt.number, Attempt.challenge_id, Attempt.seq, Attempt.last_at_ms, Attempt.finished_at)
            .where(Attempt.id == attempt_id, RANKED, Attempt.over.is_distinct_from("void"))
            .with_for_update()
        )
    ).first()
    if locked is None:
        return None
    at_ms = max(at_ms, locked.last_at_ms)
    await conn.execute(insert(LogEntry).values(attempt=locked.number, seq=locked.seq, text=VOID, at_ms=at_ms))
    await conn.execute(
        update(Attempt)
        .where(Attempt.number == locked.number)
        .values(seq=locked.seq + 1, last_at_ms=at_ms, over="void", finished_at=locked.finished_at or now_ms)
    )
    await conn.execute(text(tallies.count_out(_OWN)), {"number": locked.number})
    await conn.execute(delete(Result).where(Result.attempt == locked.number))
    challenge = await challenges.challenge(conn, locked.challenge_id)
    assert challenge is not None, "a foreign key holds this"
    await seasons.settle(conn, challenge)
    return await find(conn, attempt_id)


async def void_challenge(conn: AsyncConnection, challenge_id: str, now_ms: int) -> int:
    """Take a challenge out of everything that counts: all its ranked attempts are void; how many these are.

    Whoever starts at this moment either is among them or finds the challenge void.
    """
    own = {"challenge": challenge_id}
    await challenges.lock(conn, challenge_id)
    await conn.execute(update(Challenge).where(Challenge.id == challenge_id).values(voided_at=now_ms))
    counting = (Attempt.challenge_id == challenge_id, RANKED, Attempt.over.is_distinct_from("void"))
    await conn.execute(select(Attempt.number).where(*counting).order_by(Attempt.number).with_for_update())
    entry = select(Attempt.number, Attempt.seq, literal(VOID), Attempt.last_at_ms).where(*counting)
    await conn.execute(insert(LogEntry).from_select(["attempt", "seq", "text", "at_ms"], entry))
    voided = await conn.execute(
        update(Attempt)
        .where(*counting)
        .values(seq=Attempt.seq + 1, over="void", finished_at=func.coalesce(Attempt.finished_at, now_ms))
    )
    of_challenge = "results WHERE challenge_id = :challenge"
    await conn.execute(text(tallies.count_out(of_challenge)).bindparams(seasons.CHALLENGE), own)
    await conn.execute(delete(Result).where(Result.challenge_id == challenge_id))
    challenge = await challenges.challenge(conn, challenge_id)
    assert challenge is not None, "it was locked"
    await seasons.settle(conn, challenge)
    return voided.rowcount


async def extend(conn: AsyncConnection, challenge_id: str, ends_at: int, closes_at: int) -> bool:
    """Let a challenge end and close later; False where it is closed."""
    changed = await conn.execute(
        update(Challenge)
        .where(Challenge.id == challenge_id, Challenge.closed_at.is_(None))
        .values(ends_at=ends_at, closes_at=closes_at)
    )
    return changed.rowcount == 1


async def block(conn: AsyncConnection, player_id: str, now_ms: int | None) -> bool:
    """Block a player, or with None no more; False where there is no such player or nothing changes."""
    if not is_id(player_id):
        return False
    blocked = Player.blocked_at.is_not(None) if now_ms is None else Player.blocked_at.is_(None)
    changed = await conn.execute(update(Player).where(Player.id == player_id, blocked).values(blocked_at=now_ms))
    return changed.rowcount == 1


async def blocked_who_count(conn: AsyncConnection) -> list[str]:
    """The blocked players who still count somewhere: whoever blocked them was kept from finishing."""
    stands = select(Result.attempt).where(Result.player_id == Player.id).exists()
    plays = select(Attempt.number).where(Attempt.player_id == Player.id, Attempt.over.is_(None), RANKED).exists()
    rows = await conn.execute(select(Player.id).where(Player.blocked_at.is_not(None), stands | plays))
    return list(rows.scalars())


async def counting_attempts_of(conn: AsyncConnection, player_id: str) -> list[str]:
    """The ids of a player's attempts that stand on a board or are open and ranked, latest first."""
    stands = select(Attempt.number, Attempt.id).join(Result, Result.attempt == Attempt.number)
    plays = select(Attempt.number, Attempt.id).where(Attempt.player_id == player_id, Attempt.over.is_(None), RANKED)
    found = union(stands.where(Result.player_id == player_id), plays).subquery()
    return list((await conn.execute(select(found.c.id).order_by(found.c.number.desc()))).scalars())


async def ranked_attempts_of(conn: AsyncConnection, player_id: str) -> list[str]:
    """The ids of a player's ranked attempts that are not void, oldest first."""
    if not is_id(player_id):
        return []
    rows = await conn.execute(
        select(Attempt.id)
        .where(Attempt.player_id == player_id, RANKED, Attempt.over.is_distinct_from("void"))
        .order_by(Attempt.number)
    )
    return list(rows.scalars())


async def erase(conn: AsyncConnection, player_id: str) -> bool:
    """Erase who a player was: name, logins and whom he follows. False where there is no such player.

    His rows stay under a name that is nobody's; what he must not stand for any more is voided before.
    """
    if not is_id(player_id):
        return False
    erased = await conn.execute(update(Player).where(Player.id == player_id).values(name=ERASED, name_key=None))
    await conn.execute(delete(Session).where(Session.player_id == player_id))
    await conn.execute(delete(Follow).where((Follow.follower_id == player_id) | (Follow.followed_id == player_id)))
    return erased.rowcount == 1
