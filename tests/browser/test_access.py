"""For everybody: names, focus, announcements, contrast and targets, on every page and in both themes."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, become
from tests.browser.table_page import TablePage
from tests.browser.test_play import FIRST
from tests.support.live_server import ThreadedServer

pytestmark = pytest.mark.browser

PAGES = {
    "lobby": "/",
    "board": "/boards/daily/{date}/pyramid",
    "verify": "/verify/{challenge}",
    "rules": "/rules/foursquare",
    "settings": "/settings",
    "programs": "/api/docs",
    "start": "/challenge/{challenge}",
    "table": "/practice/pyramid",
    "nowhere": "/no/such/page",
}
#: What stands on the page when it is complete.
SIGNS = {
    "lobby": ".daily",
    "board": ".empty, .results",
    "verify": ".verdict-line",
    "rules": ".rules",
    "settings": ".settings",
    "programs": ".api-call",
    "start": ".start",
    "table": ".cell",
    "nowhere": ".notfound",
}


def serious(page: Page) -> list[str]:
    """What the scan finds that keeps somebody out."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_scan_finds_nothing_serious(name: str, theme: str, table_server: ThreadedServer, visit: Any) -> None:
    """R59, on a phone in the light and on a desk in the dark."""
    challenge = table_server.make_challenge("pyramid", FIRST["pyramid"]["seed"])
    path = PAGES[name].format(challenge=challenge, date=today(visit, table_server))
    options = {"color_scheme": theme, "viewport": PHONE if theme == "light" else DESKTOP}
    page = visit(f"{table_server.base_url}{path}", expect="404 (Not Found)", **options)
    page.locator(SIGNS[name]).first.wait_for()
    assert serious(page) == []


#: Pages with much on them, seen on the server with a past; `{player}` reads them.
FULL_PAGES = {
    "/boards/daily/2026-03-08/pyramid": ".results .own",
    "/boards/season/2026-W10/pyramid?around=me": ".results .own",
    "/boards/records/thirteen-3?by=moves": ".results",
    "/boards/season/all/foursquare?friends=1": ".results, .empty",
    "/players/{player}": ".profile",
    "/calendar?day=2026-03-08": ".day-deal",
    "/daily/2026-03-08/pyramid": ".field .chart",
}


@pytest.mark.parametrize(("theme", "locale"), [("light", "en"), ("dark", "en"), ("dark", "ur"), ("light", "tr")])
@pytest.mark.parametrize("path", FULL_PAGES)
def test_a_scan_of_a_full_page_finds_nothing_serious(
    path: str, theme: str, locale: str, past_server: ThreadedServer, visit: Any
) -> None:
    """Both themes, a phone and a desk, from the left and from the right, with one's own row and results."""
    player = best_of_pyramid(past_server)
    options = {"color_scheme": theme, "viewport": PHONE if theme == "light" else DESKTOP, "locale": locale}
    page = visit(f"{past_server.base_url}/settings", **options)
    become(page, past_server, player)
    page.goto(past_server.base_url + path.format(player=player))
    page.locator(FULL_PAGES[path]).first.wait_for()
    for details in page.locator(".chart-table summary:visible").all()[:2]:
        details.click()
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def best_of_pyramid(server: ThreadedServer) -> str:
    """Who won Pyramid of 8 March 2026."""

    async def ask() -> str:
        async with server.live.http() as http:
            board = (await http.get("/api/v1/boards/daily/2026-03-08/pyramid?limit=1")).json()
        return str(board["rows"][0]["player"]["id"])

    return str(server.call(ask()))


def today(visit: Callable[..., Page], server: ThreadedServer) -> str:
    """The server's date."""
    page = visit(server.base_url)
    page.locator(".daily").first.wait_for()
    link = page.locator(".daily-link").first.get_attribute("href") or ""
    return link.split("/")[2]


def test_a_scan_of_the_end_screen_finds_nothing_serious(sit_down: Any) -> None:
    table = sit_down("thirteen", FIRST["thirteen"]["seed"])
    table.type_moves(FIRST["thirteen"]["moves"].split())
    table.expect_end("Won")
    assert serious(table.page) == []


def test_every_cell_says_card_place_and_state(sit_down: Any) -> None:
    """R59: rank, suit, place, what covers it and whether it can be played."""
    table = sit_down("bakers-dozen", FIRST["bakers-dozen"]["seed"])
    names = table.page.locator(".cell").evaluate_all("cells => cells.map(cell => cell.getAttribute('aria-label'))")
    assert len(names) == 52 + 4
    assert len(set(names)) == len(names)
    assert sum("covered by 1" in name for name in names) == 13
    assert sum("foundation of" in name and "empty" in name for name in names) == 4
    assert any(name.endswith("playable") for name in names)
    expect(table.page.get_by_role("grid", name="Table")).to_be_visible()
    assert table.page.locator("[role=grid] > [role=row] > [role=gridcell]").count() == len(names)


