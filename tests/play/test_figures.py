"""Medians, and bars that show how values are spread."""

import statistics
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.play.figures import MOST_BARS, Unit, median, reached_by_tenth, spread


@given(st.lists(st.integers(0, 10**7), min_size=1))
def test_the_median_is_the_one_of_the_books_rounded_down(values: list[int]) -> None:
    assert median(values) == statistics.median(values) // 1


def test_nothing_has_neither_median_nor_spread() -> None:
    assert median([]) is None
    assert spread("ms", []) is None
    assert spread("moves", [(5, 0)]) is None


@pytest.mark.parametrize("unit", ["ms", "moves", "cards", "points"])
@given(counted=st.lists(st.tuples(st.integers(0, 10**7), st.integers(1, 50)), min_size=1, unique_by=lambda x: x[0]))
def test_every_value_lies_in_one_bar_of_equal_width(unit: Unit, counted: list[tuple[int, int]]) -> None:
    value = counted[0][0]
    found = spread(unit, counted, value)
    assert found is not None
    bars = found.bars
    assert 1 <= len(bars) <= MOST_BARS + 1
    assert sum(bar.values for bar in bars) == found.total == sum(count for _, count in counted)
    widths = [bar.end - bar.start for bar in bars]
    assert len(set(widths[:-1])) <= 1
    assert 0 < widths[-1] <= max(widths)
    greatest = max(value for value, _ in counted)
    assert found.open_ended == (greatest >= bars[-1].end)
    if unit in ("cards", "points"):
        assert not found.open_ended
    assert all(one.end == other.start for one, other in pairwise(bars))
    assert bars[0].start <= min(value for value, _ in counted) < bars[0].end
    if unit != "ms" and not found.open_ended:
        assert bars[-1].end == greatest + 1
    for index, bar in enumerate(bars[:-1] if found.open_ended else bars):
        assert bar.values == sum(count for value, count in counted if bar.start <= value < bar.end), index
    assert found.own is not None
    own = bars[found.own]
    assert own.start <= value
    assert value < own.end or (found.open_ended and found.own == len(bars) - 1)


def test_bars_of_times_are_seconds_and_minutes_and_one_endless_game_does_not_press_the_others() -> None:
    found = spread("ms", [(second * 1000, 1) for second in range(60, 160)] + [(5 * 3_600_000, 1)])
    assert found is not None
    assert found.bars[0][:2] == (60_000, 65_000)
    assert found.bars[-1].values > 1
    assert found.bars[-1].end < 200_000
    assert found.open_ended


def test_the_best_of_a_field_stand_in_their_own_bar() -> None:
    """Hardly anybody wins: whoever has all 28 cards home is not put together with those who have 20."""
    found = spread("cards", [(far, 10) for far in range(3, 21)] + [(28, 2)], 28)
    assert found is not None
    assert found.own == len(found.bars) - 1
    assert found.bars[-1].values == 2
    assert found.bars[-1].start > 20
    assert found.bars[-1].end == 29


def test_bars_end_at_what_was_reached() -> None:
    found = spread("cards", [(far, 1) for far in range(29)])
    assert found is not None
    assert (found.bars[0].start, found.bars[0].end, found.bars[-1].end) == (0, 2, 29)


def test_how_far_somebody_was_goes_by_time_and_not_by_moves() -> None:
    """Nine moves in the first tenth of the time, and one at the end; an undo goes back."""
    quick = [(number * 10, number) for number in range(1, 10)]
    assert reached_by_tenth([*quick, (1000, 10)]) == [9] * 9 + [10]
    assert reached_by_tenth([(50, 1), (60, 2), (70, 1), (100, 2)]) == [0, 0, 0, 0, 1, 2, 1, 1, 1, 2]
    assert reached_by_tenth([(0, 3)]) == [3] * 10
    assert reached_by_tenth([]) == [0] * 10


def test_one_value_is_one_bar() -> None:
    found = spread("moves", [(31, 4)], 31)
    assert found is not None
    assert (found.bars, found.own) == (((31, 32, 4),), 0)
