"""How hard a deal is: easy, medium, hard or expert, by thresholds on what its certificate says (docs/difficulty.md).

Every ruleset weighs the same three figures in its own way into one, its *hardness* from 0 to 1000. The thresholds were
read off samples of deals, so that of the deals that can be won about three in ten are easy, three medium, a quarter
hard and the rest expert.
"""

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

Level = Literal["easy", "medium", "hard", "expert"]

#: The levels, easiest first.
LEVELS: Final[tuple[Level, ...]] = ("easy", "medium", "hard", "expert")

#: The level of a daily by the weekday of its date, Monday first.
WEEK: Final[tuple[Level, ...]] = ("easy", "easy", "medium", "hard", "hard", "expert", "medium")


class Scale(NamedTuple):
    """How the figures of a ruleset's deals are weighed (the weights make 1000), and where the levels begin.

    ``low`` and ``high`` are the pars (Foursquare: the cards of a win) that count nothing and in full.
    """

    dead_ends: int
    first_moves: int
    par: int
    low: int
    high: int
    medium: int
    hard: int
    expert: int


#: By ruleset; a ruleset that is not named is weighed as its family is.
SCALES: Final[Mapping[str, Scale]] = MappingProxyType(
    {
        "pyramid": Scale(500, 100, 400, 40, 80, 260, 450, 620),
        "thirteen": Scale(600, 300, 100, 30, 55, 100, 350, 650),
        "thirteen-3": Scale(600, 200, 200, 25, 45, 370, 600, 740),
        "bakers-dozen": Scale(600, 200, 200, 65, 95, 220, 400, 650),
        "bakers-dozen-kings": Scale(600, 200, 200, 65, 95, 270, 480, 620),
        "foursquare": Scale(700, 0, 300, 16, 22, 425, 490, 540),
    }
)


def scale_of(key: str, family: str) -> Scale:
    """The scale of a ruleset. Raises KeyError where neither it nor its family has one."""
    return SCALES[key] if key in SCALES else SCALES[family]


def hardness(scale: Scale, *, dead_ends: float, first_moves: float, par: int) -> int:
    """The figures as one, 0 to 1000; ``dead_ends`` and ``first_moves`` (the winnable ones) are shares."""
    length = min(1.0, max(0.0, (par - scale.low) / (scale.high - scale.low)))
    return round(scale.dead_ends * dead_ends + scale.first_moves * (1 - first_moves) + scale.par * length)


def level(scale: Scale, hard: int) -> Level:
    """The level of a hardness."""
    return LEVELS[sum(hard >= threshold for threshold in (scale.medium, scale.hard, scale.expert))]


def level_of_day(day: date) -> Level:
    """The level of the dailies of a date."""
    return WEEK[day.weekday()]
