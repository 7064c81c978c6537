"""What makes a deal fit to be published: a winning line that its rules have accepted, par, and figures of difficulty.

A certificate is a function of ruleset, seed and plan: searches are bounded by nodes and games are played by chance
drawn from the seed, so every machine says the same of a deal. What is not proved is not certified.
"""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from server.core.deck import shuffled
from server.core.moves import Move
from server.core.position import Position
from server.core.rules import Memo, Outcome, Rules
from server.solve import SOLVER_VERSION, played, solve
from server.solve.difficulty import Level, hardness, level, scale_of
from server.solve.foursquare import careless_score
from server.solve.solution import Budget


class Plan(NamedTuple):
    """What a certificate may cost.

    ``line`` nodes for the winning line and par, ``ask`` nodes for each question whether a position can be won,
    ``games`` random games of ``depth`` moves.
    """

    line: int
    ask: int
    games: int
    depth: int


#: Plans by family: for the stock, where there is time.
PLANS: Final[Mapping[str, Plan]] = MappingProxyType(
    {
        "pyramid": Plan(30_000, 2_000, 32, 40),
        "thirteen": Plan(20_000, 2_000, 16, 4),
        "bakers-dozen": Plan(12_000, 2_000, 8, 12),
        "foursquare": Plan(4_000, 1_500, 32, 0),
    }
)
#: Rulesets whose searches are of another kind than those of their family.
_OWN_PLANS: Final[Mapping[str, Plan]] = MappingProxyType({"thirteen-3": Plan(60_000, 4_000, 16, 8)})

#: Where somebody waits for the deal, so much less is spent on the line and on random games, and half on questions.
_HASTE: Final = 4


class Certificate(msgspec.Struct, frozen=True):
    """What is proved of a deal and known of its difficulty.

    ``witness`` are the moves of a win, ``par`` their number; where ``par_exact`` no win has fewer. ``score`` is that
    of the witness, where the ruleset has scores. ``winnable_first_moves`` of ``first_moves`` are proved to leave a
    win. ``dead_ends`` (per mille) are the random games after which no win was found; where there are scores, the part
    of the greatest one that is missed on average by a player who does not look ahead. ``nodes`` and ``ms`` of processor
    time were spent.
    """

    solver_version: int
    witness: tuple[Move, ...]
    par: int
    par_exact: bool
    score: int | None
    first_moves: int
    winnable_first_moves: int
    dead_ends: int
    hardness: int
    difficulty: Level
    nodes: int
    ms: int


def plan_of(rules: Rules, *, hasty: bool = False) -> Plan | None:
    """The plan of a ruleset, None where it has no solver."""
    plan = _OWN_PLANS.get(rules.key) or PLANS.get(rules.family)
    if plan is None or not hasty:
        return plan
    return plan._replace(line=plan.line // _HASTE, ask=plan.ask // 2, games=plan.games // _HASTE)


def certify(rules: Rules, seed: str, now_ms: Callable[[], float], *, hasty: bool = False) -> Certificate | None:
    """The certificate of a deal; None where it cannot be won, or where that was not decided.

    ``now_ms`` only measures. Raises :class:`SolverError` where the rules refuse what a solver has found.
    """
    plan = plan_of(rules, hasty=hasty)
    if plan is None:
        return None
    return _Inquiry(rules, seed, plan, now_ms).certificate()


def stands(rules: Rules, seed: str, certificate: Certificate) -> bool:
    """Whether the rules accept the witness of a deal, to the win and in as many moves as par says."""
    if len(certificate.witness) != certificate.par or not certificate.par:
        return False
    last = played(rules, rules.deal(shuffled(seed, rules.deck)), certificate.witness)
    return rules.score(last) == certificate.score


class _Inquiry:
    """One deal under examination."""

    def __init__(self, rules: Rules, seed: str, plan: Plan, now_ms: Callable[[], float]) -> None:
        self._rules, self._plan, self._now_ms = rules, plan, now_ms
        self._chance = Random(seed)  # noqa: S311 - it decides nothing but which games are looked at
        self._deal = rules.deal(shuffled(seed, rules.deck))
        self._memo: Memo = {}
        self._nodes = 0

    def certificate(self) -> Certificate | None:
        rules, plan, started = self._rules, self._plan, self._now_ms()
        moves = rules.moves(self._deal)
        if not moves or rules.winnable(rules.view(self._deal), self._memo, patient=True) is False:
            return None
        found = solve(rules, self._deal, Budget(self._now_ms, nodes=plan.line))
        if not found.winnable or found.par is None:
            return None
        first = sum(move == found.witness[0] or self._wins(self._after(self._deal, move)) for move in moves)
        dead_ends = self._careless() if rules.scores else self._dead_ends()
        scale = scale_of(rules.key, rules.family)
        hard = hardness(scale, dead_ends=dead_ends, first_moves=first / len(moves), par=found.par)
        return Certificate(
            solver_version=SOLVER_VERSION,
            witness=found.witness,
            par=found.par,
            par_exact=found.par_exact,
            score=found.score,
            first_moves=len(moves),
            winnable_first_moves=first,
            dead_ends=round(1000 * dead_ends),
            hardness=hard,
            difficulty=level(scale, hard),
            nodes=self._nodes + found.nodes,
            ms=round(self._now_ms() - started),
        )

    def _after(self, position: Position, move: Move) -> Position:
        return position.after(self._rules.steps(position, move))

    def _wins(self, position: Position) -> bool:
        """Whether a win from here is proved within the nodes of a question."""
        rules = self._rules
        outcome = rules.outcome(position)
        if outcome is not Outcome.OPEN:
            return outcome is Outcome.WON
        told = rules.winnable(rules.view(position), self._memo, patient=True)
        if told is not None:
            return told
        budget = Budget(self._now_ms, nodes=self._plan.ask)
        found = solve(rules, position, budget, par=False)
        self._nodes += budget.nodes
        return found.winnable is True

    def _pick(self, moves: list[Move]) -> Move:
        # Of all that the class offers, only this method promises the same numbers in every version of Python.
        return moves[int(self._chance.random() * len(moves))]

    def _dead_ends(self) -> float:
        """The share of random games after which no win is found."""
        dead = 0
        for _ in range(self._plan.games):
            position = self._deal
            for _ in range(self._plan.depth):
                moves = self._rules.moves(position)
                if not moves:
                    break
                position = self._after(position, self._pick(moves))
            dead += not self._wins(position)
        return dead / self._plan.games

    def _careless(self) -> float:
        """The share of the greatest score that a player misses on average who does not look ahead."""
        most = self._rules.deck.size - self._rules.layout.maximum
        total = sum(careless_score(self._rules, self._deal, self._chance.random) for _ in range(self._plan.games))
        return 1 - total / most / self._plan.games
