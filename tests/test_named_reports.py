"""Every field report of this release has a test that bears its number."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
REPORTS = [1, 2, 4, 7, 8, 10, 11, 13, 14, 16, 17, 19, 35, 40, 44, 46, 47, 49, 50, 52, 53]
NAMED = re.compile(r"^\s*(?:async )?def test_((?:x\d+_)?(?:r\d{2}_)+)", re.MULTILINE)


@pytest.mark.parametrize("number", REPORTS)
def test_a_test_bears_the_number_of_the_report(number: int) -> None:
    named = {
        report
        for file in TESTS.rglob("test_*.py")
        for names in NAMED.findall(file.read_text(encoding="utf-8"))
        for report in re.findall(r"r(\d{2})_", names)
    }
    assert f"{number:02}" in named
