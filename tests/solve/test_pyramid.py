"""The solver of the games on the pyramid: exact on small positions, its bound never too high."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from server.core.cards import rank
from server.core.deck import shuffled
from server.core.position import Position
from server.games import ruleset
from server.games._pyramid_family import PyramidFamily
from server.games._pyramid_table import FOUNDATION, SHAPES, cell_piles
from server.solve import played, solve
from server.solve.pyramid import _hasty, _less_hasty, _table, solve_pyramid
from server.solve.pyramid_board import MATCH, Board
from server.solve.pyramid_living import Living
from server.solve.shortest import shortest
from tests.games.helpers import amount, deal, moved
from tests.play.toys import vectors
from tests.solve.small import nodes, plain_par, small_pyramids

ENDLESS = ("pyramid", "pyramid-3", "pyramid-open", "pyramid-cover")
ONE_PASS = ("thirteen", "thirteen-3", "thirteen-strict")


def family(key: str) -> PyramidFamily:
    rules = ruleset(key)
    assert isinstance(rules, PyramidFamily)
    return rules


@pytest.mark.parametrize("key", [*ENDLESS, *ONE_PASS])
def test_verdict_and_par_of_small_positions_are_those_of_a_plain_search(key: str) -> None:
    rules = ruleset(key)
    told: Counter[bool | None] = Counter()
    outside = 5 if key == "pyramid-3" else 6
    for p in small_pyramids(key, amount(15, 400), cells=6, outside=outside):
        found = solve(rules, p, nodes(50_000))
        assert (found.par, found.winnable) == (par := plain_par(rules, p), par is not None)
        assert found.par_exact is found.winnable
        assert len(found.witness) == (found.par or 0)
        told[found.winnable] += 1
    assert told[True]
    assert told[False] or key == "pyramid-cover"


def deals(key: str) -> Iterator[Position]:
    """Numbered deals; of the one-pass games, which few deals let one win, those with a known line."""
    if key in ENDLESS:
        yield from (deal(key, number) for number in range(amount(6, 300)))
    rules = ruleset(key)
    for case in vectors("wins.jsonl"):
        if case["ruleset"] == key:
            yield rules.deal(shuffled(case["seed"], rules.deck))


@pytest.mark.parametrize("key", [*ENDLESS, *ONE_PASS])
def test_the_bound_is_never_above_what_a_line_needs(key: str) -> None:
    rules = family(key)
    lines = 0
    for p in deals(key):
        living = Living(cell_piles(p.piles), p.piles[FOUNDATION], last_covers=rules.last_covers)
        table, start = _table(rules, p, living)
        for guide in (_hasty, _less_hasty):
            way = shortest(table, start, nodes(3_000), guide=guide)
            left = way.cost
            for before, after in pairwise(way.states):
                assert 0 <= table.estimate(before) <= left
                left -= min(cost for following, cost in table.followers(before) if following == after)
            assert left == 0
            lines += bool(way.states)
    assert lines


@pytest.mark.parametrize("key", ENDLESS)
def test_p10_the_verdict_of_the_endless_games_needs_no_search(key: str) -> None:
    rules = ruleset(key)
    for number in range(amount(6, 200)):
        p = deal(key, number)
        told = rules.winnable(rules.view(p), {}, patient=True)
        assert solve_pyramid(rules, p, nodes(1), par=True).winnable is told
        assert solve(rules, p, nodes(20_000), par=False).winnable is told


def test_t7_the_last_stock_card_of_the_strict_game_is_never_drawn() -> None:
    """A deal that Solitaire 13 wins only with its last card is lost in the strict game."""
    strict, usual = ruleset("thirteen-strict"), ruleset("thirteen")
    differing = 0
    for p in small_pyramids("thirteen", amount(30, 400), cells=6, outside=5):
        if not p.piles["s"]:
            continue
        both = solve(usual, p, nodes(50_000)).winnable, solve(strict, p, nodes(50_000)).winnable
        assert both != (False, True)
        differing += both == (True, False)
    assert differing


@pytest.mark.parametrize("key", ["pyramid", "thirteen", "thirteen-3", "pyramid-open"])
def test_par_of_what_is_left_falls_by_one_with_every_move_of_an_exact_line(key: str) -> None:
    rules = ruleset(key)
    for number in range(40):
        p = deal(key, number)
        found = solve(rules, p, nodes(4_000))
        if found.par_exact:
            break
    else:
        pytest.fail("no deal is solved within its nodes")
    assert found.par is not None
    for index, move in enumerate(found.witness[:25]):
        p = moved(key, p, move)
        if index % 12 == 0:
            behind = solve(rules, p, nodes(100_000))
            assert (behind.par, behind.par_exact) == (found.par - index - 1, True)


def test_without_par_the_first_line_is_enough() -> None:
    p = deal("pyramid", 3)
    rules = ruleset("pyramid")
    quick, exact = solve(rules, p, nodes(50_000), par=False), solve(rules, p, nodes(50_000))
    assert quick.nodes < exact.nodes
    assert quick.par is not None
    assert exact.par is not None
    assert (quick.par_exact, exact.par_exact) == (False, True)
    assert quick.par >= exact.par
    played(rules, p, quick.witness)


def test_a_search_that_may_not_go_on_says_what_it_knows() -> None:
    lost = next(p for p in (deal("thirteen", n) for n in range(100)) if _told_by_nodes(p))
    found = solve(ruleset("thirteen"), lost, nodes(1))
    assert (found.winnable, found.par, found.par_exact, found.witness) == (None, None, False, ())
    found = solve(ruleset("pyramid"), deal("pyramid", 3), nodes(1))
    assert (found.winnable, found.par, found.par_exact, found.witness) == (True, None, False, ())


def _told_by_nodes(p: Position) -> bool:
    """Whether the loss is seen by a search only, not by the cards."""
    found = solve(ruleset("thirteen"), p, nodes(20_000))
    return found.winnable is False and found.nodes > 10


def test_facts_of_a_mask_count_what_its_cells_need() -> None:
    p = deal("pyramid", 5)
    board = Board([rank(pile[-1]) for pile in cell_piles(p.piles)])
    for mask, shape in list(SHAPES.items())[:: amount(30, 1)]:
        facts = board.facts(mask)
        held = [board.ranks[cell] for cell in range(28) if mask >> cell & 1]
        kings = held.count(12)
        assert facts.removals >= kings + (len(held) - kings + 1) // 2
        assert facts.removals <= len(held)
        for group in facts.groups:
            assert held.count(group.low) == group.high_needed + group.pairs
            assert held.count(group.high) == group.low_needed + group.pairs
        assert [facts.room[r] for r in range(12)] == [held.count(MATCH - r) for r in range(12)]
        assert facts.kings == sum(1 << cell for cell in shape.exposed if board.ranks[cell] == 12)
