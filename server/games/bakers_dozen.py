"""Baker's Dozen: thirteen open columns of four cards, built down, home to four foundations (B1-B11)."""

from collections.abc import Sequence
from operator import itemgetter
from typing import ClassVar, Final

from server.core.cards import KING, SUITS, Card, rank
from server.core.deck import FRENCH_52
from server.core.layout import Layout, PileSpec
from server.core.moves import Move
from server.core.position import EMPTY, Pile, Position, Shift, Step
from server.core.rules import Memo, Outcome, Rules, UndoPolicy
from server.games._texts import HONESTY, RANKED_BY_TIME, UNDO_COUNTED

#: Names of the columns, and of the foundations in the order of the suits.
COLUMNS: Final = tuple(f"c{number}" for number in range(1, 14))
FOUNDATIONS: Final = tuple("f" + suit.lower() for suit in SUITS)

_column_piles: Final = itemgetter(*COLUMNS)
_foundation_piles: Final = itemgetter(*FOUNDATIONS)

# Canonical texts by column index, then suit or column index, and the steps of every text.
_HOME: Final = tuple(tuple(column + foundation for foundation in FOUNDATIONS) for column in COLUMNS)
_BUILD: Final = tuple(tuple(source + target for target in COLUMNS) for source in COLUMNS)
_STEPS: Final = {
    source + target: (Shift(source, target, 1),)
    for source in COLUMNS
    for target in (*FOUNDATIONS, *COLUMNS)
    if source != target
}


def _layout(title: str) -> Layout:
    """Thirteen columns side by side, or 7 + 6 on narrow screens; the foundations above them."""
    homes = FOUNDATIONS
    wide = [PileSpec(home, "foundation", 4.5 + index, 0) for index, home in enumerate(homes)]
    wide += [PileSpec(column, "column", index, 1.25, "down") for index, column in enumerate(COLUMNS)]
    tall = [PileSpec(home, "foundation", 1.5 + index, 0) for index, home in enumerate(homes)]
    tall += [PileSpec(column, "column", index, 1.25, "down") for index, column in enumerate(COLUMNS[:7])]
    tall += [PileSpec(column, "column", index + 0.5, 3.75, "down") for index, column in enumerate(COLUMNS[7:])]
    moved = (("@1", "@2"),)
    preview = {"column+foundation": moved, "column+column": moved}
    return Layout(title, FRENCH_52.size, tuple(wide), tuple(tall), preview)


_LAST_CARD: Final = "- Only the last card of a column moves, one card at a time. Everything lies open."
_HOME_RULE: Final = (
    "- Build each foundation in its suit from the ace up to the king. A card that is home stays there. You need not"
    " send a card home at once."
)
_EMPTY_STAYS: Final = "- An emptied column stays empty."


def _text(dealt: str, *rules: str) -> tuple[str, ...]:
    return (
        "Bring all 52 cards home to the four foundations.",
        "# Play",
        dealt,
        _LAST_CARD,
        _HOME_RULE,
        *rules,
        "# Undo",
        UNDO_COUNTED,
        *RANKED_BY_TIME,
        "Everybody else follows by the number of cards brought home.",
        *HONESTY,
    )


_KINGS_DOWN: Final = (
    "Thirteen columns of four cards, all face up; kings go to the bottom of their columns before you start."
)
_OTHER_SUIT: Final = (
    "- In a column a card may lie on one that is a rank higher and of a different suit: 9 of hearts on any 10 but the"
    " 10 of hearts. Nothing lies on an ace, and a king on nothing."
)


