"""``samedeal deal`` (PROTOCOL 4, DESIGN 5)."""

from typing import Any

import pytest
from typer.testing import CliRunner

from server.cli import app, run
from server.games import rulesets
from tests.play.toys import seed_number, vectors

DEALS = vectors("deal.jsonl")
SEED = seed_number(0)


@pytest.mark.parametrize("line", DEALS, ids=lambda line: f"{line['seed'][:6]}-{line['size']}")
def test_the_vectors_have_our_deck_and_commitment(line: dict[str, Any]) -> None:
    arguments = ["deal", "--seed", line["seed"]]
    if line["size"] == 40:
        arguments += ["--ruleset", "foursquare"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:2] == [line["deck"], line["commitment"]]


def test_without_a_ruleset_there_is_no_table() -> None:
    result = CliRunner().invoke(app, ["deal", "--seed", SEED])
    assert len(result.stdout.splitlines()) == 2


@pytest.mark.parametrize("key", sorted(rulesets()))
def test_the_table_shows_every_card_once(key: str) -> None:
    result = CliRunner().invoke(app, ["deal", "--seed", SEED, "--ruleset", key])
    deck, _, *table = result.stdout.splitlines()
    names = set(rulesets()[key].layout.names)
    cards = [word for line in table for word in line.split() if word not in names]
    assert sorted(card.upper() for card in cards) == sorted(deck.split())


def test_the_table_of_the_pyramid_has_its_rows() -> None:
    result = CliRunner().invoke(app, ["deal", "--seed", SEED, "--ruleset", "pyramid"])
    table = result.stdout.splitlines()[2:]
    assert "p1 KD" in table
    assert "p2 AS  p3 8C" in table
    assert any(line.startswith("s 7s 9c ks ") for line in table)  # the top of the stock is the last one written


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--seed", "xyz"], "samedeal: seed/invalid: a seed is 32 lower-case hex digits\n"),
        (["--seed", "A" * 32], "samedeal: seed/invalid: a seed is 32 lower-case hex digits\n"),
        (["--seed", SEED, "--ruleset", "klondike"], "samedeal: ruleset/unknown: no such ruleset\n"),
        ([], "samedeal: Missing option '--seed'.\n"),
    ],
)
def test_wrong_use_is_said_in_one_line(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["deal", *arguments]) == 2
    assert capsys.readouterr() == ("", complaint)
