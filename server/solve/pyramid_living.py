"""Which positions can be cleared when every outside card may be used at any time (P10): the others need no search."""

from collections.abc import Sequence
from typing import Final

from server.core.position import Pile
from server.games._order_free import OrderFree
from server.games._pyramid_table import SIZE
from server.solve.pyramid_board import Facts

_NEED_BITS: Final = 3


class Living:
    """The order-free test for many positions of one deal; keeps its answers."""

    def __init__(self, cells: tuple[Pile, ...], foundation: Pile, *, last_covers: bool) -> None:
        """``cells`` and ``foundation`` of the position where the search begins."""
        self._test = OrderFree(last_covers=last_covers)
        #: Whether that position itself can be cleared.
        self.start: Final = self._test.clearable(cells, foundation, patient=True)
        self._known: dict[int, bool] = {}

    def clearable(self, mask: int, facts: Facts, outside: int, of_rank: Sequence[int]) -> bool:
        """Whether the cells of ``mask`` can be cleared with these outside cards, ``of_rank`` telling their ranks."""
        key = mask
        shift = SIZE
        for low, low_needed, _, _, pairs in facts.groups:
            # What the matching bound already asks of the outside is met where a position is looked at.
            if pairs:
                need = low_needed + pairs - (outside & of_rank[low]).bit_count()
                if need > 0:
                    key |= need << shift
            shift += _NEED_BITS
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._test.clearable_from(key)
        return known
