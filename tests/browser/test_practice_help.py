"""Practice at the table: hints, the light, where it was lost, and playing on from there (R10)."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect
from sqlalchemy import update

from server.actions import dailies
from server.store.tables import Challenge
from tests.browser.table_page import TablePage
from tests.net.deals import wins
from tests.net.test_practice_help import LOSING
from tests.support.live_server import ThreadedServer

pytestmark = pytest.mark.browser

DOZEN = wins()["bakers-dozen"][0].seed
#: A Pyramid that the second of these moves makes impossible to clear.
LOST = ("00000000000000000000000000000014", ["p22p25", "p23p27"])


@pytest.fixture
def practise(visit: Callable[..., Page], table_server: ThreadedServer) -> Callable[..., TablePage]:
    """A new player who practises a deal."""

    def sit(ruleset: str, seed: str, **options: Any) -> TablePage:
        return TablePage(visit(f"{table_server.base_url}/practice/{ruleset}?seed={seed}", **options)).ready()

    return sit


def hinted(table: TablePage) -> tuple[str, str | None]:
    """The piles that the hint points to, once it has come: what is to be taken, and where it goes."""
    take, lay = table.page.locator(".cell.hint-take"), table.page.locator(".cell.hint-lay")
    expect(take).to_have_count(1, timeout=20_000)
    return str(take.get_attribute("data-pile")), lay.get_attribute("data-pile") if lay.count() else None


async def close_now(server: ThreadedServer, challenge: str) -> None:
    """Let a challenge close at this moment."""
    services = server.live.app.services
    now = services.clock.now_ms()
    async with services.store.writing() as conn:
        await conn.execute(update(Challenge).where(Challenge.id == challenge).values(ends_at=now, closes_at=now))
    await dailies.close_due(services)


def loss(page: Page) -> Locator:
    """The section that tells where it was lost."""
    return page.locator(".end .loss")


@pytest.mark.parametrize("way", ["drag", "tap", "keyboard"])
@pytest.mark.parametrize("key", ["pyramid", "bakers-dozen", "foursquare"])
def test_r10_every_hint_can_be_carried_out_in_every_way(practise: Any, phone: Any, key: str, way: str) -> None:
    table = practise(key, wins()[key][0].seed, **(phone if way == "tap" else {}))
    for count in range(1, 5):
        if way == "keyboard":
            table.page.keyboard.press("h")
        else:
            table.page.get_by_role("button", name="Hint").click()
        source, target = hinted(table)
        expect(table.page.locator("#live")).to_contain_text("Hint")
        expect(table.top(source)).to_have_attribute("aria-label", re.compile("hint"))
        if way == "keyboard":
            assert table.page.evaluate("document.activeElement.dataset.pile") == source
            for pile in (source, target) if target else (source,):
                table.press(pile)
        elif way == "tap":
            for pile in (source, target) if target else (source,):
                table.tap(pile)
        elif target:
            table.drag(source, target)
        else:
            table.click(source)
        table.expect_moves(count)
        expect(table.page.locator(".cell.hinted")).to_have_count(0)


def test_a_ranked_game_has_no_hint_and_no_light(sit_down: Any) -> None:
    table = sit_down("bakers-dozen", DOZEN)
    expect(table.page.get_by_role("button", name="Hint")).to_be_hidden()
    expect(table.page.locator(".light")).to_be_hidden()
    table.page.keyboard.press("h")
    expect(table.page.locator("#live")).to_contain_text("There are no hints in a game that counts.")
    assert table.page.locator(".cell.hinted").count() == 0


def keep_verdicts(table: WebSocketRoute) -> None:
    """Let the server's verdicts on positions not come through, as where it finds none."""
    server = table.connect_to_server()

    def pass_on(text: str | bytes) -> None:
        message = json.loads(text)
        if message["t"] != "winnable":
            table.send(json.dumps({**message, "winnable": None} if "winnable" in message else message))

    server.on_message(pass_on)


@pytest.mark.parametrize(("seed", "moves", "found"), [(wins()["pyramid"][0].seed, [], "won"), (*LOST, "lost")])
def test_the_light_agrees_with_a_hint_until_the_position_changes(
    visit: Any, table_server: ThreadedServer, seed: str, moves: list[str], found: str
) -> None:
    page = visit(f"{table_server.base_url}/settings")
    page.route_web_socket(re.compile("/ws$"), keep_verdicts)
    page.goto(f"{table_server.base_url}/practice/pyramid?seed={seed}")
    table = TablePage(page).ready()
    table.type_moves(moves)
    table.expect_moves(len(moves))
    light = page.locator(".light")
    expect(light).to_have_attribute("data-state", "open")
    page.keyboard.press("h")
    expect(light).to_have_attribute("data-state", found)
    expect(page.locator("#live")).to_contain_text("Hint:" if found == "won" else "can no longer be won")
    table.click(page.locator(".cell[aria-label*=stock]").first.get_attribute("data-pile") or "")
    table.expect_moves(len(moves) + 1)
    expect(light).to_have_attribute("data-state", "open")


def test_practice_tells_that_it_is_lost_and_where_and_goes_on_from_there(practise: Any) -> None:
    table = practise("bakers-dozen", DOZEN)
    light = table.page.locator(".light")
    expect(light).to_have_attribute("data-state", "won", timeout=20_000)
    table.type_moves(LOSING[:-1])
    table.expect_moves(10)
    expect(light).to_have_attribute("data-state", "won", timeout=20_000)
    table.type_moves(LOSING[-1:])
    notice = table.page.locator(".banner:not(.banner-offline)")
    expect(notice).to_contain_text("can no longer be won", timeout=20_000)
    expect(light).to_have_attribute("data-state", "lost")
    table.page.keyboard.press("h")
    expect(table.page.locator("#live")).to_contain_text("No hint: this position can no longer be won")
    notice.get_by_role("button", name="Undo").click()
    expect(light).to_have_attribute("data-state", "won")
    table.type_moves(LOSING[-1:])
    table.expect_moves(13)
    table.page.locator(".hud").get_by_role("button", name="Give up").click()
    table.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    table.expect_end("Given up")
    expect(loss(table.page)).to_contain_text("By move 13, eight of spades to column 7 c2c7:", timeout=80_000)
    loss(table.page).get_by_role("link", name="Play on from before this move").click()
    again = TablePage(table.page).ready()
    again.expect_moves(12)
    expect(light).to_have_attribute("data-state", "won", timeout=20_000)
    expect(table.page).to_have_url(re.compile(r"/practice/bakers-dozen\?attempt="))


def test_where_it_was_lost_is_told_after_the_close_only(
    visit: Callable[..., Page], table_server: ThreadedServer
) -> None:
    seed, moves = LOST
    challenge = table_server.make_challenge("pyramid", seed)
    url = f"{table_server.base_url}/challenge/{challenge}"
    asked: list[str] = []
    page = visit(url)
    page.on("request", lambda request: asked.append(request.url))
    table = TablePage(page).ready()
    table.type_moves(moves)
    table.expect_moves(2)
    page.locator(".hud").get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    table.expect_end("Given up")
    assert loss(page).count() == 0
    assert not [url for url in asked if "/analysis" in url]
    table_server.call(close_now(table_server, challenge))
    page.reload()
    table.expect_end("Given up")
    expect(loss(page)).to_contain_text("By move 2, place p23 with place p27 p23p27", timeout=80_000)
    expect(loss(page)).to_contain_text("Par is")
    loss(page).get_by_role("link", name="Play on from before this move").click()
    TablePage(page).ready().expect_moves(1)
