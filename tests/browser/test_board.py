"""The board of a day with many results: equal ranks, pages both ways, and one's own row always in sight."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from server.clock import ManualClock
from tests.browser.table_page import TablePage
from tests.support.live_server import NOON, ThreadedServer

pytestmark = pytest.mark.browser

DAILY = "daily/2026-03-10/foursquare"
PLAYERS = 60


async def fill_board(server: ThreadedServer) -> None:
    """Sixty players, each of whom places as many cards as his number says and gives up."""
    for number in range(PLAYERS):
        async with server.live.playing(f"Player {number:02}") as player:
            state = await player.start(DAILY)
            attempt, legal = state["attempt"], state["legal"]
            for _ in range(1 + number % 5):
                legal = (await player.play(attempt, legal[0]))["legal"]
            await player.resign(attempt)


@pytest.fixture(scope="module")
def full_board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server with a full board of the day."""
    folder: Path = tmp_path_factory.mktemp("board")
    server = ThreadedServer(f"sqlite+aiosqlite:///{folder / 'db'}", folder, ManualClock(NOON), sandbox=True)
    with server.running():
        server.call(fill_board(server))
        yield server


def rows(page: Page) -> list[tuple[int, str]]:
    """Rank and name of every row of the page."""
    page.locator(".results tbody tr").first.wait_for()
    found = page.locator(".results tbody:not(.own-apart) tr").evaluate_all(
        "all => all.map(row => [Number(row.dataset.rank), row.querySelector('th bdi').textContent])"
    )
    return [(rank, name) for rank, name in found]


def turn(page: Page, name: str) -> list[tuple[int, str]]:
    """Go to the next or previous page."""
    before = rows(page)
    page.get_by_role("link", name=name).click()
    expect(page.locator(".results tbody th bdi").first).not_to_have_text(before[0][1])
    return rows(page)


def test_pages_lead_down_and_back_over_equal_ranks(full_board: ThreadedServer, visit: Any) -> None:
    page = visit(f"{full_board.base_url}/boards/{DAILY}")
    first = rows(page)
    expect(page.locator(".board-total")).to_have_text("60 results")
    second = turn(page, "Further down")
    third = turn(page, "Further down")
    expect(page.get_by_role("link", name="Further down")).to_have_count(0)
    everything = [*first, *second, *third]
    assert len({name for _, name in everything}) == PLAYERS
    ranks = [rank for rank, _ in everything]
    assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks]
    assert len(set(ranks)) < PLAYERS
    assert turn(page, "Better") == second
    assert turn(page, "Better") == first
    expect(page.get_by_role("link", name="Better")).to_have_count(0)


def test_the_own_row_is_always_in_sight(full_board: ThreadedServer, visit: Any) -> None:
    page = visit(f"{full_board.base_url}/{DAILY}")
    table = TablePage(page).ready()
    table.click(table.page.locator(".cell.vacant").first.get_attribute("data-pile") or "")
    table.expect_moves(1)
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(page.locator(".end-rank")).to_have_text(re.compile(r"\d+\w+ of 61"))
    page.get_by_role("link", name="See the board").click()
    expect(page.locator(".results tr.own")).to_have_count(1)
    expect(page.locator(".own-apart tr.own")).to_contain_text("you")
    page.get_by_role("link", name="Around me").click()
    expect(page.locator(".results tr.own")).to_have_count(1)
    expect(page.locator(".own-apart")).to_have_count(0)


def test_the_board_fits_a_phone(full_board: ThreadedServer, visit: Any, phone: dict[str, Any]) -> None:
    page = visit(f"{full_board.base_url}/boards/{DAILY}", **phone)
    assert rows(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator(".results thead th", has_text="Time")).to_be_in_viewport()
    expect(page.locator(".results thead th", has_text="Moves")).to_be_in_viewport()


@pytest.mark.parametrize("locale", ["en", "tr", "ur"])
def test_the_own_row_with_its_marks_fits_a_phone(
    locale: str, full_board: ThreadedServer, visit: Any, phone: dict[str, Any]
) -> None:
    page = visit(f"{full_board.base_url}/settings", locale=locale, **phone)
    page.evaluate(
        """async () => {
            const send = (method, path, body) => fetch('/api/v1' + path,
                {method, body: JSON.stringify(body), headers: {'content-type': 'application/json'}});
            if (!(await fetch('/api/v1/me')).ok) await send('POST', '/guests', {});
            await send('PATCH', '/me', {name: 'Wilhelmina Featherstone'});
        }"""
    )
    page.goto(f"{full_board.base_url}/{DAILY}")
    table = TablePage(page).ready()
    table.tap(table.page.locator(".cell.vacant").first.get_attribute("data-pile") or "")
    table.expect_moves(1)
    page.locator(".hud-end button:visible", has=page.locator(".icon")).nth(2).tap()
    page.locator(".dialog .button-bad").tap()
    page.locator(".end").wait_for()
    page.goto(f"{full_board.base_url}/boards/{DAILY}")
    expect(page.locator(".results tr.own .badge-you")).to_have_count(1)
    box = page.locator(".board-scroll")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_today_is_a_date_of_its_own(full_board: ThreadedServer, visit: Any) -> None:
    page = visit(f"{full_board.base_url}/boards/daily/today/foursquare?around=me")
    expect(page.locator(".results tbody tr").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"/boards/daily/2026-03-10/foursquare"))


