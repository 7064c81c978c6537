"""Records of attempts and of challenges: what may be known of them, and from when on."""

from typing import Any, cast

from server.actions import dailies
from server.actions.dates import iso
from server.actions.folding import fold_stored
from server.actions.house import Services
from server.actions.places import place_of
from server.actions.sight import may_see
from server.core.rules import UndoPolicy
from server.errors import GameError
from server.games import ruleset
from server.play.attempt import Over
from server.play.ranking import Result
from server.play.record import record_fields, result_fields
from server.store import attempts, challenges, players


async def record(services: Services, attempt_id: str, viewer_id: str | None) -> dict[str, Any]:
    """The record of an attempt (PROTOCOL 3): to its owner at any time, to everybody after the challenge's close.

    The seed is in it only after the close; a practice deal is closed for its player when he has finished it, a preview
    of a coming deal never. Raises
    ``attempt/unknown``, ``auth/required`` or ``attempt/not_yours``.
    """
    async with services.store.reading() as conn:
        row = await attempts.attempt(conn, attempt_id)
        if row is None:
            raise GameError("attempt/unknown", "no such attempt")
        deal = await challenges.challenge(conn, row.challenge_id)
        assert deal is not None, "a foreign key holds this"
        may_see(row, deal, viewer_id)
        player = await players.player(conn, row.player_id)
        assert player is not None, "a foreign key holds this"
        entries = await attempts.log(conn, row.id)
        place = None
        if row.ranked and row.over is not None:
            place = await place_of(conn, deal.id, row.player_id)
    rules = ruleset(deal.ruleset, deal.rules_version)
    policy = UndoPolicy(row.undo_policy)
    result = None
    if row.over is not None:
        score = None
        if row.over == "won" and rules.scores:  # the one figure that is not stored of every attempt
            _, attempt = await fold_stored(services.folding, rules, deal.seed, policy, entries)
            score = attempt.score
        over = cast(Over, row.over)
        result = Result(over, row.last_at_ms, row.moves, row.undos, row.progress, score)
    practised = deal.kind == "practice" and not deal.preview and row.over is not None
    revealed = deal.closed_at is not None or practised
    return record_fields(
        rules,
        rules_version=deal.rules_version,
        deal_version=deal.deal_version,
        kind=deal.kind if row.ranked else "practice",
        commitment=deal.commitment,
        seed=deal.seed if revealed else None,
        player={"id": player.id, "name": player.name, "kind": player.kind},
        started_at=iso(row.started_at),
        undo=policy,
        log=entries,
        result=None if result is None else result_fields(result, *(place or (None, None))),
    )


async def challenge(services: Services, challenge_id: str, player_id: str | None) -> dailies.Listed:
    """A challenge as a player may see it. Raises ``challenge/unknown``; practice deals are their player's alone."""
    row = await dailies.by_id(services, challenge_id)
    if row.kind == "practice":
        raise GameError("challenge/unknown", "no such challenge")
    return await dailies.listed(services, row, player_id)
