"""Players' pages, following, the calendar, and the field of a daily with what may be told of it."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import FIRST_PLAY, become
from tests.browser.table_page import TablePage
from tests.browser.test_boards import ALL_BOARD, api
from tests.support.live_server import ThreadedServer

pytestmark = pytest.mark.browser

DEAL = "/daily/2026-03-08/pyramid"
#: A card as the notation writes it.
CARD = re.compile(r"\b[A2-9TJQK][CDHScdhs]\b")


@pytest.fixture
def best(past_server: ThreadedServer) -> dict[str, Any]:
    """The profile of the best player of all time, as the interface for programs tells it."""
    row = api(past_server, ALL_BOARD)["rows"][0]
    return api(past_server, f"/players/{row['player']['id']}")


@pytest.fixture
def own(past_server: ThreadedServer, visit: Callable[..., Page]) -> Callable[..., Page]:
    """A page as its player sees it, by default the winner of a closed daily."""

    def open_page(path: str, player: str | None = None, **options: Any) -> Page:
        page = visit(f"{past_server.base_url}/settings", **options)
        if player is None:
            player = api(past_server, "/boards/daily/2026-03-08/pyramid")["rows"][0]["player"]["id"]
        become(page, past_server, player)
        page.goto(past_server.base_url + path.format(player=player))
        return page

    return open_page


def test_a_profile_agrees_with_the_interface_for_programs(
    best: dict[str, Any], past_server: ThreadedServer, visit: Any
) -> None:
    """R50, R52: one truth; wins never exceed games."""
    page = visit(f"{past_server.base_url}/players/{best['player']['id']}")
    expect(page.locator("h1 bdi")).to_have_text(best["player"]["name"])
    expect(page.locator(".streak-now strong")).to_have_text(str(best["streak"]["current"]))
    panels = page.locator(".game")
    expect(panels).to_have_count(len(best["games"]))
    for at, game in enumerate(best["games"]):
        names, values = (panels.nth(at).locator(tag).all_inner_texts() for tag in ("dt", "dd"))
        facts = dict(zip(names, values, strict=True))
        assert facts["Played"] == str(game["played"])
        assert facts["Won"].split(" ")[0] == str(game["won"])
        assert facts["Fewest moves"] == ("–" if game["fewest_moves"] is None else str(game["fewest_moves"]))
        assert game["won"] <= game["played"]
    expect(page.locator(".recent tbody tr")).to_have_count(len(best["recent"]))
    expect(page.locator(".strip-day")).to_have_count(31)


def test_a_first_follow_makes_a_guest(best: dict[str, Any], past_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{past_server.base_url}/players/{best['player']['id']}", expect=FIRST_PLAY)
    count = page.locator(".follow .small")
    before = int(count.inner_text().split(" ")[0])
    act = page.locator(".follow button")
    expect(act).to_have_attribute("aria-pressed", "false")
    assert page.context.cookies() == []
    act.click()
    expect(act).to_have_attribute("aria-pressed", "true")
    expect(act).to_be_focused()
    expect(count).to_have_text(re.compile(rf"^{before + 1} follower"))
    told = page.locator(".streak .fact", has_text="Followers").locator("dd")
    expect(told).to_have_text(str(before + 1))
    expect(page.locator(".who-name")).to_have_text(re.compile("Guest"))
    expect(page.locator("#live")).to_have_text(f"You follow {best['player']['name']} now.")
    page.reload()
    expect(act).to_have_text("Following")
    act.click()
    expect(count).to_have_text(re.compile(rf"^{before} follower"))
    expect(act).to_have_text("Follow")


def test_the_own_page_offers_no_following(own: Any) -> None:
    page = own("/players/{player}")
    expect(page.locator(".profile-names .badge-you")).to_be_visible()
    expect(page.locator(".follow")).to_have_count(0)
    expect(page.locator(".who")).to_have_attribute("aria-current", "page")


def test_an_unknown_player_is_told_kindly(past_server: ThreadedServer, visit: Any) -> None:
    page = visit(f"{past_server.base_url}/players/nobody", expect="404 (Not Found)")
    expect(page.get_by_role("heading", name="Nothing was dealt here")).to_be_visible()


def test_the_calendar_shows_months_and_days(past_server: ThreadedServer, own: Any) -> None:
    page = own("/calendar?day=2026-03-08")
    chosen = page.locator('.day[data-date="2026-03-08"]')
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(chosen).to_have_attribute("data-state", "played")
    expect(page.locator(".day-deal")).to_have_count(6)
    expect(page.locator(".day-deal", has_text="Pyramid").locator(".chip")).to_have_count(1)
    expect(page.locator('.day[aria-current="date"]')).to_have_attribute("data-date", "2026-03-10")
    expect(page.locator('.day[data-state="future"]').first).to_be_disabled()
    page.get_by_role("button", name="The month before").click()
    expect(page.locator(".board-period")).to_have_text("February 2026")
    expect(page.get_by_role("button", name="The month before")).to_be_focused()
    expect(page.locator(".day")).to_have_count(28)
    page.locator('.day[data-date="2026-02-25"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#day-title")).to_have_text("Wednesday, February 25")
    expect(page).to_have_url(re.compile("day=2026-02-25"))


def test_a_past_day_is_open_as_practice(own: Any) -> None:
    page = own("/calendar?day=2026-03-07")
    page.locator(".day-deal", has_text="Foursquare").get_by_role("link", name="Practise").click()
    TablePage(page).ready()
    expect(page.locator(".hud-subtitle")).to_have_text("Practice")


def test_days_stand_under_their_weekday(own: Any) -> None:
    """1 March 2026 was a Sunday; weeks begin on Monday, on the right where one writes from there."""
    page = own("/calendar?day=2026-03-08", locale="ur")
    column = page.locator('.day[data-date="2026-03-01"]').evaluate("day => day.closest('td').cellIndex")
    assert column == 6
    first = page.locator('.day[data-date="2026-03-02"]').bounding_box()
    last = page.locator('.day[data-date="2026-03-08"]').bounding_box()
    assert first is not None
    assert last is not None
    assert first["x"] > last["x"]


def field_of(page: Page) -> dict[str, Any]:
    """Where one's own bar stands, and how the charts are laid out."""
    page.locator(".field .chart").first.wait_for()
    return dict(
        page.evaluate(
            """() => ({
                own: [...document.querySelectorAll('.hist-own')].map(bar => bar.getAttribute('x')),
                directions: [...document.querySelectorAll('.chart-svg')].map(one => getComputedStyle(one).direction),
                labels: [...document.querySelectorAll('.chart-label')].map(one => one.textContent),
            })"""
        )
    )


