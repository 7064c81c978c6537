"""Turkish and Urdu: whole pages in the language, mirrored where it is written from the right, the table never (R56)."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.table_page import TablePage
from tests.browser.test_access import best_of_pyramid, serious
from tests.browser.test_play import FIRST
from tests.client import catalogue
from tests.support.live_server import ThreadedServer

pytestmark = pytest.mark.browser

LATIN_WORD = re.compile(r"\b[A-Za-z]{3,}\b")


def sit(visit: Any, server: ThreadedServer, ruleset: str, **options: Any) -> TablePage:
    """A table in a language that the browser asks for."""
    challenge = server.make_challenge(ruleset, FIRST[ruleset]["seed"])
    return TablePage(visit(f"{server.base_url}/challenge/{challenge}", **options)).ready()


@pytest.mark.parametrize(("locale", "direction"), [("tr-TR", "ltr"), ("ur-PK", "rtl"), ("en-GB", "ltr")])
def test_the_browsers_language_is_taken(locale: str, direction: str, table_server: ThreadedServer, visit: Any) -> None:
    page = visit(table_server.base_url, locale=locale)
    expect(page.locator(".daily")).to_have_count(6)
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == [locale[:2], direction]


def test_a_chosen_language_lasts(table_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{table_server.base_url}/settings")
    page.get_by_label("Language").select_option("tr")
    expect(page.get_by_role("heading", name="Ayarlar")).to_be_visible()
    page.goto(table_server.base_url)
    expect(page.get_by_role("heading", name="Bugünün oyunları")).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/rules/foursquare", "/settings", "/nowhere"])
def test_no_english_is_left_in_urdu(path: str, table_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{table_server.base_url}{path}", locale="ur", expect="404 (Not Found)")
    page.locator(".daily, .rules, .settings, .notfound").first.wait_for()
    text = page.locator("main").inner_text()
    names = {"Samedeal", *re.findall(r"\w+", page.locator(".who-name").inner_text()), "Türkçe", "English"}
    assert set(LATIN_WORD.findall(text)) - names == set()


@pytest.mark.parametrize(
    "path",
    [
        "/boards/daily/2026-03-08/pyramid",
        "/boards/season/2026-W10/pyramid",
        "/boards/records/thirteen-3",
        "/boards/season/all/pyramid?friends=1",
        "/players/{player}",
        "/calendar?day=2026-03-08",
        "/daily/2026-03-08/pyramid",
    ],
)
def test_no_english_is_left_in_urdu_on_full_pages(path: str, past_server: ThreadedServer, visit: Any) -> None:
    """Names of players, of file formats and of the site itself stay as they are."""
    player = best_of_pyramid(past_server)
    page = visit(past_server.base_url + path.format(player=player), locale="ur")
    page.locator(".results, .empty, .profile, .day-deal, .field .chart").first.wait_for()
    for details in page.locator(".chart-table summary").all():
        details.click()
    text = page.evaluate(
        """() => {
            for (const name of document.querySelectorAll('main .player bdi')) name.remove();
            return document.querySelector('main').innerText;
        }"""
    )
    assert set(LATIN_WORD.findall(text)) - {"CSV", "NDJSON"} == set()


def test_the_table_is_not_mirrored_and_the_clock_reads_from_the_left(table_server: ThreadedServer, visit: Any) -> None:
    """R56: columns stand in the documented order; minutes before seconds; the bar around them mirrors."""
    english = sit(visit, table_server, "bakers-dozen")
    urdu = sit(visit, table_server, "bakers-dozen", locale="ur")
    for pile in ("c1", "c7", "c13", "fc", "fs"):
        assert urdu.middle(pile) == pytest.approx(english.middle(pile), abs=2)
    assert urdu.page.locator(".figure-time").evaluate("time => getComputedStyle(time).direction") == "ltr"
    assert re.fullmatch(r"\d:\d\d", urdu.page.locator(".figure-time").inner_text())
    home, undo = urdu.page.locator(".hud a").first.bounding_box(), urdu.page.locator(".hud button").last.bounding_box()
    assert home is not None
    assert undo is not None
    assert home["x"] > undo["x"]


def test_cards_are_named_in_urdu(table_server: ThreadedServer, visit: Any) -> None:
    """R56: ikka, ghulam, begum, badshah; hukm, paan, eent, chirya."""
    table = sit(visit, table_server, "bakers-dozen", locale="ur")
    names = " ".join(table.page.locator(".cell").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))"))
    for word in ("اِکّا", "غلام", "بیگم", "بادشاہ", "حکم", "پان", "اینٹ", "چڑیا"):
        assert word in names


def test_a_latin_name_is_isolated(table_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{table_server.base_url}/practice/pyramid", locale="ur")
    TablePage(page).ready()
    page.goto(table_server.base_url)
    expect(page.locator(".who bdi")).to_have_text(re.compile(r"\w"))
    assert page.locator(".countdown bdi").count() == 1


@pytest.mark.parametrize("path", ["/", "/settings"])
def test_a_scan_of_the_mirrored_page_finds_nothing_serious(
    path: str, table_server: ThreadedServer, visit: Any, phone: dict[str, Any]
) -> None:
    page = visit(f"{table_server.base_url}{path}", locale="ur", **phone)
    page.locator(".daily, .settings").first.wait_for()
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_every_catalogue_is_offered() -> None:
    source = (catalogue.CLIENT / "src" / "i18n.js").read_text("utf-8")
    assert re.findall(r'code: "(\w+)"', source) == ["en", "tr", "ur"]
    assert catalogue.languages() == ["en", "tr", "ur"]
