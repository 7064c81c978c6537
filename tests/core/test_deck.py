"""Decks, seeds, deals and commitments: golden lines, and deals that favour no card (X15)."""

import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import chain
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from server.core import deck as deck_module
from server.core.cards import Card, pile_texts
from server.core.deck import FRENCH_52, SHORT_40, Deck, commitment, parse_deck, parse_seed, shuffled
from server.errors import GameError
from tests.games.helpers import amount, seed_number

DECKS = {52: FRENCH_52, 40: SHORT_40}
LINES = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "vectors" / "deal.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_golden_deals_and_commitments() -> None:
    assert {line["size"] for line in LINES} == {52, 40}
    for line in LINES:
        deck = DECKS[line["size"]]
        cards = shuffled(line["seed"], deck)
        assert " ".join(pile_texts(cards)) == line["deck"]
        assert parse_deck(line["deck"], deck) == cards
        assert commitment(line["seed"]) == line["commitment"]


def test_the_order_before_the_shuffle_is_suit_by_suit_from_the_ace() -> None:
    assert pile_texts(FRENCH_52.cards)[:14] == ["AC", *(f"{n}C" for n in range(2, 10)), "TC", "JC", "QC", "KC", "AD"]
    assert pile_texts(SHORT_40.cards)[9:11] == ["TC", "AD"]
    assert (FRENCH_52.size, SHORT_40.size) == (52, 40)


@pytest.mark.parametrize(
    "text", ["", "0" * 31, "0" * 33, "A" * 32, "g" * 32, "0" * 32 + "\n", " " + "0" * 31, "٠" * 32, "0x" + "0" * 30]
)
def test_a_seed_is_32_lower_case_hex_digits_and_nothing_else(text: str) -> None:
    for function in (parse_seed, commitment, lambda seed: shuffled(seed, FRENCH_52)):
        with pytest.raises(GameError) as refusal:
            function(text)
        assert refusal.value.code == "seed/invalid"


@pytest.mark.parametrize("change", ["short", "double", "lower", "unknown", "spaces", "tail", "other"])
def test_a_deck_names_each_card_once(change: str) -> None:
    good = pile_texts(shuffled(seed_number(1), FRENCH_52))
    bad = {
        "short": " ".join(good[1:]),
        "double": " ".join([good[1], *good[1:]]),
        "lower": " ".join(good).lower(),
        "unknown": " ".join(["1C", *good[1:]]),
        "spaces": "  ".join(good),
        "tail": " ".join(good) + " ",
        "other": " ".join(pile_texts(shuffled(seed_number(1), SHORT_40))),
    }[change]
    with pytest.raises(GameError) as refusal:
        parse_deck(bad, FRENCH_52)
    assert refusal.value.code == "deck/invalid"


@pytest.mark.interpreted
def test_words_that_would_favour_low_places_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first swap takes a word below 2**32 - 2**32 % 52; the one at that bound is skipped (DESIGN 5)."""
    bound = 2**32 - 2**32 % 52
    assert bound < 2**32

    def words(*first: int) -> Callable[[bytes], Iterator[int]]:
        return lambda seed: chain(first, (7 * n for n in range(1_000)))

    monkeypatch.setattr(deck_module, "_words", words(2**32 - 1, bound, bound - 1))
    skipping = shuffled(seed_number(0), FRENCH_52)
    monkeypatch.setattr(deck_module, "_words", words(bound - 1))
    assert skipping == shuffled(seed_number(0), FRENCH_52)
    monkeypatch.setattr(deck_module, "_words", words(0))
    assert skipping != shuffled(seed_number(0), FRENCH_52)


def z_of(deal: Callable[[str, Deck], Sequence[Card]], deck: Deck, deals: int) -> float:
    """How far the counts of card at position lie from even, in standard deviations of a fair shuffle.

    Each deal puts every card somewhere and something everywhere, so n times n counts have (n-1) squared degrees of
    freedom, and their chi-square sum is n/(n-1) times as large as that of independent ones.
    """
    n = deck.size
    index = {c: i for i, c in enumerate(deck.cards)}
    counts = [0] * (n * n)
    for number in range(deals):
        for place, c in enumerate(deal(seed_number(number), deck)):
            counts[place * n + index[c]] += 1
    expected = deals / n
    chi_square = sum((count - expected) ** 2 for count in counts) / expected * (n - 1) / n
    freedom = (n - 1) ** 2
    return (chi_square - freedom) / sqrt(2 * freedom)


def one_byte_modulo(seed: str, deck: Deck) -> Sequence[Card]:
    """The control: the same shuffle with one byte of the stream modulo n, which favours low places."""
    stream = b"".join(sha256(parse_seed(seed) + bytes([block])).digest() for block in range(2))
    cards = list(deck.cards)
    for last in range(deck.size - 1, 0, -1):
        other = stream[last] % (last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


@pytest.mark.timeout(amount(600, 3_600))
@pytest.mark.parametrize("size", [52, 40])
def test_x15_no_card_favours_a_position(size: int) -> None:
    assert abs(z_of(shuffled, DECKS[size], amount(20_000, 1_000_000))) < 4


def test_x15_the_test_catches_a_one_byte_modulo_shuffle_and_passes_a_fair_one() -> None:
    assert z_of(one_byte_modulo, FRENCH_52, 20_000) > 20

    def fair(seed: str, deck: Deck) -> Sequence[Card]:
        return Random(seed).sample(deck.cards, deck.size)

    assert abs(z_of(fair, FRENCH_52, 5_000)) < 4


def test_different_seeds_give_different_deals_and_commitments() -> None:
    seeds = [seed_number(n) for n in range(500)]
    assert len({shuffled(seed, FRENCH_52) for seed in seeds}) == 500
    assert len({commitment(seed) for seed in seeds}) == 500
