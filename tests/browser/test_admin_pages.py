"""The admin's pages: an admin plans, previews and rules, an auditor reads; by keyboard, on a phone, in Urdu too."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from server.actions.admin import events, identity, planning, rulings
from server.actions.admin.roles import CONSOLE
from server.clock import ManualClock
from server.commands.population import Plan, populate
from server.games import rulesets
from server.solve.difficulty import LEVELS
from server.store import stock
from server.store.admins import Role
from server.store.tables import Attempt
from tests.browser.conftest import DESKTOP, FIRST_PLAY, PHONE
from tests.browser.table_page import TablePage
from tests.browser.test_access import serious
from tests.browser.test_languages import LATIN_WORD
from tests.store.seeding import deal_row
from tests.support.live_server import NOON, ThreadedServer

pytestmark = pytest.mark.browser

#: A day that has closed, one that comes, and the week after the present one.
CLOSED, WEEK = "2026-03-08", [f"2026-03-{number}" for number in range(16, 23)]
COOKIE = "samedeal-admin"
Enter = Callable[..., Page]


@pytest.fixture(scope="module")
def admin_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server on 10 March 2026 with a short past, and deals of every level in stock."""
    folder = tmp_path_factory.mktemp("admin")
    server = ThreadedServer(f"sqlite+aiosqlite:///{folder / 'samedeal.db'}", folder, ManualClock(NOON), sandbox=True)

    async def lay_in() -> None:
        async with server.live.app.services.store.writing() as conn:
            for rules in rulesets().values():
                for level in LEVELS if rules.daily is not None else ():
                    for _ in range(4):
                        assert await stock.add(conn, deal_row(rules.key, level))

    with server.running():
        server.call(populate(server.live.app.services.store, Plan(12, 4, date(2026, 3, 8), "admins"), _quiet))
        server.call(lay_in())
        yield server


def _quiet(done: int, of: int) -> None:
    """Nobody watches the past being made."""


@pytest.fixture
def enter(visit: Any, admin_server: ThreadedServer) -> Enter:
    """A browser that is signed in as a new admin of a role, on one of the pages."""

    def open_page(role: Role, path: str = "/admin", **options: Any) -> Page:
        services = admin_server.live.app.services
        made = admin_server.call(identity.create(services, CONSOLE, f"{role}-{services.token()[:6].strip('-_')}", role))
        _, session = admin_server.call(identity.sign_in(services, made.token))
        page: Page = visit(f"{admin_server.base_url}/settings", **options)
        page.context.add_cookies([{"name": COOKIE, "value": session, "url": admin_server.base_url}])
        page.evaluate("localStorage.setItem('samedeal.admin', '1')")
        page.goto(admin_server.base_url + path)
        return page

    return open_page


def at(page: Page, day: str, game: str = "") -> Any:
    """A cell of the calendar; without a game, that of the whole day."""
    return page.locator(f'[data-date="{day}"][data-game="{game}"]')


def level(page: Page, day: str, game: str = "pyramid") -> str:
    """The planned difficulty that a cell shows."""
    return str(at(page, day, game).locator(".plan-word").text_content())


def turn_to(page: Page, key: str) -> None:
    """Another page, by its link."""
    tab = page.locator(f".admin-tabs a[href='/admin{'/' if key else ''}{key}']")
    tab.click()
    expect(tab).to_have_attribute("aria-current", "page")
    expect(page.locator(".loading, [aria-busy]")).to_have_count(0)


def planned(server: ThreadedServer, day: str, difficulty: Any, game: str = "pyramid", version: int = 0) -> None:
    """Somebody else plans a day."""
    services = server.live.app.services
    server.call(planning.schedule(services, CONSOLE, day, game, version, difficulty=difficulty))


def challenge_of(server: ThreadedServer, day: str, game: str) -> str:
    """The challenge of a day."""

    async def ask() -> str:
        async with server.live.http() as http:
            found = (await http.get(f"/api/v1/dailies/{day}")).json()["dailies"]
        return str(next(deal["id"] for deal in found if deal["ruleset"] == game))

    return str(server.call(ask()))


