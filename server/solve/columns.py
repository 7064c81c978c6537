"""The columns of a Baker's Dozen as numbers, each with what a search asks of it again and again."""

from collections.abc import Sequence
from typing import Final

from server.core.cards import Card
from server.core.position import Pile

#: The number of the empty column, and the card that stands for the top of it.
EMPTY: Final = 0
NO_CARD: Final = -1

_HOMES_BITS: Final = 16


class Columns:
    """Every column that a search has met; equal columns have one number."""

    __slots__ = ("_numbers", "blocked", "piles", "suited", "tops", "under")

    def __init__(self) -> None:
        self._numbers: dict[Pile, int] = {}
        self.piles: list[Pile] = []
        #: Last card of each column, the number of the column without it.
        self.tops: list[Card] = []
        self.under: list[int] = []
        #: Cards that lie above a lower card, and those that lie above a lower card of their own suit.
        self.blocked: list[int] = []
        self.suited: list[int] = []
        self.number(())

    def number(self, pile: Pile) -> int:
        """The number of a column, bottom card first."""
        known = self._numbers.get(pile)
        if known is not None:
            return known
        under = self.number(pile[:-1]) if pile else EMPTY
        number = self._numbers[pile] = len(self.piles)
        self.piles.append(pile)
        self.under.append(under)
        if pile:
            top = pile[-1]
            below = pile[:-1]
            self.tops.append(top)
            self.blocked.append(self.blocked[under] + any(c >> 2 < top >> 2 for c in below))
            self.suited.append(self.suited[under] + any(c < top and c & 3 == top & 3 for c in below))
        else:
            self.tops.append(NO_CARD)
            self.blocked.append(0)
            self.suited.append(0)
        return number


class Weights(dict[int, int]):
    """What a column is worth while so many cards of each suit are home, worked out when first asked for.

    The key is the number of the column and the homes, packed by :func:`packed`.
    """

    def __init__(self, columns: Columns, *, blocked: int, suited: int, waiting: int) -> None:
        """Weights of a card above a lower one, above a lower one of its suit, and above a card that is next home."""
        super().__init__()
        self._columns = columns
        self._blocked = blocked
        self._suited = suited
        self._waiting = waiting

    def __missing__(self, key: int) -> int:
        column, homes = key >> _HOMES_BITS, key & (1 << _HOMES_BITS) - 1
        pile = self._columns.piles[column]
        above = sum(
            len(pile) - 1 - at for at, c in enumerate(pile) if self._waiting and homes >> 4 * (c & 3) & 15 == c >> 2
        )
        worth = self._blocked * self._columns.blocked[column] + self._suited * self._columns.suited[column]
        worth += self._waiting * above
        self[key] = worth
        return worth

    def of(self, columns: Sequence[int], homes: int) -> int:
        """The worth of a whole table; ``homes`` packs the cards at home of each suit in four bits."""
        return sum([self[column << _HOMES_BITS | homes] for column in columns])
