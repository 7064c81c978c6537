"""How many draws a position with one waste still asks for at the least: the bound that makes par exact in seconds.

Three things ask for draws. Each rank needs a number of outside cards, and the last of them must be reached. A card
that lies deep in the waste comes back in the next turn only, unless every card above it can go before: a matter of
how many cells could take cards of those ranks. And a cell that only an outside card can remove waits for the cells
below it, so that chains of such cells need their cards in order.

In the next turn of the stock (P5) every card that is still there costs a draw. A card beyond the needed ones that is
gone by then has cost a move as well: a pair in the pyramid was given up for two of them, or it was a king.
"""

from collections.abc import Sequence
from typing import Final

from server.core.cards import KING
from server.solve.pyramid_board import Facts
from server.solve.shortest import LOST

# A time is a number of turns from now and a place in the order that has been drawn, packed into one integer.
_PLACE_BITS: Final = 5
_PLACE: Final = 31
_NEVER: Final = 1 << 20


class Draws:
    """The bound for one deal."""

    def __init__(self, order: tuple[int, ...], of_rank: Sequence[int], *, turns_over: bool, open_stock: bool) -> None:
        """``order``: ranks in drawing order; ``of_rank``: the bits of each rank in it."""
        self._order = order
        self._of_rank = of_rank
        self._turns_over = turns_over
        self._open_stock = open_stock

    def needed(self, facts: Facts, outside: int, drawn: int) -> int:
        """Draws and turns that are still to come at the least, LOST where the cards cannot be reached any more."""
        waste = (1 << drawn) - 1
        of_rank = self._of_rank
        # In the open game a waste card can also go with the next stock card, so nothing is known to be buried.
        floor = 0 if self._open_stock else self._floor(outside & waste, facts.room)
        reachable = outside >> floor << floor
        last = again = 0
        for rank, number in facts.needed:
            cards = of_rank[rank] & reachable
            missing = number - cards.bit_count()
            if missing <= 0:
                number -= (cards & waste).bit_count()
                if number > 0:
                    card = _lowest(cards & ~waste, number)
                    if card > last:
                        last = card
            else:
                cards = of_rank[rank] & (outside ^ reachable)
                if not self._turns_over or cards.bit_count() < missing:
                    return LOST
                card = _lowest(cards, missing)
                if card > again:
                    again = card
        turns = 0
        if facts.links and not self._open_stock:
            time = self._chained(facts, outside, drawn)
            if time >= _NEVER:
                return LOST
            turns = time >> _PLACE_BITS
            card = 1 << (time & _PLACE) >> 1
            if turns == 0 and card > last:
                last = card
            elif turns == 1 and card > again:
                again = card
        ahead = outside & ~waste
        if turns > 1:
            return ahead.bit_count() + self._crossing(facts, outside) + turns + 1
        if self._open_stock:
            if again:
                return 1 + self._crossing(facts, outside & (again - 1))
            return self._crossing(facts, ahead & (last - 1)) if last else 0
        if again:
            return ahead.bit_count() + self._crossing(facts, outside & (again - 1)) + 2
        return (ahead & (2 * last - 1)).bit_count() if last else 0

    def _floor(self, waste: int, room: Sequence[int]) -> int:
        """The place from which on every card of a waste may be brought to its top, by removals of those above it."""
        order = self._order
        left = [*room]
        while waste:
            place = waste.bit_length()
            card = order[place - 1]
            if not left[card]:
                return place
            left[card] -= 1
            waste ^= 1 << place - 1
        return 0

    def _can_go(self, cards: int, room: Sequence[int]) -> bool:
        """Whether cells could take all of these cards."""
        order = self._order
        left: list[int] | None = None
        while cards:
            place = cards.bit_length() - 1
            card = order[place]
            if left is None:
                left = [*room]
            if not left[card]:
                return False
            left[card] -= 1
            cards ^= 1 << place
        return True

    def _chained(self, facts: Facts, outside: int, drawn: int) -> int:
        """The earliest time at which the cells that only outside cards can remove may all have left."""
        latest = drawn
        times: list[int] = []
        for rank, before, room in facts.links:
            time = drawn
            for link in before:
                if times[link] > time:
                    time = times[link]
            cards = self._of_rank[rank] & outside
            place = time & _PLACE
            behind = cards & (1 << place) - 1
            if not behind or not self._can_go(outside & (1 << place) - (1 << behind.bit_length()), room):
                if ahead := cards >> place:
                    time += (ahead & -ahead).bit_length()
                elif cards and self._turns_over:
                    time = (time >> _PLACE_BITS) + 1 << _PLACE_BITS | (cards & -cards).bit_length()
                else:
                    return _NEVER
            times.append(time)
            if time > latest:
                latest = time
        return latest

    def _crossing(self, facts: Facts, region: int) -> int:
        """Moves beyond the fewest removals that it costs at the least to have the cards of a region behind one."""
        of_rank = self._of_rank
        cost = (region & of_rank[KING]).bit_count()
        for low, low_needed, high, high_needed, pairs in facts.groups:
            more = (region & of_rank[low]).bit_count() - low_needed
            others = (region & of_rank[high]).bit_count() - high_needed
            if more < others:
                more, others = others, more
            if more > 0:
                cost += more if others <= pairs else more + others - pairs
        return cost


def _lowest(cards: int, number: int) -> int:
    """The bit of the card that is ``number``-th from below."""
    while number > 1:
        cards &= cards - 1
        number -= 1
    return cards & -cards
