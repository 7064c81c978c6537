"""Pyramid and its variations with unlimited turns of the stock (P1-P11)."""

from typing import ClassVar, Final

from server.core.rules import UndoPolicy
from server.games._pyramid_family import PyramidFamily
from server.games._pyramid_layout import pyramid_layout
from server.games._pyramid_text import TABLE, rules_text

_STOCK: Final = (
    "- Tap the stock to turn its top card onto the waste. When the stock is used up, tap it to turn the waste over: the"
    " cards come again in the same order, as often as you like."
)
_NOTICE: Final = (
    "Suits never matter and every rank is public, so the table tells you as soon as the pyramid can no longer be"
    " cleared. That is a notice, not the end: an undo may bring you back."
)


class Pyramid(PyramidFamily):
    """One waste, closed stock, turned over as often as the player likes (P1-P11)."""

    key = "pyramid"
    family = "pyramid"
    title = "Pyramid"
    daily: ClassVar[int | None] = 1
    undo = UndoPolicy.COUNTED  # P9
    layout = pyramid_layout(title, 1)
    text = rules_text(*TABLE, _STOCK, notice=_NOTICE, undo=undo)


class Pyramid3(Pyramid):
    """Three wastes: a draw lays one card on each, w1 first; all three tops are available and may pair (P6)."""

    key = "pyramid-3"
    title = "Pyramid, three wastes"
    daily = None
    wastes = 3
    layout = pyramid_layout(title, 3)
    text = rules_text(
        *TABLE,
        "- Tap the stock to deal one card onto each of the three wastes, fewer when fewer are left. The top card of"
        " each waste is available, and two of them may pair with each other.",
        "- When the stock is used up, tap it to turn the wastes over, the first one first, as often as you like.",
        notice=_NOTICE,
        undo=Pyramid.undo,
    )


class PyramidOpen(Pyramid):
    """The stock lies face up; its top card pairs with the pyramid or the waste, but a king is drawn first (P6, P7)."""

    key = "pyramid-open"
    title = "Pyramid, open stock"
    daily = None
    open_stock = True
    layout = pyramid_layout(title, 1, open_stock=True)
    text = rules_text(
        *TABLE,
        "- The stock lies face up. Its top card is available too: it may pair with a pyramid card or with the top of"
        " the waste. A king on the stock must be drawn before it can be removed.",
        _STOCK,
        notice=_NOTICE,
        undo=Pyramid.undo,
    )


class PyramidCover(Pyramid):
    """A card may be paired with the uncovered card that is its own last cover (P6 relaxed)."""

    key = "pyramid-cover"
    title = "Pyramid, last cover"
    daily = None
    last_covers = True
    layout = pyramid_layout(title, 1)
    text = rules_text(
        *TABLE,
        "- A card that is covered by one card only may be paired with that very card, if the covering card is itself"
        " uncovered.",
        _STOCK,
        notice=_NOTICE,
        undo=Pyramid.undo,
    )
