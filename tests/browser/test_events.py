"""Events as players find them: in the lobby, at their deals, and on the boards of these."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from server.clock import SystemClock
from server.store import events
from tests.browser.table_page import TablePage
from tests.support.live_server import DAY, HOUR, ThreadedServer

pytestmark = pytest.mark.browser

#: Longer than a line of a phone, one word of it too; and nothing of it is markup.
NAME = "Winter cup of <b>all</b> the " + "Samedealers" * 4
SEEDS = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"]


@pytest.fixture
def event_server(tmp_path: Path) -> Iterator[ThreadedServer]:
    """A server of its own: events stand in everybody's lobby."""
    server = ThreadedServer(f"sqlite+aiosqlite:///{tmp_path / 'samedeal.db'}", tmp_path, SystemClock())
    with server.running():
        yield server


def make_event(server: ThreadedServer, name: str, **times: int) -> list[str]:
    """An event of two deals, open unless times are given; the ids of its challenges."""
    games = ("pyramid", "foursquare")
    made = [server.make_challenge(game, seed, **times) for game, seed in zip(games, SEEDS, strict=True)]

    async def name_it() -> None:
        services = server.live.app.services
        now = services.clock.now_ms()
        async with services.store.writing() as conn:
            await events.create(conn, services.new_id(now), name, now, made)

    server.call(name_it())
    return made


def fits(page: Page) -> bool:
    """Whether nothing of a page is cut off at its side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_an_event_is_found_played_and_ranked(
    event_server: ThreadedServer, visit: Callable[..., Page], phone: dict[str, Any]
) -> None:
    first, second = make_event(event_server, NAME)
    page = visit(event_server.base_url, **phone)
    event = page.locator(".event")
    expect(event.get_by_role("heading")).to_have_text(NAME)
    expect(event.locator(".countdown")).to_contain_text(re.compile(r"Ends in (1 day|23:\d\d:\d\d)"))
    expect(event.locator(".chip-new")).to_have_count(2)
    assert fits(page)
    event.get_by_role("link", name="Pyramid", exact=True).click()
    expect(page).to_have_url(re.compile(f"/challenge/{first}$"))
    expect(page.locator(".start-date")).to_have_text(NAME)
    assert fits(page)
    table = TablePage(page).ready()
    expect(page.locator(".hud-subtitle")).to_have_text(NAME)
    assert fits(page)
    page.goto(event_server.base_url)
    expect(event.locator(".chip-open")).to_have_count(1)
    event.get_by_role("link", name="Pyramid", exact=True).click()
    table.ready()
    table.click(page.locator(".cell[aria-label*=playable]").first.get_attribute("data-pile") or "")
    page.locator(".hud").get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    table.expect_end("Given up")
    page.get_by_role("dialog").get_by_role("link", name="See the board").click()
    expect(page).to_have_url(re.compile(f"/boards/challenge/{first}$"))
    expect(page.locator(".board-names .lobby-date")).to_have_text(NAME)
    expect(page.locator("h1")).to_have_text("Pyramid")
    assert fits(page)
    page.get_by_role("link", name="Bots", exact=True).click()
    expect(page).to_have_url(re.compile(rf"/boards/challenge/{first}\?who=bots$"))
    expect(page.locator("h1")).to_have_text("Pyramid")
    page.locator(".board-more").get_by_role("link", name="Foursquare").click()
    expect(page.locator("h1")).to_have_text("Foursquare")
    page.get_by_role("link", name="Everybody", exact=True).click()
    page.get_by_role("link", name="Play it").click()
    expect(page).to_have_url(re.compile(f"/challenge/{second}$"))


def test_a_coming_event_tells_when_it_opens_and_links_nothing_yet(
    event_server: ThreadedServer, visit: Callable[..., Page]
) -> None:
    made = make_event(event_server, "Far off", opens_in=30 * DAY, ends_in=31 * DAY, closes_in=31 * DAY + HOUR)
    make_event(event_server, "Soon", opens_in=2 * DAY + HOUR, ends_in=3 * DAY, closes_in=3 * DAY + HOUR)
    page = visit(event_server.base_url, expect="404 (Not Found)")
    expect(page.locator(".event h3")).to_have_text(["Soon"])
    expect(page.locator(".event .countdown")).to_contain_text("Opens in 2 days")
    expect(page.locator(".event a")).to_have_count(0)
    page.goto(f"{event_server.base_url}/challenge/{made[0]}")
    expect(page.locator(".failure")).to_contain_text("It opens:")
    expect(page.locator(".hud-subtitle")).to_have_text("Far off")


def test_an_event_opens_before_the_readers_eyes(event_server: ThreadedServer, visit: Callable[..., Page]) -> None:
    make_event(event_server, "Any moment", opens_in=4000)
    page = visit(event_server.base_url)
    expect(page.locator('.event[data-state="coming"]')).to_have_count(1)
    expect(page.locator('.event[data-state="open"] a[href^="/challenge/"]')).to_have_count(2)


def test_a_lobby_without_events_asks_once_and_loads_nothing_for_them(
    event_server: ThreadedServer, visit: Callable[..., Page]
) -> None:
    asked: list[str] = []
    page = visit(f"{event_server.base_url}/settings")
    page.on("request", lambda request: asked.append(request.url))
    page.goto(event_server.base_url)
    page.locator(".daily").first.wait_for()
    page.wait_for_load_state("networkidle")
    assert [url.removeprefix(event_server.base_url) for url in asked if "events" in url] == [
        "/api/v1/events?current=true"
    ]
    expect(page.locator(".lobby-events")).to_have_count(0)
