import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store.ids import is_id, uuid7


@given(st.integers(0, 2**48 - 1), st.binary(min_size=10, max_size=10))
def test_an_id_is_a_uuid_of_version_7_with_its_millisecond_in_front(now_ms: int, entropy: bytes) -> None:
    from uuid import UUID

    made = uuid7(now_ms, entropy)
    parsed = UUID(made)
    assert (str(parsed), parsed.version, parsed.variant) == (made, 7, "specified in RFC 4122")
    assert parsed.int >> 80 == now_ms
    assert is_id(made)


def test_every_random_bit_but_the_six_fixed_ones_stands_in_the_id() -> None:
    base = int(uuid7(0, bytes(10)).replace("-", ""), 16)
    flips = {base ^ int(uuid7(0, (1 << bit).to_bytes(10, "big")).replace("-", ""), 16) for bit in range(80)}
    assert sum(flip.bit_count() for flip in flips) == 74


def test_ids_sort_by_their_millisecond() -> None:
    assert uuid7(1, b"\xff" * 10) < uuid7(2, bytes(10))


def test_an_id_takes_ten_random_bytes() -> None:
    with pytest.raises(ValueError, match="10 random bytes"):
        uuid7(0, bytes(9))


@pytest.mark.parametrize(
    "text",
    ["", "x", "0" * 32, "019B-", "019b75e0-0000-7000-8000-00000000000G", "{019b75e0-0000-7000-8000-000000000000}"],
)
def test_other_texts_are_no_ids(text: str) -> None:
    assert not is_id(text)
