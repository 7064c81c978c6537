"""Whole games in Chromium: by clicks, by drags, by keyboard alone, with a bad connection, and across a reload."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from server.games import rulesets
from tests.browser.table_page import TablePage, piles_of
from tests.support.live_server import ThreadedServer

pytestmark = pytest.mark.browser

LINES = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "vectors" / "wins.jsonl").read_text("utf-8").splitlines()
]
FIRST = {line["ruleset"]: line for line in reversed(LINES)}


#: Delays what the socket sends and receives by 150 ms each way.
LATENCY = """
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (data) { setTimeout(() => send.call(this, data), 150); };
const listen = WebSocket.prototype.addEventListener;
WebSocket.prototype.addEventListener = function (type, listener, options) {
  listen.call(this, type, (event) => setTimeout(listener, 150, event), options);
};
"""


def test_every_ruleset_has_a_winning_line() -> None:
    assert set(FIRST) == set(rulesets())


@pytest.mark.parametrize("ruleset", sorted(FIRST))
def test_a_win_by_clicks(ruleset: str, sit_down: Any) -> None:
    line = FIRST[ruleset]
    table = sit_down(ruleset, line["seed"])
    table.play_by_clicks(line["moves"].split())
    table.expect_end("Won")
    assert table.moves() == line["expect"]["moves"]
    assert table.figure("Progress").split(" / ")[0] == str(line["expect"]["progress"])


@pytest.mark.parametrize("ruleset", ["bakers-dozen", "pyramid-3"])
def test_a_win_by_drags(ruleset: str, sit_down: Any) -> None:
    line = FIRST[ruleset]
    table = sit_down(ruleset, line["seed"])
    table.play_by_drags(line["moves"].split())
    table.expect_end("Won")


@pytest.mark.parametrize("ruleset", ["pyramid", "foursquare"])
def test_a_win_by_taps_on_a_phone(ruleset: str, sit_down: Any, phone: dict[str, Any]) -> None:
    line = FIRST[ruleset]
    table = sit_down(ruleset, line["seed"], **phone)
    for count, move in enumerate(line["moves"].split(), 1):
        for pile in piles_of(move):
            table.tap(pile)
        table.expect_moves(count)
    table.expect_end("Won")


def walk_to(table: TablePage, pile: str) -> None:
    """Reach a pile's top card with arrow keys alone, by looking where the focus is."""
    for _ in range(60):
        here = table.page.evaluate("document.activeElement.dataset.key ?? ''")
        goal = table.top(pile).get_attribute("data-key")
        if here == goal:
            return
        now = table.page.locator(f'[data-key="{here}"]').bounding_box() if here else None
        there = table.top(pile).bounding_box()
        assert there is not None
        if now is None:
            table.page.keyboard.press("ArrowDown")
            continue
        across, down = there["x"] - now["x"], there["y"] - now["y"]
        if abs(down) > abs(across):
            table.page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
        else:
            table.page.keyboard.press("ArrowRight" if across > 0 else "ArrowLeft")
        if table.page.evaluate("document.activeElement.dataset.key ?? ''") == here:
            table.page.keyboard.press("ArrowRight" if across > 0 else "ArrowLeft" if across < 0 else "ArrowDown")
    raise AssertionError(f"the arrows do not lead to {pile}")


@pytest.mark.parametrize("ruleset", ["bakers-dozen-kings", "thirteen"])
def test_the_end_of_a_game_by_keyboard_alone(ruleset: str, sit_down: Any) -> None:
    """R59: the last moves with arrows and Enter; the focus never falls to the page."""
    line = FIRST[ruleset]
    moves = line["moves"].split()
    table = sit_down(ruleset, line["seed"])
    table.type_moves(moves[:-6])
    table.expect_moves(len(moves) - 6)
    for count, move in enumerate(moves[-6:], len(moves) - 5):
        for pile in piles_of(move):
            walk_to(table, pile)
            assert table.focused() != ""
            table.page.keyboard.press("Enter")
        table.expect_moves(count)
        assert table.focused() != ""
    table.expect_end("Won")


def test_a_whole_game_on_the_move_line(sit_down: Any) -> None:
    line = FIRST["thirteen-3"]
    table = sit_down("thirteen-3", line["seed"])
    table.type_moves(line["moves"].split())
    table.expect_end("Won")


def test_a_reload_in_mid_game_shows_the_same_table(sit_down: Any) -> None:
    line = FIRST["bakers-dozen"]
    table = sit_down("bakers-dozen", line["seed"])
    table.play_by_clicks(line["moves"].split()[:8])
    before = table.cards()
    table.page.reload()
    table.ready()
    table.expect_moves(8)
    assert table.cards() == before
    table.play_by_clicks(line["moves"].split()[8:12])


