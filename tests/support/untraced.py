"""Tests marked `no_cover` are not traced, in one process or in several.

pytest-cov sees to it in one process. The processes in which tests run side by side are measured as all subprocesses
are, from their start, and by pytest-cov besides: when that stops, the other measurement goes on in its place.
"""

from collections.abc import Generator

import coverage
import pytest


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Stop the measurement that began with the process, for the length of such a test."""
    begun = getattr(coverage.process_startup, "coverage", None)
    if begun is None or item.get_closest_marker("no_cover") is None:
        return (yield)
    begun.stop()
    try:
        return (yield)
    finally:
        begun.start()
