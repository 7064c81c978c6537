"""Cards as small integers.

A card is ``rank * 4 + suit``: rank 0 (ace) to 12 (king), suit 0 to 3 in the order clubs, diamonds, hearts, spades.
A card that lies face down has :data:`DOWN` added. :data:`HIDDEN` stands for a card that the reader may not know.
"""

from typing import Final

Card = int

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"

#: Added to a card that lies face down.
DOWN: Final = 64
#: A card that the reader may not know; no other value says so.
HIDDEN: Final = 127

ACE: Final = 0
KING: Final = 12


def card(rank: int, suit: int) -> Card:
    """The face-up card of a rank (0-12) and a suit (0-3)."""
    return rank * 4 + suit


def rank(c: Card) -> int:
    """Rank 0 (ace) to 12 (king), whichever way the card lies."""
    return (c & 63) >> 2


def suit(c: Card) -> int:
    """Suit 0 to 3 (clubs, diamonds, hearts, spades), whichever way the card lies."""
    return c & 3


def is_up(c: Card) -> bool:
    """Whether the card lies face up."""
    return c < DOWN


#: Text of every card value: ``TH`` face up, ``th`` face down, ``??`` hidden (PROTOCOL 1).
CARD_TEXTS: Final[dict[Card, str]] = {
    **{card(r, s): RANKS[r] + SUITS[s] for r in range(13) for s in range(4)},
    **{card(r, s) | DOWN: (RANKS[r] + SUITS[s]).lower() for r in range(13) for s in range(4)},
    HIDDEN: "??",
}

#: The face-up card of each upper-case text.
CARDS_BY_TEXT: Final[dict[str, Card]] = {text: c for c, text in CARD_TEXTS.items() if c < DOWN}


def card_text(c: Card) -> str:
    """``TH`` for a face-up card, ``th`` face down, ``??`` when hidden. Raises KeyError for anything else."""
    return CARD_TEXTS[c]


def pile_texts(pile: tuple[Card, ...]) -> list[str]:
    """The texts of a pile, bottom first."""
    return [CARD_TEXTS[c] for c in pile]
