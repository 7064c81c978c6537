"""Address and page are never out of step: the last address wins, however late an answer to an earlier one comes."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.live_server import ThreadedServer

pytestmark = pytest.mark.browser

DAY_BOARD = "/boards/daily/2026-03-08/pyramid"


class Held:
    """Requests of a page that are answered only when they are let go."""

    def __init__(self, page: Page, pattern: str) -> None:
        self._page = page
        self._routes: list[Route] | None = []
        page.route(re.compile(pattern), self._take)

    def _take(self, route: Route) -> None:
        if self._routes is None:
            route.continue_()
        else:
            self._routes.append(route)

    def come(self) -> None:
        """Wait for the first of them."""
        while self._routes == []:
            self._page.evaluate("document.readyState")

    def let_go(self) -> None:
        """Answer them from now on, and return when the page has done what it does with the answers."""
        waiting, self._routes = self._routes or [], None
        for route in waiting:
            with self._page.expect_event("requestfinished", lambda done, wanted=route.request: done == wanted):
                route.continue_()
        settle(self._page)


def settle(page: Page) -> None:
    """Return when the page has done what is due."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


def path(page: Page) -> str:
    return urlparse(page.url).path


def title_of(page: Page) -> str:
    """The heading of the page, when it is there."""
    return page.get_by_role("heading", level=1).inner_text()


@pytest.mark.parametrize("start", ["/settings", "/calendar", "/rules/pyramid"])
def test_an_answer_to_a_page_that_was_left_does_not_touch_the_next_address(
    start: str, past_server: ThreadedServer, visit: Callable[..., Page]
) -> None:
    """Two ways back in a row: the answer to the first comes while the program of the second is still fetched."""
    page = visit(past_server.base_url + start)
    name = title_of(page)
    page.get_by_role("link", name="Boards", exact=True).click()
    page.locator(".results, .empty").first.wait_for()
    page.get_by_role("link", name="Accounts").click()
    expect(page).to_have_url(re.compile("who=accounts"))
    board = title_of(page)
    page.reload()  # from here on only the program of the boards is loaded
    page.locator(".results, .empty").first.wait_for()
    answer = Held(page, r"/api/v1/dailies/today$")
    program = Held(page, rf"/views/{start.split('/')[1]}\.js$")
    page.go_back()
    answer.come()
    page.go_back()
    program.come()
    answer.let_go()
    assert path(page) == start
    program.let_go()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    assert path(page) == start
    page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_have_text(board)
    assert path(page).startswith("/boards/daily/")
    page.go_forward()
    expect(page.get_by_role("link", name="Accounts")).to_have_attribute("aria-current", "true")
    expect(page).to_have_url(re.compile("who=accounts"))


@pytest.mark.parametrize(
    ("left", "asked"),
    [
        ("/rules/pyramid", "/rulesets"),
        ("/verify/{challenge}", "/challenges/"),
        ("/players/{player}", "/players/"),
        ("/calendar", "/dailies/"),
        ("/", "/dailies/"),
        ("/boards", "/dailies/"),
        (DAY_BOARD, "/boards/"),
        ("/daily/2026-03-10/pyramid", "/dailies/"),
        ("/daily/2026-03-08/pyramid", "/dailies/"),
        ("/challenge/{challenge}", "/challenges/"),
    ],
)
def test_an_answer_that_comes_late_is_not_shown_on_another_page(
    left: str, asked: str, past_server: ThreadedServer, visit: Callable[..., Page]
) -> None:
    board = api(past_server, f"{DAY_BOARD}?limit=1")
    known = {"challenge": board["challenge"]["id"], "player": board["rows"][0]["player"]["id"]}
    left = left.format_map(known)
    page = visit(f"{past_server.base_url}/settings")
    title_of(page)
    held = Held(page, rf"/api/v1{asked}")
    follow(page, left)
    expect(page).to_have_url(past_server.base_url + left)
    held.come()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    shown = page.locator("#app").inner_html()
    held.let_go()
    assert path(page) == "/settings"
    assert page.title() == "Settings · Samedeal"
    assert page.locator("#app").inner_html() == shown


