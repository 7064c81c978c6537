"""Links between documents lead to pages and headings that are there; pages of the server, to routes that it has."""

import re
from pathlib import Path

import pytest

from server.net.static import PAGES as CLIENT_PAGES
from tests.docs.pages import PAGES, ROOT, anchors, read, without_code


def links(text: str) -> list[tuple[str, str]]:
    """Every local link as (file or nothing, heading or nothing)."""
    targets = re.findall(r"\]\(([^)\s]+)\)", without_code(text))
    return [(path, anchor) for path, _, anchor in (target.partition("#") for target in targets) if "://" not in path]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files_and_headings(page: Path) -> None:
    astray = []
    for path, anchor in links(page.read_text(encoding="utf-8")):
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            astray.append(f"{path}#{anchor}")
    assert astray == []


def test_a_link_astray_would_be_seen() -> None:
    assert links("[a](b.md#c) [d](https://example.org/#e) `[f](g)`") == [("b.md", "c"), ("g", "")]
    assert anchors("# A b, c\n```\n# d\n```\n## `e` f\n## A b, c\n") == {"a-b-c", "e-f", "a-b-c-1"}


def test_pages_of_the_server_that_documents_name_are_served() -> None:
    served = {page.partition("{")[0].rstrip("/") for page in CLIENT_PAGES} | {"/api/docs"}
    for name in ("/verify", "/rules", "/api/docs"):
        assert name in served
    assert "`/verify`" in read("CHANGELOG.md")
    assert "`/api/docs`" in read("README.md")


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or not page.is_file() or page.suffix != ".md":
            continue
        reached.add(page)
        for path, _ in links(page.read_text(encoding="utf-8")):
            target = (page.parent / path).resolve() if path else page
            waiting.append(target / "README.md" if target.is_dir() else target)
    assert [page.relative_to(ROOT).as_posix() for page in PAGES if page not in reached] == []
