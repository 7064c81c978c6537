"""Records of attempts and of challenges: what may be known of them, and from when on."""

from typing import Any

from server.actions import dailies
from server.actions.dates import iso
from server.actions.house import Services, fold_stored
from server.actions.places import place_of
from server.core.rules import UndoPolicy
from server.errors import GameError
from server.games import ruleset
from server.play.ranking import result_of
from server.play.record import record_fields, result_fields
from server.store import attempts, challenges, players
from server.store.attempts import AttemptRow
from server.store.challenges import ChallengeRow


async def record(services: Services, attempt_id: str, viewer_id: str | None) -> dict[str, Any]:
    """The record of an attempt (PROTOCOL 3): to its owner at any time, to everybody after the challenge's close.

    The seed is in it only after the close; a practice deal is closed for its player when he has finished it. Raises
    ``attempt/unknown``, ``auth/required`` or ``attempt/not_yours``.
    """
    async with services.store.reading() as conn:
        row = await attempts.attempt(conn, attempt_id)
        if row is None:
            raise GameError("attempt/unknown", "no such attempt")
        deal = await challenges.challenge(conn, row.challenge_id)
        assert deal is not None, "a foreign key holds this"
        _may_see(row, deal, viewer_id)
        player = await players.player(conn, row.player_id)
        assert player is not None, "a foreign key holds this"
        entries = await attempts.log(conn, row.id)
        rules = ruleset(deal.ruleset, deal.rules_version)
        _, attempt = await fold_stored(rules, deal.seed, UndoPolicy(row.undo_policy), entries)
        result = result_of(attempt)
        place = None
        if row.ranked and result is not None:
            place = await place_of(conn, deal.id, row.player_id)
    revealed = deal.closed_at is not None or (deal.kind == "practice" and attempt.over is not None)
    return record_fields(
        rules,
        rules_version=deal.rules_version,
        deal_version=deal.deal_version,
        kind=deal.kind if row.ranked else "practice",
        commitment=deal.commitment,
        seed=deal.seed if revealed else None,
        player={"id": player.id, "name": player.name, "kind": player.kind},
        started_at=iso(row.started_at),
        undo=attempt.policy,
        log=entries,
        result=None if result is None else result_fields(result, *(place or (None, None))),
    )


def _may_see(row: AttemptRow, deal: ChallengeRow, viewer_id: str | None) -> None:
    if row.player_id == viewer_id or (row.ranked and deal.closed_at is not None):
        return
    if viewer_id is None:
        raise GameError("auth/required", "the record is its player's until the challenge closes")
    raise GameError("attempt/not_yours", "the record is its player's until the challenge closes")


async def challenge(services: Services, challenge_id: str, player_id: str | None) -> dailies.Listed:
    """A challenge as a player may see it. Raises ``challenge/unknown``; practice deals are their player's alone."""
    row = await dailies.by_id(services, challenge_id)
    if row.kind == "practice":
        raise GameError("challenge/unknown", "no such challenge")
    return await dailies.listed(services, row, player_id)