class BakersDozen(Rules):
    """The game as the source tells it: kings at the bottom, built down in a different suit, no king moves."""

    key = "bakers-dozen"
    family = "bakers-dozen"
    title = "Baker's Dozen"
    daily: ClassVar[int | None] = 4
    deck = FRENCH_52
    closed = ()  # B1: nothing is hidden
    undo = UndoPolicy.COUNTED  # B7
    layout = _layout(title)
    text = _text(_KINGS_DOWN, _OTHER_SUIT, _EMPTY_STAYS)
    told_in_practice = True  # B10
    #: Whether the kings go to the bottom of their columns before play (B2).
    kings_down: ClassVar[bool] = True
    #: Whether a king may move into an empty column (B8).
    kings_move: ClassVar[bool] = False
    #: Whether a card may lie on one of its own suit in a column (B9).
    any_suit: ClassVar[bool] = False

    def deal(self, cards: Sequence[Card]) -> Position:
        """Row by row onto thirteen columns, all face up (B1); the kings of a column to its bottom (B2)."""
        piles: dict[str, Pile] = {}
        for index, column in enumerate(COLUMNS):
            dealt = cards[index :: len(COLUMNS)]
            piles[column] = tuple(sorted(dealt, key=lambda c: rank(c) != KING) if self.kings_down else dealt)
        piles |= dict.fromkeys(FOUNDATIONS, EMPTY)
        return Position(piles)

    def moves(self, p: Position) -> list[Move]:
        """Last cards of columns (B3): home first (B4), then onto other columns (B5, B8, B9)."""
        wanted = [len(pile) for pile in _foundation_piles(p.piles)]
        home: list[Move] = []
        empty: list[int] = []
        tops: list[tuple[int, Card]] = []
        by_rank: dict[int, list[tuple[int, int]]] = {}
        for column, pile in enumerate(_column_piles(p.piles)):
            if pile:
                top = pile[-1]
                suit = top & 3
                if wanted[suit] == top >> 2:
                    home.append(_HOME[column][suit])
                tops.append((column, top))
                by_rank.setdefault(top >> 2, []).append((column, suit))
            else:
                empty.append(column)
        build: list[Move] = []
        any_suit = self.any_suit
        for column, top in tops:
            targets = by_rank.get((top >> 2) + 1)
            if targets:
                texts = _BUILD[column]
                suit = -1 if any_suit else top & 3
                build += [texts[target] for target, other in targets if other != suit]
        if self.kings_move and empty:
            build += [_BUILD[column][target] for column, top in tops if top >> 2 == KING for target in empty]
        return home + build

    def steps(self, p: Position, m: Move) -> tuple[Step, ...]:
        """One card moves, nothing else (B3, B6)."""
        return _STEPS[m]

    def verdict(self, p: Position) -> Outcome:
        """Won when the foundations hold all 52 cards (B7)."""
        return Outcome.WON if self.progress(p) == FRENCH_52.size else Outcome.OPEN

    def progress(self, p: Position) -> int:
        """Cards on the foundations, 0-52 (B11)."""
        return sum(map(len, _foundation_piles(p.piles)))

    def winnable(self, view: Position, memo: Memo, *, patient: bool = False) -> bool | None:
        """Not told: in ranked play it would be a hint (B10)."""
        return None


class BakersDozenKings(BakersDozen):
    """Kings stay where they were dealt and may move into empty columns (B8)."""

    key = "bakers-dozen-kings"
    daily: ClassVar[int | None] = 5
    title = "Baker's Dozen, kings move"
    layout = _layout(title)
    text = _text(
        "Thirteen columns of four cards, all face up. The kings stay where they are dealt.",
        _OTHER_SUIT,
        "- A king, and only a king, may move into an empty column, from wherever it is the last card.",
    )
    kings_down = False
    kings_move = True


class BakersDozenClassic(BakersDozen):
    """Columns are built down in any suit, the wide-spread rule (B9)."""

    key = "bakers-dozen-classic"
    title = "Baker's Dozen, any suit"
    daily = None
    layout = _layout(title)
    text = _text(
        _KINGS_DOWN,
        "- In a column a card may lie on one that is a rank higher, whatever the suits. Nothing lies on an ace, and a"
        " king on nothing.",
        _EMPTY_STAYS,
    )
    any_suit = True
