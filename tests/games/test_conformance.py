"""Every discovered ruleset passes the same random play: a new game is tested by being there."""

from collections.abc import Iterator
from random import Random

import pytest

from server.core.cards import DOWN, HIDDEN
from server.core.deck import shuffled
from server.core.moves import RESERVED, split
from server.core.position import Flip, Position, Shift, Step, inverse
from server.core.rules import Outcome, Rules
from server.games import rulesets
from tests.games.helpers import all_cards, amount, seed_number, walk

ALL = list(rulesets().values())
GAMES = amount(15, 400)
LENGTH = 60

pytestmark = [
    pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.key),
    pytest.mark.timeout(amount(600, 3_600)),
]


def positions(rules: Rules, games: int = GAMES) -> Iterator[tuple[Position, list[str]]]:
    for number in range(games):
        p = rules.deal(shuffled(seed_number(number), rules.deck))
        yield from walk(rules, p, Random(number), LENGTH)


def test_the_table_is_described_whole(rules: Rules) -> None:
    assert rules.key
    assert rules.family
    assert rules.title == rules.layout.title
    assert rules.version >= 1
    assert set(rules.rankings) == {"main", "moves"}
    assert all(0 < len(keys) <= 2 for keys in rules.rankings.values())
    p = rules.deal(shuffled(seed_number(0), rules.deck))
    assert set(rules.layout.names) == set(p.piles)
    assert not RESERVED & set(rules.layout.names)


def test_the_rules_page_says_what_players_ask_for(rules: Rules) -> None:
    page = "\n".join(rules.text)
    assert len(rules.text) >= 8
    assert all(paragraph == paragraph.strip() and paragraph for paragraph in rules.text)
    for word in ("# How it ranks", "# Undo", "ndo", "solver"):
        assert word in page


def test_both_arrangements_fit_their_screens(rules: Rules) -> None:
    """Wide: 13 columns of cards and 8 rows at 1280x800; narrow: seven columns at 360 pixels."""
    assert all(0 <= pile.x <= 12 and 0 <= pile.y <= 7 for pile in rules.layout.piles)
    assert all(0 <= pile.x <= 6 for pile in rules.layout.tall)
    for arrangement in (rules.layout.piles, rules.layout.tall):
        places = [(pile.x, pile.y) for pile in arrangement]
        assert len(set(places)) == len(places)


def test_no_card_appears_or_vanishes(rules: Rules) -> None:
    deck = sorted(rules.deck.cards)
    for p, _ in positions(rules):
        assert all_cards(p) == deck


def test_legal_moves_are_canonical_distinct_and_none_when_decided(rules: Rules) -> None:
    for p, moves in positions(rules):
        assert len(set(moves)) == len(moves)
        assert moves == rules.moves(p)
        for move in moves:
            assert rules.canonical(move) == move
            assert set(split(move)) <= set(rules.layout.names)
        verdict = rules.verdict(p)
        assert verdict in (Outcome.OPEN, Outcome.WON, Outcome.LOST)
        if verdict is not Outcome.OPEN:
            assert moves == []
        assert rules.outcome(p) is rules.outcome(p, moves)
        assert (rules.outcome(p) is Outcome.STUCK) is (verdict is Outcome.OPEN and not moves)


def test_progress_stays_within_its_bounds_and_a_win_reaches_the_top(rules: Rules) -> None:
    for p, _ in positions(rules):
        assert 0 <= rules.progress(p) <= rules.layout.maximum
        assert (rules.verdict(p) is Outcome.WON) <= (rules.progress(p) == rules.layout.maximum)
        score = rules.score(p)
        assert score is None or (rules.verdict(p) is Outcome.WON and score >= 0)


def test_steps_change_something_and_have_an_inverse(rules: Rules) -> None:
    for p, moves in positions(rules, amount(5, 100)):
        for move in moves:
            steps = rules.steps(p, move)
            assert steps
            assert all(isinstance(step, Shift | Flip) for step in steps)
            after = p.after(steps)
            assert after != p
            back = inverse(steps, p)
            assert back is not None
            assert after.after(back) == p


def carries(steps: tuple[Step, ...], source: str, target: str) -> bool:
    return any(isinstance(s, Shift) and (s.source, s.target, s.number) == (source, target, 1) for s in steps)


def test_previews_cover_every_shape_and_move_what_they_say(rules: Rules) -> None:
    """``layout.preview`` names cards that a legal move of the shape surely moves (PROTOCOL 2)."""
    kinds = {pile.name: pile.kind for pile in rules.layout.piles}
    for p, moves in positions(rules):
        for move in moves:
            names = split(move)
            shape = "+".join(kinds[name] for name in names)
            assert shape in rules.layout.preview, shape
            places = {f"@{number}": name for number, name in enumerate(names, 1)}
            for source, target in rules.layout.preview[shape]:
                assert carries(rules.steps(p, move), places.get(source, source), places.get(target, target))


def test_c9_a_view_has_the_same_piles_and_invents_nothing(rules: Rules) -> None:
    for p, _ in positions(rules):
        view = rules.view(p)
        assert set(view.piles) == set(p.piles)
        for name, pile in view.piles.items():
            assert len(pile) == len(p.piles[name])
            assert all(c in (true, HIDDEN) for c, true in zip(pile, p.piles[name], strict=True))
            assert pile == rules.view_pile(name, p.piles[name])


def test_c9_face_down_stock_cards_are_hidden(rules: Rules) -> None:
    stocks = {pile.name for pile in rules.layout.piles if pile.kind == "stock"}
    for p, _ in positions(rules):
        for name in stocks:
            for c, seen in zip(p.piles[name], rules.view(p).piles[name], strict=True):
                assert (seen == HIDDEN) or c < DOWN


def test_winnable_and_the_rest_leave_the_position_alone(rules: Rules) -> None:
    for p, moves in positions(rules, 3):
        before = dict(p.piles)
        rules.winnable(rules.view(p), {}, patient=True)
        rules.outcome(p)
        for move in moves:
            p.after(rules.steps(p, move))
        assert dict(p.piles) == before


def test_winnable_is_true_of_won_and_false_of_lost_positions_where_told(rules: Rules) -> None:
    for p, _ in positions(rules):
        told = rules.winnable(rules.view(p), {}, patient=True)
        outcome = rules.outcome(p)
        assert told in ((True, None) if outcome is Outcome.WON else (True, False, None))
        if outcome in (Outcome.LOST, Outcome.STUCK):
            assert told is not True
