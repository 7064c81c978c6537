"""Lost connections and sleeping pages: the table resumes exactly, and no move is lost or made twice (R29, R31)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from server.clock import ManualClock
from tests.browser.table_page import TablePage
from tests.browser.test_play import FIRST
from tests.support.live_server import NOON, ThreadedServer

pytestmark = pytest.mark.browser

#: Hands on the page's sockets: cut them, swallow what they send or receive. `wire.hold` keeps new ones from opening:
#: they fail at once, as at a port where nobody listens, but without the pause that browsers make after several of them.
WIRE = """
window.wire = {all: [], deaf: false, mute: false, hold: false, sent: []};
const Real = window.WebSocket;
class Refused extends EventTarget {
  readyState = Real.CONNECTING;
  constructor() {
    super();
    window.wire.all.push(this);
    Promise.resolve().then(() => {
      this.readyState = Real.CLOSED;
      this.dispatchEvent(new Event('close'));
    });
  }
  close() {}
}
window.WebSocket = class extends Real {
  constructor(url) {
    if (window.wire.hold) return new Refused();
    super(url);
    window.wire.all.push(this);
  }
  send(data) {
    window.wire.sent.push(data);
    if (!window.wire.mute) super.send(data);
  }
  addEventListener(type, listener, options) {
    super.addEventListener(type, (event) => {
      if (!(type === 'message' && window.wire.deaf)) listener(event);
      else if (event.data.includes('"played"')) console.log('unheard');
    }, options);
  }
};
"""


@pytest.fixture
def wired(table_server: ThreadedServer, visit: Any) -> Any:
    """A table whose socket the test can cut."""

    def sit(ruleset: str, *, own_clock: bool = False) -> TablePage:
        challenge = table_server.make_challenge(ruleset, FIRST[ruleset]["seed"])
        page = visit(f"{table_server.base_url}/settings")
        if own_clock:
            page.clock.install()
        page.add_init_script(WIRE)
        page.goto(f"{table_server.base_url}/challenge/{challenge}")
        return TablePage(page).ready()

    return sit


def cut(page: Page, state: str = "{}") -> None:
    """The connection is lost; `state` changes how the wire behaves from then on."""
    page.evaluate(f"Object.assign(window.wire, {state}); window.wire.all.at(-1).close()")


def plays(page: Page) -> list[tuple[int, str]]:
    """Every play that the page has sent."""
    frames = [json.loads(text) for text in page.evaluate("window.wire.sent")]
    return [(frame["seq"], frame["move"]) for frame in frames if frame["t"] == "play"]


def test_a_cut_connection_is_told_and_resumed(wired: Any) -> None:
    table: TablePage = wired("bakers-dozen")
    moves = FIRST["bakers-dozen"]["moves"].split()
    table.play_by_clicks(moves[:3])
    before = table.cards()
    cut(table.page, "{hold: true}")
    banner = table.page.locator(".banner-offline")
    expect(banner).to_be_visible()
    expect(table.page.locator(".connection")).to_have_attribute("aria-label", "Not connected")
    # In one turn, or the page's own next try may be first and take the button away.
    banner.get_by_role("button", name="Try now").evaluate("button => { window.wire.hold = false; button.click(); }")
    expect(banner).to_be_hidden()
    assert table.cards() == before
    table.play_by_clicks(moves[3:5])


def test_a_move_that_never_arrived_is_sent_again(wired: Any) -> None:
    """It goes out once more with the number that it had."""
    table: TablePage = wired("bakers-dozen")
    moves = FIRST["bakers-dozen"]["moves"].split()
    table.play_by_clicks(moves[:2])
    table.page.evaluate("window.wire.mute = true")
    table.type_moves([moves[2]])
    cut(table.page, "{mute: false}")
    table.expect_moves(3)
    assert [play for play in plays(table.page) if play[0] == 2] == [(2, moves[2])] * 2
    table.play_by_clicks(moves[3:5])


def test_a_move_whose_answer_was_lost_is_made_once(wired: Any) -> None:
    table: TablePage = wired("bakers-dozen")
    moves = FIRST["bakers-dozen"]["moves"].split()
    table.play_by_clicks(moves[:2])
    with table.page.expect_event("console", lambda message: message.text == "unheard"):
        table.page.evaluate("window.wire.deaf = true")
        table.type_moves([moves[2]])
    cut(table.page, "{deaf: false}")
    table.expect_moves(3)
    table.play_by_clicks(moves[3:5])
    expect(table.page.locator(".whisper.on")).to_have_count(0)


def test_an_optimistic_move_is_shown_before_its_answer_and_rolled_back(wired: Any) -> None:
    """The card lies on its new pile at once; when the server refuses, what the server holds is shown again."""
    table: TablePage = wired("bakers-dozen")
    move = FIRST["bakers-dozen"]["moves"].split()[0]
    source, target = re.fullmatch(r"(c\d+)(\w+)", move).groups()  # type: ignore[union-attr]
    before, card = table.cards(), table.card(source)
    table.page.evaluate("window.wire.mute = true")
    table.click(source)
    table.click(target)
    assert table.card(target) == card
    assert table.moves() == 0
    table.page.evaluate(
        """() => {
            const {id, attempt, seq} = JSON.parse(window.wire.sent.filter(text => text.includes('"play"')).at(-1));
            const data = JSON.stringify({t: 'rejected', id, attempt, seq, code: 'move/illegal'});
            window.wire.all.at(-1).dispatchEvent(new MessageEvent('message', {data}));
        }"""
    )
    expect(table.page.locator(".whisper")).to_have_text("That move is not allowed here.")
    assert table.cards() == before


def test_old_news_is_ignored_and_a_gap_asks_for_everything(wired: Any) -> None:
    table: TablePage = wired("bakers-dozen")
    moves = FIRST["bakers-dozen"]["moves"].split()
    table.play_by_clicks(moves[:2])
    before = table.cards()
    for seq in (1, 2, 9):
        table.page.evaluate(
            """([seq]) => {
                const {attempt} = JSON.parse(window.wire.sent.filter(text => text.includes('"play"')).at(-1));
                const data = JSON.stringify({t: 'played', attempt, seq, at_ms: 1, move: 'c1c2', steps: [],
                    piles: {c1: []}, legal: [], can_undo: true, moves: 99, progress: 0, over: null, winnable: null});
                window.wire.all.at(-1).dispatchEvent(new MessageEvent('message', {data}));
            }""",
            [seq],
        )
        assert table.moves() == 2
    assert table.cards() == before
    assert [text for text in table.page.evaluate("window.wire.sent.slice(-3)") if '"t":"sync"' in text]
    table.play_by_clicks(moves[2:4])


def test_a_dead_line_is_told_and_taps_wait_for_it(wired: Any) -> None:
    """Nothing comes back and nothing says so: within five seconds it is told, and what is tapped is noted and sent."""
    table: TablePage = wired("bakers-dozen", own_clock=True)
    moves = FIRST["bakers-dozen"]["moves"].split()
    table.play_by_clicks(moves[:2])
    table.page.evaluate("Object.assign(window.wire, {mute: true, deaf: true, hold: true})")
    banner = table.page.locator(".banner-offline")
    table.page.clock.run_for(5_000)
    assert banner.is_visible()
    table.type_moves([moves[2]])
    expect(table.page.locator(".whisper.on")).to_contain_text("as soon as the connection is back")
    banner.get_by_role("button", name="Try now").evaluate(
        "button => { Object.assign(window.wire, {mute: false, deaf: false, hold: false}); button.click(); }"
    )
    table.expect_moves(3)
    expect(banner).to_be_hidden()


def test_it_comes_back_within_seconds_however_long_it_was_away(wired: Any) -> None:
    table: TablePage = wired("bakers-dozen")
    table.page.clock.install()
    cut(table.page, "{hold: true}")
    expect(table.page.locator(".banner-offline")).to_be_visible()
    for _ in range(8):
        before = table.page.evaluate("window.wire.all.length")
        table.page.clock.run_for(3_100)
        table.page.wait_for_function("before => window.wire.all.length > before", arg=before)


@pytest.fixture
def frozen_server(tmp_path: Path) -> Iterator[ThreadedServer]:
    """A server whose clock stands still unless the test moves it."""
    server = ThreadedServer(f"sqlite+aiosqlite:///{tmp_path / 'samedeal.db'}", tmp_path, ManualClock(NOON))
    with server.running():
        yield server


def test_a_page_that_slept_shows_the_servers_time(frozen_server: ThreadedServer, visit: Any) -> None:
    """R29: the page stood still for half a minute; when it is seen again the clock is right and the game goes on."""
    challenge = frozen_server.make_challenge("pyramid", FIRST["pyramid"]["seed"])
    page = visit(f"{frozen_server.base_url}/settings")
    page.clock.install()
    page.goto(f"{frozen_server.base_url}/challenge/{challenge}")
    table = TablePage(page).ready()
    frozen_server.advance(30_000)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.clock.run_for(300)
    expect(page.locator(".figure-time")).to_have_text(re.compile(r"0:3\d"))
    table.click("s")
    table.expect_moves(1)
