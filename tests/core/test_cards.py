"""Cards and their texts (PROTOCOL 1)."""

import pytest

from server.core.cards import CARD_TEXTS, DOWN, HIDDEN, card, card_text, is_up, pile_texts, rank, suit


def test_every_card_has_its_own_text_up_and_down() -> None:
    assert len(CARD_TEXTS) == len(set(CARD_TEXTS.values())) == 52 * 2 + 1
    assert card_text(card(9, 2)) == "TH"
    assert card_text(card(9, 2) | DOWN) == "th"
    assert card_text(HIDDEN) == "??"
    assert pile_texts((card(0, 0), card(12, 3) | DOWN)) == ["AC", "ks"]


def test_rank_and_suit_do_not_depend_on_the_side_that_shows() -> None:
    for r in range(13):
        for s in range(4):
            for c in (card(r, s), card(r, s) | DOWN):
                assert (rank(c), suit(c)) == (r, s)
            assert is_up(card(r, s))
            assert not is_up(card(r, s) | DOWN)


def test_what_is_no_card_has_no_text() -> None:
    with pytest.raises(KeyError):
        card_text(52)
