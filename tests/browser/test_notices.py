"""Notices over the table: they tell and offer a way on; they never end a game by themselves (R13, R14, C7, P10)."""

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.table_page import TablePage
from tests.browser.test_play import FIRST

pytestmark = pytest.mark.browser

#: A Baker's Dozen that five moves bring to a stand.
STUCK = ("000000000000000000000000000000e3", ["c10c12", "c8c7", "c9c6", "c9c8", "c4c8"])
#: A Pyramid that the second of these moves makes impossible to clear, and one that never could be.
LOST = ("00000000000000000000000000000014", ["p22p25", "p23p27"])
DOOMED = "00000000000000000000000000000005"


def notice(table: TablePage) -> Locator:
    """The notice under the bar."""
    return table.page.locator(".banner:not(.banner-offline)")


def test_no_moves_left_offers_undo_and_an_end(sit_down: Any) -> None:
    seed, moves = STUCK
    table = sit_down("bakers-dozen", seed)
    table.type_moves(moves[:-1])
    table.expect_moves(4)
    expect(notice(table)).to_be_hidden()
    table.type_moves(moves[-1:])
    expect(notice(table)).to_contain_text("No moves left")
    expect(table.page.locator("#live")).to_contain_text("No moves left")
    assert table.page.locator(".end").count() == 0
    notice(table).get_by_role("button", name="Undo").click()
    expect(notice(table)).to_be_hidden()
    table.expect_moves(6)
    assert table.focused() != ""
    table.type_moves(moves[-1:])
    notice(table).get_by_role("button", name="Give up").click()
    table.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    table.expect_end("Given up")


def test_a_lost_position_is_told_and_undo_takes_it_back(sit_down: Any) -> None:
    """R14: the notice comes with the move that loses, goes with its undo, and comes again."""
    seed, moves = LOST
    table = sit_down("pyramid", seed)
    table.play_by_clicks(moves[:1])
    expect(notice(table)).to_be_hidden()
    table.play_by_clicks(moves[1:])
    expect(notice(table)).to_contain_text("can no longer be won")
    table.page.keyboard.press("z")
    expect(notice(table)).to_be_hidden()
    table.play_by_clicks(moves[1:])
    expect(notice(table)).to_contain_text("can no longer be won")
    notice(table).get_by_role("button", name="Keep playing").click()
    expect(notice(table)).to_be_hidden()
    table.click("s")
    table.expect_moves(5)
    expect(notice(table)).to_be_hidden()


def test_a_deal_that_could_not_be_won_says_so_also_later(sit_down: Any) -> None:
    table = sit_down("pyramid", DOOMED)
    expect(notice(table)).to_contain_text("could not be won from the start")
    table.click("s")
    table.expect_moves(1)
    table.page.reload()
    table.ready()
    expect(notice(table)).to_contain_text("could not be won from the start")


def test_draws_left_are_no_end(sit_down: Any) -> None:
    """R13: with a stock to turn there are moves left."""
    table = sit_down("pyramid", FIRST["pyramid"]["seed"])
    table.type_moves(["s"] * 24)
    table.expect_moves(24)
    expect(notice(table)).to_be_hidden()
    table.click("s")
    table.expect_moves(25)
    expect(table.top("w1")).to_have_attribute("data-card", "")


def test_zen_shows_the_table_alone(sit_down: Any) -> None:
    table = sit_down("pyramid", FIRST["pyramid"]["seed"])
    table.page.keyboard.press("f")
    expect(table.page.get_by_role("button", name="Give up")).to_be_hidden()
    expect(table.page.locator(".figure-time")).to_be_visible()
    table.page.keyboard.press("f")
    expect(table.page.get_by_role("button", name="Give up")).to_be_visible()


def test_shortcuts_can_be_switched_off(sit_down: Any) -> None:
    """A reader who speaks to the machine must not set off single keys."""
    table = sit_down("pyramid", FIRST["pyramid"]["seed"])
    address = table.page.url
    table.page.goto(address.split("/challenge")[0] + "/settings")
    table.page.get_by_label("Single-key shortcuts").uncheck()
    table.page.goto(address)
    table.ready()
    table.page.keyboard.press("/")
    expect(table.page.locator(".line")).to_be_hidden()
    table.page.keyboard.press("f")
    expect(table.page.get_by_role("button", name="Give up")).to_be_visible()


def test_one_tap_plays_the_first_move_where_that_is_chosen(sit_down: Any) -> None:
    table = sit_down("bakers-dozen", FIRST["bakers-dozen"]["seed"])
    address = table.page.url
    table.page.goto(address.split("/challenge")[0] + "/settings")
    table.page.get_by_label("Play with one tap").check()
    table.page.goto(address)
    table.ready()
    ace = table.page.locator('.cell[aria-label*="ace of"][aria-label*="playable"]').first
    table.click(ace.get_attribute("data-pile") or "")
    table.expect_moves(1)


def test_a_double_click_plays_the_first_move(sit_down: Any) -> None:
    table = sit_down("bakers-dozen", FIRST["bakers-dozen"]["seed"])
    ace = table.page.locator('.cell[aria-label*="ace of"][aria-label*="playable"]').first
    table.page.mouse.dblclick(*table.middle(ace.get_attribute("data-pile") or ""))
    table.expect_moves(1)
    assert table.figure("Progress") == "1 / 52"
