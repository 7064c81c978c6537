"""A process that certifies deals: one JSON line in, one out, until its input ends. Started by the actions.

A question is ``{"ruleset", "seed", "hasty"}``; the answer is a certificate, null where the deal is not certified, or
``{"error"}`` where a solver has failed. Whoever started it may end it at any time: nothing is stored here.
"""

import os
import signal
import sys
from contextlib import suppress
from time import process_time
from typing import BinaryIO

import msgspec

from server.errors import SolverError
from server.games import ruleset
from server.solve.certificate import Certificate, certify


class Question(msgspec.Struct, frozen=True):
    """A deal to be certified, in haste where somebody waits for it."""

    ruleset: str
    seed: str
    hasty: bool = False


class Failure(msgspec.Struct, frozen=True):
    """A solver found a line that the rules refuse."""

    error: str


Answer = Certificate | Failure | None


def answer(question: Question) -> Answer:
    """What can be said of a deal."""
    try:
        return certify(ruleset(question.ruleset), question.seed, _cpu_ms, hasty=question.hasty)
    except SolverError as error:
        return Failure(str(error))


def work(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer questions in order until there are no more."""
    decoder, encoder = msgspec.json.Decoder(Question), msgspec.json.Encoder()
    for line in questions:
        answers.write(encoder.encode(answer(decoder.decode(line))) + b"\n")
        answers.flush()


def _cpu_ms() -> float:
    return process_time() * 1000


def main(niceness: str) -> None:
    """Serve standard input, letting other processes go before by so much."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt from the keyboard is for who has started this
    with suppress(AttributeError, OSError):  # Windows has no such thing
        os.nice(int(niceness))
    with suppress(KeyboardInterrupt, BrokenPipeError):
        work(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main(*sys.argv[1:])