def test_an_admin_seeds_next_week_swaps_two_days_and_previews_one(admin_server: ThreadedServer, visit: Any) -> None:
    """From the sign-in to the table, the swap by keyboard alone."""
    services = admin_server.live.app.services
    token = admin_server.call(identity.create(services, CONSOLE, "ada", "owner")).token
    page = visit(f"{admin_server.base_url}/admin", expect=(FIRST_PLAY, "401"))
    page.get_by_label("Token").fill("no such token")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".message")).to_contain_text("This token is not valid")
    page.get_by_label("Token").fill(token)
    page.keyboard.press("Enter")
    expect(page.locator(".plan-week")).to_have_count(4)
    expect(at(page, WEEK[0], "pyramid")).to_have_attribute("data-source", "rule")

    page.get_by_role("button", name="Fill by rule…").click()
    page.get_by_label("From").fill(WEEK[0])
    page.get_by_label("To", exact=True).fill(WEEK[-1])
    page.get_by_role("button", name="Fill", exact=True).click()
    expect(page.locator(".message[data-kind=good]")).to_contain_text("42 deals planned")
    expect(at(page, WEEK[0], "pyramid")).to_have_attribute("data-source", "deal")
    assert [level(page, WEEK[number]) for number in (0, 5)] == ["easy", "expert"]

    at(page, WEEK[0]).focus()
    page.keyboard.press("Space")
    expect(page.locator(".plan-carry")).to_contain_text("Choose the day to swap with: Monday, March 16, all games")
    page.keyboard.press("Escape")
    expect(page.locator(".plan-carry")).to_be_hidden()
    page.keyboard.press("Space")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(at(page, WEEK[5])).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator(".message[data-kind=good]")).to_contain_text("Swapped")
    expect(at(page, WEEK[5])).to_be_focused()
    expect(page.locator(".plan-carry")).to_be_hidden()
    assert [level(page, WEEK[number], "foursquare") for number in (0, 5)] == ["expert", "easy"]

    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Preview…").click()
    expect(page.get_by_role("dialog")).to_contain_text("cannot rank on this deal")
    page.get_by_role("button", name="Preview", exact=True).click()
    table = TablePage(page).ready()
    expect(page.locator(".preview-banner")).to_contain_text("barred from ranking")
    expect(table.page.locator(".hud-subtitle")).to_have_text("Preview")
    page.get_by_role("link", name="End the preview").click()
    expect(page.locator(".plan-week")).to_have_count(4)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Token")).to_be_focused()


def test_a_finished_day_is_voided_after_a_dry_run(enter: Enter, admin_server: ThreadedServer) -> None:
    """What would change is shown first, and nothing changes until it is confirmed."""
    page = enter("moderator", f"/admin/rulings?day={CLOSED}")
    page.get_by_role("link", name="Foursquare").click()
    page.get_by_role("button", name="Make void…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Make it void")).to_be_hidden()
    dialog.get_by_label("Reason").fill("The server was away")
    dialog.get_by_role("button", name="See what would change").click()
    expect(dialog.locator(".effect")).to_contain_text(re.compile(r"ranks? of \d+ players? change"))
    expect(dialog.get_by_role("row", name=re.compile("off the board")).first).to_be_visible()
    total = (
        f"fetch('/api/v1/boards/daily/{CLOSED}/foursquare', {{cache: 'reload'}})"
        ".then(found => found.json()).then(found => found.total)"
    )
    assert page.evaluate(total) > 0
    dialog.get_by_role("button", name="Make it void").click()
    expect(page.locator(".chip-void").first).to_have_text("void")
    expect(page.get_by_role("button", name="Make void…")).to_have_count(0)
    expect(page.locator("h1")).to_be_focused()
    assert page.evaluate(total) == 0


def test_a_coming_deal_is_told_as_such_extended_and_made_void(enter: Enter) -> None:
    page = enter("moderator", "/admin/rulings?day=2026-03-11")
    deals = page.locator(".admin-deals")
    expect(deals.locator(".chip")).to_have_text(["coming"] * 6)
    expect(deals).not_to_contain_text("NaN")
    page.get_by_role("link", name="Foursquare").click()
    facts = page.locator("main dl")
    expect(facts).to_contain_text("Opens")
    expect(facts).not_to_contain_text("NaN")
    for act, yes in (("Extend…", "Extend it"), ("Make void…", "Make it void")):
        page.get_by_role("button", name=act).click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Reason").fill("A holiday")
        dialog.get_by_role("button", name="See what would change").click()
        dialog.get_by_role("button", name=yes).click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        if act == "Extend…":
            expect(page.locator(".message[data-kind=good]")).to_contain_text("Extended")
    page.get_by_role("link", name="All days").click()
    page.get_by_label("Day").fill("2026-03-11")
    page.get_by_role("button", name="Show").click()
    expect(deals.locator(".chip-void")).to_have_text(["void"])


