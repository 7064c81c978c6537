"""Decks, seeds, the deal algorithm and the commitment (DESIGN 5): same seed, same deal, for ever.

Deal algorithm 1 is Fisher-Yates over a SHA-256 counter stream with rejection sampling, so it is unbiased and depends
on nothing but the seed: no interpreter, library or hash order has a say in it.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from server.core.cards import CARDS_BY_TEXT, Card, card
from server.errors import GameError

#: Version of the deal algorithm; stored with every challenge. A change makes a new number, never a new meaning.
DEAL_VERSION: Final = 1

_SEED = re.compile(r"[0-9a-f]{32}")
_WORDS: Final = 2**32


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of a game in the order before the shuffle: C, D, H, S, each from the ace up."""

    cards: tuple[Card, ...]

    @property
    def size(self) -> int:
        """Number of cards."""
        return len(self.cards)


FRENCH_52: Final = Deck(tuple(card(r, s) for s in range(4) for r in range(13)))
SHORT_40: Final = Deck(tuple(card(r, s) for s in range(4) for r in range(10)))


def parse_seed(text: str) -> bytes:
    """The 16 bytes of a seed written as 32 lower-case hex digits. Raises ``seed/invalid``."""
    if not _SEED.fullmatch(text):
        raise GameError("seed/invalid", "a seed is 32 lower-case hex digits")
    return bytes.fromhex(text)


def _words(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(b"samedeal/deal/1\0" + seed + block.to_bytes(4, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def shuffled(seed: str, deck: Deck) -> tuple[Card, ...]:
    """The deck in dealing order, first dealt first (deal algorithm 1). Raises ``seed/invalid``."""
    words = _words(parse_seed(seed))
    cards = list(deck.cards)
    for last in range(len(cards) - 1, 0, -1):
        n = last + 1
        bound = _WORDS - _WORDS % n  # words from here on would favour low indices, so they are dropped
        word = next(words)
        while word >= bound:
            word = next(words)
        other = word % n
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


def commitment(seed: str) -> str:
    """The public hash (64 hex digits) that binds the server to a secret seed. Raises ``seed/invalid``."""
    return hashlib.sha256(b"samedeal/commit/1\0" + parse_seed(seed)).hexdigest()


def parse_deck(text: str, deck: Deck) -> tuple[Card, ...]:
    """A deck written as card texts with single spaces, first dealt first. Raises ``deck/invalid``."""
    cards = tuple(CARDS_BY_TEXT.get(name, -1) for name in text.split(" "))
    if len(cards) != deck.size or set(cards) != set(deck.cards):
        raise GameError("deck/invalid", f"a deck names each of its {deck.size} cards once")
    return cards
