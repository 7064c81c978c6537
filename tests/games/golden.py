"""Hashes of twenty dealt tables of every ruleset, as JSON; `python -m tests.games.golden` prints them.

The file `tests/vectors/golden_deals.json` holds what was printed when a ruleset was new. It is added to, never changed:
another hash for an old seed means that challenges already played would be dealt other cards.
"""

import json
import sys
from hashlib import sha256

from server.core.cards import pile_texts
from server.core.deck import shuffled
from server.games import rulesets

SEEDS = tuple(sha256(f"golden deal {number}".encode()).hexdigest()[:32] for number in range(20))


def table_hash(key: str, seed: str) -> str:
    """SHA-256 of the dealt table: one line a pile, in order of names, cards bottom first."""
    rules = rulesets()[key]
    piles = rules.deal(shuffled(seed, rules.deck)).piles
    text = "\n".join(f"{name}: {' '.join(pile_texts(piles[name]))}" for name in sorted(piles))
    return sha256(text.encode()).hexdigest()


def golden() -> dict[str, dict[str, str]]:
    """The hashes by ruleset and seed."""
    return {key: {seed: table_hash(key, seed) for seed in SEEDS} for key in sorted(rulesets())}


if __name__ == "__main__":
    json.dump(golden(), sys.stdout, indent=1)
    sys.stdout.write("\n")
