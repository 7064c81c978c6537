"""What a solver is given and what it answers: a budget, and a solution that says what is proved and what is not."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from server.core.moves import Move

#: How many nodes may pass between two looks at the clock.
_CLOCK_EVERY: Final = 64


class Budget:
    """How much a search may cost: milliseconds, nodes, or both. Time comes from outside, so a test can set it."""

    __slots__ = ("_deadline_ms", "_most", "_now_ms", "_started_ms", "nodes", "over")

    def __init__(self, now_ms: Callable[[], float], *, ms: float | None = None, nodes: int | None = None) -> None:
        """``now_ms`` tells milliseconds on any clock that never goes back; the budget begins to run at once."""
        self._now_ms = now_ms
        self._started_ms = now_ms()
        self._deadline_ms = None if ms is None else self._started_ms + ms
        self._most = nodes
        #: Nodes looked at so far.
        self.nodes = 0
        #: Whether it is used up; it never comes back.
        self.over = False

    @property
    def spent_ms(self) -> float:
        """Milliseconds since the budget began to run."""
        return self._now_ms() - self._started_ms

    def take(self) -> bool:
        """Take one node; false once the budget is used up."""
        if self.over:
            return False
        self.nodes += 1
        if self._most is not None and self.nodes > self._most:
            self.over = True
        elif self._deadline_ms is not None and not self.nodes % _CLOCK_EVERY:
            self.over = self._now_ms() >= self._deadline_ms
        return not self.over


@dataclass(frozen=True, slots=True)
class Line:
    """What a family's solver found: the moves of a win with what is known of them, or a verdict without one.

    ``winnable`` is None where the budget did not suffice. ``par_exact``: no win has fewer moves than ``moves``.
    """

    winnable: bool | None
    moves: tuple[Move, ...] = ()
    par_exact: bool = False


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer about one position.

    ``winnable`` is None where it is not decided within the budget, or not told. ``par`` is the number of moves of
    ``witness``, a winning line from the position that its rules have accepted; where ``par_exact`` is set no win is
    shorter. ``score`` is the score that the witness reaches, where the ruleset has scores. ``ms`` is the time taken.
    """

    winnable: bool | None
    par: int | None
    par_exact: bool
    score: int | None
    witness: tuple[Move, ...]
    nodes: int
    ms: float
