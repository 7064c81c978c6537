"""What code and tests cite by number stands in the documents under that number."""

import re
from collections.abc import Iterator

import pytest

from tests.docs.pages import ROOT, read

#: How each document is cited, and where it is.
DOCUMENTS = {"DESIGN": "docs/design.md", "PROTOCOL": "docs/protocol.md", "RULES": "docs/rules/numbers.md"}

SOURCES = [
    path
    for folder in ("server", "client_web", "migrations", "tests", "docs")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".py", ".js", ".css", ".html", ".md"} and "vectors" not in path.parts
]


def numbers(text: str) -> set[str]:
    """The numbers that a document defines: of sections, and of items that begin in bold (`**C1**`, `**1.4 …**`)."""
    sections = re.findall(r"^## (\d+)\. ", text, re.MULTILINE)
    return {*sections, *re.findall(r"^- \*\*(\d+\.\d+|[CPTBF]\d+)\b", text, re.MULTILINE)}


def cited(document: str, text: str) -> set[str]:
    """The numbers under which a text cites a document: `DESIGN 6 and 7`, `RULES C9, C10`, `RULES section 5`."""
    number = r"(?:[CPTBF]\d+|\d+(?:\.\d+)?)\b" if document == "RULES" else r"\d+(?:\.\d+)?\b"
    runs = re.findall(rf"\b{document}(?:\.md)? (?:section )?({number}(?:(?:, | and ){number})*)", text)
    return {one for run in runs for one in re.findall(number, run)}


def places(document: str) -> Iterator[tuple[str, str]]:
    """Every citation of a document, with the file that has it."""
    for path in SOURCES:
        if path.name != "test_citations.py":
            for number in sorted(cited(document, path.read_text(encoding="utf-8"))):
                yield number, path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_cited_sections_stand_in_the_document(document: str) -> None:
    defined = numbers(read(DOCUMENTS[document]))
    found = list(places(document))
    assert found
    assert [f"{document} {number} in {place}" for number, place in found if number not in defined] == []


def test_rule_numbers_that_the_server_cites_are_defined() -> None:
    defined = numbers(read(DOCUMENTS["RULES"]))
    code = {path: path.read_text(encoding="utf-8") for path in SOURCES if path.suffix == ".py"}
    found = {
        (number, path.relative_to(ROOT).as_posix())
        for path, text in code.items()
        if path.is_relative_to(ROOT / "server")
        for number in re.findall(r"(?<![\w\"'])[CPTBF][1-9]\d?\b(?![\"'])", text)
    }
    assert len({number for number, _ in found}) >= 49
    assert sorted(f"{number} in {place}" for number, place in found if number not in defined) == []


def test_the_numbers_of_rules_have_no_gaps() -> None:
    defined = numbers(read(DOCUMENTS["RULES"]))
    for letter, last in {"C": 10, "P": 11, "T": 7, "B": 11, "F": 10}.items():
        assert {number for number in defined if number[0] == letter} == {f"{letter}{n}" for n in range(1, last + 1)}


def test_measures_that_are_cited_are_listed() -> None:
    """The numbers of design.md 11."""
    rows = re.findall(r"^\| (X\d+(?:, X\d+)*) \|", read("docs/design.md"), re.MULTILINE)
    listed = {number for row in rows for number in row.split(", ")}
    found = {
        number for path in SOURCES for number in re.findall(r"(?<![\w\"])X\d{1,2}\b", path.read_text(encoding="utf-8"))
    }
    assert found >= {"X12", "X16"}
    assert sorted(found - listed) == []


def test_field_reports_that_are_cited_are_listed() -> None:
    listed = set(re.findall(r"^\| (R\d\d) \|", read("docs/field-reports.md"), re.MULTILINE))
    found = {
        number.upper()
        for path in SOURCES
        if path.suffix in {".py", ".js"}
        for number in re.findall(r"(?:\b|_)([Rr]\d\d)(?=\b|_)", path.read_text(encoding="utf-8"))
    }
    assert found >= {"R08", "R44"}
    assert sorted(found - listed) == []


def test_citations_are_seen_in_all_their_forms() -> None:
    text = "(DESIGN 6) DESIGN 1.4, RULES C9 and C10. RULES section 5; PROTOCOL 3, C10, DESIGN 2 and 9"
    assert cited("DESIGN", text) == {"6", "1.4", "2", "9"}
    assert cited("RULES", text) == {"C9", "C10", "5"}
    assert cited("PROTOCOL", text) == {"3"}
