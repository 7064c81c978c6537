"""Solitaire 13, rule by rule (RULES section 2)."""

import pytest

from server.core.rules import Outcome, RankKey, UndoPolicy
from server.games import ruleset
from tests.games.helpers import deal, legal, moved, shown, table
from tests.games.oracle import THIRTEEN_KEYS


@pytest.mark.parametrize("key", THIRTEEN_KEYS)
def test_t1_the_stock_is_passed_once(key: str) -> None:
    assert "s" not in legal(key, table(key, p1="5C", w1="2C"))
    assert "s" in legal(key, table(key, p1="5C", s="2c 3c 4c"))


@pytest.mark.parametrize("key", ["thirteen", "thirteen-3"])
def test_t2_the_last_drawn_cards_may_still_be_used(key: str) -> None:
    last = {"thirteen": "8d", "thirteen-3": "2c 2d 8d"}[key]
    p = moved(key, table(key, p1="5C", s=last), "s")
    assert ruleset(key).outcome(p) is Outcome.OPEN
    assert legal(key, p) == {"p1w1"}
    assert ruleset(key).outcome(moved(key, p, "p1w1")) is Outcome.WON


@pytest.mark.parametrize("key", ["thirteen", "thirteen-3"])
def test_t2_without_stock_and_removal_nothing_is_left(key: str) -> None:
    assert ruleset(key).outcome(table(key, p1="5C", w1="9C")) is Outcome.STUCK
    assert ruleset(key).outcome(table(key, p1="5C", w1="KC")) is Outcome.OPEN
    assert ruleset(key).outcome(table(key, p1="5C", s="9c 9d 9h")) is Outcome.OPEN


def test_t3_a_draw_deals_three_also_onto_emptied_piles() -> None:
    p = deal("thirteen-3", 5)
    stock = p.piles["s"]
    for number in range(1, 9):
        p = moved("thirteen-3", p, "s")
        assert [len(p.piles[w]) for w in ("w1", "w2", "w3")] == [number] * 3
        tops = [p.piles[w][-1] for w in ("w1", "w2", "w3")]
        assert tops == [c & 63 for c in stock[-3 * number : len(stock) - 3 * number + 3]][::-1]
    assert p.piles["s"] == ()
    p = moved("thirteen-3", table("thirteen-3", p1="5C", w2="2H", s="4c 3c 2c"), "s")
    assert shown(p) == {"p1": "5C", "w1": "2C", "w2": "2H 3C", "w3": "4C"}


def test_t3_three_tops_are_available_and_may_pair() -> None:
    p = table("thirteen-3", p1="5C", w1="8H", w2="5D", w3="8S")
    assert ruleset("thirteen-3").moves(p) == ["p1w1", "w1w2", "p1w3", "w2w3"]


@pytest.mark.parametrize("key", THIRTEEN_KEYS)
def test_t4_no_undo(key: str) -> None:
    assert ruleset(key).undo is UndoPolicy.NONE


@pytest.mark.parametrize("key", THIRTEEN_KEYS)
def test_t6_progress_and_rankings_are_those_of_pyramid(key: str) -> None:
    rules = ruleset(key)
    assert rules.progress(table(key, p1="5C", p2="9C")) == 26
    assert rules.layout.maximum == 28
    assert rules.rankings["main"] == (RankKey.TIME, RankKey.MOVES)
    assert rules.rankings["moves"] == (RankKey.MOVES, RankKey.TIME)


def test_t7_strict_is_over_the_moment_the_last_stock_card_is_turned_up() -> None:
    rules = ruleset("thirteen-strict")
    p = table("thirteen-strict", p1="5C", s="8d 2c")
    p = moved("thirteen-strict", p, "s")
    assert rules.outcome(p) is Outcome.OPEN
    p = moved("thirteen-strict", p, "s")
    assert shown(p)["w1"] == "2C 8D"
    assert rules.outcome(p) is rules.outcome(p, ()) is Outcome.LOST
    assert rules.moves(p) == []


def test_t7_strict_is_won_before_that_as_ever() -> None:
    p = moved("thirteen-strict", table("thirteen-strict", p1="KC", s="8d"), "p1")
    assert ruleset("thirteen-strict").outcome(p) is Outcome.WON
