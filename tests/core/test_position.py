"""Steps, the only thing that moves cards, and their inverses."""

from random import Random

import hypothesis.strategies as st
import pytest
from hypothesis import given

from server.core.cards import DOWN
from server.core.position import Flip, Position, Shift, Step, changed_piles, inverse

NAMES = ("a1", "b1", "c1")


def position(**piles: tuple[int, ...]) -> Position:
    return Position({name: piles.get(name, ()) for name in NAMES})


def test_a_shift_keeps_order_and_side() -> None:
    p = position(a1=(1, 2 | DOWN, 3), b1=(4,)).after([Shift("a1", "b1", 2)])
    assert p == position(a1=(1,), b1=(4, 2 | DOWN, 3))


@pytest.mark.parametrize(("turn", "moved"), [("up", (2, 3)), ("down", (2 | DOWN, 3 | DOWN)), ("over", (3 | DOWN, 2))])
def test_a_shift_may_turn_the_cards(turn: str, moved: tuple[int, ...]) -> None:
    p = position(a1=(1, 2 | DOWN, 3)).after([Shift("a1", "b1", 2, turn)])  # type: ignore[arg-type]
    assert p == position(a1=(1,), b1=moved)


def test_a_flip_turns_the_top_card_alone() -> None:
    assert position(a1=(1, 2)).after([Flip("a1")]) == position(a1=(1, 2 | DOWN))
    assert position(a1=(1, 2 | DOWN)).after([Flip("a1")]) == position(a1=(1, 2))


@pytest.mark.parametrize("step", [Shift("a1", "b1", 2), Shift("a1", "b1", 0), Shift("b1", "a1", 1), Flip("b1")])
def test_a_step_that_takes_what_is_not_there_is_a_faulty_rule(step: Step) -> None:
    p = position(a1=(1,))
    with pytest.raises(ValueError, match="card"):
        p.after([step])
    assert p == position(a1=(1,))


def test_piles_that_did_not_change_are_shared() -> None:
    before = position(a1=(1, 2), c1=(3, 4))
    after = before.after([Shift("a1", "b1", 1)])
    assert after.piles["c1"] is before.piles["c1"]
    assert before == position(a1=(1, 2), c1=(3, 4))


def test_equal_positions_have_equal_hashes() -> None:
    one, two = position(a1=(1,), b1=(2,)), Position({"c1": (), "b1": (2,), "a1": (1,)})
    assert one == two
    assert hash(one) == hash(two)
    assert one != position(a1=(2,), b1=(1,))
    assert one != {"a1": (1,)}
    assert "a1" in repr(one)


def test_changed_piles_are_named_once_in_order() -> None:
    steps: list[Step] = [Shift("b1", "a1", 1), Flip("a1"), Flip("c1"), Shift("a1", "b1", 1)]
    assert changed_piles(steps) == ("b1", "a1", "c1")


piles = st.dictionaries(
    st.sampled_from(NAMES), st.lists(st.integers(0, 51).flatmap(lambda c: st.sampled_from((c, c | DOWN)))).map(tuple)
)


@given(piles=piles, seed=st.integers(0, 2**32))
def test_steps_keep_every_card_and_an_inverse_where_told_leads_back(
    piles: dict[str, tuple[int, ...]], seed: int
) -> None:
    rng = Random(seed)
    before = position(**piles)
    p, steps = before, []
    for _ in range(4):
        held = [name for name in NAMES if p.piles[name]]
        if not held:
            break
        source = rng.choice(held)
        step: Step = Flip(source)
        if rng.random() < 0.8:
            count = rng.randint(1, len(p.piles[source]))
            step = Shift(source, rng.choice(NAMES), count, rng.choice((None, "up", "down", "over")))
        p = p.after([step])
        steps.append(step)
    assert sorted(c & 63 for pile in p.piles.values() for c in pile) == sorted(
        c & 63 for pile in before.piles.values() for c in pile
    )
    back = inverse(steps, before)
    if back is not None:
        assert p.after(back) == before


def test_a_shift_that_turned_a_mixed_block_has_no_inverse() -> None:
    assert inverse([Shift("a1", "b1", 2, "up")], position(a1=(1, 2 | DOWN))) is None
    assert inverse([Shift("a1", "b1", 2, "up")], position(a1=(1 | DOWN, 2 | DOWN))) == (Shift("b1", "a1", 2, "down"),)
    assert inverse([Shift("a1", "b1", 2, "down")], position(a1=(1, 2))) == (Shift("b1", "a1", 2, "up"),)
    assert inverse([Shift("a1", "b1", 2, "over")], position(a1=(1, 2))) == (Shift("b1", "a1", 2, "over"),)
