"""Where the piles of a game on the pyramid lie, wide and tall, and what its moves surely move."""

from collections.abc import Mapping
from typing import Final

from server.core.layout import Layout, PileKind, PileSpec
from server.games._pyramid_table import CELLS, FOUNDATION, PLACES, ROWS, SIZE, STOCK, WASTES

_KINDS: Final[Mapping[str, PileKind]] = {STOCK: "stock", FOUNDATION: "foundation", **dict.fromkeys(WASTES, "waste")}

#: Card heights from one row to the next: each row covers half of the one above.
_ROW_STEP: Final = 0.5
#: Card widths beside the pyramid, on either side, on wide screens.
_SIDE: Final = 1.25


def pyramid_layout(
    title: str, wastes: int, *, open_stock: bool = False, draw: tuple[tuple[str, str], ...] = ()
) -> Layout:
    """The table of a game on the pyramid, seven columns in half steps; ``draw`` is what ``s`` surely moves."""

    def cells(left: float) -> tuple[PileSpec, ...]:
        return tuple(
            PileSpec(cell, "cell", left + (ROWS - 1 - row) / 2 + place, row * _ROW_STEP)
            for cell, (row, place) in zip(CELLS, PLACES, strict=True)
        )

    def side(name: str, x: float, y: float) -> PileSpec:
        return PileSpec(name, _KINDS[name], x, y)

    # The stock and the wastes stand close to the pyramid: the nearer they are, the larger are the cards.
    wide = [side(STOCK, 0, 0), side(FOUNDATION, ROWS + 2 * _SIDE - 1, 0)]
    wide += [side(waste, 0, 1.25 * number) for number, waste in enumerate(WASTES[:wastes], 1)]
    below = (ROWS - 1) * _ROW_STEP + 1.25
    tall = [side(STOCK, 0, below), side(FOUNDATION, ROWS - 1, below)]
    tall += [side(waste, 0.25 + number, below) for number, waste in enumerate(WASTES[:wastes], 1)]
    first, both = (("@1", FOUNDATION),), (("@1", FOUNDATION), ("@2", FOUNDATION))
    preview = {"cell": first, "waste": first, "cell+cell": both, "cell+waste": both, "stock": draw}
    if wastes > 1:
        preview["waste+waste"] = both
    if open_stock:
        preview |= {"cell+stock": both, "waste+stock": both}
    return Layout(title, SIZE, (*cells(_SIDE), *wide), (*cells(0), *tall), preview)
