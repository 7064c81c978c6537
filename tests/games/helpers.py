"""What the tests of the games share: deals by number, hand-made positions, walks, and the scale of a run."""

import os
from collections.abc import Iterator, Sequence
from random import Random

from server.core.cards import CARDS_BY_TEXT, DOWN, Card, card_text, pile_texts
from server.core.deck import shuffled
from server.core.moves import Move
from server.core.position import Position
from server.core.rules import Rules
from server.games import ruleset

#: Whether to run the long profile; the short one keeps the suite quick.
DEEP = os.environ.get("SAMEDEAL_TEST_DEEP", "") not in ("", "0")


def amount(quick: int, deep: int) -> int:
    """How much of something to try: ``quick`` by default, ``deep`` with ``SAMEDEAL_TEST_DEEP=1``."""
    return deep if DEEP else quick


def seed_number(number: int) -> str:
    """The seed that a number makes."""
    return f"{number:032x}"


def deal(key: str, number: int = 0) -> Position:
    """A numbered deal of a ruleset."""
    rules = ruleset(key)
    return rules.deal(shuffled(seed_number(number), rules.deck))


def table(key: str, **piles: str) -> Position:
    """A hand-made position: named piles hold the cards written, bottom first (lower case lies face down)."""
    names = ruleset(key).layout.names
    assert set(piles) <= set(names)
    return Position({name: _pile(piles.get(name, "")) for name in names})


def _pile(text: str) -> tuple[Card, ...]:
    return tuple(CARDS_BY_TEXT[t.upper()] | (DOWN if t[1].islower() else 0) for t in text.split())


def shown(p: Position) -> dict[str, str]:
    """The piles that hold cards, as text."""
    return {name: " ".join(pile_texts(pile)) for name, pile in p.piles.items() if pile}


def legal(key: str, p: Position) -> set[Move]:
    """The legal moves of a position; also sees that none is listed twice."""
    moves = ruleset(key).moves(p)
    assert len(set(moves)) == len(moves)
    return set(moves)


def moved(key: str, p: Position, *moves: Move) -> Position:
    """The position after legal moves."""
    rules = ruleset(key)
    for move in moves:
        assert move in rules.moves(p), (move, rules.moves(p), shown(p))
        p = p.after(rules.steps(p, move))
    return p


def walk(rules: Rules, p: Position, rng: Random, length: int) -> Iterator[tuple[Position, list[Move]]]:
    """A position with its legal moves, then those after random moves, half of them chosen so that games get on."""
    for _ in range(length):
        moves = rules.moves(p)
        yield p, moves
        if not moves:
            return
        tried = rng.sample(moves, min(len(moves), rng.choice((1, 4))))
        p = max((p.after(rules.steps(p, move)) for move in tried), key=rules.progress)


def all_cards(p: Position) -> list[Card]:
    """Every card of a position, face up, in order of value."""
    return sorted(c & ~DOWN for pile in p.piles.values() for c in pile)


def texts(cards: Sequence[Card]) -> list[str]:
    """The texts of cards."""
    return [card_text(c) for c in cards]
