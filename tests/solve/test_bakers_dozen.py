"""The solver of Baker's Dozen: exact on small positions, its bound never too high, its moves home safe."""

from itertools import pairwise

import pytest

from server.games import ruleset
from server.games.bakers_dozen import COLUMNS, BakersDozen
from server.solve import solve
from server.solve.bakers_dozen import GUIDES, Table, _worth, is_safe, next_home
from server.solve.beam import beam
from server.solve.columns import Columns, Weights
from tests.games.helpers import amount, deal, table
from tests.solve.small import late_columns, nodes, plain_par, sorted_columns

KEYS = ("bakers-dozen", "bakers-dozen-kings", "bakers-dozen-classic")


def family(key: str) -> BakersDozen:
    rules = ruleset(key)
    assert isinstance(rules, BakersDozen)
    return rules


@pytest.mark.parametrize("key", KEYS)
def test_verdict_and_par_of_late_positions_are_those_of_a_plain_search(key: str) -> None:
    rules = ruleset(key)
    told = set()
    left = 10 if key == "bakers-dozen-kings" else 13  # kings have many ways there
    for p in late_columns(key, amount(25, 600), left=left):
        found = solve(rules, p, nodes(50_000))
        par = plain_par(rules, p, alike=sorted_columns)
        assert (found.par, found.winnable, found.par_exact) == (par, par is not None, par is not None)
        told.add(found.winnable)
    assert True in told
    assert False in told or key == "bakers-dozen-kings"  # so late a king seldom blocks for good


@pytest.mark.parametrize("key", KEYS)
def test_the_bound_is_never_above_what_a_line_needs(key: str) -> None:
    lines = 0
    for number in range(amount(5, 200)):
        columns = Columns()
        game = Table(family(key), columns)
        p = deal(key, number)
        start = game.settled(0, [columns.number(p.piles[column]) for column in COLUMNS])
        for guide in GUIDES[:2]:
            way = beam(game, start, nodes(4_000), width=60, worth=_worth(columns, guide))
            left = way.cost
            for before, after in pairwise(way.states):
                assert 0 <= game.estimate(before) <= left
                left -= min(cost for following, cost in game.followers(before) if following == after)
            assert left == 0
            lines += bool(way.states)
    assert lines


def test_b5_a_move_home_is_safe_when_nothing_need_be_laid_on_the_card() -> None:
    homes = 3 | 3 << 4 | 2 << 8 | 4 << 12  # C D H S at home
    assert next_home(homes) == (3 * 4, 3 * 4 + 1, 2 * 4 + 2, 4 * 4 + 3)
    # The 5 of spades waits: the 4 of hearts needs a place until the 3 of hearts is home.
    assert [is_safe(card, homes) for card in next_home(homes)] == [True, True, True, False]


def test_b8_only_a_king_that_does_not_lie_alone_goes_to_an_empty_column() -> None:
    kings = family("bakers-dozen-kings")
    columns = Columns()
    p = table("bakers-dozen-kings", c1="9S KH", c2="KD", c3="QS JS", c4="TC 8S")
    piles = [columns.number(p.piles[column]) for column in COLUMNS]
    moves = {(card, target) for _, _, card, target in Table(kings, columns).steps((0, *sorted(piles)))}
    assert moves == {(12 * 4 + 2, -1)}
    for other in ("bakers-dozen", "bakers-dozen-classic"):
        assert not list(Table(family(other), columns).steps((0, *sorted(piles))))


def test_columns_tell_their_disorder() -> None:
    columns = Columns()
    number = columns.number((5, 20, 1, 9, 13))  # 2D 6C AD 3D 4D
    assert columns.piles[columns.under[number]] == (5, 20, 1, 9)
    assert columns.tops[number] == 13
    assert columns.blocked[number] == 3
    assert columns.suited[number] == 2
    assert columns.number((5, 20, 1, 9, 13)) == number
    # AD is next home under two cards; with it at home 2D is, under four.
    weights = Weights(columns, blocked=100, suited=10, waiting=1)
    assert weights.of([number], 0) == 322
    assert weights.of([number], 1 << 4) == 324
    assert weights.of([number, 0], 2 << 4) == 321


def test_a_loss_is_proved_and_a_short_budget_is_not_a_loss() -> None:
    rules = ruleset("bakers-dozen")
    stuck = table("bakers-dozen", c1="AS 2S", c2="AH 2H", c3="AC 2C", c4="AD 2D", c5="3S 3H", c6="3C 3D")
    assert solve(rules, stuck, nodes(1_000)).winnable is False
    hard = solve(rules, deal("bakers-dozen", 1), nodes(3))
    assert (hard.winnable, hard.par, hard.par_exact) == (None, None, False)
