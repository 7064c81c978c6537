"""How hard the dailies of a weekday are, where no admin has planned otherwise."""

from datetime import date
from typing import Final, Literal

Difficulty = Literal["easy", "medium", "hard", "expert"]

#: From Monday to Sunday.
WEEKDAYS: Final[tuple[Difficulty, ...]] = ("easy", "easy", "medium", "hard", "hard", "expert", "medium")


def difficulty_of(day: date) -> Difficulty:
    """The difficulty of a date's dailies by the rule."""
    return WEEKDAYS[day.weekday()]
