"""An attempt is the fold of its log: whatever play has written leads back to the same state, and nothing else does."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.core.position import inverse
from server.core.rules import UndoPolicy
from server.errors import CorruptLogError
from server.games import rulesets
from server.play.attempt import fold
from tests.play.toys import first_start, log_of, play_all, red_home, start, state_of, walk

KEYS = sorted(rulesets())

numbers = st.integers(0, 10_000)
choices = st.lists(st.integers(0, 2**20), min_size=20, max_size=90)
#: Each example runs on every ruleset, so few are enough.
few = settings(max_examples=15)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("practice", [False, True])
@few
@given(number=numbers, choices=choices)
def test_a_log_written_by_play_folds_to_the_same_state(
    key: str, practice: bool, number: int, choices: list[int]
) -> None:
    deal = start(key, number, practice=practice)
    played = list(walk(deal, choices))
    assert state_of(fold(deal, log_of(played))) == state_of(played[-1])
    # Folding from any place on gives the same as folding the whole.
    half = len(played) // 2
    assert state_of(fold(played[half], log_of(played)[half:])) == state_of(played[-1])


@pytest.mark.parametrize("key", KEYS)
@few
@given(number=numbers, choices=choices)
def test_an_undo_tells_steps_that_lead_back(key: str, number: int, choices: list[int]) -> None:
    before = None
    for attempt in walk(start(key, number, practice=True), choices):
        if before is not None and attempt.last is not None and attempt.last.entry.text == "undo":
            assert attempt.last.steps
            assert before.position.after(attempt.last.steps) == attempt.position
            differing = {n for n, pile in attempt.position.piles.items() if pile != before.position.piles[n]}
            assert differing <= set(attempt.last.changed)
        before = attempt


@pytest.mark.parametrize("key", KEYS)
@few
@given(number=numbers, choices=choices)
def test_the_inverse_of_every_legal_move_leads_back(key: str, number: int, choices: list[int]) -> None:
    *_, attempt = walk(start(key, number), choices)
    for move in attempt.legal:
        steps = attempt.rules.steps(attempt.position, move)
        back = inverse(steps, attempt.position)
        assert back is not None
        assert attempt.position.after(steps).after(back) == attempt.position


def test_a_resigned_closed_or_voided_attempt_folds_too() -> None:
    deal = red_home("2D 3D 4C")
    for log in ([("s", 1), ("resign", 2)], [("close", 3)], [("s", 1), ("w1", 1), ("s", 2), ("w1", 2), ("void", 9)]):
        attempt = fold(deal, log)
        assert attempt.over in ("resigned", "closed", "void")
        assert (attempt.seq, attempt.at_ms) == (len(log), log[-1][1])


@pytest.mark.parametrize(
    ("log", "where", "why"),
    [
        ([("w1", 0)], "entry 0", "move/illegal"),
        ([("s", 0), ("s?", 1)], "entry 1", "move/syntax"),
        ([("undo", 0)], "entry 0", "attempt/no_undo"),
        ([("s", 0), ("resign", 1), ("s", 2)], "entry 2", "attempt/over"),
        ([("s", 0), ("close", 1), ("close", 2)], "entry 2", "attempt/over"),
        ([("void", 0), ("void", 0)], "entry 1", "attempt/over"),
        ([("s", 5), ("s", 4)], "entry 1", "before the one ahead"),
        ([("s", -1)], "entry 0", "before the one ahead"),
    ],
)
def test_a_log_that_play_cannot_have_written_is_corrupt(log: list[tuple[str, int]], where: str, why: str) -> None:
    with pytest.raises(CorruptLogError, match=rf"{where} .*{why}"):
        fold(red_home("2D 3D 4D"), log)


def test_an_undo_under_a_policy_without_is_corrupt() -> None:
    with pytest.raises(CorruptLogError, match="attempt/no_undo"):
        fold(red_home("2D 3D 4D", UndoPolicy.NONE), [("s", 0), ("undo", 1)])


def test_a_move_that_is_not_written_canonically_is_corrupt() -> None:
    deal = first_start("pyramid", lambda a: any(m.count("p") == 2 for m in a.legal))
    pair = next(m for m in deal.legal if m.count("p") == 2)
    _, first, second = pair.split("p")
    assert fold(deal, [(pair, 0)]).seq == 1
    with pytest.raises(CorruptLogError, match="entry 0"):
        fold(deal, [(f"p{second}p{first}", 0)])


def test_corruption_is_told_without_the_payload() -> None:
    with pytest.raises(CorruptLogError) as caught:
        fold(red_home("2D 3D 4D"), [("<script>", 0)])
    assert "script" not in str(caught.value)


def test_the_same_deal_and_log_give_the_same_attempt_twice() -> None:
    first, second = (play_all(start("bakers-dozen", 7), " ".join(start("bakers-dozen", 7).legal[:1])) for _ in "12")
    assert state_of(first) == state_of(second)
    assert first is not second
