"""After the close a daily's page tells par and plays the winning line; before it, nothing of them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from sqlalchemy import update

from server.clock import ManualClock
from server.store import challenges, stock
from server.store.tables import Challenge
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.test_pages import CLOSED
from tests.net.deals import wins
from tests.store.seeding import deal_row
from tests.support.live_server import DAY, HOUR, NOON, ThreadedServer

pytestmark = pytest.mark.browser


@pytest.fixture
def day_server(tmp_path: Path) -> Iterator[ThreadedServer]:
    """A server whose clock the test moves."""
    server = ThreadedServer(f"sqlite+aiosqlite:///{tmp_path / 'samedeal.db'}", tmp_path, ManualClock(NOON))
    with server.running():
        yield server


def certify_today(server: ThreadedServer) -> tuple[str, list[str]]:
    """Let today's Pyramid be a certified deal; its id, and the moves of its line."""
    win = wins()["pyramid"][0]

    async def change() -> str:
        async with server.live.app.services.store.writing() as conn:
            daily = await challenges.daily(conn, "2026-03-10", "pyramid")
            assert daily is not None
            await conn.execute(update(Challenge).where(Challenge.id == daily.id).values(seed=win.seed))
            deal = deal_row("pyramid", "easy", seed=win.seed, witness=" ".join(win.moves), par=len(win.moves))
            await stock.add_used(conn, deal, daily.id, NOON)
            return daily.id

    return str(server.call(change())), list(win.moves)


@pytest.mark.parametrize(("locale", "size"), [("en-GB", PHONE), ("ur-PK", DESKTOP)])
def test_par_and_the_winning_line_are_shown_after_the_close_and_not_before(
    day_server: ThreadedServer, visit: Any, locale: str, size: Any
) -> None:
    challenge, moves = certify_today(day_server)
    page = visit(day_server.base_url, locale=locale, viewport=size)
    expect(page.locator('[data-ruleset="pyramid"] .level[data-level="easy"]')).to_be_visible()
    before = page.evaluate("async (id) => (await fetch(`/api/v1/challenges/${id}`)).json()", challenge)
    assert (before["difficulty"], before["par"], before["witness"]) == ("easy", None, None)

    day_server.advance(DAY // 2 + HOUR + 20_000)
    page.evaluate(CLOSED, challenge)
    page.goto(f"{day_server.base_url}/daily/2026-03-10/pyramid")
    proof = page.locator(".proof")
    expect(proof.locator(".proof-par")).to_be_visible()
    if locale == "en-GB":
        expect(proof.locator(".proof-par")).to_contain_text(f"can be won in {len(moves)} moves")
    assert proof.locator("input").count() == 0
    proof.get_by_role("button").click()

    slider, told = proof.get_by_role("slider"), proof.locator(".notation")
    expect(slider).to_be_focused()
    # The whole board is in view although the focus is below it.
    expect(proof.locator(".witness-board")).to_be_in_viewport(ratio=0.99)
    apex = proof.locator('.witness-board [data-pile="p1"]')
    expect(apex).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("1")
    expect(told).to_have_text(moves[0])
    if locale == "en-GB":
        first = r"^Move 1 of \d+: \w+ of \w+ with \w+ of \w+ " if len(moves[0]) > 3 else r"^Move 1 of \d+: "
        expect(proof.locator(".witness-move")).to_have_text(re.compile(first))
    page.keyboard.press("End")
    expect(told).to_have_text(moves[-1])
    expect(apex).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(str(len(moves) - 1))
    # The scrubber is not mirrored, and its buttons point the way they lead.
    back, on = (proof.locator(".witness-bar button").nth(at).bounding_box() for at in (0, 1))
    track = slider.bounding_box()
    assert back is not None
    assert on is not None
    assert track is not None
    assert back["x"] < track["x"] < on["x"]
    proof.locator(".witness-bar button").nth(1).click()
    expect(proof.locator(".witness-bar button").nth(1)).to_be_disabled()
    expect(told).to_have_text(moves[-1])
