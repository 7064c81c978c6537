"""Tests that need a service say so, loudly; where everything must be there, a missing service is a failure.

A laptop without PostgreSQL still runs the suite: such tests are skipped and counted in a block at the end. With
`SAMEDEAL_TEST_REQUIRE_ALL=1`, as continuous integration sets it, the run fails if one test was skipped that way.
"""

import os
from typing import NoReturn

import pytest

PREFIX = "MISSING SERVICE: "
VARIABLE = "SAMEDEAL_TEST_REQUIRE_ALL"


def all_required() -> bool:
    """Whether this run must not skip anything for want of a service."""
    return os.environ.get(VARIABLE, "") not in ("", "0")


def missing(service: str, remedy: str) -> NoReturn:
    """Skip the present test because `service` is not there; `remedy` tells how to get it."""
    pytest.skip(f"{PREFIX}{service} ({remedy})")


def reason_of(report: pytest.TestReport | pytest.CollectReport) -> str | None:
    """The service and remedy that a skipped report complains about; None for any other report."""
    if not report.skipped or not isinstance(report.longrepr, tuple):
        return None
    _, mark, reason = str(report.longrepr[2]).partition(PREFIX)
    return reason if mark else None


class MissingServices:
    """The pytest plugin: collects such skips, prints them, and fails the run where all are required."""

    def __init__(self) -> None:
        self.skipped: dict[str, list[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a skipped test."""
        self._note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a skipped module."""
        self._note(report)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Turn a run that is otherwise green into a failed one."""
        if self.skipped and all_required() and session.exitstatus in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say which tests did not run and what they need."""
        if not self.skipped:
            return
        required = all_required()
        title = f"{VARIABLE}: services are missing" if required else "NOT TESTED: services are missing"
        terminalreporter.section(title, sep="!", red=required, yellow=not required, bold=True)
        for reason, tests in sorted(self.skipped.items()):
            terminalreporter.write_line(f"{len(tests)} not run for want of {reason}")

    def _note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        reason = reason_of(report)
        if reason is not None:
            self.skipped.setdefault(reason, []).append(report.nodeid)


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin."""
    config.pluginmanager.register(MissingServices(), "missing-services")
