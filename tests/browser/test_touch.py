"""Fingers: dragging is no scrolling, a cancelled touch puts the card back, a long press opens nothing (R55)."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.table_page import Point, TablePage
from tests.browser.test_play import FIRST, sprite_place
from tests.support.live_server import ThreadedServer

pytestmark = pytest.mark.browser


class Finger:
    """One finger on the screen, through the browser's own touch events."""

    def __init__(self, table: TablePage) -> None:
        self._session = table.page.context.new_cdp_session(table.page)

    def _send(self, kind: str, *points: Point) -> None:
        touches = [{"x": point.x, "y": point.y} for point in points]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def drag(self, start: Point, end: Point, *, steps: int = 8, lift: bool = True) -> None:
        """Press, move and, unless told otherwise, lift."""
        self._send("touchStart", start)
        for step in range(1, steps + 1):
            part = step / steps
            self._send("touchMove", Point(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part))
        if lift:
            self._send("touchEnd")

    def cancel(self) -> None:
        """The system takes the touch away."""
        self._send("touchCancel")

    def lift(self) -> None:
        """End the touch."""
        self._send("touchEnd")


@pytest.fixture
def table(sit_down: Any, phone: dict[str, Any]) -> TablePage:
    sat: TablePage = sit_down("bakers-dozen", FIRST["bakers-dozen"]["seed"], **phone)
    return sat


def drag_move(table: TablePage) -> tuple[str, str]:
    """A legal move from a column to another pile, with which the winning line begins."""
    first = FIRST["bakers-dozen"]["moves"].split()[0]
    for split in range(2, len(first)):
        source, target = first[:split], first[split:]
        if table.top(source).count() and table.top(target).count():
            return source, target
    raise AssertionError(first)


def test_a_drag_down_neither_scrolls_nor_reloads(table: TablePage) -> None:
    loads: list[str] = []
    closed: list[str] = []
    table.page.on("load", lambda _: loads.append("load"))
    table.page.on("websocket", lambda socket: closed.append(socket.url))
    before = table.cards()
    start = table.middle("c5")  # 7H: no card under its way takes it
    Finger(table).drag(start, Point(start.x, start.y + 200))
    assert table.cards() == before
    assert table.page.evaluate("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1]
    source, target = drag_move(table)
    Finger(table).drag(table.middle(source), table.middle(target))
    table.expect_moves(1)
    assert (loads, closed) == ([], [])


def test_the_same_move_by_two_taps(table: TablePage) -> None:
    source, target = drag_move(table)
    table.tap(source)
    expect(table.top(source)).to_have_class("cell selected")
    table.tap(target)
    table.expect_moves(1)


def test_a_cancelled_touch_puts_the_card_back(table: TablePage) -> None:
    source, target = drag_move(table)
    place = sprite_place(table, source)
    finger = Finger(table)
    finger.drag(table.middle(source), table.middle(target), lift=False)
    expect(table.page.locator(".card.dragging")).to_have_count(1)
    finger.cancel()
    expect(table.page.locator(".card.dragging")).to_have_count(0)
    assert sprite_place(table, source) == pytest.approx(place, abs=3)
    assert table.moves() == 0


def test_escape_puts_the_card_back(sit_down: Any) -> None:
    table = sit_down("bakers-dozen", FIRST["bakers-dozen"]["seed"])
    source, target = drag_move(table)
    table.page.mouse.move(*table.middle(source))
    table.page.mouse.down()
    table.page.mouse.move(*table.middle(target), steps=4)
    expect(table.page.locator(".card.dragging")).to_have_count(1)
    table.page.keyboard.press("Escape")
    table.page.mouse.up()
    expect(table.page.locator(".card.dragging")).to_have_count(0)
    assert table.moves() == 0


def test_a_long_press_opens_no_menu(table: TablePage) -> None:
    prevented = table.top("c1").evaluate(
        "cell => !cell.dispatchEvent(new MouseEvent('contextmenu', {bubbles: true, cancelable: true}))"
    )
    assert prevented


def test_legal_targets_light_up_when_a_card_is_taken_up(table: TablePage) -> None:
    source, target = drag_move(table)
    finger = Finger(table)
    start = table.middle(source)
    finger.drag(start, Point(start.x + 30, start.y + 30), lift=False)
    assert "target" in (table.top(target).get_attribute("class") or "")
    finger.cancel()
    expect(table.page.locator(".cell.target")).to_have_count(0)


def test_a_pile_takes_a_card_anywhere(sit_down: Any) -> None:
    """Dropped on the uppermost card of a column, it still goes to its end."""
    moves = FIRST["bakers-dozen"]["moves"].split()
    column_move = next(at for at, move in enumerate(moves) if move.count("c") == 2)
    table = sit_down("bakers-dozen", FIRST["bakers-dozen"]["seed"])
    table.type_moves(moves[:column_move])
    table.expect_moves(column_move)
    source, target = moves[column_move].removeprefix("c").split("c")
    box = table.page.locator(f'.cell[data-key="c{target}:0"]').bounding_box()
    assert box is not None
    table.drag(f"c{source}", f"c{target}", to=Point(box["x"] + box["width"] / 2, box["y"] + 8))
    table.expect_moves(column_move + 1)


def test_cards_are_as_large_as_the_screen_allows(table_server: ThreadedServer, visit: Any) -> None:
    """The pyramid on a common desk screen, and a Foursquare under way on a phone that lies on its side."""

    def width(table: TablePage) -> float:
        return float(table.page.locator(".card").first.evaluate("card => card.offsetWidth"))

    assert width(TablePage(visit(f"{table_server.base_url}/practice/pyramid")).ready()) >= 110
    table = TablePage(visit(f"{table_server.base_url}/practice/foursquare", viewport={"width": 740, "height": 360}))
    table.ready()
    for count in range(1, 6):
        table.click(table.page.locator(".cell.vacant").first.get_attribute("data-pile") or "")
        table.expect_moves(count)
    assert width(table) >= 44


def test_the_move_line_names_the_piles_and_a_move_of_this_table(table_server: ThreadedServer, visit: Any) -> None:
    table = TablePage(visit(f"{table_server.base_url}/practice/bakers-dozen")).ready()
    table.page.keyboard.press("/")
    example = table.page.locator(".line-input").get_attribute("placeholder") or ""
    move = example.rpartition(" ")[2]
    shown = table.page.locator(".pile-name").all_inner_texts()
    assert {"c1", "c13", "fs"} <= set(shown)
    table.page.keyboard.type(move)
    table.page.keyboard.press("Enter")
    table.expect_moves(1)
    table.page.keyboard.press("Escape")
    assert table.page.locator(".pile-names").is_hidden()
