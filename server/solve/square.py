"""The table of a Foursquare for a search: tops and heights of 49 cells as bytes, and what a card does to them."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from server.core.cards import DOWN
from server.core.position import Position
from server.games.foursquare import CELLS, DOWN_LIMIT, GRID, SIDE

#: Added to a top that lies face down. A top is its rank plus one; a cell without a pile is 0.
TURNED: Final = 16

_SIZE: Final = GRID * GRID
_TURN: Final = bytes(v and (v ^ TURNED) if v < 2 * TURNED else v for v in range(256))
_IS_DOWN: Final = bytes(v >= TURNED for v in range(256))
_IS_PILE: Final = bytes(v > 0 for v in range(256))
_MAY_GROW: Final = bytes(0 < height < SIDE for height in range(256))
#: Where every cell lies in each of the eight pictures of the grid.
_PICTURES: Final = tuple(
    tuple(
        (x if not across else GRID - 1 - x) * GRID + (y if not down else GRID - 1 - y)
        for at in range(_SIZE)
        for x, y in ((at // GRID, at % GRID) if not swapped else (at % GRID, at // GRID),)
    )
    for across in (False, True)
    for down in (False, True)
    for swapped in (False, True)
)


class Square(NamedTuple):
    """Tops and heights of all cells, column by column."""

    tops: bytes
    heights: bytes

    @property
    def piles(self) -> int:
        """Number of piles."""
        return _SIZE - self.tops.count(0)

    @property
    def down(self) -> int:
        """Number of tops that lie face down."""
        return self.tops.translate(_IS_DOWN).count(1)

    def picture(self) -> "Square":
        """The least of the eight pictures of the table in mirrors: they can be played alike."""
        return min(
            Square(bytes([self.tops[at] for at in picture]), bytes([self.heights[at] for at in picture]))
            for picture in _PICTURES
        )

    def after(self, at: int, card: int, *, placed_turns: bool) -> "Square | None":
        """The table with a card (rank plus one) on a cell, None where too many tops lie face down then (F3-F6, F10)."""
        tops = bytearray(self.tops)
        tops[at] = 0
        column = at // GRID * GRID
        row = at % GRID
        placed = card
        turned_row = _turned(bytes(tops[row::GRID]), card)
        turned_column = _turned(bytes(tops[column : column + GRID]), card)
        if turned_row is not None:
            tops[row::GRID] = turned_row
            placed ^= TURNED if placed_turns else 0
        if turned_column is not None:
            tops[column : column + GRID] = turned_column
            placed ^= TURNED if placed_turns else 0
        tops[at] = placed
        if tops.translate(_IS_DOWN).count(1) > DOWN_LIMIT:
            return None
        heights = bytearray(self.heights)
        heights[at] += 1
        return Square(bytes(tops), bytes(heights))

    def cells(self) -> Iterator[int]:
        """The cells that may take a card (F2)."""
        for at, grows in enumerate(self.heights.translate(_MAY_GROW)):
            if grows:
                yield at
        yield from _growth(self.heights.translate(_IS_PILE))


def square_of(position: Position) -> Square:
    """The table of a position."""
    piles = [position.piles[cell] for cell in CELLS]
    tops = [(pile[-1] % DOWN // 4 + 1) | (TURNED if pile[-1] >= DOWN else 0) if pile else 0 for pile in piles]
    return Square(bytes(tops), bytes(map(len, piles)))


@lru_cache(maxsize=100_000)
def _turned(line: bytes, card: int) -> bytes | None:
    """The other tops of a line turned over (F4), None where they stay or where there are none."""
    up = [top for top in line if 0 < top < TURNED]
    if up and min(up) <= card <= max(up):
        return None
    return line.translate(_TURN) if any(line) else None


@lru_cache(maxsize=50_000)
def _growth(occupied: bytes) -> tuple[int, ...]:
    """The empty cells beside piles where a new pile leaves all within a square (F2)."""
    taken = [divmod(at, GRID) for at in range(_SIZE) if occupied[at]]
    columns = [x for x, _ in taken]
    rows = [y for _, y in taken]
    return tuple(
        sorted(
            {
                x * GRID + y
                for column, row in taken
                for x, y in ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
                if max(columns) - SIDE < x < min(columns) + SIDE and max(rows) - SIDE < y < min(rows) + SIDE
                if 0 <= x < GRID and 0 <= y < GRID and not occupied[x * GRID + y]
            }
        )
    )
