"""Foursquare, rule by rule (RULES section 4)."""

import pytest

from server.core.cards import DOWN, HIDDEN
from server.core.deck import SHORT_40, shuffled
from server.core.position import Flip, Shift
from server.core.rules import Outcome, RankKey, UndoPolicy
from server.games import ruleset
from tests.games.helpers import deal, legal, moved, seed_number, shown, table, texts
from tests.games.oracle import SQUARE_KEYS

KEY = "foursquare"
ALL = "foursquare-all"
#: Fifteen piles, all tops up, equal ranks apart so that a 5 placed in the sixteenth cell turns nothing.
FIFTEEN = {f"{c}{r}": "5C" for c in "abcd" for r in "1234" if c + r != "d4"}


@pytest.mark.parametrize("key", SQUARE_KEYS)
def test_f1_one_card_on_d4_one_in_the_hand_the_rest_face_down(key: str) -> None:
    cards = shuffled(seed_number(6), SHORT_40)
    p = ruleset(key).deal(cards)
    names = texts(cards)
    assert shown(p) == {"d4": names[0], "h": names[1], "s": " ".join(t.lower() for t in reversed(names[2:]))}
    assert ruleset(key).deck.size == 40


def test_f2_an_empty_cell_beside_a_pile() -> None:
    assert legal(KEY, table(KEY, d4="5C", h="2C", s="3c")) == {"d4", "d3", "d5", "c4", "e4"}
    assert legal(KEY, table(KEY, d4="5C", e4="5D", h="2C", s="3c")) == {"d4", "e4", "d3", "e3", "d5", "e5", "c4", "f4"}


def test_f2_all_piles_must_fit_four_columns_and_four_rows() -> None:
    p = table(KEY, a1="5C", b1="5D", c1="5H", d1="5S", h="2C", s="3c")
    assert legal(KEY, p) == {"a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2"}
    p = table(KEY, d4="5C", d5="5D", d6="5H", d7="5S", h="2C", s="3c")
    assert legal(KEY, p) == {*("d4", "d5", "d6", "d7"), *(c + r for c in "ce" for r in "4567")}


@pytest.mark.parametrize(("pile", "takes"), [("5C", True), ("5C 6C 7c", True), ("2C 3C 4C 5C", False)])
def test_f2_a_pile_of_one_to_three_cards_up_or_down(pile: str, takes: bool) -> None:
    assert ("d4" in legal(KEY, table(KEY, d4=pile, h="2C", s="3c"))) is takes


def test_f3_the_card_becomes_the_new_top_and_a_card_below_counts_no_longer() -> None:
    p = table(KEY, d4="5c", a4="9D", h="9H", s="3c 4c")
    assert ruleset(KEY).progress(p) == 1
    p = moved(KEY, p, "d4")
    assert shown(p) == {"a4": "9D", "d4": "5c 9H", "h": "4C", "s": "3c"}
    assert ruleset(KEY).progress(p) == 2


@pytest.mark.parametrize(
    ("placed", "row", "turned"),
    [
        ("9H", "5C 8D", "5c 8d"),  # higher than all
        ("2H", "5C 8D", "5c 8d"),  # lower than all
        ("6H", "5C 8D", "5C 8D"),  # between
        ("8H", "5C 8D", "5C 8D"),  # equal to the highest is not higher
        ("5H", "5C 8D", "5C 8D"),  # equal to the lowest is not lower
        ("6H", "5C 8d", "5c 8D"),  # a top that lies down does not count, but turns
        ("6H", "5c 8d", "5C 8D"),  # none up counts as higher and lower than all
    ],
)
def test_f4_f5_a_line_turns_when_the_card_is_above_or_below_all_tops_up(placed: str, row: str, turned: str) -> None:
    first, second = row.split()
    for left, right, cell in (("a4", "b4", "c4"), ("d1", "d2", "d3")):  # a row, then a column
        p = moved(KEY, table(KEY, h=placed, s="ac ad", **{left: first, right: second}), cell)
        assert f"{shown(p)[left]} {shown(p)[right]}" == turned
        assert shown(p)[cell] == placed


def test_f4_gaps_do_not_matter() -> None:
    p = moved(KEY, table(KEY, a4="5C", c4="6C", d4="7C", h="9C", s="ac ad"), "b4")
    assert [shown(p)[c] for c in ("a4", "c4", "d4")] == ["5c", "6c", "7c"]


def test_f5_row_and_column_are_judged_independently() -> None:
    p = moved(KEY, table(KEY, c4="5C", d3="8C", d5="9C", h="8D", s="ac ad"), "d4")
    assert (shown(p)["c4"], shown(p)["d3"], shown(p)["d5"]) == ("5c", "8C", "9C")


def test_f6_sixteen_piles_all_up_win_and_no_card_is_drawn() -> None:
    p = table(KEY, **FIFTEEN, h="5D", s="2c 3c")
    assert ruleset(KEY).steps(p, "d4") == (Shift("h", "d4", 1),)
    p = moved(KEY, p, "d4")
    assert ruleset(KEY).outcome(p) is ruleset(KEY).outcome(p, ()) is Outcome.WON
    assert ruleset(KEY).moves(p) == []