def test_the_field_shows_where_one_stands(past_server: ThreadedServer, own: Any) -> None:
    """After the end: one's bar in every histogram, one's line beside the median, and all of it as tables."""
    page = own(DEAL)
    found = field_of(page)
    board = api(past_server, "/boards/daily/2026-03-08/pyramid")
    expect(page.locator(".field-sum")).to_contain_text(f"{board['total']} results")
    expect(page.locator(".field-sum strong")).to_have_text(re.compile(r"You did better than all \d+ others\."))
    assert len(found["own"]) >= 1
    expect(page.locator(".pace-own")).to_have_count(1)
    expect(page.locator(".pace-median")).to_have_count(1)
    page.locator(".chart-table summary").first.click()
    expect(page.locator(".chart-table .own .badge-you").first).to_be_visible()
    counted = page.locator(".chart-table").first.locator("td.num").all_inner_texts()
    assert sum(int(count) for count in counted) > 0
    for chart in page.locator(".chart-svg").all():
        assert chart.get_attribute("role") == "img"
        assert chart.get_attribute("aria-label")


def test_charts_are_not_mirrored(own: Any) -> None:
    """R56: in Urdu the bars and lines stand where they stand in English."""
    english, urdu = field_of(own(DEAL)), field_of(own(DEAL, locale="ur"))
    assert set(urdu["directions"]) == {"ltr"}
    assert urdu["own"] == english["own"]
    clocks = [text for text in english["labels"] if ":" in text]
    assert clocks
    assert clocks == [text for text in urdu["labels"] if ":" in text]


def test_a_visitor_sees_the_field_of_a_closed_deal(past_server: ThreadedServer, visit: Any) -> None:
    page = visit(past_server.base_url + DEAL)
    page.locator(".field .chart").first.wait_for()
    expect(page.locator(".hist-own, .share")).to_have_count(0)
    page.get_by_role("link", name="See the board").click()
    expect(page.locator(".results")).to_be_visible()
    page.get_by_role("link", name="How everybody did").click()
    expect(page.locator(".field")).to_be_visible()


def test_what_is_shared_tells_no_card(own: Any, past_server: ThreadedServer) -> None:
    """The sentence, ten moons, and the link; copied by one press."""
    page = own(DEAL)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text = page.get_by_label("Text to share").input_value()
    sentence, moons, link = text.split("\n")
    assert re.fullmatch(r"I (won|played) Pyramid of 8 March.*, \d+:\d\d, \d+\w\w of \d+ finished", sentence)
    assert len(moons) == 10
    assert set(moons) <= set("🌑🌒🌓🌔🌕")
    assert list(moons) == sorted(moons)
    assert link == past_server.base_url + DEAL
    assert CARD.search(text) is None
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".share-state")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == text


