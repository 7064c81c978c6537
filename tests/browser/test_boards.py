"""Boards of days, weeks, months, all time and records, as people see them: without an account, filtered, with keys."""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Page, expect

from server.actions import boards
from tests.browser.conftest import become
from tests.net.pastimes import give_up
from tests.net.wire import wired
from tests.support.live_server import ThreadedServer

pytestmark = pytest.mark.browser

DAY_BOARD = "/boards/daily/2026-03-08/pyramid"
WEEK_BOARD = "/boards/season/2026-W10/pyramid"
ALL_BOARD = "/boards/season/all/pyramid"
RECORDS = "/boards/records/thirteen-3"
SCORED = "/boards/daily/2026-03-08/foursquare"


@pytest.fixture
def look(visit: Callable[..., Page], past_server: ThreadedServer) -> Callable[..., Page]:
    """A reader's page of the server with a past, complete."""

    def open_page(path: str, **options: Any) -> Page:
        page = visit(past_server.base_url + path, **options)
        page.locator(".results tbody tr, .empty").first.wait_for()
        return page

    return open_page


def api(server: ThreadedServer, path: str) -> dict[str, Any]:
    """What the interface for programs answers to anybody."""

    async def ask() -> dict[str, Any]:
        async with server.live.http() as http:
            answer = await http.get(f"/api/v1{path}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    return dict(server.call(ask()))


def shown(page: Page) -> list[tuple[int, str]]:
    """Rank and name of every row of the page, without the own row that is pinned below."""
    found = page.locator(".results tbody:not(.own-apart) tr").evaluate_all(
        "all => all.map(row => [Number(row.dataset.rank), row.querySelector('th bdi').textContent])"
    )
    return [(rank, name) for rank, name in found]


def told(server: ThreadedServer, path: str) -> list[tuple[int, str]]:
    """Rank and name of every row of a page of the interface for programs."""
    return [(row["rank"], row["player"]["name"]) for row in api(server, path)["rows"]]


def address(page: Page) -> tuple[str, dict[str, str]]:
    """Path and query of the page."""
    parts = urlparse(page.url)
    return parts.path, {key: values[0] for key, values in parse_qs(parts.query).items()}


def test_looking_makes_nobody_a_player(past_server: ThreadedServer, visit: Any) -> None:
    """No guest, no cookie, no question who reads: neither for boards nor players, calendar, lobby and closed deals."""
    page = visit(f"{past_server.base_url}/settings")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {urlparse(request.url).path}"))
    somebody = api(past_server, ALL_BOARD)["rows"][0]["player"]["id"]
    for path, sign in [
        ("/", ".daily"),
        ("/boards", ".results, .empty"),
        (DAY_BOARD, ".results"),
        (WEEK_BOARD, ".results"),
        (RECORDS, ".results"),
        (f"{DAY_BOARD}?friends=1", ".empty"),
        (f"/players/{somebody}", ".profile"),
        ("/calendar", ".day"),
        ("/daily/2026-03-08/pyramid", ".field"),
    ]:
        page.goto(past_server.base_url + path)
        page.locator(sign).first.wait_for()
        expect(page.locator(".who:visible")).to_have_count(0)
    assert len(asked) > 20
    assert [one for one in asked if not one.startswith("GET ") or one.endswith("/me")] == []
    assert page.context.cookies() == []


def test_the_first_of_the_boards_is_todays(look: Any) -> None:
    page = look("/boards")
    path, query = address(page)
    assert re.fullmatch(r"/boards/daily/2026-03-10/[a-z0-9-]+", path)
    assert query == {}
    expect(page.get_by_role("link", name="Boards")).to_have_attribute("aria-current", "page")


@pytest.mark.parametrize("path", [DAY_BOARD, WEEK_BOARD, "/boards/season/2026-03/pyramid", ALL_BOARD, RECORDS])
def test_a_board_shows_what_the_interface_for_programs_tells(path: str, past_server: ThreadedServer, look: Any) -> None:
    """Equal ranks are shown equal, and the total is that of the whole board."""
    page = look(path)
    rows = told(past_server, f"{path}?limit=25")
    assert len(rows) > 5
    assert shown(page) == rows
    total = api(past_server, path)["total"]
    expect(page.locator(".board-total")).to_have_text(re.compile(rf"{total} (results|players)"))


@pytest.mark.parametrize("path", [WEEK_BOARD, ALL_BOARD])
def test_the_formula_stands_beside_the_board(path: str, past_server: ThreadedServer, look: Any) -> None:
    page = look(path)
    expect(page.locator(".board-formula")).to_contain_text(api(past_server, path)["formula"])
    expect(page.locator(".board-formula")).to_contain_text("Only closed days count.")


def test_filters_stand_in_the_address(past_server: ThreadedServer, look: Any) -> None:
    """Whoever gets the link sees the same rows; the way back leads to the view before."""
    page = look(DAY_BOARD)
    everybody = shown(page)
    page.get_by_role("link", name="Accounts").click()
    expect(page.get_by_role("link", name="Accounts")).to_have_attribute("aria-current", "true")
    expect(page.locator(".results .badge-guest")).to_have_count(0)
    page.get_by_role("link", name="Fewest moves").click()
    expect(page.get_by_role("link", name="Fewest moves")).to_have_attribute("aria-current", "true")
    rows = told(past_server, f"{DAY_BOARD}?who=accounts&by=moves&limit=25")
    expect(page.locator(".results tbody tr")).to_have_count(len(rows))
    assert address(page) == (DAY_BOARD, {"who": "accounts", "by": "moves"})
    assert shown(page) == rows
    assert [name for _, name in rows] != [name for _, name in everybody]
    other = look(f"{DAY_BOARD}?who=accounts&by=moves")
    assert shown(other) == rows
    page.go_back()
    page.go_back()
    expect(page.get_by_role("link", name="Everybody", exact=True)).to_have_attribute("aria-current", "true")
    expect(page.locator(".results tbody tr")).to_have_count(len(everybody))
    assert shown(page) == everybody


def test_tabs_lead_to_the_period_of_the_day(look: Any) -> None:
    """From a past day to its week and its month, and the choice of the game stays."""
    page = look(DAY_BOARD)
    for tab, path, words in [
        ("Week", "/boards/season/2026-W10/pyramid", "Week 10: March 2 – 8, 2026"),
        ("Month", "/boards/season/2026-03/pyramid", "March 2026"),
        ("All time", ALL_BOARD, "All time"),
        ("Records", "/boards/records/pyramid", "Records of all time"),
    ]:
        page.get_by_role("link", name=tab, exact=True).click()
        expect(page.locator(".board-names p")).to_have_text(words)
        assert address(page)[0] == path
    page.get_by_label("Game").select_option("foursquare")
    expect(page.get_by_role("heading", level=1)).to_have_text("Foursquare")
    assert address(page)[0] == "/boards/records/foursquare"


def test_past_days_weeks_and_months(past_server: ThreadedServer, look: Any) -> None:
    page = look(DAY_BOARD)
    page.get_by_role("link", name="The day before").click()
    expect(page.locator(".board-names p")).to_have_text("Saturday, March 7")
    expect(page.locator(".results tbody th bdi").first).to_have_text(
        told(past_server, "/boards/daily/2026-03-07/pyramid")[0][1]
    )
    page.get_by_label("Day of the board").fill("2026-03-01")
    expect(page.locator(".board-names p")).to_have_text("Sunday, March 1")
    page = look("/boards/season/week/pyramid")
    expect(page.locator(".board-names p")).to_have_text(re.compile("^Week 11"))
    assert address(page)[0] == "/boards/season/2026-W11/pyramid"
    expect(page.get_by_role("link", name="The week after")).to_have_count(0)
    page.get_by_role("link", name="The week before").click()
    expect(page.locator(".board-names p")).to_have_text(re.compile("^Week 10"))
    rows = told(past_server, f"{WEEK_BOARD}?limit=25")
    expect(page.locator(".results tbody tr")).to_have_count(len(rows))
    assert shown(page) == rows
    page = look("/boards/season/month/pyramid")
    page.get_by_role("link", name="The month before").click()
    expect(page.locator(".board-names p")).to_have_text("February 2026")


def test_today_has_no_day_after(look: Any) -> None:
    page = look("/boards/daily/2026-03-10/pyramid")
    expect(page.get_by_role("link", name="The day before")).to_have_count(1)
    expect(page.get_by_role("link", name="The day after")).to_have_count(0)


def test_a_day_without_a_deal_says_so(past_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{past_server.base_url}/boards/daily/2025-12-24/pyramid", expect="404 (Not Found)")
    expect(page.locator(".empty")).to_contain_text("this game had no deal then")
    expect(page.get_by_role("link", name="Week", exact=True)).to_be_visible()


def last_of(server: ThreadedServer, path: str) -> dict[str, Any]:
    """The last row of a board."""
    query = "?limit=100"
    while True:
        page = api(server, path + query)
        if page["next"] is None:
            return dict(page["rows"][-1])
        query = f"?limit=100&after={page['next']}"


def test_the_own_row_stays_in_sight(past_server: ThreadedServer, look: Any, phone: dict[str, Any]) -> None:
    """Pinned below where it is on another page; in view wherever one reads where it is on this one."""
    row = last_of(past_server, ALL_BOARD)
    page = look(ALL_BOARD, **phone)
    assert row["rank"] > 25
    become(page, past_server, row["player"]["id"])
    own = page.locator(".results tr.own")
    expect(own).to_have_count(1)
    expect(page.locator(".own-apart tr.own")).to_contain_text(row["player"]["name"])
    expect(own.locator("th")).to_be_in_viewport()
    covered = page.evaluate(
        "() => { const row = document.querySelector('.own td').getBoundingClientRect();"
        " return row.bottom > document.querySelector('.site-nav').getBoundingClientRect().top; }"
    )
    assert not covered
    page.get_by_role("link", name="Around me").click()
    expect(page.locator(".own-apart")).to_have_count(0)
    expect(own).to_have_count(1)
    page.evaluate("scrollTo(0, 0)")
    expect(own.locator("th")).to_be_in_viewport()
    assert row["rank"] in [rank for rank, _ in shown(page)]
    assert address(page)[1] == {"around": "me"}


def test_friends_are_those_whom_one_follows(past_server: ThreadedServer, look: Any) -> None:
    rows = api(past_server, f"{ALL_BOARD}?limit=100")["rows"]
    me, first, second = rows[5], rows[1], rows[30]
    page = look(f"{ALL_BOARD}?friends=1")
    expect(page.locator(".empty")).to_contain_text("Follow players on their pages")
    become(page, past_server, me["player"]["id"])
    page.locator(".results, .empty").first.wait_for()
    for friend in (first, second):
        page.goto(f"{past_server.base_url}/players/{friend['player']['id']}")
        act = page.get_by_role("button", name="Follow")
        if act.get_attribute("aria-pressed") == "false":
            act.click()
        expect(page.get_by_role("button", name="Following")).to_have_attribute("aria-pressed", "true")
    page.goto(past_server.base_url + ALL_BOARD)
    page.get_by_role("link", name="Friends").click()
    expect(page.get_by_role("link", name="Friends")).to_have_attribute("aria-current", "true")
    for name in (one["player"]["name"] for one in (me, first, second)):
        expect(page.locator(".results th", has_text=name).first).to_be_visible()
    among = shown(page)
    assert [rank for rank, _ in among] == sorted(rank for rank, _ in among)
    assert len(among) < 25
    assert address(page) == (ALL_BOARD, {"friends": "1"})


def test_boards_by_keyboard(look: Any) -> None:
    """The focus is never lost: it stays on the choice that was made, and a turned page begins at its top."""
    page = look(ALL_BOARD)
    page.get_by_role("link", name="Accounts").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Accounts")).to_have_attribute("aria-current", "true")
    expect(page.get_by_role("link", name="Accounts")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Everybody", exact=True)).to_be_focused()
    expect(page.locator("#live")).to_have_text(re.compile(r"\d+ players"))
    page.get_by_role("link", name="Further down").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".board-total")).to_be_focused()
    assert page.locator(".board-total").evaluate("line => getComputedStyle(line).outlineStyle") == "solid"
    expect(page.locator(".board-total")).to_be_in_viewport()
    page.keyboard.press("Tab")
    focused = page.evaluate("document.activeElement.closest('.results') !== null")
    assert focused
    page.get_by_role("link", name="Month", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Month", exact=True)).to_be_focused()


def test_the_whole_board_can_be_saved(past_server: ThreadedServer, look: Any, tmp_path: Path) -> None:
    """With the filter that is shown, and not only the page that is shown."""
    page = look(f"{ALL_BOARD}?who=accounts")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="CSV", exact=True).click()
    path = tmp_path / "board.csv"
    waiting.value.save_as(path)
    with path.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.reader(lines))
    assert len(rows) - 1 == api(past_server, f"{ALL_BOARD}?who=accounts")["total"]
    with page.expect_download() as waiting:
        page.get_by_role("link", name="NDJSON").click()
    assert waiting.value.suggested_filename.endswith(".ndjson")


