"""Faults that others shipped (field-report numbers in the names), held at the level of the rules."""

from itertools import product
from random import Random

import pytest

from server.core.deck import shuffled
from server.core.rules import Outcome, Rules
from server.errors import GameError
from server.games import ruleset
from server.play.attempt import Attempt, practice_policy
from tests.games.helpers import all_cards, amount, deal, legal, moved, seed_number, table, texts, walk
from tests.games.oracle import KEYS, PYRAMID_KEYS, ROW_OF, THIRTEEN_KEYS, Oracle


def every_request(rules: Rules) -> list[str]:
    """One pile name or two joined, in any order: all that could ever be a move of this table."""
    names = rules.layout.names
    return [*names, *(a + b for a, b in product(names, names))]


def accepted(attempt: Attempt, requests: list[str]) -> set[str]:
    """The canonical spellings of those requests that the attempt takes."""
    taken = set()
    for text in requests:
        try:
            after = attempt.play(text, 0)
        except GameError:
            continue
        assert after.last is not None
        taken.add(after.last.entry.text)
    return taken


@pytest.mark.parametrize("key", [*PYRAMID_KEYS, *THIRTEEN_KEYS])
@pytest.mark.parametrize("row", range(1, 7))
def test_r07_a_covered_king_is_not_removed_nor_one_with_a_partner(key: str, row: int) -> None:
    king = next(n for n, r in ROW_OF.items() if r == row)
    left, right = king + row, king + row + 1
    above = {f"p{n}": "2C" for n in ROW_OF if n < king or (ROW_OF[n] == row and n > king)}
    held = above | {f"p{king}": "KD"}
    for covers in ((left, right), (left,), (right,)):
        p = table(key, **held, **{f"p{n}": "3C" for n in covers}, s="4c 4d", w1="5C")
        assert f"p{king}" not in legal(key, p)
    p = table(key, **held, s="ac", w1="AD")
    assert f"p{king}" in legal(key, p)
    partners = [name for name in p.piles if name != f"p{king}"]
    requests = {a + b for n in partners for a, b in ((f"p{king}", n), (n, f"p{king}"))}
    assert not legal(key, p) & {ruleset(key).canonical(text) for text in requests}


@pytest.mark.parametrize("key", KEYS)
def test_r08_refused_requests_change_nothing_and_lose_no_card(key: str) -> None:
    rules = ruleset(key)
    rng = Random(8)
    requests = every_request(rules)
    attempt = Attempt.start(rules, shuffled(seed_number(8), rules.deck), practice_policy(rules))
    refused = 0
    while refused < 500:
        text = rng.choice(requests)
        before = (dict(attempt.position.piles), attempt.legal, attempt.seq, attempt.moves, attempt.at_ms)
        if rules.canonical(text) in attempt.legal:
            continue
        with pytest.raises(GameError):
            attempt.play(text, 1_000_000)
        refused += 1
        assert before == (dict(attempt.position.piles), attempt.legal, attempt.seq, attempt.moves, attempt.at_ms)
        assert all_cards(attempt.position) == sorted(rules.deck.cards)
        if refused % 50 == 0 and attempt.legal:
            attempt = attempt.play(rng.choice(attempt.legal), 0)


@pytest.mark.parametrize("key", KEYS)
def test_r10_every_possible_request_is_accepted_exactly_when_it_is_offered(key: str) -> None:
    """The legal list, the judge and the stuck verdict are one, and agree with the second writing of the rules."""
    rules = ruleset(key)
    requests = every_request(rules)
    checked = 0
    for number in range(amount(2, 100)):
        attempt = Attempt.start(rules, shuffled(seed_number(number), rules.deck), practice_policy(rules))
        oracle = Oracle(key, texts(shuffled(seed_number(number), rules.deck)))
        rng = Random(number)
        for _ in range(amount(8, 40)):
            taken = accepted(attempt, requests)
            assert taken == set(attempt.legal) == oracle.legal()
            assert (rules.outcome(attempt.position) is Outcome.STUCK) is (not taken and attempt.over is None)
            checked += 1
            if not attempt.legal:
                break
            move = rng.choice(attempt.legal)
            attempt = attempt.play(move, 0)
            oracle.play(move)
    assert checked >= amount(8, 200)


def test_r13_no_verdict_in_pyramid_while_a_draw_or_a_turn_over_is_left() -> None:
    rules = ruleset("pyramid")
    for piles in ({"s": "9c"}, {"w1": "9C"}, {"w1": "9C", "s": "9d"}):
        assert rules.outcome(table("pyramid", p1="5C", **piles)) is Outcome.OPEN
    assert rules.outcome(table("pyramid", p1="5C")) is Outcome.STUCK


def test_r13_no_verdict_in_bakers_dozen_while_a_pointless_move_is_left() -> None:
    p = table("bakers-dozen-kings", c1="KC")
    assert ruleset("bakers-dozen-kings").outcome(p) is Outcome.OPEN  # an empty column to walk to and fro
    p = table("bakers-dozen", c1="KC 9D", c2="QC TS")
    assert legal("bakers-dozen", p) == {"c1c2"}
    assert ruleset("bakers-dozen").outcome(p) is Outcome.OPEN


@pytest.mark.parametrize("key", KEYS)
def test_r13_the_verdict_equals_a_list_of_all_legal_actions_at_every_step(key: str) -> None:
    rules = ruleset(key)
    for number in range(amount(12, 1_000)):
        cards = shuffled(seed_number(number), rules.deck)
        attempt = Attempt.start(rules, cards, rules.undo)
        oracle = Oracle(key, texts(cards))
        rng = Random(number)
        for _ in range(60):
            outcome = rules.outcome(attempt.position)
            assert (outcome is Outcome.OPEN) is bool(oracle.legal())
            if outcome is not Outcome.OPEN:
                assert outcome.value == (oracle.over or "stuck")
                break
            move = rng.choice(attempt.legal)
            attempt = attempt.play(move, 0)
            oracle.play(move)


def test_r16_drawing_and_turning_over_at_the_edges() -> None:
    one = table("pyramid", p1="5C", s="9c")
    assert legal("pyramid", one) == {"s"}
    none = moved("pyramid", one, "s")
    assert none.piles["s"] == ()
    again = moved("pyramid", none, "s")
    assert again == one
    assert legal("pyramid", table("pyramid", p1="5C")) == set()  # neither stock nor waste
    p = table("pyramid", p1="5C", s="9c 9d", w1="2C")
    assert moved("pyramid", p, "s").piles["w1"] == table("pyramid", w1="2C 9D").piles["w1"]  # no turn over a stock


@pytest.mark.parametrize("key", PYRAMID_KEYS)
def test_r16_turning_over_as_often_as_you_like_and_undone_exactly(key: str) -> None:
    rules = ruleset(key)
    attempt = Attempt.start(rules, shuffled(seed_number(16), rules.deck), rules.undo)
    states = [attempt]
    turns = 0
    while turns < 5:
        turns += not attempt.position.piles["s"]
        attempt = attempt.play("s", 0)
        states.append(attempt)
    for state in reversed(states[:-1]):
        attempt = attempt.undo(0)
        assert attempt.position == state.position
        assert attempt.legal == state.legal
    assert attempt.position == deal(key, 16)


@pytest.mark.parametrize("key", THIRTEEN_KEYS)
def test_r16_never_turned_over_in_solitaire_13(key: str) -> None:
    for number in range(20):
        for p, moves in walk(ruleset(key), deal(key, number), Random(number), 80):
            assert ("s" in moves) is bool(p.piles["s"] and moves)
            if not p.piles["s"]:
                assert "s" not in moves
