"""Solitaire 13: Pyramid with a single pass through the stock (T1-T7)."""

from typing import ClassVar, Final

from server.core.moves import Move
from server.core.position import Position
from server.core.rules import Memo, Outcome, UndoPolicy
from server.games._one_pass import OnePass
from server.games._pyramid_family import PyramidFamily
from server.games._pyramid_layout import pyramid_layout
from server.games._pyramid_table import STOCK, WASTES, cell_piles
from server.games._pyramid_text import TABLE, rules_text

_NOTICE: Final = (
    "The table tells you as soon as the visible ranks prove that the pyramid can no longer be cleared, and exactly once"
    " the stock is used up."
)
_LAST_CARDS: Final = (
    "- The stock is never turned over. The last cards drawn may still be used: the game is lost when the stock is empty"
    " and nothing can be removed. You may resign earlier."
)


class Thirteen(PyramidFamily):
    """One waste, one pass (T1); behind an empty stock a game without a removal is stuck, so lost (T2, C7).

    Progress and rankings are those of Pyramid (T6).
    """

    key = "thirteen"
    family = "thirteen"
    title = "Solitaire 13"
    daily: ClassVar[int | None] = 2
    undo = UndoPolicy.NONE  # T4
    turns_over = False  # T1
    layout = pyramid_layout(title, 1, draw=((STOCK, "w1"),))
    text = rules_text(
        *TABLE, "- Tap the stock to turn its top card onto the waste.", _LAST_CARDS, notice=_NOTICE, undo=undo
    )

    def winnable(self, view: Position, memo: Memo, *, patient: bool = False) -> bool | None:
        """False once the order-free test says so; exact behind the last draw; until then not told (T5)."""
        if not self._clearable(view, memo, patient=patient):
            return False
        if view.piles[STOCK]:
            return None
        search = memo.get(OnePass)
        if search is None:
            search = memo[OnePass] = OnePass(wastes=self.wastes)
        wastes = tuple(view.piles[waste] for waste in WASTES[: self.wastes])
        return bool(search.clearable(cell_piles(view.piles), wastes, patient=patient))


class Thirteen3(Thirteen):
    """Every draw deals three cards, to w1, w2 and w3 in this order; the three tops may pair (T3)."""

    key = "thirteen-3"
    daily: ClassVar[int | None] = 3
    title = "Solitaire 13, three at a time"
    wastes = 3
    layout = pyramid_layout(title, 3, draw=tuple((STOCK, waste) for waste in WASTES))
    text = rules_text(
        *TABLE,
        "- Tap the stock to deal three cards, one onto each waste from the first to the third. The top card of each"
        " waste is available, and two of them may pair with each other.",
        _LAST_CARDS,
        notice=_NOTICE,
        undo=Thirteen.undo,
    )


class ThirteenStrict(Thirteen):
    """The game is over the moment the last stock card is turned up (T7)."""

    key = "thirteen-strict"
    title = "Solitaire 13, strict"
    daily = None
    ends_with_stock = True
    layout = pyramid_layout(title, 1, draw=((STOCK, "w1"),))
    text = rules_text(
        *TABLE,
        "- Tap the stock to turn its top card onto the waste. There is one pass only.",
        "- The game ends the moment the last stock card is turned up: by then the pyramid must be cleared.",
        notice="The table tells you as soon as the visible ranks prove that the pyramid can no longer be cleared.",
        undo=Thirteen.undo,
    )

    def moves(self, p: Position) -> list[Move]:
        """As long as the stock holds a card (T7)."""
        return super().moves(p) if p.piles[STOCK] else []

    def verdict(self, p: Position) -> Outcome:
        """Won with an empty pyramid; lost as soon as the stock is empty and the pyramid is not (T7)."""
        verdict = super().verdict(p)
        return Outcome.LOST if verdict is Outcome.OPEN and not p.piles[STOCK] else verdict

    def winnable(self, view: Position, memo: Memo, *, patient: bool = False) -> bool | None:
        """False once the order-free test says so or the game is lost; until then not told (T5, T7)."""
        if self.verdict(view) is not Outcome.OPEN:
            return self.verdict(view) is Outcome.WON
        return None if self._clearable(view, memo, patient=patient) else False
