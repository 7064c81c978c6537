"""Taking results away: void attempts and erased players. Everybody behind moves up in the same transaction.

A void attempt keeps its log, which ends with ``void``; it stands on no board any more, and the seasons to which it
gave points are written again.
"""

from typing import Final

from sqlalchemy import delete, insert, select, text, update
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
    locked = (
        await conn.execute(
            select(Attempt.number, Attempt.challenge_id, Attempt.seq, Attempt.last_at_ms, Attempt.finished_at)
            .where(Attempt.id == attempt_id, RANKED, Attempt.over.is_distinct_from("void"))
            .with_for_update()
        )
    ).first()
    if locked is None:
        return None
    # No daily may close between the look at it and the end of this.
    await conn.execute(select(Challenge.id).where(Challenge.id == locked.challenge_id).with_for_update())
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
