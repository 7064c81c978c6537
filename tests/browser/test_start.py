"""Before a ranked attempt: a shared link starts nothing; rules and practice are near; the lobby starts at one tap."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.table_page import TablePage
from tests.browser.test_play import FIRST
from tests.support.live_server import ThreadedServer

pytestmark = pytest.mark.browser

TODAY = "/daily/today/thirteen"


def players(page: Any) -> int:
    """How many have started today's Thirteen."""
    found = page.evaluate("fetch('/api/v1/dailies/today').then(answer => answer.json())")
    return next(int(daily["players"]) for daily in found["dailies"] if daily["ruleset"] == "thirteen")


def test_a_shared_link_starts_nothing(table_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{table_server.base_url}{TODAY}")
    start = page.get_by_role("button", name="Start")
    expect(start).to_be_visible()
    expect(page).to_have_url(re.compile(r"/daily/\d{4}-\d\d-\d\d/thirteen$"))
    for words in ("one attempt", "What ranks: shorter time, fewer moves", "Undo: none", "Can be started until"):
        expect(page.locator(".start")).to_contain_text(words)
    before = players(page)
    page.get_by_role("link", name="Rules").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Solitaire 13")
    page.go_back()
    page.get_by_role("link", name="Practise first").click()
    expect(page.locator(".hud-subtitle")).to_have_text("Practice")
    page.go_back()
    assert players(page) == before
    start.click()
    expect(page.locator(".cell").first).to_be_attached()
    expect(page.locator(".figure-time")).to_have_text(re.compile("0:0"))
    assert players(page) == before + 1
    page.reload()
    expect(page.locator(".cell").first).to_be_attached()
    expect(page.locator(".start")).to_have_count(0)


def test_an_attempt_under_way_is_continued_from_any_link(table_server: ThreadedServer, visit: Any) -> None:
    challenge = table_server.make_challenge("pyramid", FIRST["pyramid"]["seed"])
    page = visit(f"{table_server.base_url}/challenge/{challenge}")
    expect(page.locator(".start-date")).to_have_text("Challenge")
    TablePage(page).ready()
    page.goto(f"{table_server.base_url}/settings")
    page.goto(f"{table_server.base_url}/challenge/{challenge}")
    expect(page.locator(".start-button, .cell").first).to_have_class(re.compile("cell"))


def test_the_lobby_starts_at_one_tap_and_leads_to_the_rules(
    table_server: ThreadedServer, visit: Any, phone: dict[str, Any]
) -> None:
    page = visit(table_server.base_url, **phone)
    expect(page.locator(".lobby-played")).to_have_text("0 of 6 played")
    card = page.locator('[data-ruleset="foursquare"]')
    card.get_by_role("link", name="Rules of Foursquare").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Foursquare")
    page.get_by_role("link", name="Today’s deal of this game").tap()
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    page.goto(table_server.base_url)
    card.locator(".daily-link").tap()
    expect(page.locator(".cell").first).to_be_attached()


def test_six_games_fit_on_a_phone(table_server: ThreadedServer, visit: Any, phone: dict[str, Any]) -> None:
    page = visit(table_server.base_url, **phone)
    expect(page.locator(".daily")).to_have_count(6)
    assert page.locator(".daily").last.evaluate("card => card.getBoundingClientRect().bottom <= innerHeight")


def test_a_deal_that_is_not_there_is_told_without_its_rules(table_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{table_server.base_url}/daily/2021-01-01/pyramid", expect="404 (Not Found)")
    expect(page.get_by_role("heading", name="There is no such deal.")).to_be_visible()
    expect(page.get_by_text("Undo:")).to_have_count(0)


PAGES = [
    "/", "/settings", "/rules/bakers-dozen-kings", "/boards/daily/today/thirteen-3", "/daily/today/bakers-dozen",
    "/practice/foursquare", "/verify/CHALLENGE", "/challenge/CHALLENGE", "/api/docs", "/nowhere",
]  # fmt: skip
SIGN = ".daily, .settings, .rules, .board-more a, .start, .cell, .verdict-line, .api-call, .notfound"


@pytest.mark.parametrize("locale", ["en", "tr", "ur"])
def test_no_page_is_wider_than_a_phone(
    locale: str, table_server: ThreadedServer, visit: Any, phone: dict[str, Any]
) -> None:
    challenge = table_server.make_challenge("pyramid", FIRST["pyramid"]["seed"])
    page = visit(table_server.base_url, locale=locale, expect="404 (Not Found)", **phone)
    wide = []
    for path in PAGES:
        page.goto(table_server.base_url + path.replace("CHALLENGE", challenge))
        page.locator(SIGN).first.wait_for(state="attached")
        over = page.evaluate(
            """() => [...document.querySelectorAll('#app *')].filter(one => {
                const {left, right, width} = one.getBoundingClientRect();
                const seen = width > 1 && !one.closest('.board-scroll, pre, svg svg');
                return seen && (left < -1 || right > innerWidth + 1);
            }).slice(0, 3).map(one => one.outerHTML.slice(0, 90))"""
        )
        if over or not page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"):
            wide.append((path, over))
    assert wide == []
