"""How the answers of ``samedeal solve --jsonl -`` stand to the golden decks (docs/solvers.md).

Run as ``python -m tests.solve.agreement``: gives the cases of tests/vectors/solve.jsonl to the command, or takes the
answers that it has given from a file (``python -m tests.solve.agreement ANSWERS``), prints the figures, and exits 1
where one of them misses its bar.
"""

import json
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

VECTORS: Final = Path(__file__).parent.parent / "vectors" / "solve.jsonl"

#: The greatest share of cases that may be left undecided, the least share of pyramid's pars that must be found, and how
#: far the scores may lie below those of the golden search on average.
UNDECIDED: Final = 0.05
EXACT: Final = 0.9
SCORE: Final = 3.0

Line = Mapping[str, Any]


class Agreement(NamedTuple):
    """What the answers come to. ``wrong`` and ``below`` are the places of lines that must not exist."""

    cases: int
    wrong: list[int]
    undecided: int
    below: list[int]
    pars: int
    pars_found: int
    scores: int
    score_missing: float

    @property
    def holds(self) -> bool:
        """Whether every bar is reached."""
        return (
            not self.wrong
            and not self.below
            and self.undecided <= UNDECIDED * self.cases
            and self.pars_found >= EXACT * self.pars
            and self.score_missing <= SCORE * self.scores
        )

    def __str__(self) -> str:
        return (
            f"{self.cases} cases: {len(self.wrong)} verdicts wrong {self.wrong}, {self.undecided} undecided; "
            f"{len(self.below)} pars below an exact one {self.below}; "
            f"{self.pars_found} of {self.pars} exact pars of pyramid found; "
            f"scores of foursquare {self.score_missing / max(1, self.scores):+.2f} below the golden ones on average"
        )


def agreement(lines: Sequence[Line], answers: Sequence[Line]) -> Agreement:
    """Compare the answers with what the golden lines expect, one by one."""
    wrong, below = [], []
    undecided = pars = pars_found = scores = 0
    missing = 0.0
    for number, (line, answer) in enumerate(zip(lines, answers, strict=True)):
        expected = line["expect"]
        undecided += answer["winnable"] is None
        if answer["winnable"] not in (expected["winnable"], None):
            wrong.append(number)
        par = answer["par"]
        if expected.get("par_exact"):
            if par is not None and par < expected["par"]:
                below.append(number)
            if line["case"]["ruleset"] == "pyramid":
                pars += 1
                pars_found += par == expected["par"]
        if "score_found" in expected:
            scores += 1
            missing += expected["score_found"] - answer.get("score", 0)
    return Agreement(len(lines), wrong, undecided, below, pars, pars_found, scores, missing)


def golden() -> list[Line]:
    """The golden lines."""
    return [json.loads(line) for line in VECTORS.read_text().splitlines()]


def asked(cases: Sequence[Any]) -> list[Line]:
    """What the command answers to cases."""
    done = subprocess.run(
        [Path(sysconfig.get_path("scripts")) / "samedeal", "solve", "--jsonl", "-"],
        input="".join(json.dumps(case) + "\n" for case in cases),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def main(*given: str) -> int:
    """Print how well they agree."""
    lines = golden()
    if given:
        answers = [json.loads(line) for line in Path(given[0]).read_text().splitlines()]
    else:
        answers = asked([line["case"] for line in lines])
    found = agreement(lines, answers)
    sys.stdout.write(f"{found}, {'agrees' if found.holds else 'DOES NOT AGREE'}\n")
    return 0 if found.holds else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