def test_where_copying_is_forbidden_words_help(own: Any) -> None:
    """On plain HTTP there is no clipboard, and old ways may be shut: the text lies selected, and the page says so."""
    page = own("/settings")
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', {value: undefined}); document.execCommand = () => false;"
    )
    page.goto(page.url.replace("/settings", DEAL))
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".share-state")).to_contain_text("copy it by hand")
    chosen = page.evaluate("document.activeElement.selectionEnd - document.activeElement.selectionStart")
    assert chosen == page.evaluate("document.activeElement.value.length") > 60


def test_the_share_sheet_is_offered_where_there_is_one(own: Any) -> None:
    page = own("/settings")
    page.add_init_script("navigator.share = async (what) => { window.shared = what; };")
    page.goto(page.url.replace("/settings", DEAL))
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("window.shared.text") == page.get_by_label("Text to share").input_value()


@pytest.mark.parametrize("locale", ["en", "tr", "ur"])
@pytest.mark.parametrize("path", ["/players/{player}", "/calendar?day=2026-03-08", DEAL])
def test_pages_of_players_fit_a_phone(path: str, locale: str, own: Any, phone: dict[str, Any]) -> None:
    page = own(path, locale=locale, **phone)
    page.locator(".profile, .day-deal, .field .chart").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    small = page.locator("main a:visible, main button:visible, dialog a:visible, dialog button:visible").evaluate_all(
        "all => all.filter(one => Math.min(one.offsetWidth, one.offsetHeight) < 24).map(one => one.outerHTML)"
    )
    assert small == []


def field_with(page: Page, change: Callable[[dict[str, Any]], None]) -> None:
    """Let the field of the next page be another one."""

    def answer(route: Any) -> None:
        body = route.fetch().json()
        change(body)
        route.fulfill(json=body)

    page.route("**/api/v1/dailies/*/*/field", answer)


@pytest.mark.parametrize(
    ("of", "beaten", "equal", "words"),
    [
        (1, 0, 0, "You are the first on this board."),
        (2, 1, 0, "You did better than the only other player."),
        (4, 3, 0, "You did better than all 3 others."),
        (4, 0, 3, "3 did exactly as well."),
        (4, 0, 0, "Nobody stands behind you so far."),
        (5, 2, 1, "You did better than 2 of 4 others (50%). 1 did exactly as well."),
        (2001, 1999, 0, "You did better than 1,999 of 2,000 others (99.9%)."),
    ],
)
def test_the_place_among_the_others_is_told_truly(of: int, beaten: int, equal: int, words: str, own: Any) -> None:
    """Whoever has beaten all has beaten all, equals are told apart, and nothing is rounded up to everybody."""
    page = own("/settings")
    field_with(page, lambda body: body["own"].update(of=of, beaten=beaten, equal=equal))
    page.goto(page.url.replace("/settings", DEAL))
    expect(page.locator(".field-sum strong")).to_have_text(words)


def test_bars_are_labelled_as_what_they_hold(own: Any) -> None:
    """A last bar that has all above it says so, and what is counted ends at the last number there is."""

    def change(body: dict[str, Any]) -> None:
        def bars(*borders: int) -> list[dict[str, int]]:
            return [{"start": a, "end": b, "count": 1} for a, b in pairwise(borders)]

        body["moves"] = {"unit": "moves", "bars": bars(30, 35, 40, 45), "own": 2, "total": 3, "open_ended": True}
        body["progress"] = {"unit": "cards", "bars": bars(0, 10, 20, 29), "own": 2, "total": 3, "open_ended": False}
        body["won"] = 1
        body["scores"] = {"unit": "points", "bars": bars(15, 16, 17), "own": 1, "total": 2, "open_ended": False}

    page = own("/settings")
    field_with(page, change)
    page.goto(page.url.replace("/settings", DEAL))
    moves, progress = (page.locator(".chart", has_text=name) for name in ("Moves of wins", "Progress of everybody"))
    expect(moves.locator(".chart-label")).to_have_text(["30", "35", "40+"])
    expect(progress.locator(".chart-label")).to_have_text(["0", "10", "28"])
    expect(page.locator(".chart", has_text="Score").locator(".chart-label")).to_have_text(["15", "16"])
    assert "40 or more" in str(moves.locator("svg").get_attribute("aria-label"))
    assert "20–28" in str(progress.locator("svg").get_attribute("aria-label"))


def test_a_score_is_told_wherever_the_result_is(own: Any) -> None:
    page = own("/settings")
    field_with(page, lambda body: body["own"].update(outcome="won", score=17))
    page.goto(page.url.replace("/settings", DEAL))
    assert ", score 17, " in page.get_by_label("Text to share").input_value()

    def scored(route: Any) -> None:
        body = route.fetch().json()
        body["games"][0]["best_score"] = 21
        body["recent"][0]["score"] = 19
        route.fulfill(json=body)

    page.route(re.compile("/api/v1/players/[^/]+$"), scored)
    page.locator(".end-close").click()
    page.goto(page.url.replace(DEAL, "/settings"))
    page.locator(".who").click()
    expect(page.locator(".game").first.locator(".fact", has_text="Best score").locator("dd")).to_have_text("21")
    expect(page.locator(".recent tbody tr").first).to_contain_text("score 19")


