"""Cases and their answers (PROTOCOL 4)."""

import json

import pytest

from server.games import ruleset
from server.play.replay import replay
from server.solve import usual_ms
from server.solve.case import solve_case, solve_line
from server.solve.solution import Budget
from tests.games.helpers import seed_number

SEED = seed_number(3)


def by_nodes(ms: float) -> Budget:
    return Budget(lambda: 0.0, nodes=20_000)


def test_an_answer_has_the_fields_of_the_protocol() -> None:
    answer = solve_case({"ruleset": "pyramid", "seed": SEED}, by_nodes)
    assert list(answer) == ["winnable", "par", "par_exact", "witness", "nodes", "ms"]
    assert (answer["winnable"], answer["par_exact"]) == (True, True)
    assert answer["par"] == len(answer["witness"].split())
    end = replay({"ruleset": "pyramid", "seed": SEED, "moves": answer["witness"]})
    assert (end["over"], end["moves"]) == ("won", answer["par"])
    square = solve_case({"ruleset": "foursquare", "seed": SEED}, lambda _: Budget(lambda: 0.0, nodes=2_000))
    assert list(square) == ["winnable", "par", "par_exact", "score", "witness", "nodes", "ms"]
    assert square["score"] == 39 - square["par"]


def test_the_position_behind_moves_is_solved_and_its_par_counts_from_there() -> None:
    case = {"ruleset": "pyramid", "seed": SEED}
    line = solve_case(case, by_nodes)["witness"].split()
    begun = " ".join(line[:9])
    answer = solve_case({**case, "moves": begun}, by_nodes)
    assert (answer["par"], answer["par_exact"]) == (len(line) - 9, True)
    end = replay({**case, "moves": f"{begun} {answer['witness']}"})
    assert (end["over"], end["moves"]) == ("won", len(line))
    undone = solve_case({**case, "moves": f"{begun} undo {line[8]}"}, by_nodes)
    assert undone == answer


def test_ends_of_games_are_answered_too() -> None:
    case = {"ruleset": "thirteen", "seed": SEED}
    assert replay({**case, "moves": "s " * 24})["over"] is None
    stuck = next(
        {"ruleset": "thirteen", "seed": seed_number(n), "moves": "s " * 24}
        for n in range(200)
        if replay({"ruleset": "thirteen", "seed": seed_number(n), "moves": "s " * 24})["over"] == "lost"
    )
    answer = solve_case(stuck, by_nodes)
    assert (answer["winnable"], answer["par"], answer["witness"]) == (False, None, "")
    whole = solve_case({"ruleset": "pyramid", "seed": SEED}, by_nodes)
    won = solve_case({"ruleset": "pyramid", "seed": SEED, "moves": whole["witness"]}, by_nodes)
    assert (won["winnable"], won["par"], won["par_exact"], won["witness"]) == (True, 0, True, "")


@pytest.mark.parametrize(
    "case",
    [
        None,
        [],
        {},
        {"ruleset": "klondike", "seed": SEED},
        {"ruleset": "pyramid"},
        {"ruleset": "pyramid", "seed": "xyz"},
        {"ruleset": "pyramid", "deck": "QH"},
        {"ruleset": "pyramid", "seed": SEED, "moves": 3},
        {"ruleset": "pyramid", "seed": SEED, "moves": "s P1"},
        {"ruleset": "pyramid", "seed": SEED, "moves": "s p1"},
        {"ruleset": "thirteen", "seed": SEED, "moves": "s undo"},
        {"ruleset": "pyramid", "seed": SEED, "moves": "s resign"},
    ],
)
def test_a_bad_case_is_refused_as_replay_refuses_it(case: object) -> None:
    told = {"moves": "", **case} if isinstance(case, dict) else case
    assert solve_case(case, by_nodes) == replay(told)
    assert solve_case(case, by_nodes)["ok"] is False


@pytest.mark.parametrize("line", [b"", b"{", b"\xff", b"[" * 100_000, b"1" * 5_000])
def test_a_line_that_is_no_case_is_malformed(line: bytes) -> None:
    assert json.loads(solve_line(line, by_nodes)) == {"ok": False, "at": None, "code": "protocol/malformed"}


def test_the_budget_is_the_usual_one_of_the_ruleset_or_the_one_asked_for() -> None:
    asked: list[float] = []

    def budgets(ms: float) -> Budget:
        asked.append(ms)
        return Budget(lambda: 0.0, nodes=1)

    solve_case({"ruleset": "bakers-dozen", "seed": SEED}, budgets)
    solve_line(json.dumps({"ruleset": "bakers-dozen", "seed": SEED}).encode(), budgets, ms=77)
    assert asked == [usual_ms(ruleset("bakers-dozen")), 77]
