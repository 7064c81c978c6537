"""``samedeal deal``: the deck and the commitment of a seed, and the table of a ruleset dealt from it (DESIGN 5)."""

from collections.abc import Iterator
from itertools import groupby
from typing import Annotated

import typer

from server.commands.console import say
from server.core.cards import card_text, pile_texts
from server.core.deck import FRENCH_52, commitment, shuffled
from server.core.layout import PileSpec
from server.core.position import Position
from server.games import ruleset


def deal(
    seed: Annotated[str, typer.Option(metavar="HEX", help="The seed: 32 lower-case hex digits.")],
    key: Annotated[
        str | None, typer.Option("--ruleset", metavar="KEY", help="Deal the table of this ruleset, with its deck.")
    ] = None,
) -> None:
    """Show deck, commitment and table of a seed.

    The deck comes first dealt first, the commitment on the second line, then the piles of the ruleset, bottom first.
    """
    rules = None if key is None else ruleset(key)
    cards = shuffled(seed, FRENCH_52 if rules is None else rules.deck)
    say(" ".join(map(card_text, cards)))
    say(commitment(seed))
    if rules is not None:
        for line in _table(rules.deal(cards), rules.layout.piles):
            say(line)


def _table(position: Position, piles: tuple[PileSpec, ...]) -> Iterator[str]:
    """The piles that hold cards, bottom first, by rows of the table; a pile of several cards has its own line."""
    used = [pile for pile in piles if position.piles[pile.name]]
    for _, row in groupby(sorted(used, key=lambda pile: (pile.y, pile.x)), key=lambda pile: pile.y):
        singles = []
        for pile in row:
            text = " ".join((pile.name, *pile_texts(position.piles[pile.name])))
            if len(position.piles[pile.name]) == 1:
                singles.append(text)
            else:
                yield text
        if singles:
            yield "  ".join(singles)