def test_moons_go_by_time(own: Any) -> None:
    page = own("/settings")
    field_with(page, lambda body: body["own"].update(course=[0, 7, 14, 21, 21, 20, 27, 27, 28, 28], progress=28))
    page.goto(page.url.replace("/settings", DEAL))
    assert page.get_by_label("Text to share").input_value().split("\n")[1] == "🌑🌒🌓🌔🌔🌓🌔🌔🌕🌕"


@pytest.mark.parametrize("locale", ["en", "tr", "ur"])
def test_the_text_to_share_is_seen_whole(locale: str, own: Any, phone: dict[str, Any]) -> None:
    for options in ({}, phone):
        page = own(DEAL, locale=locale, **options)
        page.locator(".share-text").wait_for()
        page.wait_for_function(
            "() => { const one = document.querySelector('.share-text');"
            " return one.style.blockSize && one.scrollHeight <= one.clientHeight; }"
        )


def test_one_sees_whom_one_follows_and_by_whom_one_is_followed(past_server: ThreadedServer, own: Any) -> None:
    rows = api(past_server, f"{ALL_BOARD}?limit=100")["rows"]
    me, other = rows[12]["player"], rows[40]["player"]
    fan = own(f"/players/{me['id']}", other["id"])
    if fan.locator(".follow button").get_attribute("aria-pressed") == "false":
        fan.locator(".follow button").click()
    expect(fan.locator(".follow button")).to_have_attribute("aria-pressed", "true")
    page = own("/players/{player}", me["id"])
    followed, followers = page.locator(".follows details").first, page.locator(".follows details").last
    followers.locator("summary").click()
    expect(followers.locator(".player-link", has_text=other["name"]).first).to_be_visible()
    followed.locator("summary").click()
    first = followed.locator("li").first
    name = first.locator("bdi").inner_text()
    before = int(page.locator(".streak .fact", has_text="Follows").locator("dd").inner_text())
    first.get_by_role("button", name=f"Unfollow {name}").click()
    expect(first.get_by_role("button", name=f"Follow {name}", exact=True)).to_be_focused()
    expect(page.locator(".streak .fact", has_text="Follows").locator("dd")).to_have_text(str(before - 1))
    first.get_by_role("button", name=f"Follow {name}", exact=True).click()
    expect(page.locator(".streak .fact", has_text="Follows").locator("dd")).to_have_text(str(before))


def test_the_first_page_tells_a_streak(own: Any) -> None:
    """Of players who have one, and it leads to their page."""

    def going(days: int) -> Callable[[Any], None]:
        def answer(route: Any) -> None:
            body = route.fetch().json()
            body["streak"]["current"] = days
            route.fulfill(json=body)

        return answer

    page = own("/settings")
    page.locator(".who").wait_for()
    for days, words in ((0, None), (1, "Streak: 1 day in a row"), (12, "Streak: 12 days in a row")):
        page.route(re.compile("/api/v1/players/[^/]+$"), going(days))
        with page.expect_response(re.compile("/api/v1/players/")):
            page.goto(re.sub("/[a-z]*$", "/", page.url))
        page.locator(".daily").first.wait_for()
        if words is None:
            expect(page.locator(".lobby-streak")).to_be_hidden()
        else:
            expect(page.locator(".lobby-streak")).to_have_text(words)
    page.locator(".lobby-streak a").click()
    expect(page.locator(".streak-now strong")).to_have_text("12")


def test_the_end_of_a_game_tells_how_it_is_ranked(own: Any) -> None:
    page = own(DEAL)
    notes = page.locator(".end-notes")
    expect(notes).to_contain_text("Ranked by: shorter time, fewer moves.")
    expect(notes).to_contain_text("Undo: unlimited")
    expect(notes).not_to_contain_text("The server was away")


@pytest.mark.parametrize("path", ["/boards", "/calendar", "/", DEAL])
def test_the_way_back_leads_the_keyboard_to_the_page(path: str, past_server: ThreadedServer, visit: Any) -> None:
    """Nobody who goes by keyboard begins nowhere after a way back."""
    page = visit(past_server.base_url + path)
    page.locator("h1, .field").first.wait_for()
    page.goto(past_server.base_url + "/settings")
    page.get_by_role("link", name="Play", exact=True).click()
    page.locator(".daily").first.wait_for()
    for step in ("back", "forward", "back"):
        page.evaluate(f"history.{step}()")
        page.locator("h1").wait_for()
        page.wait_for_function("() => document.activeElement !== document.body")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")
