"""The client without a build: what a module imports is there, and nothing comes from elsewhere."""

import re
from pathlib import Path

import pytest

from server.games import rulesets
from tests.client.catalogue import CLIENT, modules

IMPORT = re.compile(r"""(?:^(?:import|export)\b[^"';()=]*\bfrom|^import|\bimport\()\s*["']([^"']+)["']""", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
PAGES = ["index.html", "api.html"]


@pytest.mark.parametrize("module", modules(), ids=lambda path: path.relative_to(CLIENT).as_posix())
def test_imports_are_relative_and_lead_somewhere(module: Path) -> None:
    for target in IMPORT.findall(COMMENT.sub("", module.read_text("utf-8"))):
        assert target.startswith(("./", "../")), target
        assert (module.parent / target).resolve().is_file(), target


@pytest.mark.parametrize("module", modules(), ids=lambda path: path.relative_to(CLIENT).as_posix())
def test_a_module_says_what_it_is_for_and_fits_in_one_head(module: Path) -> None:
    source = module.read_text("utf-8")
    assert source.startswith(("/**", "// Runs before the first paint"))
    assert source.count("\n") <= 320


@pytest.mark.parametrize("module", modules(), ids=lambda path: path.relative_to(CLIENT).as_posix())
def test_a_module_knows_no_ruleset(module: Path) -> None:
    """A new game is one file on the server and none in the client (DESIGN 1.3)."""
    source = COMMENT.sub("", module.read_text("utf-8"))
    named = [key for key in rulesets() if re.search(rf"[\"'`]{re.escape(key)}[\"'`]", source)]
    assert named == []


@pytest.mark.parametrize("module", modules(), ids=lambda path: path.relative_to(CLIENT).as_posix())
def test_no_module_changes_case_by_the_readers_language(module: Path) -> None:
    assert re.findall(r"toLocale(?:Upper|Lower)Case", module.read_text("utf-8")) == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_loads_its_own_files_only(page: str) -> None:
    text = (CLIENT / page).read_text("utf-8")
    links = re.findall(r"(?:src|href)=\"([^\"]+)\"", text)
    assert links
    for link in links:
        assert link.startswith("/static/"), link
        assert (CLIENT / link.removeprefix("/static/")).is_file(), link
    assert re.findall(r"<style\b|\sstyle=|\son\w+=|javascript:", text) == []
