"""How many deals of a ruleset can be won, beside what is known of it (RULES 5)."""

import math
from collections.abc import Iterable, Mapping
from time import process_time
from types import MappingProxyType
from typing import Final, NamedTuple

from server.core.deck import shuffled
from server.games import ruleset
from server.solve import solve, usual_ms
from server.solve.solution import Budget


class Known(NamedTuple):
    """The range of shares that other studies allow, one standard error of theirs, and how many deals to try."""

    low: float
    high: float
    error: float
    deals: int


#: Shares with perfect play. A published range of 95 % has an error of a quarter of its width.
KNOWN: Final[Mapping[str, Known]] = MappingProxyType(
    {
        "pyramid": Known(0.66865, 0.6694, 0.0005, 2_000),
        "pyramid-cover": Known(0.83152, 0.83152, 0.00007, 2_000),
        "thirteen": Known(0.0371, 0.0371, 0.00105, 2_000),
        "thirteen-strict": Known(0.0273, 0.0273, 0.0016, 2_000),
        "thirteen-3": Known(0.4433, 0.4433, 0.0028, 500),
        "bakers-dozen": Known(0.984, 0.994, 0.005, 500),
        "bakers-dozen-classic": Known(0.996, 1.0, 0.002, 500),
        "bakers-dozen-kings": Known(0.996, 0.996, 0.003, 500),
    }
)


class Share(NamedTuple):
    """What a sample says: deals won, lost and not decided."""

    won: int
    lost: int
    undecided: int

    def agrees(self, known: Known) -> bool:
        """Whether the share may be within four standard errors of the known one, however the undecided ones end."""
        deals = sum(self)
        middle = (known.low + known.high) / 2
        slack = 4 * math.sqrt(middle * (1 - middle) / deals + known.error**2)
        most, least = known.high + slack, known.low - slack
        return self.won <= most * deals and self.won + self.undecided >= least * deals


def numbered_seed(number: int) -> str:
    """The seed of a numbered deal: samples are the same everywhere."""
    return f"{number:032x}"


def winnable(key: str, number: int, patience: float = 1) -> bool | None:
    """Whether a numbered deal can be won, None where the time was too short to know.

    ``patience``: how many times the usual time, of the processor, a deal is given.
    """
    rules = ruleset(key)
    deal = rules.deal(shuffled(numbered_seed(number), rules.deck))
    budget = Budget(lambda: process_time() * 1000, ms=patience * usual_ms(rules))
    return solve(rules, deal, budget, par=False).winnable


def share_of(told: Iterable[bool | None]) -> Share:
    """The share that verdicts make."""
    told = list(told)
    return Share(told.count(True), told.count(False), told.count(None))
