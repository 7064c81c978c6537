"""The syntax of moves (C5, C6): what cannot be read is another error than what is not allowed."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from server.core.moves import RESERVED, split
from server.errors import GameError

names = st.from_regex(r"[a-z]+[0-9]*", fullmatch=True).filter(lambda name: name not in RESERVED)


@pytest.mark.parametrize(
    ("text", "piles"),
    [
        ("s", ("s",)),
        ("p22", ("p22",)),
        ("p22p28", ("p22", "p28")),
        ("p22w1", ("p22", "w1")),
        ("c3fh", ("c3", "fh")),
        ("p9s", ("p9", "s")),
        ("sp4", ("sp4",)),
        ("undo1", ("undo1",)),
        ("x" * 5000, ("x" * 5000,)),
    ],
)
def test_c5_c6_one_or_two_pile_names(text: str, piles: tuple[str, ...]) -> None:
    assert split(text) == piles


@pytest.mark.parametrize(
    "text",
    ["", " ", "P1", "p1 ", "p1\n", "1", "p-1", "p1p2p3", "s s", "p٣", "é1", "p1!", "\0", "1p", "9" * 5000, "p1P2"],
)
def test_c6_anything_else_cannot_be_read(text: str) -> None:
    with pytest.raises(GameError) as refusal:
        split(text)
    assert refusal.value.code == "move/syntax"


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_c6_a_reserved_word_is_no_pile_name_alone_or_behind_another(word: str) -> None:
    for text in (word, "p1" + word):
        with pytest.raises(GameError) as refusal:
            split(text)
        assert refusal.value.code == "move/syntax"


@given(first=names, second=names)
def test_c5_two_names_are_told_apart_when_the_first_ends_in_a_digit(first: str, second: str) -> None:
    assert split(first) == (first,)
    if first[-1].isdigit():
        assert split(first + second) == (first, second)


@given(st.text(max_size=40))
def test_c6_whatever_is_sent_is_read_or_refused(text: str) -> None:
    try:
        piles = split(text)
    except GameError as refusal:
        assert refusal.code == "move/syntax"  # noqa: PT017 - either way is right, nothing else is
    else:
        assert "".join(piles) == text
        assert len(piles) in (1, 2)
