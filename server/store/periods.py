"""Periods of seasons: ISO weeks, months, and all time, counted on the calendar of UTC dates (DESIGN 7)."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

PeriodKind = Literal["week", "month", "all"]

#: The period of everything.
ALL: Final = "all"

#: The first day that can have a season; what lies before is no period.
EARLIEST: Final = date(2020, 1, 1)

_WEEK: Final = re.compile(r"(\d{4})-W(\d{2})", re.ASCII)
_MONTH: Final = re.compile(r"(\d{4})-(\d{2})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Period:
    """A period by its ``key``. ``begins`` and ``ends`` are its first and last day, None for all time."""

    key: str
    kind: PeriodKind
    begins: date | None = None
    ends: date | None = None

    def holds(self, day: date) -> bool:
        """Whether a date lies in the period."""
        return self.begins is None or self.ends is None or self.begins <= day <= self.ends


def week_of(day: date) -> Period:
    """The ISO week of a date: Monday to Sunday, named by the year in which its Thursday lies."""
    year, week, weekday = day.isocalendar()
    begins = day - timedelta(days=weekday - 1)
    return Period(f"{year:04d}-W{week:02d}", "week", begins, begins + timedelta(days=6))


def month_of(day: date) -> Period:
    """The month of a date."""
    begins = day.replace(day=1)
    return Period(f"{day.year:04d}-{day.month:02d}", "month", begins, next_month(begins) - timedelta(days=1))


def next_month(day: date) -> date:
    """The first day of the month after a date's."""
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def of_date(text: str) -> tuple[Period, Period, Period]:
    """The periods to which a daily of a date (``YYYY-MM-DD``) gives points: its week, its month, all time."""
    day = date.fromisoformat(text)
    return week_of(day), month_of(day), Period(ALL, "all")


def of_number(kind: PeriodKind, number: int) -> Period:
    """The week or month of a :func:`week_number` or :func:`month_number`."""
    if kind == "week":
        return week_of(date.fromordinal(number * 7 + 1))
    return month_of(date(number // 12, number % 12 + 1, 1))


def week_number(day: date) -> int:
    """The number of a date's week, counted from Monday 0001-01-01."""
    return (day.toordinal() - 1) // 7


def month_number(day: date) -> int:
    """The year times twelve and the month less one."""
    return day.year * 12 + day.month - 1


def parse(text: str, today: date) -> Period | None:
    """The period ``2026-W49``, ``2026-11``, ``all``, or ``week`` and ``month`` for the running ones.

    None for texts that name no period, and for periods that have not begun or lie before :data:`EARLIEST`.
    """
    if text == ALL:
        return Period(ALL, "all")
    period: Period | None = None
    try:
        if text == "week":
            period = week_of(today)
        elif text == "month":
            period = month_of(today)
        elif found := _WEEK.fullmatch(text):
            period = week_of(date.fromisocalendar(int(found[1]), int(found[2]), 1))
        elif found := _MONTH.fullmatch(text):
            period = month_of(date(int(found[1]), int(found[2]), 1))
    except (ValueError, OverflowError):  # no such week or month, or at the end of the calendar
        return None
    if period is None or period.begins is None or period.ends is None:
        return None
    return period if period.ends >= EARLIEST and period.begins <= today else None


def beside(period: Period, today: date) -> tuple[str | None, str | None]:
    """The periods before and after one, None where there is none that has begun or may be asked for."""
    if period.begins is None or period.ends is None:
        return None, None
    name = week_of if period.kind == "week" else month_of
    before, after = period.begins - timedelta(days=1), period.ends + timedelta(days=1)
    return (name(before).key if before >= EARLIEST else None), (name(after).key if after <= today else None)
