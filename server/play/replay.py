"""Replaying a case without a server: a ruleset, a deal and moves in, the state or the first refusal out (PROTOCOL 4).

The answers are plain values, ready for JSON. What is wrong with a case is part of the answer, never an exception.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from server.core.cards import Card, pile_texts
from server.core.deck import parse_deck, shuffled
from server.core.rules import Rules
from server.errors import GameError
from server.games import ruleset
from server.play.attempt import UNDO, Attempt, practice_policy

#: An answer as PROTOCOL 4 has it: ``{"ok": true, ...}`` or ``{"ok": false, "at", "code"}``.
Answer = dict[str, Any]

_SPACES: Final = re.compile(r"[ \t\r\n]+")


class Case(NamedTuple):
    """A deal and the moves to play on it; ``moves`` are texts as they came, ``undo`` among them."""

    rules: Rules
    cards: tuple[Card, ...]
    moves: tuple[str, ...]


def read_case(case: object) -> Case:
    """The case that a decoded JSON object tells: ``ruleset``, one of ``seed`` and ``deck``, and ``moves``.

    Raises, looked for in this order, ``protocol/malformed`` (no object), ``ruleset/unknown``, ``deck/invalid`` (also
    where a seed is given beside the deck), ``seed/invalid`` (also where neither is given), ``protocol/malformed``
    (``moves`` is no text).
    """
    if not isinstance(case, Mapping):
        raise GameError("protocol/malformed", "a case is an object")
    key = case.get("ruleset")
    rules = ruleset(key if isinstance(key, str) else "")
    cards = _cards(rules, case.get("seed"), case.get("deck"))
    moves = case.get("moves")
    if not isinstance(moves, str):
        raise GameError("protocol/malformed", "moves are a text")
    return Case(rules, cards, split_moves(moves))


def split_moves(text: str) -> tuple[str, ...]:
    """The moves of a text, where white space of any length divides them; none for an empty text."""
    return tuple(move for move in _SPACES.split(text) if move)


def replay(case: object, *, practice: bool = False) -> Answer:
    """Play the moves of a case under the ranked undo policy, or the practice one, and tell what came of it.

    The answer to a refused move has its index in ``at`` and, looked for in this order, ``attempt/over``,
    ``attempt/no_undo``, ``attempt/log_full``, ``move/syntax`` or ``move/illegal`` in ``code``; that to a bad case has
    ``at`` null and what :func:`read_case` raises.
    """
    try:
        rules, cards, moves = read_case(case)
    except GameError as refusal:
        return _refused(None, refusal)
    attempt = Attempt.start(rules, cards, practice_policy(rules) if practice else rules.undo)
    for index, text in enumerate(moves):
        try:
            # Of the reserved words only this one has a meaning here; the others are refused as moves (C6).
            attempt = attempt.undo(0) if text == UNDO else attempt.play(text, 0)
        except GameError as refusal:
            return _refused(index, refusal)
    return {
        "ok": True,
        "seq": attempt.seq,
        "moves": attempt.moves,
        "progress": attempt.progress,
        "over": attempt.over,
        "legal": sorted(attempt.legal),
        "can_undo": attempt.can_undo,
        "piles": {name: pile_texts(pile) for name, pile in attempt.position.piles.items() if pile},
    }


def replay_line(line: bytes, *, practice: bool = False) -> str:
    """The answer to one line of JSON, as one line of JSON without its end.

    A line that is no JSON (or no UTF-8, or nested beyond reason) is answered with ``protocol/malformed``.
    """
    try:
        case = json.loads(line)
    except (ValueError, RecursionError):  # ValueError covers broken UTF-8, broken JSON and absurdly long numbers
        return json.dumps(_refused(None, GameError("protocol/malformed")))
    return json.dumps(replay(case, practice=practice))


def _cards(rules: Rules, seed: object, deck: object) -> tuple[Card, ...]:
    if deck is not None:
        if not isinstance(deck, str) or seed is not None:
            raise GameError("deck/invalid", "a case has a deck or a seed, not both, and a deck is a text")
        return parse_deck(deck, rules.deck)
    if not isinstance(seed, str):
        raise GameError("seed/invalid", "a case has a seed or a deck, and a seed is a text")
    return shuffled(seed, rules.deck)


def _refused(at: int | None, refusal: GameError) -> Answer:
    return {"ok": False, "at": at, "code": refusal.code}
