"""Where the piles of a table lie and how a client may show a move before the answer (PROTOCOL 2, ``layout``)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from server.core.moves import RESERVED

PileKind = Literal["stock", "waste", "foundation", "column", "cell", "hand"]
#: How the cards of a pile lie: squared up, spread downwards, or spread sideways.
Fan = Literal["none", "down", "side"]

_NAME: Final = re.compile(r"[a-z]+[0-9]*")


@dataclass(frozen=True, slots=True)
class PileSpec:
    """One pile of a table. ``x`` and ``y`` count in card widths and heights from the top left; halves are common."""

    name: str
    kind: PileKind
    x: float
    y: float
    fan: Fan = "none"


@dataclass(frozen=True, slots=True)
class Layout:
    """The table of a ruleset.

    ``piles`` is the wide arrangement, ``tall`` the one for narrow screens (same piles). ``fit`` names a kind of which
    only the used and the legal piles are to be shown. ``preview`` tells for a shape of move (kinds joined by ``+``)
    which cards it surely moves, as [from, to] pairs where ``@1`` and ``@2`` are the piles of the move.
    """

    title: str
    maximum: int
    piles: tuple[PileSpec, ...]
    tall: tuple[PileSpec, ...]
    preview: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    fit: PileKind | None = None

    def __post_init__(self) -> None:
        names = [pile.name for pile in self.piles]
        bad = [name for name in names if not _NAME.fullmatch(name) or name in RESERVED]
        if bad or len(set(names)) != len(names):
            raise ValueError(f"pile names must be distinct, match [a-z]+[0-9]* and not be reserved: {bad or names}")
        if {(p.name, p.kind) for p in self.piles} != {(p.name, p.kind) for p in self.tall}:
            raise ValueError("the tall arrangement must have the same piles as the wide one")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all piles in table order."""
        return tuple(pile.name for pile in self.piles)