def test_an_attempt_is_excluded(enter: Enter, admin_server: ThreadedServer) -> None:
    page = enter("moderator", f"/admin/rulings/{challenge_of(admin_server, CLOSED, 'pyramid')}")
    row = page.locator(".admin-table tbody tr").filter(has=page.get_by_role("button", name="Exclude…")).first
    name = str(row.locator("th bdi").text_content())
    row.get_by_role("button", name="Exclude…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("Two accounts")
    dialog.get_by_role("button", name="See what would change").click()
    dialog.get_by_role("button", name="Exclude it").click()
    expect(page.locator(".message[data-kind=good]")).to_contain_text(name)
    excluded = page.locator(".admin-table tbody tr").filter(has_text=name)
    expect(excluded.locator(".chip-void")).to_have_count(1)
    expect(excluded.get_by_role("button", name="Exclude…")).to_have_count(0)


def test_a_day_in_the_hand_is_laid_down_in_another_span(enter: Enter, admin_server: ThreadedServer) -> None:
    planned(admin_server, "2026-05-06", "expert", "pyramid")
    page = enter("seeder", "/admin?first=2026-05-04&weeks=1")
    at(page, "2026-05-06", "pyramid").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Later").click()
    expect(at(page, "2026-05-13", "pyramid")).to_be_visible()
    expect(page.locator(".plan-carry")).to_contain_text("May 6")
    at(page, "2026-05-13", "pyramid").focus()
    page.keyboard.press("Space")
    expect(page.locator(".message[data-kind=good]")).to_contain_text("Moved")
    assert level(page, "2026-05-13") == "expert"


def test_an_auditor_reads_everything_and_writes_nothing(enter: Enter, admin_server: ThreadedServer) -> None:
    """Nothing is offered that the role may not do, and the server refuses it all the same."""
    page = enter("auditor", expect="403 (Forbidden)")
    expect(page.locator(".plan-week")).to_have_count(4)
    challenge = challenge_of(admin_server, CLOSED, "pyramid")
    signs = {
        "deals": ".admin-table", "lists": ".message", "events": "h1", "rulings": ".admin-deals",
        "players": ".admin-table", "audit": ".admin-table", "files": ".admin-deals", "admins": ".admin-table",
    }  # fmt: skip
    writing = re.compile("Fill|Plan|Search for fresh|Store|New event|Make|Extend|Exclude|Block|Schedule|Preview|Revoke")
    expect(page.get_by_role("button", name=writing)).to_have_count(0)
    at(page, WEEK[1], "thirteen").click()
    expect(page.get_by_role("dialog").get_by_role("button")).to_have_text(["Close"])
    page.keyboard.press("Escape")
    for key, sign in signs.items():
        turn_to(page, key)
        page.locator(sign).first.wait_for()
        expect(page.get_by_role("button", name=writing)).to_have_count(0)
    page.goto(f"{admin_server.base_url}/admin/rulings/{challenge}")
    page.locator(".admin-table").wait_for()
    expect(page.get_by_role("button", name=writing)).to_have_count(0)
    refused = page.evaluate(
        "fetch('/api/v1/admin/calendar/2026-03-20/pyramid', {method: 'PUT', body: JSON.stringify({version: 0,"
        " difficulty: 'easy'}), headers: {'content-type': 'application/json'}}).then(answer => answer.status)"
    )
    assert refused == 403


def test_a_day_is_dragged_and_a_conflict_is_told(enter: Enter, admin_server: ThreadedServer) -> None:
    planned(admin_server, "2026-03-24", "expert", "thirteen")
    page = enter("seeder", "/admin?first=2026-03-23&weeks=1", expect="409 (Conflict)")
    source, target = at(page, "2026-03-24", "thirteen"), at(page, "2026-03-26", "thirteen")
    expect(source).to_have_attribute("data-source", "difficulty")
    source.drag_to(target)
    expect(page.locator(".message[data-kind=good]")).to_contain_text("Moved")
    expect(target).to_have_attribute("data-source", "difficulty")
    expect(source).to_have_attribute("data-source", "rule")
    expect(page.get_by_role("dialog")).to_have_count(0)

    planned(admin_server, "2026-03-24", "hard", "thirteen")
    source.click()
    page.get_by_role("dialog").get_by_label("Difficulty").select_option("medium")
    page.get_by_role("button", name="Plan", exact=True).click()
    expect(page.locator(".message[data-kind=bad]")).to_contain_text("Somebody has changed this day")
    expect(source.locator(".plan-word")).to_have_text("hard")
    expect(source).to_be_focused()


def test_a_seed_list_is_refused_line_by_line(enter: Enter) -> None:
    page = enter("seeder", "/admin/lists", expect=FIRST_PLAY)
    example = page.locator(".admin-example")
    expect(example.locator("p code")).to_have_text(re.compile(r"^\d{4}-\d\d-\d\d,[a-z0-9-]+,[0-9a-f]{32}$"))
    expect(example.locator("li code")).to_have_text(
        [key for key, rules in rulesets().items() if rules.daily is not None]
    )
    page.get_by_label("Form", exact=True).select_option("ndjson")
    expect(example.locator("p code")).to_contain_text('"ruleset"')
    page.get_by_label("Form", exact=True).select_option("csv")
    seed = "0123456789abcdef0123456789abcdef"
    lines = [f"2026-04-01,foursquare,{seed}", f"2026-04-02,foursquare,{seed}", "2026-04-03,chess,1", "2020-04-03"]
    page.get_by_label("List").fill("\n".join(lines))
    page.get_by_role("button", name="Store the list").click()
    expect(page.locator(".message[data-kind=bad]")).to_contain_text("3 lines cannot be taken")
    expect(page.locator(".admin-table tbody tr")).to_have_text(
        ["2The same seed as line 1.", "3No daily has this game.", "4This is not a line of date, game and seed."]
    )
    page.get_by_label("List").fill(lines[0])
    page.get_by_role("button", name="Check only").click()
    expect(page.locator(".message[data-kind=good]")).to_contain_text("The list can be stored: 1 new deal")


def test_a_search_is_cancelled_and_a_deal_of_the_stock_takes_a_day(enter: Enter) -> None:
    page = enter("seeder", "/admin/deals?ruleset=pyramid&date=2026-04-08")
    expect(page.get_by_role("button", name="Take it").first).to_be_visible()
    page.get_by_label("Par from").fill("999")
    page.get_by_role("button", name="Look in stock").click()
    expect(page.get_by_role("button", name="Take it")).to_have_count(0)
    page.get_by_role("button", name="Search for fresh deals…").click()
    page.get_by_label("Deals looked at, at most").fill("5000")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("progressbar")).to_have_attribute("max", "5000")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="The search was cancelled.")).to_be_visible()
    page.get_by_label("Par from").fill("")
    page.get_by_label("hard").check()
    page.get_by_role("button", name="Look in stock").click()
    page.get_by_role("button", name="Take it").first.click()
    page.get_by_role("button", name="Schedule", exact=True).click()
    expect(page.locator(".message[data-kind=good]")).to_contain_text("Planned: Pyramid, Wednesday")
    page.goto(page.url.split("/admin")[0] + "/admin?first=2026-04-06&weeks=1")
    expect(at(page, "2026-04-08", "pyramid")).to_have_attribute("data-source", "deal")
    assert level(page, "2026-04-08") == "hard"


