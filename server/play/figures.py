"""Figures of many results: medians, and bars of equal width that show how they are spread."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

Unit = Literal["ms", "moves", "cards", "points"]

#: Units in which one endless game may lie far above all others.
_ENDLESS: Final[tuple[Unit, ...]] = ("ms", "moves")

#: Bars of a spread at most.
MOST_BARS: Final = 20
#: Widths that a reader can follow, times a power of ten; for times in seconds and minutes.
_NICE: Final = (1, 2, 5)
_NICE_MS: Final = (
    *(1_000, 2_000, 5_000, 10_000, 15_000, 30_000),
    *(60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000),
)


class Bar(NamedTuple):
    """How many ``values`` lie from ``start`` up to, but not at, ``end``."""

    start: int
    end: int
    values: int


class Spread(NamedTuple):
    """How values are spread. ``own`` is the index of the bar in which one's own value lies, None without one.

    With ``open_ended`` the last bar has all values from its ``start`` on, also those above its ``end``.
    """

    unit: Unit
    bars: tuple[Bar, ...]
    own: int | None
    total: int
    open_ended: bool


def median(values: Sequence[int]) -> int | None:
    """The middle value, or the mean of the two in the middle rounded down; None of no values."""
    if not values:
        return None
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) // 2


def spread(unit: Unit, counted: Iterable[tuple[int, int]], own: int | None = None) -> Spread | None:
    """The spread of values given as (value, how often); None of no values.

    The width of the bars of times and moves suits the lower nineteen twentieths, and the last bar has what lies above
    it too, so that a single endless game does not press all others into one bar. Cards and points have a greatest
    value, and the best players stand there: nothing is put together. Bars of what is counted end at the greatest value.
    """
    values = sorted((value, count) for value, count in counted if count)
    total = sum(count for _, count in values)
    if not total:
        return None
    low, greatest = values[0][0], values[-1][0]
    high = _at(values, -(-total * 19 // 20)) if unit in _ENDLESS else greatest
    width = _width(unit, (high - low) // MOST_BARS + 1)
    start = low - low % width
    number = min((high - start) // width + 1, MOST_BARS + 1)
    counts = [0] * number
    for value, count in values:
        counts[min((value - start) // width, number - 1)] += count
    bars = [Bar(start + index * width, start + (index + 1) * width, count) for index, count in enumerate(counts)]
    last = bars[-1]
    if unit != "ms" and greatest < last.end:
        bars[-1] = last._replace(end=greatest + 1)
    place = None if own is None else max(0, min((own - start) // width, number - 1))
    return Spread(unit, tuple(bars), place, total, greatest >= last.end)


def reached_by_tenth(course: Sequence[tuple[int, int]]) -> list[int]:
    """How far somebody was at the end of each tenth of his time.

    ``course`` is what each entry of his log led to: milliseconds since the start, and how far he was then.
    """
    reached: list[int] = []
    far, at = 0, 0
    for tenth in range(1, 11):
        while at < len(course) and course[at][0] * 10 <= course[-1][0] * tenth:
            far = course[at][1]
            at += 1
        reached.append(far)
    return reached


def _at(values: Sequence[tuple[int, int]], place: int) -> int:
    """The value at a place (from 1) of a sorted list of (value, how often)."""
    seen = 0
    for value, count in values:
        seen += count
        if seen >= place:
            return value
    return values[-1][0]


def _width(unit: Unit, least: int) -> int:
    if unit == "ms":
        return next((width for width in _NICE_MS if width >= least), -(-least // _NICE_MS[-1]) * _NICE_MS[-1])
    scale = 1
    while True:
        for nice in _NICE:
            if nice * scale >= least:
                return nice * scale
        scale *= 10
