"""Pyramid and its variations, rule by rule (RULES section 1)."""

import pytest

from server.core.cards import HIDDEN
from server.core.deck import FRENCH_52, shuffled
from server.core.position import Shift
from server.core.rules import Outcome, RankKey, UndoPolicy
from server.games import ruleset
from tests.games.helpers import deal, legal, moved, seed_number, shown, table, texts
from tests.games.oracle import PYRAMID_KEYS

KEYS = PYRAMID_KEYS
#: Every rank beside the rank it matches.
MATCHES = [("A", "Q"), ("2", "J"), ("3", "T"), ("4", "9"), ("5", "8"), ("6", "7")]


@pytest.mark.parametrize("key", KEYS)
def test_p1_28_cards_to_the_pyramid_and_card_29_is_drawn_first(key: str) -> None:
    cards = shuffled(seed_number(3), FRENCH_52)
    p = ruleset(key).deal(cards)
    assert [p.piles[f"p{n}"] for n in range(1, 29)] == [(c,) for c in cards[:28]]
    stock = shown(p)["s"].split()
    assert [t.upper() for t in reversed(stock)] == texts(cards[28:])
    assert p.piles["w1"] == p.piles["f"] == ()
    drawn = moved(key, p, "s")
    assert shown(drawn)["w1"] == texts(cards)[28]


@pytest.mark.parametrize("key", ["pyramid", "pyramid-3", "pyramid-cover"])
def test_p1_the_stock_lies_face_down(key: str) -> None:
    stock = shown(deal(key))["s"]
    assert stock == stock.lower()
    assert set(ruleset(key).view(deal(key)).piles["s"]) == {HIDDEN}


def test_p1_an_open_stock_shows_its_top_card_alone() -> None:
    p = deal("pyramid-open")
    assert shown(p)["s"] == shown(p)["s"].upper()
    assert ruleset("pyramid-open").view(p).piles["s"] == (HIDDEN,) * 23 + p.piles["s"][-1:]
    emptied = table("pyramid-open", p1="5C")
    assert ruleset("pyramid-open").view(emptied) == emptied


@pytest.mark.parametrize(("covers", "free"), [("p4 p5", False), ("p4", False), ("p5", False), ("", True)])
def test_p2_a_cell_is_covered_while_either_cell_below_holds_a_card(covers: str, free: bool) -> None:
    below = dict.fromkeys(covers.split(), "2C")
    p = table("pyramid", p1="9D", p2="KH", p3="4D", **below)
    assert ("p2" in legal("pyramid", p)) is free


def test_p2_the_bottom_row_is_never_covered() -> None:
    cells = {f"p{n}": "2C" for n in range(1, 22)} | {f"p{n}": "KS" for n in range(22, 29)}
    assert {f"p{n}" for n in range(22, 29)} <= legal("pyramid", table("pyramid", **cells))


@pytest.mark.parametrize(("low", "high"), MATCHES)
def test_p3_p6_two_different_available_cards_totalling_13_match(low: str, high: str) -> None:
    for a, b in ((low, high), (high, low)):
        p = table("pyramid", p1="2C", p2=a + "H", p3=b + "S", w1="5D " + b + "D")
        assert legal("pyramid", p) == {"p2p3", "p2w1", "s"}
        assert shown(moved("pyramid", p, "p2p3"))["f"] == f"{a}H {b}S"
        assert shown(moved("pyramid", p, "p2w1"))["f"] == f"{a}H {b}D"


def test_p3_nothing_else_matches() -> None:
    partners = dict(MATCHES) | {b: a for a, b in MATCHES}
    for a in "A23456789TJQ":
        for b in "A23456789TJQ":
            p = table("pyramid", p1="2C", p2=a + "H", p3=b + "S")
            assert ("p2p3" in legal("pyramid", p)) is (partners[a] == b)


def test_p3_only_the_top_of_the_waste_is_available() -> None:
    assert legal("pyramid", table("pyramid", p1="5C", w1="8D 8H 2C")) == {"s"}


def test_p4_the_stock_turns_its_top_card_onto_the_waste() -> None:
    p = moved("pyramid", table("pyramid", p1="5C", s="2c 3d 4h", w1="TS"), "s")
    assert shown(p) == {"p1": "5C", "s": "2c 3d", "w1": "TS 4H"}


def test_p5_turning_over_keeps_the_draw_order_as_often_as_you_like() -> None:
    p = deal("pyramid", 1)
    for _ in range(3):
        dealt = p
        for _ in range(24):
            p = moved("pyramid", p, "s")
        assert p.piles["s"] == ()
        steps = ruleset("pyramid").steps(p, "s")
        assert steps == (Shift("w1", "s", 24, "over"),)
        p = moved("pyramid", p, "s")
        assert p == dealt


def test_p5_with_both_empty_it_is_refused() -> None:
    assert legal("pyramid", table("pyramid", p1="5C")) == set()
    assert legal("pyramid", table("pyramid", p1="5C", w1="2C")) == {"s"}


