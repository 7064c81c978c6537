"""What was proved of a challenge, once it is closed for everybody: par, and the winning line position by position."""

from typing import NamedTuple

from server.actions import dailies
from server.actions.house import Services
from server.core.deck import shuffled
from server.core.moves import Move
from server.core.position import Position
from server.core.rules import Rules
from server.errors import GameError
from server.games import ruleset
from server.store import stock
from server.store.stock import DealRow


class Witness(NamedTuple):
    """A proof with its ruleset, the deal, and after each move of the line the move and the position."""

    deal: DealRow
    rules: Rules
    start: Position
    line: list[tuple[Move, Position]]


async def witness(services: Services, challenge_id: str) -> Witness:
    """The winning line of a closed challenge.

    Raises ``challenge/unknown``, ``challenge/not_open`` while it is open for anybody, ``not_found`` where nothing was
    proved of its deal.
    """
    row = await dailies.by_id(services, challenge_id)
    if row.closed_at is None:
        raise GameError("challenge/not_open", "the line is secret until the challenge is closed")
    async with services.store.reading() as conn:
        deal = await stock.of_challenge(conn, row.id)
    if deal is None:
        raise GameError("not_found", "nothing was proved of this deal")
    rules = ruleset(row.ruleset, row.rules_version)
    position = start = rules.deal(shuffled(row.seed, rules.deck))
    line = []
    for move in deal.witness.split(" "):
        position = position.after(rules.steps(position, move))
        line.append((move, position))
    return Witness(deal, rules, start, line)
