"""Style sheets: logical properties only, so that right-to-left languages mirror by themselves; and a strict page.

Left and right have no place in the interface: `margin-inline-start`, `inset-inline`, `text-align: start`. The page has
no inline script or style, which the content security policy forbids.
"""

import re
from pathlib import Path

import pytest

CLIENT = Path(__file__).parent.parent / "client_web"
SHEETS = sorted((CLIENT / "style").glob("**/*.css"))
MODULES = sorted((CLIENT / "src").glob("**/*.js"))

SIDES = "left|right|top|bottom"
PHYSICAL_PROPERTY = re.compile(
    rf"^({SIDES}|(?:margin|padding|border|scroll-margin|scroll-padding)-(?:{SIDES})(?:-\w+)*"
    r"|border-(?:top|bottom)-(?:left|right)-radius|(?:min-|max-)?(?:width|height)"
    r"|overflow-[xy]|overscroll-behavior-[xy])$"
)
SIDED_VALUE = re.compile(r"^(text-align|float|clear|caption-side|resize)$")
DECLARATION = re.compile(r"(?:^|[;{])\s*([a-z-]+)\s*:\s*([^;{}]+)")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
FEATURES = re.compile(r"@(?:media|container|supports)[^{]*")


def physical(sheet: str) -> list[str]:
    """The declarations of a style sheet that name a side or an axis of the screen."""
    body = FEATURES.sub("", COMMENT.sub("", sheet))  # `(max-width: 40rem)` asks for the screen, it sets nothing
    return [
        f"{name}: {value.strip()}"
        for name, value in DECLARATION.findall(body)
        if PHYSICAL_PROPERTY.match(name) or (SIDED_VALUE.match(name) and re.search(r"\b(left|right)\b", value))
    ]


@pytest.mark.parametrize(
    ("sheet", "found"),
    [
        ("a { margin-left: 1px }", ["margin-left: 1px"]),
        ("a { color: red; left: 0; }", ["left: 0"]),
        ("a { text-align: right }", ["text-align: right"]),
        ("a { border-top-left-radius: 2px; width: 3px }", ["border-top-left-radius: 2px", "width: 3px"]),
        ("@media (max-width: 40rem) { a { inset-inline: 0; text-align: start } }", []),
        ("/* left: 0; */ a { border-start-start-radius: 2px; inline-size: 3px }", []),
        ("a:hover { transform: translate(1px, 2px) } .left:focus { color: red }", []),
    ],
)
def test_the_lint_tells_physical_from_logical(sheet: str, found: list[str]) -> None:
    assert physical(sheet) == found


def test_there_are_style_sheets() -> None:
    assert SHEETS


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: str(path.name))
def test_a_style_sheet_is_logical(sheet: Path) -> None:
    assert physical(sheet.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(CLIENT).as_posix())
def test_a_module_sets_no_physical_style_and_writes_no_markup(module: Path) -> None:
    source = module.read_text(encoding="utf-8")
    sides = re.findall(r"\.style\.(?:left|right|top|bottom|margin(?:Left|Right)|padding(?:Left|Right))\b", source)
    markup = re.findall(
        r"\.(?:innerHTML|outerHTML|insertAdjacentHTML)\b|document\.write|\beval\(|new Function\(", source
    )
    assert sides + markup == []


def test_the_page_has_nothing_inline() -> None:
    page = (CLIENT / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<style\b|\sstyle=|\son\w+=|javascript:", page) == []
    assert re.findall(r"<script\b[^>]*>\s*[^<\s]", page) == []


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: str(path.name))
def test_hovering_is_marked_only_where_something_hovers(sheet: Path) -> None:
    """On a phone the last button touched would keep its mark: every such rule stands in `@media (hover: hover)`."""
    body = COMMENT.sub("", sheet.read_text(encoding="utf-8"))
    outside = re.sub(r"@media \(hover: hover\) \{(?:[^{}]*\{[^{}]*\})*\s*\}", "", body)
    assert re.findall(r"[^\n{}]*:hover", outside) == []
