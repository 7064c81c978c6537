"""Certificates: only what is proved, the same on every machine; difficulty by published thresholds."""

import io
import json
from datetime import date, timedelta
from functools import lru_cache
from itertools import count

import msgspec
import pytest

from server import solve as solving
from server.core.deck import shuffled
from server.errors import SolverError
from server.games import ruleset, rulesets
from server.solve import worker
from server.solve.certificate import Certificate, certify, plan_of, stands
from server.solve.difficulty import LEVELS, SCALES, WEEK, hardness, level, level_of_day, scale_of
from server.solve.foursquare import careless_score
from server.solve.shares import numbered_seed
from server.solve.solution import Line

KEYS = ["pyramid", "thirteen", "thirteen-3", "bakers-dozen", "bakers-dozen-kings", "foursquare"]


def no_clock() -> float:
    return 0.0


@lru_cache
def first_certified(key: str) -> tuple[str, Certificate]:
    """The first numbered deal of a ruleset that is certified in haste."""
    rules = ruleset(key)
    for number in count():
        told = certify(rules, numbered_seed(number), no_clock, hasty=True)
        if told is not None:
            return numbered_seed(number), told
    raise AssertionError


@pytest.mark.parametrize("key", KEYS)
def test_a_certificate_holds_a_win_and_says_the_same_again(key: str) -> None:
    rules = ruleset(key)
    seed, told = first_certified(key)
    assert stands(rules, seed, told)
    assert told == certify(rules, seed, no_clock, hasty=True)
    position = rules.deal(shuffled(seed, rules.deck))
    for move in told.witness:
        assert move in rules.moves(position)
        position = position.after(rules.steps(position, move))
    assert rules.outcome(position) == "won"
    assert len(told.witness) == told.par
    assert rules.score(position) == told.score
    assert (
        1 <= told.winnable_first_moves <= told.first_moves == len(rules.moves(rules.deal(shuffled(seed, rules.deck))))
    )
    assert 0 <= told.dead_ends <= 1000
    assert told.difficulty == level(scale_of(key, rules.family), told.hardness)


@pytest.mark.parametrize("key", ["pyramid", "thirteen", "thirteen-3"])
def test_a_lost_deal_is_not_certified(key: str) -> None:
    rules = ruleset(key)
    lost = next(
        seed
        for seed in map(numbered_seed, count())
        if rules.winnable(rules.view(rules.deal(shuffled(seed, rules.deck))), {}, patient=True) is False
    )
    assert certify(rules, lost, no_clock) is None


@pytest.mark.parametrize("line", [Line(None), Line(True), Line(False)])
def test_what_is_not_decided_or_has_no_line_is_not_certified(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """An undecided deal is never called winnable; nor is one that the order-free test alone calls so."""
    rules = ruleset("bakers-dozen")
    solver = solving.SOLVERS["bakers-dozen"]._replace(search=lambda *_, **__: line)
    monkeypatch.setattr(solving, "SOLVERS", {"bakers-dozen": solver})
    assert certify(rules, numbered_seed(0), no_clock) is None


def test_a_certificate_that_was_tampered_with_does_not_stand() -> None:
    rules = ruleset("thirteen")
    seed, told = first_certified("thirteen")
    replace = msgspec.structs.replace
    assert not stands(rules, seed, replace(told, par=told.par - 1))
    assert not stands(rules, seed, replace(told, score=3))
    assert not stands(rules, seed, replace(told, witness=(), par=0))
    with pytest.raises(SolverError):
        stands(rules, seed, replace(told, witness=told.witness[:-1], par=told.par - 1))
    with pytest.raises(SolverError):
        stands(rules, seed, replace(told, witness=tuple(reversed(told.witness))))


def test_a_player_who_does_not_look_ahead_scores_less_than_the_solver() -> None:
    rules = ruleset("foursquare")
    seed, told = first_certified("foursquare")
    deal = rules.deal(shuffled(seed, rules.deck))
    scores = [careless_score(rules, deal, chance) for chance in (no_clock, lambda: 0.5)]
    assert told.score is not None
    assert all(0 <= score <= told.score for score in scores)
    assert told.score > sum(scores) / 2
    with pytest.raises(TypeError):
        careless_score(ruleset("pyramid"), deal, no_clock)


# --- difficulty ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", KEYS)
def test_worse_figures_make_a_deal_harder_and_all_levels_can_be_reached(key: str) -> None:
    scale = SCALES[key]
    assert scale.dead_ends + scale.first_moves + scale.par == 1000
    assert 0 < scale.medium < scale.hard < scale.expert < 1000
    best = hardness(scale, dead_ends=0, first_moves=1, par=scale.low)
    worst = hardness(scale, dead_ends=1, first_moves=0, par=scale.high)
    assert (best, worst) == (0, 1000)
    middle = hardness(scale, dead_ends=0.5, first_moves=0.5, par=(scale.low + scale.high) // 2)
    for harder in (
        hardness(scale, dead_ends=0.6, first_moves=0.5, par=(scale.low + scale.high) // 2),
        hardness(scale, dead_ends=0.5, first_moves=0.4, par=(scale.low + scale.high) // 2 + 2),
    ):
        assert harder > middle
    assert [level(scale, figure) for figure in (0, scale.medium, scale.hard, scale.expert, 1000)] == [
        *LEVELS, "expert",
    ]  # fmt: skip
    assert level(scale, scale.medium - 1) == "easy"


def test_every_ruleset_with_a_daily_has_a_plan_and_a_scale_of_its_own() -> None:
    for rules in rulesets().values():
        if rules.daily is not None:
            assert rules.key in SCALES
            assert plan_of(rules) is not None


def test_the_weekday_decides_from_easy_on_monday_to_expert_on_saturday() -> None:
    monday = date(2026, 3, 9)
    week = [level_of_day(monday + timedelta(days=day)) for day in range(7)]
    assert week == list(WEEK)
    assert (week[0], week[5], week[6]) == ("easy", "expert", "medium")
    assert [LEVELS.index(one) for one in week[:6]] == sorted(LEVELS.index(one) for one in week[:6])


# --- the worker process --------------------------------------------------------------------------------------------


def test_a_worker_answers_each_question_with_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    seed, told = first_certified("thirteen")
    lost = numbered_seed(0)
    asked = [{"ruleset": "thirteen", "seed": one, "hasty": True} for one in (seed, lost)]
    answers = io.BytesIO()
    worker.work(io.BytesIO(b"".join(json.dumps(one).encode() + b"\n" for one in asked)), answers)
    first, second = answers.getvalue().splitlines()
    found = msgspec.json.decode(first, type=Certificate)
    assert msgspec.structs.replace(found, ms=0) == told
    assert second == b"null"

    def broken(*_: object, **__: object) -> None:
        raise SolverError("the line does not win")

    monkeypatch.setattr(worker, "certify", broken)
    assert worker.answer(worker.Question("thirteen", seed)) == worker.Failure("the line does not win")
