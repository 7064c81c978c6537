"""How many deals of a ruleset can be won, beside what is known of it (docs/solvers.md).

Run as ``python -m tests.solve.shares RULESET DEALS``; exits 1 where the two do not agree.
"""

import math
import sys
from time import process_time
from typing import Final, NamedTuple

from server.core.deck import shuffled
from server.games import ruleset
from server.solve import Budget, solve, usual_ms


class Known(NamedTuple):
    """The range of shares that other studies allow, one standard error of theirs already taken at each side."""

    low: float
    high: float
    error: float


#: Shares with perfect play. A published range of 95 % has an error of a quarter of its width.
KNOWN: Final = {
    "pyramid": Known(0.66865, 0.6694, 0.0005),
    "pyramid-cover": Known(0.83152, 0.83152, 0.00007),
    "thirteen": Known(0.0371, 0.0371, 0.00105),
    "thirteen-3": Known(0.4433, 0.4433, 0.0028),
    "thirteen-strict": Known(0.0273, 0.0273, 0.0016),
    "bakers-dozen": Known(0.984, 0.994, 0.005),
    "bakers-dozen-classic": Known(0.996, 1.0, 0.002),
    "bakers-dozen-kings": Known(0.996, 0.996, 0.003),
}


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


def share(key: str, deals: int, *, first: int = 0) -> Share:
    """Solve so many numbered deals within the usual time each."""
    rules = ruleset(key)
    told = []
    for number in range(first, first + deals):
        p = rules.deal(shuffled(f"{number:032x}", rules.deck))
        budget = Budget(lambda: process_time() * 1000, ms=usual_ms(rules))
        told.append(solve(rules, p, budget, par=False).winnable)
    return Share(told.count(True), told.count(False), told.count(None))


def main(key: str, deals: str) -> int:
    """Print the share of a ruleset beside the known one."""
    started = process_time()
    found = share(key, int(deals))
    known = KNOWN[key]
    agrees = found.agrees(known)
    sys.stdout.write(
        f"{key}: {found.won} won, {found.lost} lost, {found.undecided} not decided of {sum(found)}: "
        f"{100 * found.won / sum(found):.2f} %, known {100 * known.low:.2f} to {100 * known.high:.2f} %, "
        f"{'agrees' if agrees else 'DOES NOT AGREE'}, {process_time() - started:.0f} s\n"
    )
    return 0 if agrees else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