def test_p6_a_card_may_not_be_matched_with_its_own_last_cover() -> None:
    p = table("pyramid", p1="5C", p2="8D")
    assert legal("pyramid", p) == set()


def test_p7_an_available_king_goes_alone_and_is_never_part_of_a_pair() -> None:
    p = table("pyramid", p1="KD", p2="KC", p3="AC", w1="2C KH", s="kc")
    assert legal("pyramid", p) == {"p2", "w1", "s"}
    assert shown(moved("pyramid", p, "p2", "w1"))["f"] == "KC KH"


def test_p8_the_waste_top_pairs_with_nothing_but_the_pyramid() -> None:
    assert legal("pyramid", table("pyramid", p1="2C", w1="8D 5H", s="3c 8c")) == {"s"}


@pytest.mark.parametrize("key", KEYS)
def test_p9_won_when_the_pyramid_is_empty_whatever_else_is_left(key: str) -> None:
    rules = ruleset(key)
    p = table(key, p1="KD", s="2c 3c", w1="4C")
    assert rules.outcome(p) is Outcome.OPEN
    p = moved(key, p, "p1")
    assert rules.outcome(p) is rules.outcome(p, rules.moves(p)) is Outcome.WON
    assert rules.moves(p) == []
    assert rules.undo is UndoPolicy.COUNTED


@pytest.mark.parametrize("key", KEYS)
def test_p11_progress_counts_removed_pyramid_cards_and_boards_go_by_time_and_moves(key: str) -> None:
    rules = ruleset(key)
    assert (rules.progress(deal(key)), rules.layout.maximum) == (0, 28)
    assert rules.progress(table(key, p1="5C", p2="8D", f="2C JC KD")) == 26
    assert rules.rankings == {
        "main": (RankKey.TIME, RankKey.MOVES),
        "moves": (RankKey.MOVES, RankKey.TIME),
    }


def test_p6_three_wastes_take_a_card_each_and_their_tops_may_pair() -> None:
    p = table("pyramid-3", p1="2C", s="2d 7c 4h 6c 5h", w1="TS")
    p = moved("pyramid-3", p, "s")
    assert shown(p) == {"p1": "2C", "s": "2d 7c", "w1": "TS 5H", "w2": "6C", "w3": "4H"}
    p = moved("pyramid-3", p, "s")
    assert shown(p) == {"p1": "2C", "w1": "TS 5H 7C", "w2": "6C 2D", "w3": "4H"}
    assert legal("pyramid-3", table("pyramid-3", p1="2C", w1="6C", w2="7D", w3="6H")) == {"w1w2", "w2w3", "s"}


def test_p5_turning_three_wastes_over_takes_the_first_one_first() -> None:
    p = moved("pyramid-3", table("pyramid-3", p1="2C", w1="3C 4C", w2="5C", w3="6C 7C"), "s")
    assert shown(p) == {"p1": "2C", "s": "7c 6c 5c 4c 3c"}
    assert shown(moved("pyramid-3", p, "s", "s")) == {"p1": "2C", "w1": "3C 6C", "w2": "4C 7C", "w3": "5C"}


def test_p6_p7_an_open_stock_pairs_with_its_top_card_but_a_king_there_is_drawn_first() -> None:
    p = table("pyramid-open", p1="5C", w1="9H 5D", s="4C 8C")
    assert legal("pyramid-open", p) == {"p1s", "w1s", "s"}
    assert legal("pyramid-open", table("pyramid-open", p1="5C", s="8C KD")) == {"s"}
    p = moved("pyramid-open", p, "w1s")
    assert shown(p) == {"p1": "5C", "w1": "9H", "s": "4C", "f": "5D 8C"}
    assert legal("pyramid-open", p) == {"w1s", "s"}


def test_p5_an_open_stock_is_refilled_face_up_in_its_draw_order() -> None:
    p = moved("pyramid-open", table("pyramid-open", p1="5C", w1="2C 3C 4C"), "s")
    assert shown(p)["s"] == "4C 3C 2C"


@pytest.mark.parametrize("other", ["", "9C"])
def test_p6_pyramid_cover_pairs_a_card_with_its_only_remaining_cover(other: str) -> None:
    p = table("pyramid-cover", p1="5C", p2="8D", p3=other)
    assert ("p1p2" in legal("pyramid-cover", p)) is (other == "")


def test_p6_pyramid_cover_wants_the_cover_itself_uncovered_and_matching() -> None:
    assert legal("pyramid-cover", table("pyramid-cover", p1="5C", p2="8D", p4="2C")) == set()
    assert legal("pyramid-cover", table("pyramid-cover", p1="5C", p2="9D")) == set()
    assert legal("pyramid-cover", table("pyramid-cover", p1="5C", p3="8D")) == {"p1p3"}


def test_the_legal_list_prefers_kings_then_pyramid_pairs_then_the_waste_and_draws_last() -> None:
    p = table("pyramid", p1="2C", p2="2H", p3="2D", p4="5C", p5="8D", p6="KH", w1="8S", s="2d")
    assert ruleset("pyramid").moves(p) == ["p6", "p4p5", "p4w1", "s"]
