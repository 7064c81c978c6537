"""The pages around the table: lobby, board, verification, rules, settings, the page for programs."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from server.clock import ManualClock
from tests.browser.conftest import FIRST_PLAY
from tests.browser.table_page import TablePage
from tests.browser.test_play import FIRST
from tests.support.live_server import DAY, HOUR, NOON, ThreadedServer

pytestmark = pytest.mark.browser

#: Resolves as soon as the seed of a challenge is public.
CLOSED = """async (id) => {
    const ask = async () => (await (await fetch(`/api/v1/challenges/${id}`)).json()).seed;
    while (typeof await ask() !== 'string') await new Promise(resolve => setTimeout(resolve, 50));
}"""
DAILIES = ["pyramid", "thirteen", "thirteen-3", "bakers-dozen", "bakers-dozen-kings", "foursquare"]


@pytest.fixture
def day_server(tmp_path: Path) -> Iterator[ThreadedServer]:
    """A server whose clock the test moves."""
    server = ThreadedServer(f"sqlite+aiosqlite:///{tmp_path / 'samedeal.db'}", tmp_path, ManualClock(NOON))
    with server.running():
        yield server


def seconds(text: str) -> int:
    """The length of a countdown."""
    total = 0
    for part in text.split(":"):
        total = total * 60 + int(part)
    return total


def test_the_lobby_offers_six_dailies_and_how_one_stands(day_server: ThreadedServer, visit: Any) -> None:
    page = visit(day_server.base_url)
    expect(page.locator(".daily")).to_have_count(6)
    found = page.locator(".daily").evaluate_all("all => all.map(one => [one.dataset.ruleset, one.dataset.status])")
    assert sorted(found) == sorted([name, "new"] for name in DAILIES)
    page.get_by_role("link", name="Foursquare", exact=True).click()
    table = TablePage(page).ready()
    table.page.get_by_role("link", name="All games").click()
    expect(page.locator('[data-ruleset="foursquare"]')).to_have_attribute("data-status", "open")
    expect(page.locator('[data-ruleset="foursquare"]')).to_contain_text("1 has started")


@pytest.mark.parametrize("zone", ["America/New_York", "Europe/Rome", "Asia/Karachi"])
def test_the_countdown_stays_within_a_day(zone: str, day_server: ThreadedServer, visit: Any) -> None:
    """R47: over a change of the clocks it is never negative and never above 24 hours, and dates rise by one."""
    page = visit(day_server.base_url, timezone_id=zone)
    dates = []
    for _ in range(3):
        expect(page.locator(".daily")).to_have_count(6)
        assert 0 <= seconds(page.locator(".countdown-time").inner_text()) <= 86_400
        link = page.locator(".daily-link").first.get_attribute("href") or ""
        dates.append(link.split("/")[2])
        day_server.advance(DAY)
        page.reload()
    assert dates == ["2026-03-10", "2026-03-11", "2026-03-12"]


def test_a_page_left_open_overnight_offers_the_new_day(day_server: ThreadedServer, visit: Any) -> None:
    """R46: nobody needs to reload."""
    day_server.advance(12 * HOUR - 2000)
    page = visit(day_server.base_url)
    link = page.locator(".daily-link").first
    expect(link).to_have_attribute("href", re.compile("2026-03-10"))
    day_server.advance(3000)
    expect(link).to_have_attribute("href", re.compile("2026-03-11"))
    expect(page.locator("#live")).to_have_text("New deals are here.")


def test_a_daily_begun_before_midnight_counts_for_its_day(day_server: ThreadedServer, visit: Any) -> None:
    """R46: it is finished after midnight, and stands on the board of the day on which it was started."""
    day_server.advance(12 * HOUR - 30_000)
    page = visit(f"{day_server.base_url}/daily/2026-03-10/foursquare")
    table = TablePage(page).ready()
    day_server.advance(60_000)
    table.click(table.page.locator(".cell.vacant").first.get_attribute("data-pile") or "")
    table.expect_moves(1)
    table.page.get_by_role("button", name="Give up").click()
    table.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    table.expect_end("Given up")
    table.page.get_by_role("link", name="See the board").click()
    expect(page).to_have_url(re.compile("/boards/daily/2026-03-10/foursquare"))
    expect(page.locator(".results tr.own")).to_have_count(1)


def test_before_the_close_the_verifier_explains(table_server: ThreadedServer, visit: Any) -> None:
    challenge = table_server.make_challenge("pyramid", FIRST["pyramid"]["seed"])
    page = visit(f"{table_server.base_url}/verify/{challenge}")
    expect(page.locator(".verdict-line")).to_have_attribute("data-ok", "wait")
    expect(page.locator(".hash")).to_have_count(1)
    assert FIRST["pyramid"]["seed"] not in page.content()


def test_after_the_close_the_verifier_recomputes(day_server: ThreadedServer, visit: Any) -> None:
    challenge = day_server.make_challenge("foursquare", FIRST["foursquare"]["seed"])
    day_server.advance(DAY + 2 * HOUR)
    page = visit(f"{day_server.base_url}/settings")
    page.evaluate(CLOSED, challenge)
    page.goto(f"{day_server.base_url}/verify/{challenge}")
    expect(page.locator(".verdict-line")).to_have_attribute("data-ok", "true")
    expect(page.locator(".verify-cards > li")).to_have_count(40)


def test_the_browser_deals_as_the_server_does(table_server: ThreadedServer, visit: Any, vectors: Path) -> None:
    """X15: the shared vectors, by the client's own hash and shuffle."""
    lines = [json.loads(line) for line in (vectors / "deal.jsonl").read_text("utf-8").splitlines()]
    page = visit(f"{table_server.base_url}/settings")
    found = page.evaluate(
        """async (lines) => {
            const script = document.querySelector('script[type=module]').src;
            const deal = await import(new URL('./deal.js', script).href);
            return lines.map(line => [deal.deal(line.seed, line.size).join(' '), deal.commitment(line.seed)]);
        }""",
        lines,
    )
    assert found == [[line["deck"], line["commitment"]] for line in lines]


