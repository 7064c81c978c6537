"""Tests marked `no_cover` are not traced, in one process or in several.

pytest-cov stops the measurement that it began last. A process in which tests run side by side is measured by others
besides, from its start: when one stops, the one before it goes on in its place.
"""

from collections.abc import Generator

import coverage
import pytest


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Stop every measurement that goes on for the length of such a test."""
    stopped: list[coverage.Coverage] = []
    if item.get_closest_marker("no_cover") is not None:
        while (measuring := coverage.Coverage.current()) is not None:
            measuring.stop()
            stopped.append(measuring)
    try:
        return (yield)
    finally:
        for measuring in reversed(stopped):
            measuring.start()
