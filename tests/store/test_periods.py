"""Periods on the calendar: ISO weeks about the turn of a year, months, leap days."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store import periods
from server.store.periods import beside, month_number, month_of, of_number, parse, week_number, week_of

TODAY = date(2026, 11, 29)


@pytest.mark.parametrize(
    ("day", "key"),
    [
        (date(2026, 1, 1), "2026-W01"),
        (date(2026, 12, 31), "2026-W53"),
        (date(2027, 1, 3), "2026-W53"),  # a Sunday: the Thursday of its week was in 2026
        (date(2027, 1, 4), "2027-W01"),
        (date(2024, 12, 30), "2025-W01"),
        (date(2024, 2, 29), "2024-W09"),
        (date(2020, 12, 31), "2020-W53"),
    ],
)
def test_a_week_belongs_to_the_year_of_its_thursday(day: date, key: str) -> None:
    week = week_of(day)
    assert week.key == key
    assert week.begins is not None
    assert week.ends is not None
    assert (week.begins.isoweekday(), week.ends.isoweekday()) == (1, 7)
    assert week.holds(day)


def test_months_have_their_days_also_in_leap_years() -> None:
    assert month_of(date(2028, 2, 29)).ends == date(2028, 2, 29)
    assert month_of(date(2026, 2, 1)).ends == date(2026, 2, 28)
    assert month_of(date(2026, 12, 31)).begins == date(2026, 12, 1)
    assert month_of(date(2026, 12, 31)).ends == date(2026, 12, 31)


@given(st.dates(date(1900, 1, 1), date(2200, 1, 1)))
def test_numbers_name_their_periods_and_rise_with_the_days(day: date) -> None:
    assert of_number("week", week_number(day)) == week_of(day)
    assert of_number("month", month_number(day)) == month_of(day)
    later = day + timedelta(days=1)
    assert week_number(later) - week_number(day) == (later.isoweekday() == 1)
    assert month_number(later) - month_number(day) == (later.day == 1)


def test_texts_name_periods_that_have_begun() -> None:
    assert parse("all", TODAY) == periods.Period("all", "all")
    assert parse("week", TODAY) == week_of(TODAY) == parse("2026-W48", TODAY)
    assert parse("month", TODAY) == month_of(TODAY) == parse("2026-11", TODAY)
    assert parse("2020-W53", TODAY) == week_of(date(2020, 12, 31))
    for text in (
        *("", "2026-W49", "2026-12", "2027-W01", "2025-W53", "2026-W00", "2026-W54", "2026-13", "2026-00", "2026"),
        *("2019-12", "2019-W01", "9999-W52", "0000-W01", "0000-01", "2026-w48", "2026-W48 ", "year", "ALL", "today"),
        "٢٠٢٦-١١",
    ):
        assert parse(text, TODAY) is None, text


def test_a_period_knows_those_beside_it() -> None:
    assert beside(week_of(date(2027, 1, 4)), date(2027, 1, 20)) == ("2026-W53", "2027-W02")
    assert beside(week_of(TODAY), TODAY) == ("2026-W47", None)
    assert beside(month_of(date(2026, 1, 9)), TODAY) == ("2025-12", "2026-02")
    assert beside(month_of(date(2020, 1, 9)), TODAY) == (None, "2020-02")
    assert beside(periods.Period("all", "all"), TODAY) == (None, None)


def test_a_period_of_all_time_holds_every_day() -> None:
    assert periods.Period("all", "all").holds(TODAY)
    assert not week_of(TODAY).holds(TODAY + timedelta(days=1))
