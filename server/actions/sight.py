"""Who may see an attempt from outside."""

from server.errors import GameError
from server.store.attempts import AttemptRow
from server.store.challenges import ChallengeRow


def may_see(row: AttemptRow, deal: ChallengeRow, viewer_id: str | None) -> None:
    """Refuse who may not see an attempt: it is its player's until its challenge has closed, practice always.

    Raises ``auth/required`` or ``attempt/not_yours``.
    """
    if row.player_id == viewer_id or (row.ranked and deal.closed_at is not None):
        return
    if viewer_id is None:
        raise GameError("auth/required", "the record is its player's until the challenge closes")
    raise GameError("attempt/not_yours", "the record is its player's until the challenge closes")