def test_a_page_that_is_being_left_offers_links_that_lead_on(
    past_server: ThreadedServer, visit: Callable[..., Page]
) -> None:
    """Its picture stays until the next page is there; a filter followed in it is an address like any other."""
    page = visit(past_server.base_url + DAY_BOARD)
    page.locator(".results").wait_for()
    program = Held(page, r"/views/settings\.js$")
    page.get_by_role("link", name="Settings").click()
    program.come()
    page.get_by_role("link", name="Accounts").click()
    expect(page.get_by_role("link", name="Accounts")).to_have_attribute("aria-current", "true")
    program.let_go()
    expect(page.get_by_role("link", name="Accounts")).to_have_attribute("aria-current", "true")
    assert page.url == f"{past_server.base_url}{DAY_BOARD}?who=accounts"
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    page.go_back()
    expect(page.get_by_role("link", name="Everybody", exact=True)).to_have_attribute("aria-current", "true")


def test_a_page_whose_program_does_not_come_says_so(past_server: ThreadedServer, visit: Callable[..., Page]) -> None:
    """The page before is not left standing under the new address; a new try is a whole load."""
    page = visit(past_server.base_url + DAY_BOARD, expect=("net::ERR_", "Failed to fetch"))
    page.locator(".results").wait_for()
    program = re.compile(r"/views/settings\.js$")
    page.route(program, lambda route: route.abort())
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached.")
    assert path(page) == "/settings"
    expect(page.locator(".results")).to_have_count(0)
    page.unroute(program)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")


def test_skipping_to_the_content_is_no_new_page(past_server: ThreadedServer, visit: Callable[..., Page]) -> None:
    """A jump inside a page is told to it like a way back, and back again; neither may build the page anew."""
    page = visit(past_server.base_url + DAY_BOARD)
    page.locator(".results").wait_for()
    page.locator(".results").evaluate("table => { table.dataset.same = 'yes'; }")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#main$"))
    page.go_back()
    expect(page).to_have_url(past_server.base_url + DAY_BOARD)
    settle(page)
    expect(page.locator(".results")).to_have_attribute("data-same", "yes")


@pytest.mark.parametrize("left", ["/boards", "/daily/2026-03-10/pyramid"])
def test_a_page_that_is_left_while_its_socket_opens_leaves_no_complaint(
    left: str, past_server: ThreadedServer, visit: Callable[..., Page]
) -> None:
    """A socket is as slow as the network: it is not given up before it is open, and says nothing when it is."""
    page = visit(f"{past_server.base_url}/settings")
    page.add_init_script(SLOW_SOCKETS)
    page.reload()
    title_of(page)
    follow(page, left)
    page.wait_for_function("() => window.sockets.length > 0")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    assert page.evaluate("window.sockets.map(one => one.state)") == ["connecting"]
    page.evaluate("window.sockets[0].open()")
    assert page.evaluate("window.sockets.map(one => [one.state, ...one.sent])") == [["closed"]]


#: Sockets that open when they are told to.
SLOW_SOCKETS = """
window.sockets = [];
window.WebSocket = class extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  state = 'connecting';
  sent = [];
  constructor() {
    super();
    window.sockets.push(this);
  }
  get readyState() { return {connecting: 0, open: 1, closed: 3}[this.state]; }
  open() {
    this.state = 'open';
    this.dispatchEvent(new Event('open'));
  }
  send(data) { this.sent.push(data); }
  close() { this.state = 'closed'; }
};
"""


def follow(page: Page, target: str) -> None:
    """Follow a link of the client, as any page might have it."""
    page.evaluate(
        "to => { const link = document.createElement('a'); link.href = to;"
        " document.body.append(link); link.click(); link.remove(); }",
        target,
    )


def api(server: ThreadedServer, where: str) -> dict[str, Any]:
    """What the interface for programs answers to anybody."""

    async def ask() -> dict[str, Any]:
        async with server.live.http() as http:
            return dict((await http.get(f"/api/v1{where}")).json())

    return dict(server.call(ask()))