@pytest.mark.parametrize(
    "date", ["tomorrow", "2026-03-11", "2026-02-31", "1999-01-01", "9999-12-31", "0000-00-00", "x"]
)
def test_days_without_a_board_get_a_friendly_page(date: str, full_board: ThreadedServer, visit: Any) -> None:
    page = visit(f"{full_board.base_url}/boards/daily/{date}/foursquare", expect="Failed to load resource")
    expect(page.get_by_role("link", name="Today’s games").or_(page.locator(".empty"))).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("Foursquare|Nothing was dealt here"))
    if date != "1999-01-01":
        expect(page.get_by_role("link", name="The day after")).to_have_count(0)


def test_a_board_leads_on(full_board: ThreadedServer, visit: Any) -> None:
    """To the rules, to the proof of the deal, and to the day's other games; both orders only where they differ."""
    page = visit(f"{full_board.base_url}/boards/{DAILY}")
    more = page.get_by_role("navigation", name="More").first
    expect(more.get_by_role("link", name="Rules")).to_have_attribute("href", "/rules/foursquare")
    expect(more.get_by_role("link", name="How to verify")).to_have_count(1)
    expect(page.get_by_role("link", name="Fewest moves")).to_have_count(0)
    more.get_by_role("link", name="Pyramid").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pyramid")
    expect(page.get_by_role("link", name="Fewest moves")).to_have_count(1)


async def finish(server: ThreadedServer, name: str, moves: int) -> None:
    """Another player makes some moves and gives up."""
    async with server.live.playing(name) as player:
        state = await player.start(DAILY)
        attempt, legal = state["attempt"], state["legal"]
        for _ in range(moves):
            legal = (await player.play(attempt, legal[0]))["legal"]
        await player.resign(attempt)


def test_a_new_result_comes_into_its_place_by_itself(full_board: ThreadedServer, visit: Any) -> None:
    """The rows that were there are not made again, so neither the focus nor the eye is lost; it is told politely."""
    page = visit(f"{full_board.base_url}/boards/{DAILY}")
    before = rows(page)
    page.evaluate("document.querySelectorAll('.results tbody tr').forEach(row => { row.seen = true; })")
    reader = page.locator(".results tbody .player-link").nth(3)
    name = reader.inner_text()
    reader.focus()
    full_board.call(finish(full_board, "Latecomer", 9))
    full_board.advance(2000)
    expect(page.locator(".results tbody th bdi").first).to_have_text("Latecomer")
    assert [who for _, who in rows(page)][1:] == [who for _, who in before][:-1]
    kept = page.evaluate("[...document.querySelectorAll('.results tbody tr')].filter(row => row.seen).length")
    assert kept == len(before) - 1
    assert page.evaluate("document.activeElement.textContent") == name
    expect(page.locator("#live")).to_have_text(re.compile(r"\d+ results"))


def test_further_down_new_results_wait_until_they_are_asked_for(full_board: ThreadedServer, visit: Any) -> None:
    page = visit(f"{full_board.base_url}/boards/{DAILY}")
    rows(page)
    second = turn(page, "Further down")
    total = page.locator(".board-total").inner_text()
    full_board.call(finish(full_board, "Second latecomer", 8))
    full_board.advance(2000)
    expect(page.locator(".board-news")).to_be_visible(timeout=10_000)
    assert [who for _, who in rows(page)] == [who for _, who in second]
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".board-news")).to_be_hidden()
    expect(page.locator(".board-total")).not_to_have_text(total)
    expect(page.locator(".board-total")).to_be_focused()


def test_a_board_without_a_socket_is_as_fresh_as_its_loading(full_board: ThreadedServer, visit: Any) -> None:
    page = visit(f"{full_board.base_url}/settings")
    page.route_web_socket(re.compile("/ws$"), lambda socket: socket.close())
    page.goto(f"{full_board.base_url}/boards/{DAILY}")
    total = page.locator(".board-total")
    expect(total).to_have_text(re.compile(r"\d+ results"))
    before = total.inner_text()
    full_board.call(finish(full_board, "Third latecomer", 7))
    page.reload()
    expect(total).not_to_have_text(before)
