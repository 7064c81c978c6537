"""What every solver keeps to: its lines win by the rules, from any position, and a faulty one is never answered."""

from collections.abc import Iterator
from random import Random

import pytest

from server import solve as solve_package
from server.core.deck import shuffled
from server.core.position import Position
from server.core.rules import Outcome, Rules
from server.errors import GameError, SolverError
from server.games import register, ruleset, rulesets, unregister
from server.play.attempt import Attempt
from server.solve import SOLVERS, Solver, played, solve, usual_ms
from server.solve.solution import Budget, Line
from tests.games.helpers import amount, deal, seed_number
from tests.play.toys import RedHome
from tests.solve.small import nodes

KEYS = tuple(rulesets())


@pytest.fixture
def toy() -> Iterator[Rules]:
    register(RedHome)
    yield ruleset(RedHome.key)
    unregister(RedHome.key)


def begun(rules: Rules, number: int) -> list[Attempt]:
    """A numbered deal before its first move, and two positions of a random game on it."""
    rng = Random(number)
    attempts = [Attempt.start(rules, shuffled(seed_number(number), rules.deck), rules.undo)]
    while attempts[-1].legal and len(attempts) < 21:
        attempts.append(attempts[-1].play(rng.choice(attempts[-1].legal), 0))
    return [attempt for attempt in attempts[::10] if attempt.over is None]


@pytest.mark.parametrize("key", KEYS)
def test_a_witness_from_any_position_is_a_winning_game(key: str) -> None:
    rules = ruleset(key)
    won = 0
    for number in range(amount(3, 30)):
        for attempt in begun(rules, number):
            found = solve(rules, attempt.position, nodes(3_000))
            if not found.witness:
                assert (found.par, found.par_exact, found.score) == (None, False, None)
                continue
            won += 1
            assert found.winnable is True
            assert found.par == len(found.witness)
            for move in found.witness:
                assert attempt.over is None
                attempt = attempt.play(move, 0)
                assert attempt.last is not None
                assert attempt.last.entry.text == move  # canonical, as a log has it (C5)
            assert attempt.over == "won"
            assert attempt.score == found.score
    assert won or key in {"thirteen", "thirteen-strict"}  # one deal in thirty can be won


@pytest.mark.parametrize("key", KEYS)
def test_the_same_nodes_give_the_same_answer(key: str) -> None:
    rules = ruleset(key)
    p = deal(key, 7)
    assert solve(rules, p, nodes(1_500)) == solve(rules, p, nodes(1_500))


def test_every_family_has_a_solver_with_a_usual_time() -> None:
    assert {rules.family for rules in rulesets().values()} <= SOLVERS.keys()
    assert all(1_000 <= usual_ms(rules) <= 10_000 for rules in rulesets().values())


def test_a_ruleset_without_a_solver_is_not_decided(toy: Rules) -> None:
    p = next(p for p in (toy.deal(cards) for cards in [toy.deck.cards]) if toy.outcome(p) is Outcome.OPEN)
    found = solve(toy, p, nodes(1_000))
    assert (found.winnable, found.par, found.witness, found.nodes) == (None, None, (), 0)
    assert usual_ms(toy) == 0


def test_decided_positions_need_no_solver(toy: Rules) -> None:
    won = Position({"s": (), "w1": (), "f": (1, 2), "x": ()})
    assert toy.outcome(won) is Outcome.WON
    found = solve(toy, won, nodes(1))
    assert (found.winnable, found.par, found.par_exact, found.witness) == (True, 0, True, ())
    lost = Position({"s": (), "w1": (0,), "f": (), "x": ()})
    stuck = Position({"s": (), "w1": (4,), "f": (), "x": ()})
    for p, outcome in ((lost, Outcome.LOST), (stuck, Outcome.STUCK)):
        assert toy.outcome(p) is outcome
        assert solve(toy, p, nodes(1)).winnable is False


def test_a_won_foursquare_tells_its_score() -> None:
    rules = ruleset("foursquare")
    p = deal("foursquare", 2)
    found = solve(rules, p, nodes(3_000), par=False)
    end = played(rules, p, found.witness)
    again = solve(rules, end, nodes(1))
    assert (again.winnable, again.par, again.score) == (True, 0, found.score)


@pytest.mark.parametrize("moves", [("s", "p1"), ("s",), ("s", "s", "p99")])
def test_a_line_that_the_rules_refuse_is_never_answered(
    moves: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, p = ruleset("pyramid"), deal("pyramid", 3)
    with pytest.raises(SolverError):
        played(rules, p, moves)

    def wrong(rules: Rules, position: Position, budget: Budget, *, par: bool) -> Line:
        return Line(True, moves, par)

    monkeypatch.setattr(solve_package, "SOLVERS", {"pyramid": Solver(wrong, 1)})
    with pytest.raises(SolverError):
        solve(rules, p, nodes(1))


@pytest.mark.parametrize("family", sorted(SOLVERS))
def test_a_solver_is_for_its_own_family_only(family: str, toy: Rules) -> None:
    with pytest.raises(TypeError):
        SOLVERS[family].search(toy, toy.deal(toy.deck.cards), nodes(1), par=True)


def test_solver_errors_are_no_refusals() -> None:
    assert not issubclass(SolverError, GameError)