def test_an_event_is_published_and_called_off(enter: Enter) -> None:
    page = enter("seeder", "/admin/events")
    page.get_by_role("button", name="New event…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Spring cup")
    dialog.get_by_label("Opens").fill("2026-04-01T12:00")
    dialog.get_by_label("Can be started until").fill("2026-04-02T12:00")
    dialog.get_by_label("Game").select_option("pyramid")
    dialog.get_by_role("button", name="Publish").click()
    expect(page.locator(".admin-event")).to_contain_text("Spring cup")
    address = page.locator(".admin-event .admin-address")
    expect(address).to_have_text(re.compile(r"^http://.+/challenge/[0-9a-f-]{36}$"))
    assert address.get_attribute("href") == address.text_content()
    page.get_by_role("button", name="Call off…").click()
    page.get_by_label("Reason").fill("Rain")
    page.get_by_role("button", name="Call off", exact=True).click()
    expect(page.locator(".admin-event .chip-void")).to_have_text("called off")


def test_another_name_leaves_the_times_of_an_event_as_they_are(enter: Enter, admin_server: ThreadedServer) -> None:
    services = admin_server.live.app.services
    opens = NOON + 50 * 86_400_000 + 31_000
    times = events.Times(opens, opens + 3_600_000, opens + 7_200_000)
    deals = [events.DealWish("pyramid", difficulty="easy")]
    made = admin_server.call(events.make(services, CONSOLE, "Cup of May", times, deals))
    page = enter("seeder", "/admin/events")
    card = page.locator(".admin-event").filter(has_text="Cup of May")
    card.get_by_role("button", name="Change…").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Cup of spring")
    page.get_by_role("dialog").get_by_role("button", name="Change", exact=True).click()
    expect(page.locator(".message[data-kind=good]")).to_contain_text("Cup of spring")
    (found,) = [
        view for view in admin_server.call(events.every(services, CONSOLE, None))[0] if view.event.id == made.event.id
    ]
    assert (found.event.name, found.event.opens_at) == ("Cup of spring", opens)