def score_all(route: Any) -> None:
    """A board on which everybody has won with a score, and some were quick and others took hours."""
    body = route.fetch().json()
    for number, row in enumerate(body["rows"]):
        row.update(outcome="won", score=12, time_ms=row["time_ms"] + (number % 2) * 9_000_000)
    route.fulfill(json=body)


@pytest.mark.parametrize("path", [DAY_BOARD, SCORED, WEEK_BOARD, ALL_BOARD, RECORDS])
@pytest.mark.parametrize("locale", ["en", "tr", "ur"])
def test_boards_fit_a_phone(path: str, locale: str, look: Any, phone: dict[str, Any]) -> None:
    """Every column that is shown is seen whole, and a scored game shows its score."""
    page = look("/boards/records/bakers-dozen", locale=locale, **phone)
    if path == SCORED:
        page.route("**/api/v1/boards/daily/**", score_all)
    page.goto(page.url.replace("/boards/records/bakers-dozen", path))
    page.locator(".results tbody tr").first.wait_for()
    outside = page.locator(".results").evaluate(
        "table => { const place = table.closest('.board-scroll').getBoundingClientRect();"
        " return [...table.querySelectorAll('th, td')].filter(cell => cell.offsetParent !== null)"
        ".map(cell => [cell.textContent, cell.getBoundingClientRect()])"
        ".filter(([, at]) => at.left < place.left - 1 || at.right > place.right + 1).map(([text]) => text); }"
    )
    assert outside == []
    broken = page.locator(".results .badge:visible, .results .board-progress:visible").evaluate_all(
        "all => all.filter(one => one.getClientRects().length !== 1 || one.scrollWidth > one.clientWidth + 1"
        " && one.clientWidth).map(one => one.outerHTML)"
    )
    assert broken == []
    if path == SCORED:
        expect(
            page.locator(".results tbody tr").first.locator("td:visible", has_text=re.compile("^12$"))
        ).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    wide = page.locator(".board-scroll").evaluate("place => place.scrollWidth - place.clientWidth")
    assert wide <= 0
    small = page.locator("a:visible, button:visible, select:visible, input:visible").evaluate_all(
        "all => all.filter(one => Math.min(one.offsetWidth, one.offsetHeight) < 24 && !one.closest('p'))"
        ".map(one => one.outerHTML)"
    )
    assert small == []


