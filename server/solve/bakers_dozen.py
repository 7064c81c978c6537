"""The solver of Baker's Dozen in all its rulesets.

Beams over the disorder of the columns find a line and shorten it, with a best-first search between them that can prove
a loss; A* with a bound then says that par is exact where it comes to an end. 52 moves go home in any case, so only
moves between columns count. Columns are interchangeable: a state is their sorted numbers behind the number of cards at
home of each suit.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import count, pairwise
from typing import Final, NamedTuple

from server.core.cards import KING, Card
from server.core.moves import Move
from server.core.position import Position
from server.core.rules import Rules
from server.games.bakers_dozen import COLUMNS, FOUNDATIONS, BakersDozen
from server.solve.beam import beam
from server.solve.columns import EMPTY, NO_CARD, Columns, Weights
from server.solve.shortest import Way, shortest
from server.solve.solution import Budget, Line

#: Cards at home of each suit, packed four bits a suit, and in the last place of the table when all are.
_ALL_HOME: Final = 0xDDDD

#: The home as the target of a move; columns are told by their last card, so an empty one by NO_CARD.
_HOME: Final = -2

_State = tuple[int, ...]


class Guide(NamedTuple):
    """A way to weigh disorder: what counts a card above a lower one, above a lower one of its suit, above one that is
    next home.
    """

    blocked: int
    suited: int
    waiting: int


#: Tried in turn: where one of them is blind another mostly sees.
GUIDES: Final = (Guide(8, 4, 1), Guide(4, 4, 1), Guide(4, 6, 0))
#: Width of the first beams, nodes of the first best-first search, and how much more each next round may take.
FIRST_WIDTH: Final = 60
FIRST_NODES: Final = 1_000
MORE: Final = 4
#: The best-first search weighs disorder against moves between columns at this price.
MOVE_PRICE: Final = 2
#: Widths of the beams that look for a shorter line.
SHORTENING: Final = (250, 1_000)


def solve_bakers_dozen(rules: Rules, position: Position, budget: Budget, *, par: bool) -> Line:
    """The verdict and the shortest line found, from any position that is not decided.

    A loss is proved where a search has seen every position that can follow. Par is exact where the last search ends.
    """
    if not isinstance(rules, BakersDozen):
        raise TypeError(f"{rules.key} is no Baker's Dozen")
    columns = Columns()
    table = Table(rules, columns)
    homes = sum(len(position.piles[home]) << 4 * suit for suit, home in enumerate(FOUNDATIONS))
    start = table.settled(homes, [columns.number(position.piles[column]) for column in COLUMNS])
    way = _first(table, start, columns, budget)
    if not way.states:
        return Line(False if way.proven else None)
    exact = way.proven
    if par and not exact:
        for width in SHORTENING:
            for guide in GUIDES:
                better = beam(table, start, budget, width=width, worth=_worth(columns, guide), below=way.cost)
                way = better if better.states else way
        best = shortest(table, start, budget, below=way.cost)
        way = best if best.states else way
        exact = best.proven
    return Line(True, tuple(_moves(rules, table, position, way)), exact)


def _first(table: "Table", start: _State, columns: Columns, budget: Budget) -> Way[_State]:
    """The first line found, by beams and best-first in turn; proven and without states where none can exist."""
    for around in count():
        for guide in GUIDES:
            worth = _worth(columns, guide)
            way = beam(table, start, budget, width=FIRST_WIDTH * MORE**around, worth=worth)
            if way.states or way.proven or budget.over:
                return way

        def priority(state: _State, cost: int, _left: int, worth: Callable[[_State], int] = worth) -> int:
            return MOVE_PRICE * cost + worth(state)

        way = shortest(table, start, budget, guide=priority, nodes=FIRST_NODES * MORE**around)
        if way.states or way.proven or budget.over:
            # The best-first search counts as proof of a loss only: its lines are seldom short.
            return Way(way.states, way.cost, way.proven and not way.states)
    raise AssertionError("the rounds have no end")


def _worth(columns: Columns, guide: Guide) -> Callable[[_State], int]:
    """The disorder of a state by a guide."""
    weights = Weights(columns, blocked=guide.blocked, suited=guide.suited, waiting=guide.waiting)
    return lambda state: weights.of(state[1:], state[0])


class Table:
    """The search problem of one ruleset; what it costs are moves between columns."""

    def __init__(self, rules: BakersDozen, columns: Columns) -> None:
        """``columns`` numbers the columns of the states."""
        self._columns = columns
        self._any_suit = rules.any_suit
        self._kings_move = rules.kings_move

    def is_goal(self, state: _State) -> bool:
        """Whether all cards are home (B7)."""
        return state[0] == _ALL_HOME

    def estimate(self, state: _State) -> int:
        """Moves between columns at the least: a card above a lower one of its suit cannot go home as it lies (B4)."""
        suited = self._columns.suited
        return sum([suited[column] for column in state[1:]])

    def followers(self, state: _State) -> Iterable[tuple[_State, int]]:
        """The states behind one move and the safe moves home that it allows."""
        return [(following, cost) for following, cost, _, _ in self.steps(state)]

    def settled(self, homes: int, columns: list[int]) -> _State:
        """The state after every safe move home.

        A card may go when the next lower cards of the other suits are home, or could go there as soon as they are
        last: then nothing would ever be laid on it (B5, B8, B9).
        """
        tops, under = self._columns.tops, self._columns.under
        last = [tops[column] for column in columns]
        again = True
        while again:
            again = False
            for card in next_home(homes):
                if card in last and is_safe(card, homes):
                    at = last.index(card)
                    columns[at] = under[columns[at]]
                    last[at] = tops[columns[at]]
                    homes += 1 << 4 * (card & 3)
                    again = True
        columns.sort()
        return (homes, *columns)

    def steps(self, state: _State) -> Iterator[tuple[_State, int, Card, int]]:
        """The states that follow, each with its cost, the card moved and the last card of its target."""
        homes, *columns = state
        tops, under, piles = self._columns.tops, self._columns.under, self._columns.piles
        number = self._columns.number
        last = [tops[column] for column in columns]
        targets: dict[int, list[int]] = {}
        for at, card in enumerate(last):
            if card != NO_CARD:
                targets.setdefault(card >> 2, []).append(at)
        for at, card in enumerate(last):
            if card == NO_CARD:
                continue
            column = columns[at]
            if homes >> 4 * (card & 3) & 15 == card >> 2:
                left = columns.copy()
                left[at] = under[column]
                yield self.settled(homes + (1 << 4 * (card & 3)), left), 0, card, _HOME
            for target in targets.get((card >> 2) + 1, ()):
                if self._any_suit or (last[target] ^ card) & 3:
                    left = columns.copy()
                    left[at] = under[column]
                    left[target] = number((*piles[columns[target]], card))
                    yield self.settled(homes, left), 1, card, last[target]
            if card >> 2 == KING and self._kings_move and columns[0] == EMPTY and under[column] != EMPTY:
                left = columns.copy()
                left[at] = under[column]
                left[0] = number((card,))
                yield self.settled(homes, left), 1, card, NO_CARD


def next_home(homes: int) -> tuple[Card, ...]:
    """The card of each suit that is next to go home (B4); behind a king, a card that does not exist."""
    return tuple((homes >> 4 * suit & 15) * 4 + suit for suit in range(4))


def is_safe(card: Card, homes: int) -> bool:
    """Whether nothing need ever be laid on a card that could go home."""
    least = (card >> 2) - 1
    return all((homes >> 4 * suit & 15) >= least for suit in range(4))


def _moves(rules: BakersDozen, table: "Table", position: Position, way: Way[_State]) -> Iterator[Move]:
    """The moves of a way, with the safe moves home between its states."""

    def played(move: Move) -> Move:
        nonlocal position
        position = position.after(rules.steps(position, move))
        return move

    yield from map(played, _safe(lambda: position))
    for before, after in pairwise(way.states):
        _, card, target = min(
            (cost, card, target) for following, cost, card, target in table.steps(before) if following == after
        )
        last = {position.piles[column][-1] if position.piles[column] else NO_CARD: column for column in COLUMNS}
        yield played(last[card] + (FOUNDATIONS[card & 3] if target == _HOME else last[target]))
        yield from map(played, _safe(lambda: position))


def _safe(position: Callable[[], Position]) -> Iterator[Move]:
    """The safe moves home of a position that changes while they are played, until there is none."""
    while move := _one_safe(position()):
        yield move


def _one_safe(position: Position) -> Move | None:
    homes = sum(len(position.piles[home]) << 4 * suit for suit, home in enumerate(FOUNDATIONS))
    wanted = [card for card in next_home(homes) if is_safe(card, homes)]
    for column in COLUMNS:
        pile = position.piles[column]
        if pile and pile[-1] in wanted:
            return column + FOUNDATIONS[pile[-1] & 3]
    return None
