"""Replaying cases (PROTOCOL 4): the vectors, the order of refusals, bad cases, malformed lines."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.errors import CODES
from server.games import rulesets
from server.play.replay import replay, replay_line, split_moves
from tests.play.toys import seed_number, vectors

CASES = vectors("replay.jsonl")
DECK = CASES[0]["case"]["deck"]
SEED = seed_number(1)


def comparable(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what may differ: the order inside `f`, and piles without cards."""
    if "piles" not in answer:
        return answer
    piles = {name: sorted(pile) if name == "f" else pile for name, pile in answer["piles"].items() if pile}
    return answer | {"piles": piles}


@pytest.mark.parametrize("number", range(len(CASES)))
def test_every_case_of_the_vectors_is_answered_as_expected(number: int) -> None:
    case, expected = CASES[number]["case"], CASES[number]["expect"]
    answer = json.loads(replay_line(json.dumps(case).encode()))
    assert comparable(answer) == comparable(expected)


def test_the_vectors_reach_every_ruleset_and_every_kind_of_answer() -> None:
    assert {line["case"]["ruleset"] for line in CASES} >= set(rulesets())
    codes = {line["expect"].get("code") for line in CASES}
    assert codes >= {"attempt/over", "attempt/no_undo", "move/syntax", "move/illegal"}


@pytest.mark.parametrize("win", vectors("wins.jsonl"), ids=lambda win: f"{win['ruleset']}-{win['seed'][:4]}")
def test_every_winning_line_wins(win: dict[str, Any]) -> None:
    answer = replay(win)
    assert {name: answer[name] for name in ("over", "moves", "progress")} == win["expect"]
    assert (answer["legal"], answer["can_undo"]) == ([], False)


@pytest.mark.parametrize(
    ("case", "code"),
    [
        (None, "protocol/malformed"),
        ([], "protocol/malformed"),
        ("pyramid", "protocol/malformed"),
        ({}, "ruleset/unknown"),
        ({"ruleset": 5, "seed": SEED, "moves": ""}, "ruleset/unknown"),
        ({"ruleset": ["pyramid"], "seed": SEED, "moves": ""}, "ruleset/unknown"),
        ({"ruleset": "klondike", "deck": "x", "seed": "x"}, "ruleset/unknown"),
        ({"ruleset": "pyramid", "deck": "x", "seed": "x"}, "deck/invalid"),
        ({"ruleset": "pyramid", "deck": DECK, "seed": SEED, "moves": ""}, "deck/invalid"),
        ({"ruleset": "pyramid", "deck": DECK.split(), "moves": ""}, "deck/invalid"),
        ({"ruleset": "pyramid", "deck": DECK.lower(), "moves": ""}, "deck/invalid"),
        ({"ruleset": "pyramid", "deck": "", "moves": ""}, "deck/invalid"),
        ({"ruleset": "foursquare", "deck": DECK, "moves": ""}, "deck/invalid"),
        ({"ruleset": "pyramid", "moves": "s"}, "seed/invalid"),
        ({"ruleset": "pyramid", "seed": 7, "moves": "s"}, "seed/invalid"),
        ({"ruleset": "pyramid", "seed": "A" * 32, "moves": "s"}, "seed/invalid"),
        ({"ruleset": "pyramid", "seed": SEED + "\n", "moves": 5}, "seed/invalid"),
        ({"ruleset": "pyramid", "seed": SEED, "moves": ["s"]}, "protocol/malformed"),
        ({"ruleset": "pyramid", "seed": SEED}, "protocol/malformed"),
    ],
)
def test_a_bad_case_is_answered_with_its_code(case: object, code: str) -> None:
    assert replay(case) == {"ok": False, "at": None, "code": code}


@pytest.mark.parametrize(
    "line",
    [b"", b"\n", b"{", b"nonsense", b"\xff\xfe", b'{"ruleset": "pyramid"', b"[" * 100_000, b"9" * 5000, b'"\\ud800"'],
)
def test_a_malformed_line_is_answered_with_a_line(line: bytes) -> None:
    assert json.loads(replay_line(line)) == {"ok": False, "at": None, "code": "protocol/malformed"}


def test_an_empty_pile_is_left_out_and_no_moves_are_fine() -> None:
    answer = replay({"ruleset": "pyramid", "deck": DECK, "moves": ""})
    assert (answer["seq"], answer["over"], answer["can_undo"]) == (0, None, False)
    assert set(answer["piles"]) == {f"p{n}" for n in range(1, 29)} | {"s"}
    assert answer["piles"]["s"][-1] == DECK.split()[28].lower()


def test_white_space_of_any_length_divides_moves() -> None:
    assert split_moves(" s  s\tp1\n") == ("s", "s", "p1")
    assert split_moves("") == ()
    assert split_moves("s\u00a0s") == ("s\u00a0s",)


def test_c6_of_the_reserved_words_only_undo_has_a_meaning() -> None:
    assert replay({"ruleset": "pyramid", "seed": SEED, "moves": "s undo"})["moves"] == 2
    for word in ("resign", "close", "void"):
        answer = replay({"ruleset": "pyramid", "seed": SEED, "moves": f"s {word}"})
        assert answer == {"ok": False, "at": 1, "code": "move/syntax"}


def test_refusals_are_looked_for_in_order() -> None:
    win = next(line for line in vectors("wins.jsonl") if line["ruleset"] == "thirteen")
    end = len(win["moves"].split())
    for text in ("undo", "P1", "s"):
        answer = replay(win | {"moves": f"{win['moves']} {text}"})
        assert answer == {"ok": False, "at": end, "code": "attempt/over"}
    assert replay(win | {"moves": "undo"})["code"] == "attempt/no_undo"


@pytest.mark.parametrize(
    ("text", "code"), [("s", "attempt/log_full"), ("P1", "attempt/log_full"), ("undo", "attempt/log_full")]
)
def test_a_log_is_full_after_five_thousand_moves_and_undos(text: str, code: str) -> None:
    moves = "s " * 4998 + "undo s"
    assert replay({"ruleset": "pyramid", "seed": SEED, "moves": moves})["seq"] == 5000
    answer = replay({"ruleset": "pyramid", "seed": SEED, "moves": f"{moves} {text}"})
    assert answer == {"ok": False, "at": 5000, "code": code}


def test_practice_frees_undo_where_ranked_play_has_none() -> None:
    case = {"ruleset": "thirteen", "seed": SEED, "moves": "s undo"}
    assert replay(case)["code"] == "attempt/no_undo"
    answer = replay(case, practice=True)
    assert (answer["ok"], answer["moves"], answer["can_undo"]) == (True, 2, False)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
cases = st.fixed_dictionaries(
    {},
    optional={
        "ruleset": st.sampled_from(sorted(rulesets())) | values,
        "seed": st.just(SEED) | values,
        "deck": st.just(DECK) | values,
        "moves": st.text(alphabet="sp12cdw 0h", max_size=30) | values,
    },
)


@given(cases | values)
def test_whatever_the_case_the_answer_is_typed_and_deterministic(case: object) -> None:
    answer = replay(case)
    assert answer == replay(case)
    if answer["ok"]:
        assert set(answer) == {"ok", "seq", "moves", "progress", "over", "legal", "can_undo", "piles"}
        assert answer["legal"] == sorted(answer["legal"])
    else:
        assert set(answer) == {"ok", "at", "code"}
        assert answer["code"] in CODES


@given(st.binary(max_size=40))
def test_whatever_the_line_the_answer_is_one_line(line: bytes) -> None:
    answer = replay_line(line)
    assert "\n" not in answer
    assert json.loads(answer)["ok"] is False
