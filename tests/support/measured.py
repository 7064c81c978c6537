"""Measures which lines and branches of the server the tests run: ``pytest -p tests.support.measured``.

The code is changed as it is imported instead of being watched as it runs: on Python 3.11 a tracer doubles the time of
the suite, this takes a fifth more, and code that runs in threads is measured as well. Programs that tests start are
not. It works in one process and in several side by side, and must be loaded before anything of the server.
"""

import io
import json
import os
from typing import Any, Final

import pytest
import slipcover

#: The part of lines and branches that must run, in percent; a run below it fails.
GATE: Final = float(os.environ.get("SAMEDEAL_TEST_COVERAGE_GATE", "90"))

SOURCE: Final = "server"
#: What has nothing to run.
_EXCLUDED: Final = [r"@(abc\.)?abstractmethod", r"class .*\bProtocol\):", r"^\s*\.\.\.$"]
#: Code that has run stays as it is: to exchange it under the feet of running tests costs more than it spares.
_NEVER: Final = 1 << 30
_TOLD: Final = "measured"


def start() -> slipcover.Slipcover:
    """Measure everything of the server that is imported from now on."""
    measuring = slipcover.Slipcover(branch=True, source=[SOURCE], exclude_also=_EXCLUDED, d_miss_threshold=_NEVER)
    slipcover.ImportManager(measuring, slipcover.FileMatcher(sources=[SOURCE])).__enter__()
    return measuring


class Measured:
    """The pytest plugin: brings together what every process has measured, prints it, and judges it."""

    def __init__(self, measuring: slipcover.Slipcover) -> None:
        self._measuring = measuring
        self._others: list[dict[str, Any]] = []
        self._total: dict[str, Any] | None = None

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand over what this process has measured; the first one judges the whole."""
        found = self._measuring.get_coverage()
        handed_over = getattr(session.config, "workeroutput", None)
        if handed_over is not None:
            handed_over[_TOLD] = json.dumps(found)
            return
        for other in self._others:
            slipcover.merge_coverage(found, other)
        self._total = found
        if _percent(found) < GATE and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a process that ran tests side by side with others has measured."""
        told = getattr(node, "workeroutput", {}).get(_TOLD)
        if told is not None:
            self._others.append(json.loads(told))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print which lines and branches did not run, and the verdict."""
        if self._total is None:
            return
        table = io.StringIO()
        slipcover.print_coverage(self._total, outfile=table, skip_covered=True)
        terminalreporter.section(f"coverage of {SOURCE}")
        terminalreporter.write(table.getvalue())
        percent = _percent(self._total)
        below = percent < GATE
        verdict = f"{percent:.2f} % of lines and branches ran; at least {GATE:g} % must{': BELOW THE GATE' * below}"
        terminalreporter.write_line(verdict, red=below, green=not below)


def _percent(found: dict[str, Any]) -> float:
    return float(found["summary"]["percent_covered"])


_measuring: Final = start()


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin."""
    config.pluginmanager.register(Measured(_measuring), "measured")
