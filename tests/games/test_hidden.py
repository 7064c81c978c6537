"""X12 at the level of the rules: two deals that differ only in cards not seen yet cannot be told apart."""

from random import Random

import pytest

from server.core.cards import HIDDEN, Card
from server.core.deck import shuffled
from server.core.position import Position, changed_piles
from server.core.rules import Memo, Rules, Undecided
from server.games import rulesets
from tests.games.helpers import amount, seed_number

ALL = list(rulesets().values())
#: TARGETS X12: 500 pairs of deals for each ruleset is the gate (``SAMEDEAL_TEST_DEEP=1`` does it).
PAIRS = amount(40, 500)


def random_way(rules: Rules, cards: tuple[Card, ...], rng: Random) -> tuple[list[str], set[Card]]:
    """Some random moves from a deal, and every card that the player has seen on the way."""
    p = rules.deal(cards)
    moves: list[str] = []
    seen = visible(rules, p)
    for _ in range(rng.randrange(40)):
        legal = rules.moves(p)
        if not legal:
            break
        moves.append(rng.choice(legal))
        p = p.after(rules.steps(p, moves[-1]))
        seen |= visible(rules, p)
    return moves, seen


def visible(rules: Rules, p: Position) -> set[Card]:
    return {c & 63 for pile in rules.view(p).piles.values() for c in pile if c != HIDDEN}


def twin(cards: tuple[Card, ...], seen: set[Card], rng: Random) -> tuple[Card, ...]:
    """The same deck with the cards that were never seen in another order."""
    unseen = [c for c in cards if c not in seen]
    rng.shuffle(unseen)
    others = iter(unseen)
    return tuple(c if c in seen else next(others) for c in cards)


def told(rules: Rules, p: Position, memo: Memo) -> object:
    """Everything that may leave the server about a position."""
    try:
        winnable: object = rules.winnable(rules.view(p), memo)
    except Undecided:
        winnable = Undecided
    return rules.view(p), rules.moves(p), rules.outcome(p), rules.progress(p), rules.score(p), winnable


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.key)
def test_x12_unseen_cards_change_nothing_that_is_told(rules: Rules) -> None:
    hides = HIDDEN in {c for pile in rules.view(rules.deal(rules.deck.cards)).piles.values() for c in pile}
    differing = 0
    for number in range(3 * PAIRS):
        rng = Random(number)
        cards = shuffled(seed_number(number), rules.deck)
        moves, seen = random_way(rules, cards, rng)
        others = twin(cards, seen, rng)
        if others == cards:
            continue
        differing += 1
        one, two = rules.deal(cards), rules.deal(others)
        memos: tuple[Memo, Memo] = ({}, {})
        assert told(rules, one, memos[0]) == told(rules, two, memos[1])
        for move in moves:
            steps = rules.steps(one, move)
            assert rules.steps(two, move) == steps
            one, two = one.after(steps), two.after(steps)
            assert told(rules, one, memos[0]) == told(rules, two, memos[1])
            for name in changed_piles(steps):
                assert rules.view_pile(name, one.piles[name]) == rules.view_pile(name, two.piles[name])
    assert differing >= PAIRS if hides else differing == 0


@pytest.mark.interpreted
def test_x12_catches_a_view_that_shows_the_next_card() -> None:
    """The control: a ruleset that leaks the top of the stock is told from its twin."""

    class Leaking(type(rulesets()["pyramid"])):  # type: ignore[misc]
        def view_pile(self, name: str, pile: tuple[Card, ...]) -> tuple[Card, ...]:
            return pile[-1:] if name == "s" else pile

    rules: Rules = Leaking()
    cards = shuffled(seed_number(1), rules.deck)
    others = cards[:28] + cards[:27:-1]
    assert told(rules, rules.deal(cards), {}) != told(rules, rules.deal(others), {})
    honest = rulesets()["pyramid"]
    assert told(honest, honest.deal(cards), {}) == told(honest, honest.deal(others), {})
