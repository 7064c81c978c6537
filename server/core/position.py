"""Positions, the steps between them, and the one function that moves cards."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple, final

from server.core.cards import DOWN, Card

Turn = Literal["up", "down", "over"]
Pile = tuple[Card, ...]

EMPTY: Final[Pile] = ()


@final
class Shift(NamedTuple):
    """Take the top ``number`` cards of ``source`` and lay them on ``target`` in the same order.

    ``turn`` lays them face ``"up"`` or ``"down"``, or turns them ``"over"`` as a block: the order is reversed and every
    card shows its other side.
    """

    source: str
    target: str
    number: int
    turn: Turn | None = None


@final
class Flip(NamedTuple):
    """Turn the top card of a pile to its other side."""

    pile: str


Step = Shift | Flip


class Position:
    """The cards of every pile, bottom first. Immutable; positions share the piles that did not change."""

    __slots__ = ("piles",)

    piles: Mapping[str, Pile]

    def __init__(self, piles: Mapping[str, Pile]) -> None:
        """Every pile of the table must be named, empty ones too."""
        self.piles = piles

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and dict(self.piles) == dict(other.piles)

    def __hash__(self) -> int:
        return hash(frozenset(self.piles.items()))

    def __repr__(self) -> str:
        return f"Position({ {name: pile for name, pile in self.piles.items() if pile}!r})"

    def after(self, steps: Iterable[Step]) -> "Position":
        """The position after the steps. Nothing else in Samedeal moves a card, so none can appear or vanish.

        Raises ValueError when a step takes more cards than a pile holds: that is a faulty rule, never a player's doing.
        """
        piles = dict(self.piles)
        for step in steps:
            if type(step) is Flip:
                pile = piles[step.pile]
                if not pile:
                    raise ValueError(f"no card to turn on {step.pile}")
                piles[step.pile] = (*pile[:-1], pile[-1] ^ DOWN)
            else:
                source, target, count, turn = step
                pile = piles[source]
                at = len(pile) - count
                if at < 0 or count < 1:
                    raise ValueError(f"{source} holds {len(pile)} cards, {count} were asked for")
                moved = pile[at:]
                if turn is not None:
                    moved = _turned(moved, turn)
                piles[source] = pile[:at]
                piles[target] += moved
        return Position(piles)


def _turned(cards: Pile, turn: Turn) -> Pile:
    if turn == "up":
        return tuple([c & ~DOWN for c in cards])
    if turn == "down":
        return tuple([c | DOWN for c in cards])
    return tuple([c ^ DOWN for c in reversed(cards)])


def changed_piles(steps: Iterable[Step]) -> tuple[str, ...]:
    """Names of the piles that the steps touch, each once, in the order of first touch."""
    names: dict[str, None] = {}
    for step in steps:
        if type(step) is Flip:
            names[step.pile] = None
        else:
            names[step.source] = names[step.target] = None
    return tuple(names)


def inverse(steps: Iterable[Step], before: Position) -> tuple[Step, ...] | None:
    """Steps that lead back from the position after ``steps`` to ``before``, for an undo's animation.

    None where the inverse is not a row of steps (a shift that changed which way cards lay in a mixed way).
    """
    position = before
    back: list[Step] = []
    for step in steps:
        following = position.after((step,))
        undo: Step
        if type(step) is Flip:
            undo = step
        else:
            source, target, count, turn = step
            undo_turn: Turn | None = None
            if turn == "over":
                undo_turn = "over"
            elif turn is not None:
                lay = {c & DOWN for c in position.piles[source][-count:]}
                if len(lay) != 1:
                    return None
                undo_turn = "down" if lay.pop() else "up"
            undo = Shift(target, source, count, undo_turn)
        if following.after((undo,)) != position:
            return None
        back.append(undo)
        position = following
    return tuple(reversed(back))
