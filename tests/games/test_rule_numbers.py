"""Every numbered rule of RULES.md is held by a test that names it, and cited where it is implemented."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

#: The numbers of RULES.md.
RULES = [
    *(f"C{n}" for n in range(1, 11)),
    *(f"P{n}" for n in range(1, 12)),
    *(f"T{n}" for n in range(1, 8)),
    *(f"B{n}" for n in range(1, 12)),
    *(f"F{n}" for n in range(1, 11)),
]


def numbers_in_test_names(folder: Path) -> set[str]:
    """Numbers in names of test functions: ``test_p4_p5_turning`` holds P4 and P5."""
    found = set()
    for path in folder.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                found |= {part.upper() for part in node.name.split("_") if re.fullmatch(r"[cptbf]\d+", part)}
    return found


def numbers_in_code(folder: Path) -> set[str]:
    """Numbers cited one by one in docstrings and comments; a range such as P1-P9 cites none."""
    found = set()
    for path in folder.rglob("*.py"):
        text = re.sub(r"\b[CPTBF]\d+-[CPTBF]\d+\b", "", path.read_text(encoding="utf-8"))
        found |= set(re.findall(r"\b[CPTBF]\d+\b", text))
    return found


def test_every_rule_number_is_named_by_a_test() -> None:
    named = numbers_in_test_names(ROOT / "tests")
    assert [number for number in RULES if number not in named] == []


def test_every_rule_number_is_cited_where_it_is_implemented() -> None:
    cited = numbers_in_code(ROOT / "server")
    assert [number for number in RULES if number not in cited] == []


def test_no_test_or_module_cites_a_rule_that_does_not_exist() -> None:
    assert numbers_in_test_names(ROOT / "tests") <= set(RULES)


def test_the_collectors_see_what_is_there_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(
        '"""P9"""\ndef test_p4_b7_it() -> None:\n    """F2 and C1-C3"""\nasync def test_c5() -> None:\n    ...\n'
    )
    assert numbers_in_test_names(tmp_path) == {"P4", "B7", "C5"}
    assert numbers_in_code(tmp_path) == {"P9", "F2"}
