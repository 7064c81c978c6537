"""Players' pages, following, the calendar, and the field of a daily with what may be told of it."""

import re
from collections.abc import Callable
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
    expect(page.locator(".field-sum strong")).to_have_text(re.compile(r"better than [\d.]+% of the field"))
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
    assert re.fullmatch(r"I (won|played) Pyramid of March 8.*, \d+:\d\d, \d+\w\w of \d+ finished", sentence)
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