def test_numbers_keep_their_order_in_urdu(look: Any) -> None:
    """R56: the page mirrors; times, ranks and progress do not, and names are isolated."""
    page = look(DAY_BOARD, locale="ur")
    directions = page.locator(".results td bdi").evaluate_all("all => all.map(one => getComputedStyle(one).direction)")
    assert set(directions) == {"ltr"}
    assert page.locator(".results tbody th > .player bdi").count() == page.locator(".results tbody tr").count()
    rank, moves = page.locator(".results thead th").first, page.locator(".results thead th").last
    rank_box, moves_box = rank.bounding_box(), moves.bounding_box()
    assert rank_box is not None
    assert moves_box is not None
    assert rank_box["x"] > moves_box["x"]


#: Counts what sockets of the page are told: from the first on, a board is watched.
COUNTED = """
window.told = 0;
window.WebSocket = class extends WebSocket {
  constructor(...where) {
    super(...where);
    this.addEventListener("message", () => { window.told += 1; });
  }
};
"""


@pytest.mark.parametrize("account", [False, True], ids=["visitor", "player"])
def test_an_open_board_lives_also_after_the_time_for_a_hello(
    account: bool, past_server: ThreadedServer, look: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The socket of the page says no hello, with an account or without: it is not cut off as long as it watches."""
    game = "thirteen-3" if account else "bakers-dozen-kings"
    monkeypatch.setattr(past_server.live.app._sockets, "_hello_s", 1.0)
    page = look("/boards")
    if account:
        become(page, past_server, api(past_server, ALL_BOARD)["rows"][3]["player"]["id"])
    closed: list[str] = []
    page.on("websocket", lambda socket: socket.on("close", lambda _: closed.append(socket.url)))
    page.add_init_script(COUNTED)
    page.goto(f"{past_server.base_url}/boards/daily/2026-03-10/{game}")
    page.wait_for_function("() => window.told > 0")
    past_server.call(stranger_is_shown_out(past_server))
    past_server.call(give_up_at(past_server, f"daily/2026-03-10/{game}", "Quick Nur"))
    expect(page.locator(".results tbody tr", has_text="Quick Nur")).to_have_count(1)
    assert closed == []


async def stranger_is_shown_out(server: ThreadedServer) -> None:
    """Wait until a socket that came later than all others has been closed for its silence."""
    async with wired(server.live) as silent:
        await silent.open()
        assert await silent.close_code() == 1008


async def give_up_at(server: ThreadedServer, challenge: str, name: str) -> None:
    """A new player's short game, which stands on the board."""
    async with server.live.playing(name) as player:
        await give_up(player, challenge)


@pytest.mark.parametrize(
    "path", ["/boards/season/week/{game}", "/boards/records/{game}", "/boards/daily/2026-03-05/{game}"]
)
def test_other_boards_live_too(path: str, past_server: ThreadedServer, look: Any) -> None:
    """Seasons, records and closed days: the page shows what changes while it is open."""
    page = look(WEEK_BOARD)
    page.add_init_script(COUNTED)
    page.goto(past_server.base_url + path.format(game="pyramid"))
    page.locator(".board-page .results, .board-page .empty").first.wait_for()
    page.wait_for_function("() => window.told > 0")
    page.evaluate("window.untouched = true")
    watched = urlparse(page.url).path.removeprefix("/boards/")
    rows = (
        api(past_server, f"{path.format(game='pyramid')}?limit=1")["rows"] or api(past_server, WEEK_BOARD)["rows"][:1]
    )
    page.route(re.compile("/api/v1/boards/"), lambda route: route.fulfill(json=grown(route.fetch().json(), rows)))

    async def change() -> None:
        services = past_server.live.app.services
        services.board_news.changed(await boards.watched(services, watched))

    past_server.advance(2000)
    past_server.call(change())
    expect(page.locator(".board-total")).to_have_text(re.compile("^4,711 "))
    assert page.evaluate("window.untouched")


def grown(body: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A page of a board that has become much longer."""
    return body | {"total": 4711, "rows": body["rows"] or rows}


def test_a_day_is_typed_in_with_the_keyboard(past_server: ThreadedServer, look: Any) -> None:
    """Nothing happens on the way, Enter shows the day, the field keeps the focus, and one step leads back."""
    page = look(DAY_BOARD)
    field = page.get_by_label("Day of the board")
    asked: set[str] = set()
    page.on("request", lambda request: asked.update(re.findall(r"/api/v1/boards/daily/([\d-]+)", request.url)))
    steps = page.evaluate("history.length")
    field.focus()
    page.keyboard.type("03052026")
    expect(field).to_have_value("2026-03-05")
    assert asked <= {"2026-03-08"}
    expect(field).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".board-names p")).to_have_text("Thursday, March 5")
    expect(field).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Escape")
    assert asked - {"2026-03-08"} == {"2026-03-05"}
    assert page.evaluate("history.length") == steps + 1
    page.go_back()
    expect(page.locator(".board-names p")).to_have_text("Sunday, March 8")
    field.focus()
    page.keyboard.type("03032026")
    for _ in range(4):  # on from the parts of the field, and out of it
        page.keyboard.press("Tab")
    expect(page.locator(".board-names p")).to_have_text("Tuesday, March 3")
    assert page.evaluate("document.activeElement !== document.body")


def test_the_choice_of_the_game_by_arrow_keys_is_one_step_back(look: Any) -> None:
    page = look(DAY_BOARD)
    select = page.get_by_label("Game")
    select.focus()
    start = page.get_by_role("heading", level=1).inner_text()
    names = select.locator("option").all_inner_texts()
    steps = page.evaluate("history.length")
    at = names.index(start)
    for number in (1, 2):
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("heading", level=1)).to_have_text(names[at + number])
        expect(select).to_be_focused()
    assert page.evaluate("history.length") == steps + 1
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(start)


def test_bots_have_a_board_of_their_own(past_server: ThreadedServer, look: Any) -> None:
    page = look(ALL_BOARD)
    page.get_by_role("link", name="Bots", exact=True).click()
    expect(page.get_by_role("link", name="Bots", exact=True)).to_have_attribute("aria-current", "true")
    rows = told(past_server, f"{ALL_BOARD}?who=bots&limit=25")
    expect(page.locator(".results:visible tbody tr")).to_have_count(len(rows))
    expect(page.locator(".board-place .empty")).to_have_count(0 if rows else 1)
    expect(page.locator(".results .badge-bot")).to_have_count(len(rows))
    assert address(page) == (ALL_BOARD, {"who": "bots"})


def test_a_filter_that_finds_nobody_says_why(past_server: ThreadedServer, look: Any) -> None:
    page = look("/boards/daily/2026-03-10/foursquare?who=accounts")
    expect(page.locator(".empty")).to_contain_text("Accounts are still to come")
    page = look("/boards/daily/2026-03-10/foursquare?who=bots")
    expect(page.locator(".empty")).to_contain_text("Bots are programs that play")


@pytest.mark.parametrize(
    ("path", "words", "way", "status"),
    [
        ("/boards/daily/2026-03-11/pyramid", "This day has not begun yet.", "Today’s board", "409"),
        ("/boards/daily/2027-01-01/pyramid", "This day has not begun yet.", "Today’s board", "404"),
        ("/boards/season/2026-W12/pyramid", "This period has not begun yet.", "This week", "404"),
        ("/boards/season/2026-12/pyramid", "This period has not begun yet.", "This month", "404"),
    ],
)
def test_what_has_not_begun_is_told_so(
    path: str, words: str, way: str, status: str, past_server: ThreadedServer, visit: Any
) -> None:
    page = visit(past_server.base_url + path, expect=status)
    expect(page.locator(".empty p")).to_have_text(words)
    page.locator(".empty").get_by_role("link", name=way).click()
    expect(page.locator(".results, .empty").first).not_to_contain_text(words)


def test_by_what_a_day_is_ranked_stands_below_it(past_server: ThreadedServer, look: Any) -> None:
    """Order, undo, and the time that an outage gave back: the made-up past has one in its middle."""
    page = look(DAY_BOARD)
    line = page.locator(".board-ranking")
    expect(line).to_contain_text("Ranked by: shorter time, fewer moves. Undo: unlimited; each one counts as a move.")
    expect(line).not_to_contain_text("The server was away")
    day = next(
        date
        for date in (f"2026-03-0{number}" for number in range(1, 8))
        if api(past_server, f"/boards/daily/{date}/pyramid")["outage_ms"]
    )
    page = look(f"/boards/daily/{day}/pyramid?by=moves")
    expect(page.locator(".board-ranking")).to_contain_text("Ranked by: fewer moves, shorter time.")
    expect(page.locator(".board-ranking")).to_contain_text("The server was away for 5:00")


def test_the_formula_reads_from_left_to_right_in_urdu(look: Any) -> None:
    page = look(ALL_BOARD, locale="ur")
    places = page.locator(".board-formula").evaluate(
        """line => {
            const text = [...line.childNodes].find(node => node.data?.includes("500"));
            const range = document.createRange();
            return [...text.data.matchAll(/500|n - r|t\\)| \\/ n/g)].map(({ index, 0: part }) => {
                range.setStart(text, index);
                range.setEnd(text, index + part.length);
                const { left, top } = range.getBoundingClientRect();
                return [Math.round(top), left];
            });
        }"""
    )
    assert len(places) >= 4
    lines = sorted({top for top, _ in places[:4]})
    for top in lines:
        on_line = [left for at, left in places[:4] if at == top]
        assert on_line == sorted(on_line)


@pytest.mark.parametrize("locale", ["en", "ur"])
def test_progress_keeps_its_distance_from_the_verdict(locale: str, look: Any) -> None:
    """Figures run from left to right in a line that does not: the room must be on the side of the verdict."""
    page = look(DAY_BOARD, locale=locale)
    gaps = page.locator(".results .chip + .board-progress").evaluate_all(
        "all => all.map(one => {"
        " const [a, b] = [one.previousElementSibling, one].map(it => it.getBoundingClientRect());"
        " return Math.max(a.left - b.right, b.left - a.right); })"
    )
    assert gaps
    assert min(gaps) >= 6
