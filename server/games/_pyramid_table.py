"""The pyramid of 28 cells: which cells cover which, and everything that follows from the set of cells still held.

A card leaves only after both of its covers (P2; or together with the last of them in ``pyramid-cover``), so no more
than 1,430 sets of held cells can ever occur. They are all worked out once, at import, and looked up afterwards.
"""

from collections.abc import Mapping
from operator import itemgetter
from typing import Final, NamedTuple

from server.core.position import Pile

ROWS: Final = 7
SIZE: Final = 28

#: Names of the cells, apex first, row by row (P1).
CELLS: Final = tuple(f"p{number}" for number in range(1, SIZE + 1))
APEX: Final = CELLS[0]
STOCK: Final = "s"
#: The wastes; most rulesets use the first alone.
WASTES: Final = ("w1", "w2", "w3")
#: Where removed cards lie.
FOUNDATION: Final = "f"

#: Row (0 for the apex) and place in the row of every cell.
PLACES: Final = tuple((row, place) for row in range(ROWS) for place in range(row + 1))

#: For every cell the bits of the two cells that cover it; none for the bottom row (P2).
COVERS: Final = tuple(0 if row == ROWS - 1 else 0b11 << (index + row + 1) for index, (row, _) in enumerate(PLACES))


def _below(cell: int) -> int:
    """Bits of all cells that must be empty before this one is uncovered."""
    covers = [other for other in range(SIZE) if COVERS[cell] >> other & 1]
    return COVERS[cell] | (_below(covers[0]) | _below(covers[1]) if covers else 0)


#: For every cell the bits of those that lie under it in any number of rows: the two are never uncovered together.
BELOW: Final = tuple(_below(cell) for cell in range(SIZE))

#: All cells held.
FULL: Final = (1 << SIZE) - 1

#: The piles of all cells in order, from the piles of a position.
cell_piles: Final = itemgetter(*CELLS)


class Shape(NamedTuple):
    """A set of held cells and what it implies.

    ``exposed`` are the uncovered cells (P2). ``last_covers`` are (parent, child) cells where the uncovered child is
    the only remaining cover of the parent (the relaxed P6 of ``pyramid-cover``).
    """

    mask: int
    exposed: tuple[int, ...]
    last_covers: tuple[tuple[int, int], ...]


def _shape(mask: int) -> Shape:
    exposed = tuple(i for i in range(SIZE) if mask >> i & 1 and not mask & COVERS[i])
    last_covers = tuple(
        (parent, child)
        for parent in range(SIZE)
        for child in exposed
        if mask >> parent & 1 and mask & COVERS[parent] == 1 << child
    )
    return Shape(mask, exposed, last_covers)


def _all_shapes() -> dict[int, Shape]:
    shapes: dict[int, Shape] = {}
    waiting = [FULL]
    while waiting:
        mask = waiting.pop()
        if mask not in shapes:
            shape = shapes[mask] = _shape(mask)
            waiting.extend(mask ^ 1 << cell for cell in shape.exposed)
    return shapes


#: Every shape that can occur, by its mask of held cells (bit 0 is p1).
SHAPES: Final[Mapping[int, Shape]] = _all_shapes()

# The same shapes under a key that is quick to make from the piles: one byte for each cell, its number of cards.
_BY_SIZES: Final = {bytes(mask >> i & 1 for i in range(SIZE)): shape for mask, shape in SHAPES.items()}


def shape_of(cells: tuple[Pile, ...]) -> Shape:
    """The shape of the piles that :data:`cell_piles` gives."""
    return _BY_SIZES[bytes(map(len, cells))]
