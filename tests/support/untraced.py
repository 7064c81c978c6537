"""Some tests are not traced, which takes as long as the tests themselves; in one process or in several.

Those marked `no_cover` run the same lines again and again. What a test of the server does on PostgreSQL it has done on
SQLite, with the same lines of the server; the modules that are there for PostgreSQL have their tests in `tests/store`.
"""

import contextlib
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Final

import coverage
import pytest

_STORE: Final = Path(__file__).parent.parent / "store"
_TO_SUBPROCESSES: Final = ("COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Trace no test on PostgreSQL, nor its fixtures, but those of the store."""
    with _untraced(item.get_closest_marker("postgres") is not None and _STORE not in item.path.parents):
        return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Trace no test that is marked so: pytest-cov itself stops only the measurement that it began last."""
    with _untraced(item.get_closest_marker("no_cover") is not None):
        return (yield)


@contextlib.contextmanager
def _untraced(wanted: bool) -> Iterator[None]:
    """Stop every measurement that goes on, for the length of a block.

    A process in which tests run side by side is measured by several, from its start: when one stops, the one before it
    goes on in its place.
    """
    stopped: list[coverage.Coverage] = []
    # What is started meanwhile would measure itself.
    told = {name: os.environ.pop(name) for name in _TO_SUBPROCESSES if wanted and name in os.environ}
    while wanted and (measuring := coverage.Coverage.current()) is not None:
        measuring.stop()
        stopped.append(measuring)
    try:
        yield
    finally:
        os.environ.update(told)
        for measuring in reversed(stopped):
            measuring.start()
