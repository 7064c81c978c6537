"""Taking results away: by whoever runs the place, or because a player leaves. Everybody behind moves up at once.

Who may do so is for the callers to ask; every function here can be called twice.
"""

from server.actions.house import Services
from server.errors import GameError
from server.store import attempts, challenges, withdrawals
from server.store.attempts import AttemptRow


async def void(services: Services, attempt_id: str) -> AttemptRow:
    """Take a ranked attempt, open or ended, out of all rankings; the attempt after it.

    Raises ``attempt/unknown`` where there is none, and ``attempt/over`` where it is void already.
    """
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        before = await attempts.attempt(conn, attempt_id)
        if before is None or not before.ranked:
            raise GameError("attempt/unknown", "no such ranked attempt")
        at_ms = before.last_at_ms if before.over is not None else max(0, now - before.started_at)
        after = await withdrawals.void(conn, attempt_id, at_ms, now)
        if after is None:
            raise GameError("attempt/over", "the attempt is void already")
        challenge = await challenges.challenge(conn, after.challenge_id)
    services.fields.pop(after.challenge_id, None)
    services.house.taken_away(attempt_id)
    if challenge is not None:
        services.board_news.withdrawn(challenge)
    return after


async def exclude(services: Services, player_id: str) -> int:
    """Void all ranked attempts of a player; how many there were.

    One transaction each, so that nobody who plays meanwhile waits for a whole history.
    """
    async with services.store.reading() as conn:
        own = await withdrawals.ranked_attempts_of(conn, player_id)
    for attempt_id in own:
        await void(services, attempt_id)
    return len(own)


async def erase(services: Services, player_id: str, *, results: bool) -> None:
    """Erase who a player was: his name, logins and friends, and with ``results`` also what he reached.

    Without, boards keep his lines as those of a deleted player. Raises ``not_found``.
    """
    if results:
        await exclude(services, player_id)
    async with services.store.writing() as conn:
        if not await withdrawals.erase(conn, player_id):
            raise GameError("not_found", "no such player")
