"""Boards as people read them: a page in either direction, the page about oneself, and one's own line."""

from dataclasses import dataclass
from typing import Final

from server.actions import dailies
from server.actions.dailies import Listed
from server.actions.house import Services
from server.errors import GameError
from server.play.ranking import By
from server.store import boards
from server.store.boards import Line

#: Rows of a page unless the reader asks for another number.
PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A page of a board. ``next`` and ``previous`` are cursors, None where the board ends; ``me`` is one's own line."""

    listed: Listed
    lines: list[Line]
    total: int
    me: Line | None
    next: str | None
    previous: str | None


async def page(
    services: Services,
    reference: str,
    player_id: str | None,
    *,
    by: By = "main",
    limit: int = PAGE,
    after: str | None = None,
    before: str | None = None,
    around_me: bool = False,
) -> BoardPage:
    """A page of a challenge's board, by the challenge's id or ``daily/DATE/RULESET``.

    ``around_me`` is the page about the player's own line; who is not on the board gets its beginning. Raises
    ``challenge/unknown``, ``ruleset/unknown``, ``challenge/not_open``, or ``protocol/malformed`` for cursors that no
    page gave or that contradict each other.
    """
    if around_me and (after is not None or before is not None):
        raise GameError("protocol/malformed", "around=me needs no cursor")
    row = await dailies.resolve(services, reference)
    if row.kind == "practice":
        raise GameError("challenge/unknown", "practice has no board")
    if services.clock.now_ms() < row.opens_at:
        raise GameError("challenge/not_open", "the challenge has not opened yet")
    listed = await dailies.listed(services, row, player_id)
    async with services.store.reading() as conn:
        me = None if player_id is None else await boards.line(conn, row.id, by, player_id)
        found: boards.Page | None = None
        if around_me and player_id is not None:
            found = await boards.around(conn, row.id, by, player_id, limit)
        if found is None:
            found = await boards.page(conn, row.id, by, limit, after=after, before=before)
    return BoardPage(listed, found.lines, found.total, me, found.next, found.previous)
