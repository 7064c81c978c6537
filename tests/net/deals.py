"""Deals with a property, and the shared winning lines."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from server.core.deck import shuffled
from server.core.rules import Rules
from server.games import ruleset
from server.play.attempt import Attempt

VECTORS = Path(__file__).parent.parent / "vectors"


class Win(NamedTuple):
    """A seed with a line that wins it."""

    ruleset: str
    seed: str
    moves: tuple[str, ...]


def wins() -> dict[str, list[Win]]:
    """The shared winning lines by ruleset."""
    by: dict[str, list[Win]] = {}
    for line in (VECTORS / "wins.jsonl").read_text().splitlines():
        case = json.loads(line)
        by.setdefault(case["ruleset"], []).append(Win(case["ruleset"], case["seed"], tuple(case["moves"].split())))
    return by


def seeds(salt: str) -> Iterator[str]:
    """Seeds without end, the same in every run."""
    number = 0
    while True:
        yield hashlib.sha256(f"{salt}/{number}".encode()).hexdigest()[:32]
        number += 1


def dealt(key: str, seed: str) -> Attempt:
    """The attempt at a deal before its first move, under the ranked undo policy."""
    rules: Rules = ruleset(key)
    return Attempt.start(rules, shuffled(seed, rules.deck), rules.undo)


def seed_where(key: str, fits: Callable[[Attempt], bool]) -> str:
    """The first seed whose deal has a property."""
    return next(seed for seed in seeds(key) if fits(dealt(key, seed)))
