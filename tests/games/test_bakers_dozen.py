"""Baker's Dozen, rule by rule (RULES section 3)."""

import pytest

from server.core.cards import DOWN
from server.core.deck import FRENCH_52, shuffled
from server.core.rules import Outcome, RankKey, UndoPolicy
from server.games import ruleset
from tests.games.helpers import deal, legal, moved, seed_number, shown, table, texts
from tests.games.oracle import BAKER_KEYS

SUIT_RUNS = {suit: " ".join(rank + suit for rank in "A23456789TJQK") for suit in "CDHS"}


def test_b1_dealt_row_by_row_all_face_up_four_cards_each() -> None:
    cards = shuffled(seed_number(2), FRENCH_52)
    p = ruleset("bakers-dozen-kings").deal(cards)
    for i, c in enumerate(cards):
        assert p.piles[f"c{i % 13 + 1}"][i // 13] == c
    assert all(len(p.piles[f"c{n}"]) == 4 for n in range(1, 14))
    assert not any(c >= DOWN for pile in p.piles.values() for c in pile)
    assert ruleset("bakers-dozen-kings").view(p) == p


@pytest.mark.parametrize("key", ["bakers-dozen", "bakers-dozen-classic"])
def test_b2_kings_go_to_the_bottom_in_dealt_order_before_play(key: str) -> None:
    rows = [["2C", "KC", "3C", "KD"], ["KH", "4C", "KS", "5C"], ["6C", "7C", "8C", "9C"]]
    rest = [t for t in texts(FRENCH_52.cards) if not any(t in row for row in rows)]
    rows += [rest[i * 4 : i * 4 + 4] for i in range(10)]
    cards = [FRENCH_52.cards[texts(FRENCH_52.cards).index(rows[i % 13][i // 13])] for i in range(52)]
    p = ruleset(key).deal(cards)
    assert shown(p)["c1"] == "KC KD 2C 3C"
    assert shown(p)["c2"] == "KH KS 4C 5C"
    assert shown(p)["c3"] == "6C 7C 8C 9C"


def test_b3_only_the_last_card_of_a_column_moves_and_alone() -> None:
    p = table("bakers-dozen", c1="AC 8D 9S", c2="TH", c3="9D 2C")
    assert legal("bakers-dozen", p) == {"c1c2"}
    assert shown(moved("bakers-dozen", p, "c1c2")) == {"c1": "AC 8D", "c2": "TH 9S", "c3": "9D 2C"}


def test_b4_foundations_are_built_from_the_ace_in_their_suit_and_give_nothing_back() -> None:
    p = table("bakers-dozen", c1="AH", c2="2H", c3="2S", c4="3D", fd="AD 2D")
    assert legal("bakers-dozen", p) == {"c1fh", "c4fd", "c1c3", "c2c4", "c3c4"}
    p = moved("bakers-dozen", p, "c1fh", "c2fh")
    assert shown(p)["fh"] == "AH 2H"
    assert not any(m.startswith("f") for m in legal("bakers-dozen", p))
    assert "c3fs" not in legal("bakers-dozen", p)


def test_b5_exactly_one_rank_higher_and_of_a_different_suit() -> None:
    p = table("bakers-dozen", c1="9H", c2="TC", c3="TD", c4="TS", c5="TH", c6="JC", c7="9C")
    assert {m for m in legal("bakers-dozen", p) if m.startswith("c1c")} == {"c1c2", "c1c3", "c1c4"}


def test_b5_there_is_no_wrap_around() -> None:
    assert legal("bakers-dozen-classic", table("bakers-dozen-classic", c1="KH", c2="AS", fs="AS")) == set()


@pytest.mark.parametrize("key", BAKER_KEYS)
def test_b6_a_foundation_play_is_not_compulsory(key: str) -> None:
    p = table(key, c1="AC", c2="2D", c3="9C", c4="TD")
    assert {"c1fc", "c1c2", "c3c4"} == legal(key, p)


@pytest.mark.parametrize("key", ["bakers-dozen", "bakers-dozen-classic"])
def test_b6_an_emptied_column_stays_empty(key: str) -> None:
    p = table(key, c1="KC", c2="5D", c3="", c4="9H")
    assert legal(key, p) == set()
    assert ruleset(key).outcome(p) is Outcome.STUCK


@pytest.mark.parametrize("key", BAKER_KEYS)
def test_b7_won_with_52_cards_home(key: str) -> None:
    home = {"fc": SUIT_RUNS["C"], "fd": SUIT_RUNS["D"], "fh": SUIT_RUNS["H"], "fs": SUIT_RUNS["S"][:-3]}
    p = table(key, c7="KS", **home)
    assert ruleset(key).outcome(p) is Outcome.OPEN
    p = moved(key, p, "c7fs")
    assert ruleset(key).outcome(p) is ruleset(key).outcome(p, ()) is Outcome.WON
    assert ruleset(key).moves(p) == []
    assert ruleset(key).undo is UndoPolicy.COUNTED


def test_b8_kings_stay_and_only_kings_move_into_empty_columns() -> None:
    key = "bakers-dozen-kings"
    cards = shuffled(seed_number(4), FRENCH_52)
    p = ruleset(key).deal(cards)
    assert [c for n in range(1, 14) for c in p.piles[f"c{n}"]] == [c for n in range(13) for c in cards[n::13]]
    columns = {f"c{n}": "5C" for n in range(3, 14)}
    p = table(key, **columns, c1="2D KC", c2="")
    assert legal(key, p) == {"c1c2"}
    p = table(key, **{**columns, "c3": ""}, c1="KC", c2="QS")
    assert legal(key, p) == {"c1c3", "c2c1"}


def test_b9_classic_builds_in_any_suit() -> None:
    p = table("bakers-dozen-classic", c1="9H", c2="TH", c3="TC")
    assert legal("bakers-dozen-classic", p) == {"c1c2", "c1c3"}
    assert ruleset("bakers-dozen-classic").deal(FRENCH_52.cards) == ruleset("bakers-dozen").deal(FRENCH_52.cards)


@pytest.mark.parametrize("key", BAKER_KEYS)
def test_b10_winnable_is_not_told(key: str) -> None:
    assert ruleset(key).winnable(deal(key), {}) is None
    assert ruleset(key).winnable(deal(key), {}, patient=True) is None


@pytest.mark.parametrize("key", BAKER_KEYS)
def test_b11_progress_counts_cards_home_and_boards_go_by_time_and_moves(key: str) -> None:
    rules = ruleset(key)
    assert (rules.progress(deal(key)), rules.layout.maximum) == (0, 52)
    assert rules.progress(table(key, fc="AC 2C 3C", fs="AS")) == 4
    assert rules.rankings["main"] == (RankKey.TIME, RankKey.MOVES)
    assert rules.rankings["moves"] == (RankKey.MOVES, RankKey.TIME)


def test_the_legal_list_sends_home_before_it_builds() -> None:
    p = table("bakers-dozen-kings", c1="9H", c2="TC", c3="AS", c4="2C", c5="KD")
    assert ruleset("bakers-dozen-kings").moves(p)[:3] == ["c3fs", "c1c2", "c3c4"]
