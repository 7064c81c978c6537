"""R17, R19: one seed, one deal: on every run, under every hash order, in every release."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.core.deck import shuffled
from server.games import rulesets
from server.play.attempt import Attempt
from tests.games.golden import SEEDS, golden, table_hash
from tests.games.oracle import KEYS

ROOT = Path(__file__).parent.parent.parent
GOLDEN = json.loads((ROOT / "tests" / "vectors" / "golden_deals.json").read_text(encoding="utf-8"))


def test_r17_the_golden_file_holds_twenty_deals_of_every_ruleset() -> None:
    assert set(GOLDEN) == set(KEYS)
    assert all(set(deals) == set(SEEDS) and len(deals) == 20 for deals in GOLDEN.values())


@pytest.mark.parametrize("key", KEYS)
def test_r17_deals_equal_the_golden_file(key: str) -> None:
    assert {seed: table_hash(key, seed) for seed in SEEDS} == GOLDEN[key]


@pytest.mark.parametrize("key", KEYS)
def test_r17_another_start_of_the_same_seed_gives_the_same_table_after_ten_moves(key: str) -> None:
    rules = rulesets()[key]
    ends = []
    for _ in range(2):
        attempt = Attempt.start(rules, shuffled(SEEDS[0], rules.deck), rules.undo)
        for number in range(10):
            if attempt.legal:
                attempt = attempt.play(attempt.legal[-1 - number % len(attempt.legal)], number)
        ends.append(attempt)
    assert ends[0].position == ends[1].position
    assert ends[0].seq == ends[1].seq > 2


@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_r19_deals_do_not_depend_on_the_order_of_hashes(hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    printed = subprocess.run(
        [sys.executable, "-m", "tests.games.golden"], cwd=ROOT, env=environment, capture_output=True, check=True
    )
    assert json.loads(printed.stdout) == GOLDEN


def test_r19_the_hash_tells_tables_apart() -> None:
    hashes = [value for deals in golden().values() for value in deals.values()]
    assert len(hashes) == len(rulesets()) * len(SEEDS)
    pyramid, opened = golden()["pyramid"], golden()["pyramid-open"]
    assert set(pyramid.values()).isdisjoint(opened.values())
    assert pyramid == golden()["pyramid-cover"]  # the same table under other rules