def test_f6_sixteen_piles_with_a_top_down_do_not_win() -> None:
    p = moved(KEY, table(KEY, **{**FIFTEEN, "a1": "5c"}, h="5D", s="2c 3c"), "d4")
    assert ruleset(KEY).outcome(p) is Outcome.OPEN
    assert shown(p)["h"] == "3C"


@pytest.mark.parametrize(("down", "outcome"), [(4, Outcome.OPEN), (5, Outcome.LOST)])
def test_f6_more_than_four_tops_down_lose(down: int, outcome: Outcome) -> None:
    cells = {**FIFTEEN, **{f"a{n}": "5c" for n in range(1, 4)}, "b1": "5c", **({"b2": "5c"} if down == 5 else {})}
    p = moved(KEY, table(KEY, **cells, h="5D", s="2c 3c"), "c3")
    assert ruleset(KEY).outcome(p) is outcome
    assert ("h" in shown(p)) is (outcome is Outcome.OPEN)
    assert (ruleset(KEY).moves(p) == []) is (outcome is Outcome.LOST)


def test_f6_no_card_left_to_draw_loses() -> None:
    p = table(KEY, d4="5C", h="5D")
    assert ruleset(KEY).outcome(p) is Outcome.OPEN
    p = moved(KEY, p, "d5")
    assert ruleset(KEY).outcome(p) is Outcome.LOST


def test_f6_a_win_comes_before_an_empty_stock() -> None:
    p = moved(KEY, table(KEY, **FIFTEEN, h="5D"), "d4")
    assert ruleset(KEY).outcome(p) is Outcome.WON
    assert ruleset(KEY).score(p) == 0


@pytest.mark.parametrize("key", SQUARE_KEYS)
def test_f7_c9_seen_cards_stay_known_and_the_stock_does_not(key: str) -> None:
    p = table(key, d4="5c 6D", d5="7h", h="2C", s="3c 4c")
    view = ruleset(key).view(p)
    assert {name: pile for name, pile in view.piles.items() if name != "s"} == {
        name: pile for name, pile in p.piles.items() if name != "s"
    }
    assert view.piles["s"] == (HIDDEN, HIDDEN)
    assert view.piles["d5"][0] >= DOWN


def test_f8_the_score_of_a_win_is_the_number_of_cards_not_placed() -> None:
    rules = ruleset(KEY)
    stock = " ".join(t.lower() for t in texts(SHORT_40.cards)[:24])
    p = table(KEY, **FIFTEEN, h="5D", s=stock)
    assert rules.score(p) is None
    assert rules.score(moved(KEY, p, "d4")) == 24
    assert rules.undo is UndoPolicy.NONE


@pytest.mark.parametrize(("left", "told"), [(0, False), (1, False), (2, None), (20, None)])
def test_f8_winnable_is_false_when_more_piles_are_missing_than_cards_left(left: int, told: bool | None) -> None:
    cells = dict.fromkeys(list(FIFTEEN)[:13], "5C")
    p = table(KEY, **cells, h="2C", s=" ".join(["2c"] * left))
    assert ruleset(KEY).winnable(ruleset(KEY).view(p), {}) is told


@pytest.mark.parametrize("key", SQUARE_KEYS)
def test_f9_progress_counts_tops_up_and_both_boards_go_by_score_then_time(key: str) -> None:
    rules = ruleset(key)
    assert rules.progress(deal(key)) == 1
    assert rules.progress(table(key, a1="5C", a2="5c", a3="5c 6C", h="2C")) == 2
    assert rules.layout.maximum == 16
    assert rules.rankings["main"] == rules.rankings["moves"] == (RankKey.SCORE, RankKey.TIME)


def test_f10_the_placed_card_turns_with_its_line() -> None:
    p = table(ALL, c4="5C", h="9D", s="ac ad")
    assert ruleset(ALL).steps(p, "d4") == (Shift("h", "d4", 1), Flip("c4"), Flip("d4"), Shift("s", "h", 1, "up"))
    assert shown(moved(ALL, p, "d4"))["d4"] == "9d"
    assert shown(moved(KEY, table(KEY, c4="5C", h="9D", s="ac ad"), "d4"))["d4"] == "9D"


def test_f10_two_turning_lines_leave_the_placed_card_face_up_and_its_rank_counts_in_both() -> None:
    p = moved(ALL, table(ALL, c4="5C", d5="6C", h="9D", s="ac ad"), "d4")
    assert (shown(p)["c4"], shown(p)["d5"], shown(p)["d4"]) == ("5c", "6c", "9D")
    p = moved(ALL, table(ALL, c4="5C", d5="9C", h="9D", s="ac ad"), "d4")
    assert (shown(p)["c4"], shown(p)["d5"], shown(p)["d4"]) == ("5c", "9C", "9d")


def test_f10_a_line_without_another_pile_turns_nothing() -> None:
    p = moved(ALL, table(ALL, d4="5c", h="9D", s="ac ad"), "d4")
    assert shown(p)["d4"] == "5c 9D"


def test_f10_a_placed_card_that_ends_face_down_counts_as_down() -> None:
    cells = {"a4": "5C", "b4": "5D", "c4": "5c", "d5": "9S", "a1": "2c", "b1": "2d"}
    p = moved(ALL, table(ALL, **cells, h="9D", s="ac ad"), "d4")  # a4 b4 d4 a1 b1 lie down
    assert ruleset(ALL).outcome(p) is Outcome.LOST