def test_undo_by_button_and_key(sit_down: Any) -> None:
    """C2: each undo counts one; the cards are back."""
    line = FIRST["pyramid"]
    table = sit_down("pyramid", line["seed"])
    before = table.cards()
    table.play_by_clicks(line["moves"].split()[:2])
    table.page.get_by_role("button", name="Undo").click()
    table.expect_moves(3)
    table.page.keyboard.press("z")
    table.expect_moves(4)
    assert table.cards() == before


def test_a_card_dropped_on_a_non_match_returns(sit_down: Any) -> None:
    """R08: it goes back to its place, nothing else moves, and a short reason is shown."""
    line = FIRST["bakers-dozen"]
    table = sit_down("bakers-dozen", line["seed"])
    before, place = table.cards(), table.top("c1").bounding_box()
    assert "c1c2" not in line["moves"].split()[:1]
    table.drag("c1", "c2")
    expect(table.page.locator(".whisper")).to_have_text("That does not go there.")
    assert table.cards() == before
    assert place is not None
    assert table.top("c1").bounding_box() == place
    assert sprite_place(table, "c1") == pytest.approx((place["x"], place["y"]), abs=3)
    assert table.moves() == 0


def sprite_place(table: TablePage, pile: str) -> tuple[float, float]:
    """Where the drawn card lies that stands for a pile's top card."""
    box = table._box(pile)
    found = table.page.evaluate(
        """([x, y]) => {
            const away = ([a, b]) => Math.hypot(a - x, b - y);
            const boxes = [...document.querySelectorAll('.card')].map(card => card.getBoundingClientRect());
            return boxes.map(box => [box.x, box.y]).sort((a, b) => away(a) - away(b))[0];
        }""",
        [box["x"], box["y"]],
    )
    return (found[0], found[1])


def test_a_double_click_under_latency_removes_one_king(table_server: ThreadedServer, visit: Any) -> None:
    """R11: with 300 ms on the way, a double click on a king is one removal and no error message."""
    line = FIRST["pyramid"]
    challenge = table_server.make_challenge("pyramid", line["seed"])
    page = visit(f"{table_server.base_url}/settings")
    page.add_init_script(LATENCY)
    sent: list[dict[str, Any]] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(json.loads(frame))))
    page.goto(f"{table_server.base_url}/challenge/{challenge}")
    table = TablePage(page).ready()
    assert line["moves"].split()[0] == "p23"
    page.mouse.dblclick(*table.middle("p23"))
    table.click("s")
    table.expect_moves(2)
    assert [frame["move"] for frame in sent if frame["t"] == "play"] == ["p23", "s"]
    assert table.figure("Progress") == "1 / 28"
    assert page.locator(".whisper").inner_text() == ""
    assert page.locator(".cell.selected").count() == 0


def test_taps_ahead_are_queued_and_sent_one_by_one(table_server: ThreadedServer, visit: Any) -> None:
    """Four quick clicks on the stock over a slow line are four draws."""
    challenge = table_server.make_challenge("pyramid", FIRST["pyramid"]["seed"])
    page = visit(f"{table_server.base_url}/settings")
    page.add_init_script(LATENCY)
    page.goto(f"{table_server.base_url}/challenge/{challenge}")
    table = TablePage(page).ready()
    for _ in range(4):
        table.click("s")
    table.expect_moves(4)
    expect(table.page.locator(".whisper.on")).to_have_count(0)


def test_two_tabs_show_the_same_game(table_server: ThreadedServer, visit: Any) -> None:
    line = FIRST["bakers-dozen"]
    challenge = table_server.make_challenge("bakers-dozen", line["seed"])
    first = TablePage(visit(f"{table_server.base_url}/challenge/{challenge}")).ready()
    second = TablePage(first.page.context.new_page())
    second.page.goto(f"{table_server.base_url}/challenge/{challenge}")
    second.ready()
    moves = line["moves"].split()
    first.play_by_clicks(moves[:3])
    second.expect_moves(3)
    assert second.cards() == first.cards()
    second.play_by_clicks(moves[3:6])
    first.expect_moves(6)
    assert second.cards() == first.cards()


def test_giving_up_asks_first_and_ends_with_the_board(sit_down: Any) -> None:
    table = sit_down("foursquare", FIRST["foursquare"]["seed"])
    table.play_by_clicks(FIRST["foursquare"]["moves"].split()[:1])
    table.page.get_by_role("button", name="Give up").click()
    table.page.get_by_role("dialog").get_by_role("button", name="Keep playing").click()
    assert table.page.locator(".end").count() == 0
    table.page.get_by_role("button", name="Give up").click()
    table.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    table.expect_end("Given up")
    expect(table.page.locator(".end-rank")).to_have_text("1st of 1 finished")
