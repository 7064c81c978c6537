"""Streaks: days in a row with a finished ranked daily (DESIGN 7).

Days are numbers that rise by one from date to date; nothing here knows hours, so no change of clocks can matter.
"""

from collections.abc import Collection
from typing import Final, NamedTuple

#: A freeze is earned with every tenth day of a streak.
FREEZE_EVERY: Final = 10
#: So many freezes can be kept.
MOST_FREEZES: Final = 3


class Streak(NamedTuple):
    """A streak as it stands: days now and at best, freezes kept, and the missed days that freezes have covered."""

    current: int
    longest: int
    freezes: int
    frozen: frozenset[int]

    @property
    def next_freeze_in(self) -> int:
        """Days of the streak until the next freeze is earned."""
        return FREEZE_EVERY - self.current % FREEZE_EVERY


def streak(finished: Collection[int], excused: Collection[int], first_open: int) -> Streak:
    """The streak of somebody who finished a ranked daily on the days ``finished``.

    ``excused`` are days with a server outage: missed, they neither break a streak nor cost a freeze. From
    ``first_open`` on days can still be played, so that missing them means nothing yet.
    """
    if not finished:
        return Streak(0, 0, 0, frozenset())
    played = frozenset(finished)
    current = longest = freezes = 0
    frozen: set[int] = set()
    for day in range(min(played), max(max(played) + 1, first_open)):
        if day in played:
            current += 1
            longest = max(longest, current)
            if current % FREEZE_EVERY == 0:
                freezes = min(freezes + 1, MOST_FREEZES)
        elif day in excused or day >= first_open:
            continue
        elif current and freezes:
            freezes -= 1
            frozen.add(day)
        else:
            current = freezes = 0
    return Streak(current, longest, freezes, frozenset(frozen))