def test_the_board_shows_own_row_and_orders(table_server: ThreadedServer, visit: Any) -> None:
    page = visit(table_server.base_url, expect="404 (Not Found)")
    page.locator('[data-ruleset="pyramid"] .daily-link').click()
    table = TablePage(page).ready()
    table.click("s")
    table.expect_moves(1)
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    page.get_by_role("link", name="See the board").click()
    expect(page.locator(".results tr.own")).to_contain_text("Given up")
    page.get_by_role("link", name="Fewest moves").click()
    expect(page).to_have_url(re.compile("by=moves"))
    expect(page.locator(".results tr.own")).to_have_count(1)
    page.get_by_role("link", name="The day before").click()
    expect(page.locator(".empty, .failure")).to_have_count(1)


def test_every_ruleset_has_a_rules_page(table_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{table_server.base_url}/rules/pyramid")
    expect(page.locator(".rules h1")).to_have_text("Pyramid")
    for link in page.locator(".rules-others a").evaluate_all("all => all.map(one => one.getAttribute('href'))"):
        page.goto(f"{table_server.base_url}{link}")
        expect(page.locator(".rules h1")).not_to_be_empty()
        assert page.locator(".rules p").count() > 3


def test_settings_last_and_show(table_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{table_server.base_url}/settings", expect=FIRST_PLAY)
    page.get_by_label("Theme").select_option("dark")
    page.get_by_label("Four colours").check()
    page.get_by_label("Your name").fill("Ada's Deck")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.locator(".who-name")).to_have_text("Ada's Deck")
    page.reload()
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-deck", "four")
    expect(page.locator(".who-name")).to_have_text("Ada's Deck")
    club, diamond = page.evaluate(
        "['--suit-c', '--suit-d'].map(name => getComputedStyle(document.documentElement).getPropertyValue(name))"
    )
    assert club != diamond


def test_a_name_that_is_not_taken_is_told_why(table_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{table_server.base_url}/settings", expect=("422 (Unprocessable", FIRST_PLAY))
    name = page.get_by_label("Your name")
    name.fill("!!")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#name-state")).to_contain_text("1 to 24 characters")
    name.fill("x" * 30)
    expect(name).to_have_value("x" * 24)


def test_an_unknown_address_is_friendly(table_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{table_server.base_url}/no/such/page", expect="404 (Not Found)")
    expect(page.get_by_role("heading", name="Nothing was dealt here")).to_be_visible()
    page.get_by_role("link", name="Today’s games").click()
    expect(page.locator(".daily")).to_have_count(6)


def test_the_page_for_programs_tries_a_call(table_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{table_server.base_url}/api/docs")
    call = page.locator(".api-call", has=page.get_by_text("/api/v1/rulesets", exact=True))
    call.locator("summary").first.click()
    call.get_by_role("button", name="Send").click()
    expect(call.get_by_role("status")).to_have_text(re.compile("Status 200"))
    expect(call.locator("pre").first).to_contain_text('"pyramid"')


def test_calls_tried_there_leave_the_browsers_own_guest_alone(table_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{table_server.base_url}/settings", expect=FIRST_PLAY)
    page.get_by_label("Your name").fill("Own guest")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".who-name")).to_have_text("Own guest")
    own, cookies = page.locator(".who-name").inner_text(), page.context.cookies()
    assert cookies
    page.goto(f"{table_server.base_url}/api/docs")

    def send(method: str, path: str, body: str | None = None) -> Any:
        call = page.locator(".api-call", has=page.get_by_text(path, exact=True)).filter(has_text=method).first
        if not call.get_by_role("button", name="Send").is_visible():
            call.locator("summary").first.click()
        if body is not None:
            call.get_by_role("textbox", name="Body").fill(body)
        with page.expect_response(lambda response: response.url.endswith(path)) as answer:
            call.get_by_role("button", name="Send").click()
        return answer.value

    assert send("GET", "/api/v1/me").status == 401
    made = send("POST", "/api/v1/guests", '{"name": "Bot owner"}')
    assert made.status == 201
    expect(page.get_by_label("Token")).to_have_value(made.json()["token"])
    assert send("GET", "/api/v1/me").json()["player"]["name"] == "Bot owner"
    assert send("PATCH", "/api/v1/me", '{"name": "Bot"}').json()["player"]["name"] == "Bot"
    assert page.context.cookies() == cookies
    page.goto(table_server.base_url)
    expect(page.locator(".who-name")).to_have_text(own)


@pytest.mark.parametrize("path", ["/", "/practice/pyramid", "/daily/today/pyramid"])
def test_the_first_load_is_small(path: str, table_server: ThreadedServer, visit: Any) -> None:
    """S11: 150 KB transferred and 60 requests at most, of which some are kept for what comes; no other host."""
    page = visit(f"{table_server.base_url}/settings")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    transferred: list[float] = []
    requests: list[str] = []
    session.on("Network.loadingFinished", lambda event: transferred.append(event["encodedDataLength"]))
    session.on("Network.requestWillBeSent", lambda event: requests.append(event["request"]["url"]))
    page.goto(f"{table_server.base_url}{path}", wait_until="networkidle")
    page.locator(".daily, .cell, .start").first.wait_for()
    assert 10 < len(requests) <= 45
    assert 20_000 < sum(transferred) <= 150_000
    assert [url for url in requests if not url.startswith((table_server.base_url, "data:"))] == []


def test_no_policy_is_broken_on_any_page(table_server: ThreadedServer, visit: Any) -> None:
    """The policy forbids all inline code; the visit itself fails on any violation that a page reports."""
    page: Page = visit(table_server.base_url, expect="404 (Not Found)")
    reports: list[str] = []

    def note(directive: str) -> None:
        reports.append(directive)

    page.expose_function("report", note)
    page.add_init_script(
        "document.addEventListener('securitypolicyviolation', e => window.report(e.violatedDirective))"
    )
    for path, sign in [
        ("/", ".daily"),
        ("/practice/bakers-dozen", ".cell"),
        ("/boards", ".empty, .results"),
        ("/boards/season/week/pyramid", ".empty, .results"),
        ("/calendar", ".day"),
        ("/rules/pyramid", ".rules"),
        ("/settings", ".settings"),
        ("/api/docs", ".api-call"),
        ("/nowhere", ".notfound"),
    ]:
        page.goto(f"{table_server.base_url}{path}")
        page.locator(sign).first.wait_for()
    assert reports == []