def test_exactly_one_cell_takes_the_tabulator(sit_down: Any) -> None:
    table = sit_down("pyramid", FIRST["pyramid"]["seed"])
    table.press("p23")
    table.expect_moves(1)
    expect(table.page.locator(".cell[tabindex='0']")).to_have_count(1)
    assert table.focused() != ""


def test_f6_walks_the_zones_and_focus_is_seen(sit_down: Any) -> None:
    table = sit_down("pyramid", FIRST["pyramid"]["seed"])
    table.page.keyboard.press("F6")
    assert table.focused() == "All games"
    table.page.keyboard.press("F6")
    assert table.page.locator(".cell:focus-visible").count() == 1
    outline = table.page.locator(".cell:focus-visible").evaluate("cell => getComputedStyle(cell).outlineWidth")
    assert outline == "3px"


def test_the_live_region_is_quiet_while_somebody_plays(table_server: ThreadedServer, visit: Any) -> None:
    """R58: a minute of play by pointer changes it six times at most, and never for the clock."""
    challenge = table_server.make_challenge("bakers-dozen", FIRST["bakers-dozen"]["seed"])
    page = visit(f"{table_server.base_url}/settings")
    page.clock.install()
    page.goto(f"{table_server.base_url}/challenge/{challenge}")
    table = TablePage(page).ready()
    page.clock.run_for(1000)
    began = page.evaluate("Date.now()")
    page.evaluate(
        "() => { window.said = [];"
        " new MutationObserver(() => window.said.push(document.querySelector('#live').textContent))"
        ".observe(document.querySelector('#live'), {childList: true, characterData: true, subtree: true}); }"
    )
    for move in FIRST["bakers-dozen"]["moves"].split()[:15]:
        table.play_by_clicks([move])
        # In pieces: what the server answers meanwhile must come in before the page's clock says that it is late.
        for _ in range(4):
            page.clock.run_for(1000)
            page.evaluate("fetch('/api/v1/rulesets').then(answer => answer.text())")
    said = page.evaluate("window.said")
    minutes = (page.evaluate("Date.now()") - began) / 60_000  # the page's clock goes on while the test is at work
    assert minutes >= 1
    assert 1 <= len(said) <= 6 * minutes
    assert not any(":" in text for text in said)
    assert page.locator("[aria-live], [role=status], [role=alert], [role=timer], [role=log]").count() == 1


def test_a_refusal_is_told_once(sit_down: Any) -> None:
    table = sit_down("bakers-dozen", FIRST["bakers-dozen"]["seed"])
    table.type_moves(["c1c1"])
    expect(table.page.locator("#live")).to_have_text("That move is not allowed here.")


def test_moves_by_keyboard_are_told_at_once(sit_down: Any) -> None:
    table = sit_down("pyramid", FIRST["pyramid"]["seed"])
    table.press("s")
    expect(table.page.locator("#live")).to_contain_text("to waste")


@pytest.mark.parametrize("selector", ["button", "a[href]", ".cell"])
def test_targets_are_large_enough(selector: str, sit_down: Any, phone: dict[str, Any]) -> None:
    """24 CSS pixels both ways, on the smallest table."""
    table = sit_down("bakers-dozen", FIRST["bakers-dozen"]["seed"], **phone)
    boxes = table.page.locator(f"{selector}:visible").evaluate_all(
        "all => all.map(one => [one.getBoundingClientRect().width, one.getBoundingClientRect().height])"
    )
    assert boxes
    assert [box for box in boxes if min(box) < 24] == []


def test_reduced_motion_moves_nothing(sit_down: Any) -> None:
    table = sit_down("pyramid", FIRST["pyramid"]["seed"])
    table.click("p23")
    table.expect_moves(1)
    assert table.page.evaluate("document.getAnimations().length") == 0


def test_suits_differ_by_shape(sit_down: Any) -> None:
    """Without colour the four suits are four outlines."""
    table = sit_down("bakers-dozen", FIRST["bakers-dozen"]["seed"])
    shapes = table.page.evaluate(
        "['C', 'D', 'H', 'S'].map(suit => document.querySelector("
        "`.picture .suit-${suit} path:not(.crown):not(.court-line)`).getAttribute('d'))"
    )
    assert len(set(json.loads(json.dumps(shapes)))) == 4