@pytest.mark.parametrize("path", ["rulings", "audit", "deals", "players?q=", "admins"])
def test_rows_of_tables_are_blocks_on_a_phone(
    path: str, enter: Enter, admin_server: ThreadedServer, phone: Any
) -> None:
    """Nothing lies beyond the edge, every line says what it tells, and it is heard as a table still."""
    path = f"rulings/{challenge_of(admin_server, CLOSED, 'thirteen')}" if path == "rulings" else path
    page = enter("owner", f"/admin/{path}", **phone)
    table = page.get_by_role("table")
    expect(table).to_have_count(1)
    expect(table.locator("tbody").get_by_role("row").first).to_be_visible()
    outside = page.evaluate(
        "[...document.querySelectorAll('.admin-table tbody *')].map(one => one.getBoundingClientRect())"
        ".filter(box => box.left < 0 || box.right > innerWidth).length"
    )
    assert outside == 0
    heads = [text for text in table.get_by_role("columnheader").all_text_contents() if text != "Acts"]
    labels = table.locator("tbody tr").first.locator("[data-label]")
    assert labels.evaluate_all("all => all.map(one => one.dataset.label)") == heads
    assert table.locator("tbody").get_by_role("rowheader").count() >= 1
    shown = labels.first.evaluate("one => getComputedStyle(one, '::before').content")
    assert heads[0] in shown
    # The name has room of its own before what it names.
    assert labels.first.evaluate("one => parseFloat(getComputedStyle(one).paddingInlineStart)") > 100


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_the_audit_log_tells_what_changed_and_leads_to_the_attempt(
    size: Any, enter: Enter, admin_server: ThreadedServer
) -> None:
    services = admin_server.live.app.services
    challenge = challenge_of(admin_server, CLOSED, "thirteen")

    async def attempt() -> str:
        async with services.store.reading() as conn:
            counted = Attempt.over.in_(("won", "lost", "resigned"))
            return str(await conn.scalar(select(Attempt.id).where(Attempt.challenge_id == challenge, counted)))

    excluded = admin_server.call(attempt())
    admin_server.call(rulings.exclude(services, CONSOLE, excluded, "Two windows", dry_run=False))
    page = enter("owner", "/admin/audit?action=attempt.exclude", viewport=size)
    row = page.locator(".admin-table > tbody > tr:not(.admin-more)", has_text=excluded)
    row.get_by_role("button", name="Show").click()
    more = page.locator(".admin-more:not([hidden])")
    expect(row.get_by_role("button", name="Hide")).to_have_attribute("aria-expanded", "true")
    expect(more.get_by_role("row").filter(has_text="attempts.void")).to_have_count(1)
    expect(more).to_contain_text(challenge)
    box, whole = more.bounding_box(), page.locator(".admin-scroll").bounding_box()
    assert box is not None
    assert whole is not None
    assert box["width"] > 0.9 * whole["width"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    row.get_by_role("link").click()
    expect(page).to_have_url(re.compile(f"/admin/rulings/{challenge}[?]attempt={excluded}$"))
    expect(page.locator(".admin-table tr.own")).to_have_count(1)


@pytest.mark.parametrize("locale", ["en", "tr", "ur"])
def test_days_keep_apart_where_the_month_changes(locale: str, enter: Enter, phone: Any) -> None:
    page = enter("owner", "/admin?first=2026-03-30&weeks=1", locale=locale, **phone)
    expect(at(page, "2026-04-01")).to_be_visible()
    spans = page.evaluate(
        "[...document.querySelectorAll('.plan-day')].map(day => { const range = document.createRange();"
        " range.selectNodeContents(day); const text = range.getBoundingClientRect();"
        " const box = day.getBoundingClientRect(); return [box.left, text.left, text.right, box.right]; })"
    )
    assert len(spans) == 7
    for left, begin, end, right in spans:
        assert left <= begin <= end <= right


def test_what_cannot_change_says_why_and_all_is_told_in_sight(enter: Enter, admin_server: ThreadedServer) -> None:
    planned(admin_server, "2026-03-25", "hard", "foursquare")
    page = enter("seeder", "/admin?first=2026-03-09&weeks=4", viewport={"width": 1280, "height": 500})
    message = page.locator(".plan-told .message:not(.plan-carry)")
    at(page, "2026-03-25", "foursquare").drag_to(at(page, "2026-03-27", "foursquare"))
    expect(message).to_contain_text("Moved")
    expect(message).to_be_in_viewport()
    at(page, "2026-03-27", "foursquare").drag_to(at(page, "2026-03-11", "foursquare"))
    expect(message).to_contain_text("Foursquare, Wednesday, March 11 stays as it is. Its commitment is public")
    expect(message).to_have_attribute("data-kind", "bad")
    expect(page.locator(".plan-carry")).to_be_hidden()
    at(page, "2026-03-27", "foursquare").drag_to(at(page, "2026-03-09", "foursquare"))
    expect(message).to_contain_text("That day has begun or has closed.")

    at(page, "2026-04-02", "foursquare").scroll_into_view_if_needed()
    at(page, "2026-04-02").focus()
    page.keyboard.press("Space")
    expect(message).to_be_hidden()
    expect(page.locator(".plan-carry")).to_be_in_viewport()
    # What of a day can change goes with it, and is not shown as forbidden.
    assert page.locator('[data-date="2026-04-03"][data-shut]').count() == 0
    assert page.locator('[data-date="2026-03-11"][data-shut]').count() > 0
    assert at(page, "2026-04-03").evaluate("day => getComputedStyle(day).userSelect") == "none"
    page.keyboard.press("Escape")
    expect(page.locator(".plan-carry")).to_be_hidden()


@pytest.mark.parametrize(("theme", "locale"), [("light", "en"), ("dark", "ur")])
def test_a_scan_of_the_admins_pages_finds_nothing_serious(
    theme: str, locale: str, enter: Enter, admin_server: ThreadedServer
) -> None:
    """All on a phone, the busiest on a desk in the dark; nothing is cut off, and no English is left in Urdu."""
    page = enter("owner", color_scheme=theme, locale=locale, viewport=PHONE if theme == "light" else DESKTOP)
    challenge = challenge_of(admin_server, CLOSED, "pyramid")
    paths = [
        "",
        "deals",
        "lists",
        "events",
        "rulings",
        f"rulings/{challenge}",
        "players?q=",
        "audit",
        "files",
        "admins",
    ]
    for path in paths:
        page.goto(f"{admin_server.base_url}/admin/{path}")
        page.locator(".admin-main h1").wait_for()
        expect(page.locator(".loading, [aria-busy]")).to_have_count(0)
        if locale == "en" or path == "":
            assert serious(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        if locale == "ur":
            left = page.evaluate(
                "() => { for (const own of document.querySelectorAll('#content :is(bdi, code, pre)')) own.remove();"
                " return document.querySelector('#content').innerText; }"
            )
            assert set(LATIN_WORD.findall(left)) - {"CSV", "NDJSON", "date", "ruleset", "seed"} == set(), path


def test_players_load_nothing_of_the_admins(admin_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{admin_server.base_url}/settings", locale="tr")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(admin_server.base_url)
    page.locator(".daily").first.wait_for()
    page.wait_for_load_state("networkidle")
    assert [url for url in asked if "admin" in url] == []
    assert [url for url in asked if url.endswith("/locale/tr.json")] != []
