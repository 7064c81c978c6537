"""The shared vectors: replays, winning lines and solved deals, through the fold that the server uses."""

import json
from pathlib import Path
from typing import Any

import pytest

from server.core.cards import pile_texts
from server.core.deck import parse_deck, shuffled
from server.errors import GameError
from server.games import ruleset
from server.play.attempt import Attempt
from tests.games.oracle import KEYS

VECTORS = Path(__file__).parent.parent / "vectors"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / name).read_text(encoding="utf-8").splitlines()]


def replayed(case: dict[str, str]) -> dict[str, Any]:
    try:
        rules = ruleset(case["ruleset"])
        cards = parse_deck(case["deck"], rules.deck) if "deck" in case else shuffled(case["seed"], rules.deck)
    except GameError as refusal:
        return {"ok": False, "at": None, "code": refusal.code}
    attempt = Attempt.start(rules, cards, rules.undo)
    for index, text in enumerate(case["moves"].split()):
        try:
            attempt = attempt.undo(0) if text == "undo" else attempt.play(text, 0)
        except GameError as refusal:
            return {"ok": False, "at": index, "code": refusal.code}
    piles = {name: pile_texts(pile) for name, pile in attempt.position.piles.items() if pile}
    return {
        "ok": True,
        "seq": attempt.seq,
        "moves": attempt.moves,
        "progress": attempt.progress,
        "over": attempt.over,
        "legal": sorted(attempt.legal),
        "can_undo": attempt.can_undo,
        "piles": piles,
    }


def comparable(answer: dict[str, Any]) -> dict[str, Any]:
    """The order inside the pyramid's foundation is free, and empty piles may be left out."""
    if not answer["ok"]:
        return answer
    piles = {name: sorted(pile) if name == "f" else pile for name, pile in answer["piles"].items() if pile}
    return answer | {"piles": piles}


@pytest.mark.parametrize("key", sorted({line["case"]["ruleset"] for line in lines("replay.jsonl")}))
def test_replays_agree(key: str) -> None:
    cases = [line for line in lines("replay.jsonl") if line["case"]["ruleset"] == key]
    assert cases
    for line in cases:
        assert comparable(replayed(line["case"])) == comparable(line["expect"]), line["case"]


def test_every_winning_line_wins_as_it_says() -> None:
    seen = set()
    for line in lines("wins.jsonl"):
        answer = replayed(line)
        assert {name: answer[name] for name in line["expect"]} == line["expect"]
        seen.add(line["ruleset"])
    assert seen == set(KEYS)


def test_p10_t5_f8_what_winnable_tells_of_solved_deals_is_true() -> None:
    told: dict[str, int] = {}
    for line in lines("solve.jsonl"):
        rules = ruleset(line["case"]["ruleset"])
        p = rules.deal(parse_deck(line["case"]["deck"], rules.deck))
        answer = rules.winnable(rules.view(p), {}, patient=True)
        if answer is not None:
            assert answer is line["expect"]["winnable"], line["case"]
            told[rules.key] = told.get(rules.key, 0) + 1
    assert told["pyramid"] == sum(line["case"]["ruleset"] == "pyramid" for line in lines("solve.jsonl"))
    assert told["thirteen"] >= 3


def test_p10_a_winning_line_is_called_winnable_at_every_step() -> None:
    for line in lines("wins.jsonl"):
        rules = ruleset(line["ruleset"])
        attempt = Attempt.start(rules, shuffled(line["seed"], rules.deck), rules.undo)
        known = [rules.winnable(rules.view(attempt.position), attempt.memo, patient=True)]
        for move in line["moves"].split():
            attempt = attempt.undo(0) if move == "undo" else attempt.play(move, 0)
            known.append(rules.winnable(rules.view(attempt.position), attempt.memo, patient=True))
        assert False not in known, line
        if rules.family == "pyramid":
            assert set(known) == {True}
