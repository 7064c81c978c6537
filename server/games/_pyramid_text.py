"""The rules pages of the games on the pyramid, put together from what they share."""

from typing import Final

from server.core.rules import UndoPolicy
from server.games._texts import HONESTY, RANKED_BY_TIME, UNDO_COUNTED, UNDO_NONE

#: How the table looks and what may be removed, for every game on the pyramid (P1-P3, P6-P8).
TABLE: Final = (
    "28 cards lie face up in a pyramid of seven rows, each covering half of the one above. The other 24 are the stock.",
    "- A card is available when no card lies on it. The top card of a waste is available too.",
    (
        "- Remove two available cards that add up to 13. An ace counts 1, a jack 11, a queen 12; suits do not matter."
        " That makes ace and queen, 2 and jack, 3 and 10, 4 and 9, 5 and 8, 6 and 7."
    ),
    "- A king counts 13 and is removed alone.",
    "- No removal is forced: keep a card as long as you like.",
)


def rules_text(*rules: str, notice: str, undo: UndoPolicy) -> tuple[str, ...]:
    """The page of one ruleset: aim, its rules, its notice, undo, ranking and fair play."""
    return (
        "Clear the pyramid. Whatever is left in stock and waste does not matter.",
        "# Play",
        *rules,
        "# Undo and notices",
        UNDO_COUNTED if undo is UndoPolicy.COUNTED else UNDO_NONE,
        notice,
        *RANKED_BY_TIME,
        "Everybody else follows by the number of pyramid cards removed.",
        *HONESTY,
    )
