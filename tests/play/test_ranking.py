"""The total order of results (C10, P11, F9): two classes, the ruleset's keys, ties."""

from functools import cmp_to_key, partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.rules import RankKey, Rules, UndoPolicy
from server.games import ruleset, rulesets
from server.play.attempt import Attempt
from server.play.ranking import BOARDS, OTHERS, WON, By, Order, Result, order, result_of, stands_on_board
from tests.play.toys import RedHome, RedHomeNoUndo, deck_of, play_all, red_home

TIME_FIRST = sorted(key for key, rules in rulesets().items() if rules.family != "foursquare")
SCORE_FIRST = sorted(key for key, rules in rulesets().items() if rules.family == "foursquare")


def won(time_ms: int = 60_000, moves: int = 50, score: int | None = None) -> Result:
    return Result("won", time_ms, moves, 3, 28, score)


def test_there_are_rulesets_of_both_sorts() -> None:
    assert SCORE_FIRST == ["foursquare", "foursquare-all"]
    assert len(TIME_FIRST) == 10


@pytest.mark.parametrize("key", TIME_FIRST)
def test_p11_main_is_shorter_time_then_fewer_moves(key: str) -> None:
    rules = ruleset(key)
    best = [won(1, 99), won(2, 98), won(2, 99), won(3, 1)]
    worst_first = best[::-1]
    assert sorted(worst_first, key=lambda result: order(rules, "main", result)) == best


@pytest.mark.parametrize("key", TIME_FIRST)
def test_p11_moves_is_fewer_moves_then_shorter_time(key: str) -> None:
    rules = ruleset(key)
    best = [won(99, 1), won(98, 2), won(99, 2), won(1, 3)]
    worst_first = best[::-1]
    assert sorted(worst_first, key=lambda result: order(rules, "moves", result)) == best


@pytest.mark.parametrize("key", SCORE_FIRST)
@pytest.mark.parametrize("by", BOARDS)
def test_f9_both_boards_are_higher_score_then_shorter_time(key: str, by: By) -> None:
    best = [won(99, 9, 24), won(98, 9, 10), won(99, 1, 10), won(1, 1, 0)]
    worst_first = best[::-1]
    assert sorted(worst_first, key=lambda result: order(ruleset(key), by, result)) == best


@pytest.mark.parametrize("key", sorted(rulesets()))
@pytest.mark.parametrize("by", BOARDS)
def test_c10_every_win_stands_before_all_others(key: str, by: By) -> None:
    rules = ruleset(key)
    slowest = order(rules, by, won(10**12, 5000, 0))
    nearly = order(rules, by, Result("lost", 1, 1, 0, rules.layout.maximum, None))
    assert slowest < nearly
    assert (slowest.klass, nearly.klass) == (WON, OTHERS)


@pytest.mark.parametrize("key", sorted(rulesets()))
@pytest.mark.parametrize("by", BOARDS)
def test_c10_the_others_are_ordered_by_progress_alone(key: str, by: By) -> None:
    rules = ruleset(key)
    maximum = rules.layout.maximum
    for progress in range(maximum):
        same = {
            order(rules, by, Result("lost", 1, 1, 0, progress, None)),
            order(rules, by, Result("resigned", 10**9, 400, 7, progress, None)),
            order(rules, by, Result("closed", 10**7, 9, 0, progress, None)),
        }
        assert same == {Order(OTHERS, maximum - progress, 0)}


def test_c10_equal_on_all_keys_is_an_equal_rank_whatever_the_undos() -> None:
    rules = ruleset("pyramid")
    assert order(rules, "main", Result("won", 5, 9, 0, 28, None)) == order(
        rules, "main", Result("won", 5, 9, 4, 28, None)
    )


def test_c10_the_final_progress_counts_not_the_best() -> None:
    attempt = play_all(red_home("2D 3C 4C"), "s w1")
    assert attempt.progress == 1
    result = result_of(play_all(attempt, "undo resign"))
    assert result is not None
    assert result.progress == 0


@pytest.mark.parametrize(
    ("moves", "stands"),
    [
        ("", False),
        ("s", False),
        ("resign", False),
        ("close", False),
        ("void", False),
        ("s resign", True),
        ("s undo close", True),
        ("s w1 s w1", True),
        ("s void", False),
        ("s w1 s w1 void", False),
    ],
)
def test_c10_an_ended_attempt_with_a_move_stands_on_the_board(moves: str, stands: bool) -> None:
    assert stands_on_board(play_all(red_home("2D 3D 4C"), moves)) is stands


def test_the_result_tells_what_the_board_shows() -> None:
    assert result_of(red_home("2D 3D 4C")) is None
    attempt = play_all(red_home("2D 3D 4C"), "s w1 undo w1 s w1")
    assert result_of(attempt) == Result("won", 6000, 6, 1, 2, 1)
    assert result_of(play_all(red_home("2D AS 4C"), "s s")) == Result("lost", 2000, 2, 0, 0, None)


def test_a_greater_score_is_better_and_none_counts_as_nothing() -> None:
    rules = RedHomeNoUndo()
    attempt = Attempt.start(rules, deck_of("2D 3D 4C"), UndoPolicy.NONE)
    result = result_of(play_all(attempt, "s w1 s w1"))
    assert result is not None
    assert order(rules, "main", result) == Order(WON, -1, 4000)
    assert order(rules, "main", result._replace(score=None)) > order(rules, "main", result)


results = st.builds(
    Result,
    st.sampled_from(["won", "lost", "resigned", "closed"]),
    st.integers(0, 3),
    st.integers(1, 3),
    st.integers(0, 2),
    st.integers(0, 2),
    st.integers(0, 2),
)


def compare(rules: Rules, by: By, one: Result, other: Result) -> int:
    """C10 as it is written: -1 where `one` stands before `other`, 0 where they share a rank."""
    if (one.outcome == "won") != (other.outcome == "won"):
        return -1 if one.outcome == "won" else 1
    if one.outcome != "won":
        return other.progress - one.progress
    for key in rules.rankings[by]:
        if key is RankKey.SCORE:
            difference = (other.score or 0) - (one.score or 0)
        elif key is RankKey.TIME:
            difference = one.time_ms - other.time_ms
        else:
            difference = one.moves - other.moves
        if difference:
            return difference
    return 0


@pytest.mark.parametrize("rules", [RedHome(), RedHomeNoUndo()], ids=lambda rules: rules.key)
@pytest.mark.parametrize("by", BOARDS)
@given(st.lists(results, min_size=2, max_size=12))
def test_the_order_is_total_and_says_what_c10_says(rules: Rules, by: By, rows: list[Result]) -> None:
    ranked = sorted(rows, key=lambda result: order(rules, by, result))
    assert ranked == sorted(rows, key=cmp_to_key(partial(compare, rules, by)))
    for one, other in pairwise(ranked):
        same = order(rules, by, one) == order(rules, by, other)
        assert same == (compare(rules, by, one, other) == 0)
