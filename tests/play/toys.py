"""Small rulesets whose ends are easy to reach, and helpers that the tests of attempts share."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from server.core.cards import CARDS_BY_TEXT, DOWN, Card, card_text, suit
from server.core.deck import SHORT_40, shuffled
from server.core.layout import Layout, PileSpec
from server.core.moves import Move
from server.core.position import Position, Shift, Step
from server.core.rules import Outcome, RankKey, Rules, UndoPolicy
from server.games import ruleset
from server.play.attempt import Attempt, practice_policy

VECTORS = Path(__file__).parent.parent / "vectors"

_PILES = (
    PileSpec("s", "stock", 0, 0),
    PileSpec("w1", "waste", 1, 0),
    PileSpec("f", "foundation", 2, 0),
    PileSpec("x", "foundation", 3, 0),
)


class RedHome(Rules):
    """Three cards are drawn one by one; red ones may go home, two at home win. A black ace drawn loses.

    So `s` draws, `w1` sends the drawn card home, and a black card on top of the waste of an empty stock is stuck.
    """

    key = "red-home"
    family = "toy"
    title = "Red home"
    text = ("Red cards go home.",)
    deck = SHORT_40
    undo = UndoPolicy.COUNTED
    layout = Layout("Red home", 2, _PILES, _PILES)
    #: Cards that may be drawn.
    stock: ClassVar[int] = 3

    def deal(self, cards: Sequence[Card]) -> Position:
        stock = tuple(c | DOWN for c in reversed(cards[: self.stock]))
        return Position({"s": stock, "w1": (), "f": (), "x": tuple(cards[self.stock :])})

    def moves(self, p: Position) -> list[Move]:
        waste = p.piles["w1"]
        home = ["w1"] if waste and suit(waste[-1]) in (1, 2) else []
        return home + (["s"] if p.piles["s"] else [])

    def steps(self, p: Position, m: Move) -> tuple[Step, ...]:
        return (Shift("s", "w1", 1, "up"),) if m == "s" else (Shift("w1", "f", 1),)

    def verdict(self, p: Position) -> Outcome:
        if len(p.piles["f"]) == 2:
            return Outcome.WON
        waste = p.piles["w1"]
        return Outcome.LOST if waste and card_text(waste[-1]) in ("AC", "AS") else Outcome.OPEN

    def progress(self, p: Position) -> int:
        return len(p.piles["f"])

    def score(self, p: Position) -> int | None:
        return len(p.piles["s"])


class RedHomeNoUndo(RedHome):
    """The same, without undo and with a board by score."""

    key = "red-home-no-undo"
    undo = UndoPolicy.NONE
    rankings: ClassVar = {"main": (RankKey.SCORE, RankKey.TIME), "moves": (RankKey.SCORE, RankKey.TIME)}


class NothingToDo(RedHome):
    """No card can be drawn: the deal itself is stuck."""

    key = "nothing-to-do"
    stock = 0


def deck_of(first: str) -> tuple[Card, ...]:
    """The short deck with the named cards first."""
    named = tuple(CARDS_BY_TEXT[text] for text in first.split())
    return named + tuple(c for c in SHORT_40.cards if c not in named)


def red_home(first: str, policy: UndoPolicy = UndoPolicy.COUNTED) -> Attempt:
    """An attempt at the toy whose stock holds the named cards."""
    return Attempt.start(RedHome(), deck_of(first), policy)


def seed_number(number: int) -> str:
    """The seed that a number makes."""
    return f"{number:032x}"


def start(key: str, number: int = 0, *, practice: bool = False) -> Attempt:
    """An attempt at a ruleset on a numbered deal."""
    rules = ruleset(key)
    policy = practice_policy(rules) if practice else rules.undo
    return Attempt.start(rules, shuffled(seed_number(number), rules.deck), policy)


def first_start(key: str, wanted: Callable[[Attempt], bool], *, practice: bool = False) -> Attempt:
    """An attempt at the first numbered deal that is as wanted."""
    return next(a for number in range(1000) if wanted(a := start(key, number, practice=practice)))


def play_all(attempt: Attempt, moves: str) -> Attempt:
    """The attempt after moves and reserved words, a second apart."""
    for text in moves.split():
        attempt = attempt.apply(text, attempt.at_ms + 1000)
    return attempt


def walk(attempt: Attempt, choices: Sequence[int]) -> Iterator[Attempt]:
    """The attempt and every one after it, as the choices lead it: any legal move, and sometimes an undo."""
    yield attempt
    for choice in choices:
        if attempt.over is not None:
            return
        at_ms = attempt.at_ms + choice % 1009
        if attempt.can_undo and (choice % 5 == 0 or not attempt.legal):
            attempt = attempt.undo(at_ms)
        elif attempt.legal:
            attempt = attempt.play(attempt.legal[choice % len(attempt.legal)], at_ms)
        yield attempt


def log_of(attempts: Sequence[Attempt]) -> list[tuple[str, int]]:
    """The log that a walk has written."""
    entries = [attempt.last.entry for attempt in attempts if attempt.last is not None]
    return [(text, at_ms) for text, at_ms in entries]


def state_of(attempt: Attempt) -> tuple[Any, ...]:
    """Everything about an attempt that may not differ between two ways to the same state."""
    past = None if attempt.past is None else attempt.past[:3]
    return (
        attempt.position,
        attempt.legal,
        attempt.seq,
        attempt.moves,
        attempt.undos,
        attempt.at_ms,
        attempt.over,
        attempt.can_undo,
        past,
        attempt.last,
    )


def vectors(name: str) -> list[dict[str, Any]]:
    """The lines of a vector file."""
    return [json.loads(line) for line in (VECTORS / name).read_text(encoding="utf-8").splitlines()]
