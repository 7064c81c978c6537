"""Solving a case without a server: a ruleset, a deal and perhaps moves in, what can be said out (PROTOCOL 4)."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from server.errors import GameError
from server.play.attempt import UNDO, Attempt
from server.play.replay import read_case
from server.solve import solve, usual_ms
from server.solve.solution import Budget

#: An answer as PROTOCOL 4 has it, or that of ``replay`` to a case that is refused.
Answer = dict[str, Any]

#: Makes the budget of a case from its milliseconds.
Budgets = Callable[[float], Budget]


def solve_case(case: object, budgets: Budgets, *, ms: float | None = None) -> Answer:
    """What can be said of the position that a case leads to, within ``ms`` or else the usual time of its ruleset.

    ``moves`` of the case may be left out; they are played under the ranked undo policy. What is wrong with a case is
    told as ``replay`` tells it: ``{"ok": false, "at", "code"}``.
    """
    if isinstance(case, Mapping) and "moves" not in case:
        case = {**case, "moves": ""}
    try:
        rules, cards, moves = read_case(case)
    except GameError as refusal:
        return _refused(None, refusal)
    attempt = Attempt.start(rules, cards, rules.undo)
    for index, text in enumerate(moves):
        try:
            attempt = attempt.undo(0) if text == UNDO else attempt.play(text, 0)
        except GameError as refusal:
            return _refused(index, refusal)
    found = solve(rules, attempt.position, budgets(usual_ms(rules) if ms is None else ms))
    answer: Answer = {"winnable": found.winnable, "par": found.par, "par_exact": found.par_exact}
    if found.score is not None:
        answer["score"] = found.score
    return answer | {"witness": " ".join(found.witness), "nodes": found.nodes, "ms": round(found.ms)}


def solve_line(line: bytes, budgets: Budgets, *, ms: float | None = None) -> str:
    """The answer to one line of JSON, as one line of JSON without its end.

    A line that is no JSON (or no UTF-8, or nested beyond reason) is answered with ``protocol/malformed``.
    """
    try:
        case = json.loads(line)
    except (ValueError, RecursionError):  # ValueError covers broken UTF-8, broken JSON and absurdly long numbers
        return json.dumps(_refused(None, GameError("protocol/malformed")))
    return json.dumps(solve_case(case, budgets, ms=ms))


def _refused(at: int | None, refusal: GameError) -> Answer:
    return {"ok": False, "at": at, "code": refusal.code}
