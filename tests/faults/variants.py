"""``samedeal serve`` with a fault built in: what a test of faults must catch, or it proves nothing.

``python -m tests.faults.variants FAULT serve ...`` starts it.
"""

import asyncio
import sys
from collections.abc import Callable

from server.cli import main
from server.store import sqlite
from server.store.entries import Append, Stored
from server.store.recorder import Done, Recorder

#: Seconds by which the storing lags behind the answer.
LATE_S = 0.25


def answer_before_the_commit() -> None:
    """Tell everybody at once that the entry is stored, and store it a little later."""
    store_it = Recorder.submit

    def submit(self: Recorder, append: Append, done: Done) -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(done, Stored.COMMITTED)
        loop.call_later(LATE_S, store_it, self, append, _nobody)

    Recorder.submit = submit  # type: ignore[method-assign]


def commit_without_sync() -> None:
    """Leave it to the operating system when the log reaches the disk."""
    kept = tuple(pragma for pragma in sqlite._WRITER if not pragma.startswith("synchronous"))
    sqlite._WRITER = (*kept, "synchronous=OFF")  # type: ignore[misc, assignment]


def _nobody(stored: Stored) -> None:
    """For entries whose sender has his answer already."""


FAULTS: dict[str, Callable[[], None]] = {
    "none": lambda: None,
    "answer-before-the-commit": answer_before_the_commit,
    "commit-without-sync": commit_without_sync,
}

if __name__ == "__main__":
    FAULTS[sys.argv.pop(1)]()
    main()
