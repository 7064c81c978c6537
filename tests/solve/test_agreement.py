"""The comparison with the golden decks catches what it is made for."""

from typing import Any

import pytest

from tests.games.helpers import DEEP
from tests.solve.agreement import Line, agreement, asked, golden


def perfect() -> list[dict[str, Any]]:
    """Answers that could not be better."""
    return [
        {"winnable": e["winnable"], "par": e.get("par"), "score": e.get("score_found", 0)}
        for e in (line["expect"] for line in golden())
    ]


def place(**expected: Any) -> int:
    """The first golden line that expects this of a game of pyramid."""
    return next(
        number
        for number, line in enumerate(golden())
        if line["case"]["ruleset"] == "pyramid" and expected.items() <= line["expect"].items()
    )


def test_perfect_answers_hold() -> None:
    assert agreement(golden(), perfect()).holds


def test_a_wrong_verdict_and_a_par_that_is_too_low_are_caught() -> None:
    answers = perfect()
    answers[place(winnable=False)]["winnable"] = True
    assert agreement(golden(), answers).wrong == [place(winnable=False)]
    answers = perfect()
    answers[place(par_exact=True)]["par"] -= 1
    found = agreement(golden(), answers)
    assert (found.below, found.pars - found.pars_found, found.holds) == ([place(par_exact=True)], 1, False)


def test_too_many_undecided_ones_and_low_scores_are_caught() -> None:
    answers = perfect()
    for number in range(4):
        answers[number]["winnable"] = None
    assert agreement(golden(), answers).holds
    answers[4]["winnable"] = None
    assert not agreement(golden(), answers).holds
    assert not agreement(golden(), [{**answer, "score": max(0, answer["score"] - 4)} for answer in perfect()]).holds


def test_missed_pars_are_caught() -> None:
    answers: list[Line] = [
        {**answer, "par": answer["par"] + 1} if answer["par"] and line["case"]["ruleset"] == "pyramid" else answer
        for line, answer in zip(golden(), perfect(), strict=True)
    ]
    found = agreement(golden(), answers)
    assert (found.pars_found, found.holds) == (0, False)


def test_the_command_answers_case_by_case() -> None:
    lines = [line for line in golden() if line["case"]["ruleset"] in ("thirteen", "foursquare")][:6]
    found = agreement(lines, asked([line["case"] for line in lines]))
    assert (found.wrong, found.below, found.undecided) == ([], [], 0)


@pytest.mark.skipif(not DEEP, reason="takes about six minutes; SAMEDEAL_TEST_DEEP=1 runs it")
@pytest.mark.timeout(3_600)
def test_the_command_agrees_with_all_golden_decks() -> None:
    lines = golden()
    assert agreement(lines, asked([line["case"] for line in lines])).holds
