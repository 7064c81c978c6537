"""What a benchmark finds: measured figures, the bar that each must hold, and how they are written."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from server.errors import SamedealError

#: In a smoke a bar is held with so much room: it runs too short to judge a speed, only to see that all works.
LENIENCY: Final = 4.0


Say = Callable[[str], None]


class BenchError(SamedealError):
    """A measurement cannot be trusted or cannot be made: something was not answered, or is not there."""


class StoppedError(BenchError):
    """The command was told to stop while it measured."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A limit: at least or at most so much."""

    limit: float
    goal: float
    at_least: bool = True

    def holds(self, value: float, *, lenient: bool) -> bool:
        """Whether a value is good enough."""
        room = LENIENCY if lenient else 1.0
        return value * room >= self.limit if self.at_least else value <= self.limit * room

    def __str__(self) -> str:
        return f"{'at least' if self.at_least else 'at most'} {number(self.limit)}, goal {number(self.goal)}"


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured thing. ``judged`` is what the bar is held against: a ratio to the baseline or the figure itself."""

    what: str
    measured: str
    baseline: str
    judged: float
    unit: str
    bar: Bar | None = None

    def holds(self, *, lenient: bool) -> bool:
        """Whether the bar, if there is one, is held."""
        return self.bar is None or self.bar.holds(self.judged, lenient=lenient)

    def line(self, *, lenient: bool) -> str:
        """The figure in one line."""
        said = f"{self.what}: {self.measured}"
        if self.baseline:
            said += f"; baseline {self.baseline}"
        said += f"; {number(self.judged)} {self.unit}".rstrip()
        if self.bar is not None:
            good = "works" if lenient else "holds"
            said += f" ({self.bar}): {good if self.holds(lenient=lenient) else 'BELOW THE BAR'}"
        return said


def number(value: float) -> str:
    """A number with as many digits as can be believed."""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.0f}" if value == int(value) or value >= 100 else f"{value:.2f}"


def median(values: Sequence[float]) -> float:
    """The middle value. Raises :class:`BenchError` where there is none."""
    if not values:
        raise BenchError("nothing was measured")
    return statistics.median(values)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that ``share`` (0-1) of all values do not exceed. Raises :class:`BenchError` where there is none."""
    if not values:
        raise BenchError("nothing was measured")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
