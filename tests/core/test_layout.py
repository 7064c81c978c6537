"""Layouts refuse what a client could not draw or a move could not name."""

import pytest

from server.core.layout import Layout, PileSpec

A, B = PileSpec("a1", "cell", 0, 0), PileSpec("b1", "cell", 1, 0)


def test_names_come_in_table_order() -> None:
    assert Layout("Two", 1, (A, B), (B, A)).names == ("a1", "b1")


@pytest.mark.parametrize("name", ["undo", "A1", "1a", "", "a1b", "a-1", "close"])
def test_a_pile_name_must_be_readable_in_a_move(name: str) -> None:
    pile = PileSpec(name, "cell", 0, 0)
    with pytest.raises(ValueError, match="pile names"):
        Layout("Bad", 1, (pile,), (pile,))


def test_two_piles_may_not_share_a_name() -> None:
    with pytest.raises(ValueError, match="distinct"):
        Layout("Bad", 1, (A, A), (A, A))


@pytest.mark.parametrize("tall", [(A,), (A, PileSpec("b1", "waste", 1, 0))])
def test_both_arrangements_have_the_same_piles(tall: tuple[PileSpec, ...]) -> None:
    with pytest.raises(ValueError, match="same piles"):
        Layout("Bad", 1, (A, B), tall)
