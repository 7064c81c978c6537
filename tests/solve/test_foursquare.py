"""The solver of Foursquare: its table is that of the rules, its beam exact where nothing is left out."""

from random import Random

import pytest

from server.core.cards import DOWN, rank
from server.core.deck import shuffled
from server.core.position import Position
from server.core.rules import Outcome
from server.games import ruleset
from server.games.foursquare import CELLS, Foursquare
from server.solve import solve
from server.solve.foursquare import WIDTHS
from server.solve.square import square_of
from tests.games.helpers import amount, deal, seed_number, walk
from tests.solve.small import nodes, plain_par

KEYS = ("foursquare", "foursquare-all")


def family(key: str) -> Foursquare:
    rules = ruleset(key)
    assert isinstance(rules, Foursquare)
    return rules


@pytest.mark.parametrize("key", KEYS)
def test_f2_to_f6_f10_the_square_changes_as_the_rules_say(key: str) -> None:
    rules = family(key)
    seen = 0
    for number in range(amount(15, 300)):
        for p, moves in walk(rules, deal(key, number), Random(number), 40):
            if not moves:
                break
            square = square_of(p)
            assert {CELLS[at] for at in square.cells()} == set(moves)
            card = rank(p.piles["h"][-1]) + 1
            for move in moves:
                after = p.after(rules.steps(p, move))
                played = square.after(CELLS.index(move), card, placed_turns=rules.placed_turns)
                if played is None:
                    assert sum(pile[-1] >= DOWN for name, pile in after.piles.items() if name in CELLS and pile) > 4
                else:
                    assert played == square_of(after)
                    assert played.piles == sum(1 for cell in CELLS if after.piles[cell])
                seen += 1
    assert seen > 1_000


def late_positions(key: str, count: int) -> list[Position]:
    """Positions of games that a beam wins, three placements before their ends, and the same with fewer cards."""
    rules = ruleset(key)
    found = []
    for number in range(count):
        p = rules.deal(shuffled(seed_number(number), rules.deck))
        line = solve(rules, p, nodes(2_500), par=False)
        for move in line.witness[:-3]:
            p = p.after(rules.steps(p, move))
        if line.witness:
            stock = p.piles["s"]
            found += [p, Position({**p.piles, "s": stock[-3:], "x": stock[:-3]})]
    return found


@pytest.mark.parametrize("key", KEYS)
def test_what_can_still_be_won_in_a_few_placements_is_found_exactly(key: str) -> None:
    rules = ruleset(key)
    short = [p for p in late_positions(key, amount(3, 40)) if len(p.piles["s"]) <= 3]
    assert short
    for p in short:
        found = solve(rules, p, nodes(50_000))
        par = plain_par(rules, p)
        assert (found.par, found.winnable, found.par_exact) == (par, par is not None, par is not None)


def test_f8_a_wider_beam_never_scores_less_and_24_is_the_end() -> None:
    rules = ruleset("foursquare")
    p = deal("foursquare", 2)
    first = solve(rules, p, nodes(100_000), par=False)
    better = solve(rules, p, nodes(40 * (WIDTHS[0] + WIDTHS[1])))
    assert first.score is not None
    assert better.score is not None
    assert first.score <= better.score <= 24
    assert better.par == 39 - better.score  # one card of the 40 lies on the table from the start
    assert better.par_exact is (better.score == 24)


def test_mirror_pictures_of_a_table_are_one() -> None:
    rules = ruleset("foursquare")
    p = deal("foursquare", 4)
    pictures = {square_of(p.after(rules.steps(p, move))).picture() for move in rules.moves(p)}
    assert len(rules.moves(p)) == 5
    assert len(pictures) == 2  # beside the first card, on whichever side, or onto it


def test_f8_too_few_cards_are_a_loss_that_needs_no_search() -> None:
    rules = ruleset("foursquare")
    p = deal("foursquare", 1)
    few = Position({**p.piles, "s": p.piles["s"][:10], "x": p.piles["s"][10:]})
    assert rules.outcome(few) is Outcome.OPEN
    found = solve(rules, few, nodes(5_000))
    assert (found.winnable, found.score) == (False, None)
    assert found.nodes <= 1
