"""Streaks: freezes earned and spent, outages that break nothing, and days that are not over yet (DESIGN 7)."""

from hypothesis import given
from hypothesis import strategies as st

from server.play.streaks import MOST_FREEZES, Streak, streak

NONE: frozenset[int] = frozenset()


def run(finished: object, excused: object = (), today: int = 1000) -> Streak:
    return streak(frozenset(finished), frozenset(excused), today)  # type: ignore[call-overload]


def test_nobody_has_a_streak_before_the_first_day() -> None:
    assert run([]) == Streak(0, 0, 0, NONE)


def test_days_in_a_row_count_and_today_is_still_open() -> None:
    assert run([997, 998, 999]) == Streak(3, 3, 0, NONE)
    assert run([997, 998, 999, 1000]).current == 4
    assert run([996, 997, 998]).current == 0  # yesterday is over
    assert run([996, 997, 998]).longest == 3


def test_a_missed_day_without_a_freeze_ends_it() -> None:
    assert run([*range(980, 989), *range(990, 1000)]) == Streak(10, 10, 1, NONE)


def test_the_tenth_day_earns_a_freeze_that_covers_one_missed_day() -> None:
    ten = range(980, 990)
    assert run(ten, today=990) == Streak(10, 10, 1, NONE)
    assert run([*ten, *range(991, 1000)]) == Streak(19, 19, 0, frozenset({990}))
    assert run([*ten, *range(992, 1000)]).current == 8  # two missed days, one freeze
    assert run([*ten, *range(991, 1000)]).next_freeze_in == 1
    assert run([]).next_freeze_in == 10


def test_three_freezes_are_kept_at_most() -> None:
    assert run(range(900, 1000)).freezes == MOST_FREEZES == 3
    covered = run([*range(900, 990), 993, 994, 995, 996, 997, 998, 999])
    assert (covered.current, covered.freezes, covered.frozen) == (97, 0, frozenset({990, 991, 992}))
    assert run([*range(900, 990), *range(994, 1000)]).current == 6


def test_a_day_with_an_outage_breaks_nothing_and_costs_nothing() -> None:
    assert run([997, 999], excused=[998]) == Streak(2, 2, 0, NONE)
    ten = range(980, 990)
    assert run([*ten, *range(991, 1000)], excused=[990]) == Streak(19, 19, 1, NONE)
    assert run([998, 999], excused=[998]).current == 2  # played in spite of it


@given(st.frozensets(st.integers(900, 1000)), st.frozensets(st.integers(900, 1000)))
def test_an_outage_never_makes_a_streak_worse(finished: frozenset[int], excused: frozenset[int]) -> None:
    without, with_outage = run(finished), run(finished, excused)
    assert with_outage.current >= without.current
    assert with_outage.longest >= without.longest
    assert 0 <= with_outage.freezes <= MOST_FREEZES
    assert not with_outage.frozen & (finished | excused)
    assert with_outage.current <= with_outage.longest <= len(finished)
