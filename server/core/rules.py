"""The base class of every ruleset (DESIGN 4).

Rules are stateless: one instance serves all attempts. A rules file lists the legal moves of a position and the steps
of a move; it never moves a card itself (:meth:`Position.after` does).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, ClassVar

from mypy_extensions import mypyc_attr

from server.core.cards import DOWN, HIDDEN, Card
from server.core.deck import Deck
from server.core.layout import Layout
from server.core.moves import Move, split
from server.core.position import Position, Step


class Outcome(StrEnum):
    """What the rules say of a position (C7)."""

    OPEN = "open"
    WON = "won"
    LOST = "lost"
    STUCK = "stuck"


class UndoPolicy(StrEnum):
    """Whether an attempt may go back (C8). ``free`` is the practice policy of rulesets whose ranked policy is none."""

    COUNTED = "counted"
    NONE = "none"
    FREE = "free"


class RankKey(StrEnum):
    """What a board orders won attempts by (C10)."""

    TIME = "time"
    MOVES = "moves"
    SCORE = "score"


#: What a ruleset may keep per deal between calls of ``winnable`` (known won and dead sets); never sent, never stored.
Memo = dict[Any, Any]


# Where this file is compiled, rulesets that are not (plug-ins, toys of tests) may still be subclasses.
@mypyc_attr(allow_interpreted_subclasses=True)
class Rules(ABC):
    """One ruleset. Subclasses set the class attributes and the abstract methods; ``key`` finds them."""

    key: ClassVar[str]
    family: ClassVar[str]
    title: ClassVar[str]
    #: The rules as paragraphs of plain English; a paragraph starting with ``- `` is a list item, ``# `` a heading.
    text: ClassVar[tuple[str, ...]]
    deck: ClassVar[Deck]
    #: Version of these rules, stored with every challenge: old results are judged by the rules they were played under.
    version: ClassVar[int] = 1
    undo: ClassVar[UndoPolicy]
    #: Orders of the boards of this ruleset; every ruleset has ``main`` and ``moves``.
    rankings: ClassVar[Mapping[str, tuple[RankKey, ...]]] = {
        "main": (RankKey.TIME, RankKey.MOVES),
        "moves": (RankKey.MOVES, RankKey.TIME),
    }
    layout: ClassVar[Layout]
    #: The only piles that may hide cards from their player; None where any may. See :meth:`view_pile`.
    closed: ClassVar[tuple[str, ...] | None] = None
    #: Where the daily of this ruleset stands in the list of a day; None where it has no daily.
    daily: ClassVar[int | None] = None

    #: Whether practice tells by a search whether a position can be won, where :meth:`winnable` does not (B10).
    told_in_practice: ClassVar[bool] = False

    @abstractmethod
    def deal(self, cards: Sequence[Card]) -> Position:
        """The position before the first move, from the shuffled deck (all face up there), first dealt first."""

    @abstractmethod
    def moves(self, p: Position) -> list[Move]:
        """Every legal move in a stable order, preferred first. Empty when the game is decided."""

    @abstractmethod
    def steps(self, p: Position, m: Move) -> tuple[Step, ...]:
        """What a legal move does, and nothing more: no card moves by itself (C3). The caller has checked the move."""

    @abstractmethod
    def verdict(self, p: Position) -> Outcome:
        """WON, LOST or OPEN, from the position alone; stuck positions are OPEN here."""

    @abstractmethod
    def progress(self, p: Position) -> int:
        """How far the player has come, 0 to ``layout.maximum``."""

    def outcome(self, p: Position, legal: Sequence[Move] | None = None) -> Outcome:
        """What the rules say of a position (C7). ``legal`` spares a second listing where the caller has the moves."""
        verdict = self.verdict(p)
        if verdict is Outcome.OPEN and not (self.moves(p) if legal is None else legal):
            return Outcome.STUCK
        return verdict

    def canonical(self, text: str) -> Move:
        """The canonical spelling of a move (C5). Raises ``move/syntax``; unknown piles pass and are illegal later."""
        split(text)
        return text

    def score(self, p: Position) -> int | None:
        """The score of a won position, greater is better, or None where the ruleset has none."""
        return None

    @property
    def scores(self) -> bool:
        """Whether the ruleset has a score."""
        return type(self).score is not Rules.score

    def winnable(self, view: Position, memo: Memo, *, patient: bool = False) -> bool | None:
        """Whether the position can still be won, None when not told. Sees only what the player sees, so cannot leak.

        ``memo`` belongs to one attempt and lasts between calls. Raises :class:`Undecided` when the answer would take
        longer than a move may wait, never where ``patient`` is set.
        """
        return None

    def view_pile(self, name: str, pile: tuple[Card, ...]) -> tuple[Card, ...]:
        """What the player may see of one pile (C9): face-down cards are HIDDEN, unless the ruleset overrides this."""
        return hide_face_down(pile)

    def view(self, p: Position) -> Position:
        """What the player may see of the whole table (C9)."""
        if self.closed == ():
            return p
        piles = dict(p.piles)
        for name in piles if self.closed is None else self.closed:
            piles[name] = self.view_pile(name, piles[name])
        return Position(piles)


def hide_face_down(pile: tuple[Card, ...]) -> tuple[Card, ...]:
    """The pile with every face-down card hidden."""
    return tuple([c if c < DOWN else HIDDEN for c in pile])


class Undecided(Exception):
    """``winnable`` would take longer than a move may wait; the caller finishes it elsewhere, with ``patient=True``."""
