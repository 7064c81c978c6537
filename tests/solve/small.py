"""Positions small enough to be searched by the plainest means, and those means."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from random import Random

from server.core.deck import shuffled
from server.core.position import Position
from server.core.rules import Outcome, Rules
from server.games import ruleset
from server.solve.solution import Budget
from tests.games.helpers import seed_number, walk


def nodes(count: int) -> Budget:
    """A budget of nodes alone, so that a run is the same on every machine."""
    return Budget(lambda: 0.0, nodes=count)


def plain_par(
    rules: Rules, start: Position, *, alike: Callable[[Position], Hashable] = lambda p: p, most: int = 60_000
) -> int | None:
    """Fewest moves to a win, None where there is none: breadth first, over the rules alone.

    Of positions for which ``alike`` is equal one is enough.
    """
    seen = {alike(start)}
    layer = [start]
    depth = 0
    while layer:
        following = []
        for p in layer:
            if rules.verdict(p) is Outcome.WON:
                return depth
            for move in rules.moves(p):
                after = p.after(rules.steps(p, move))
                if (known := alike(after)) not in seen:
                    seen.add(known)
                    following.append(after)
        assert len(seen) <= most, "not a small position"
        layer = following
        depth += 1
    return None


def thinned(p: Position, rng: Random, most: int) -> Position:
    """A pyramid position with at most about so many outside cards: pairs and kings among them go to the foundation."""
    piles = {name: list(pile) for name, pile in p.piles.items()}
    outside = [(name, c) for name in piles if name[0] in "sw" for c in piles[name]]
    rng.shuffle(outside)
    taken: list[tuple[str, int]] = []
    waiting: dict[int, list[tuple[str, int]]] = {}
    for name, c in outside:
        rank = (c & 63) >> 2
        if len(outside) - len(taken) <= most:
            break
        if rank == 12:
            taken.append((name, c))
        elif partners := waiting.get(11 - rank):
            taken += [(name, c), partners.pop()]
        else:
            waiting.setdefault(rank, []).append((name, c))
    for name, c in taken:
        piles[name].remove(c)
        piles["f"].append(c & 63)
    return Position({name: tuple(pile) for name, pile in piles.items()})


def small_pyramids(key: str, count: int, *, cells: int = 7, outside: int = 7) -> Iterator[Position]:
    """Positions of real games with few cells left, thinned."""
    rules = ruleset(key)
    number = 0
    while count:
        number += 1
        rng = Random(number)
        start = rules.deal(shuffled(seed_number(number), rules.deck))
        for p, _ in walk(rules, start, rng, 200):
            small = thinned(p, rng, outside)
            if p.piles["p1"] and 28 - rules.progress(p) <= cells and rules.outcome(small) is Outcome.OPEN:
                yield small
                count -= 1
                break


def sorted_columns(p: Position) -> Hashable:
    """The same for positions of Baker's Dozen that differ in the places of their columns alone."""
    return tuple(sorted(pile for name, pile in p.piles.items() if name[0] == "c"))


def late_columns(key: str, count: int, *, left: int = 16) -> Iterator[Position]:
    """Positions of Baker's Dozen in which so many cards are not home: those of random low suits, on a few columns."""
    rules = ruleset(key)
    for number in range(count):
        rng = Random(number)
        homes = [13, 13, 13, 13]
        while sum(homes) > 52 - left:
            homes[rng.choice([suit for suit in range(4) if homes[suit]])] -= 1
        cards = [r * 4 + suit for suit in range(4) for r in range(homes[suit], 13)]
        rng.shuffle(cards)
        columns: list[list[int]] = [[] for _ in range(13)]
        for index, c in enumerate(cards):
            columns[index % 5].append(c)
        piles = {f"c{index + 1}": tuple(column) for index, column in enumerate(columns)}
        piles |= {"f" + "cdhs"[suit]: tuple(r * 4 + suit for r in range(homes[suit])) for suit in range(4)}
        p = Position(piles)
        assert Counter(c for pile in piles.values() for c in pile) == Counter(range(52))
        if rules.outcome(p) is Outcome.OPEN:
            yield p
