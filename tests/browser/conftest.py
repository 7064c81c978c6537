"""Chromium, and a real server whose deals the tests know.

These tests run in a process of their own: Playwright's loop and that of asynchronous tests cannot share one.
"""

import itertools
import re
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from server.actions.people import token_hash
from server.clock import ManualClock, SystemClock
from server.commands.population import Plan, populate
from server.store import players
from tests.browser.table_page import TablePage
from tests.support.live_server import DAY, NOON, ThreadedServer

#: No part of the browser may look for anything outside this machine.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
#: Who plays for the first time asks who he is before a guest is made of him; who only looks asks nothing.
FIRST_PLAY = "401 (Unauthorized)"
#: How long a test waits for what a page shall show, in milliseconds: a busy machine is no fault.
PATIENCE_MS = 20_000
expect.set_options(timeout=PATIENCE_MS)
TABLES = re.compile(r"\d/(?:daily|challenge|practice)/")
COUNT = itertools.count()
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser for the whole run."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def table_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server on a real port with the ordinary clock; tests make challenges from seeds that they know."""
    folder = tmp_path_factory.mktemp("table-server")
    server = ThreadedServer(f"sqlite+aiosqlite:///{folder / 'samedeal.db'}", folder, SystemClock())
    with server.running():
        yield server


@pytest.fixture(scope="session")
def past_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server on 10 March 2026 with a made-up past: dailies of 16 days, closed, really played by 60 players."""
    folder = tmp_path_factory.mktemp("past")
    server = ThreadedServer(f"sqlite+aiosqlite:///{folder / 'samedeal.db'}", folder, ManualClock(NOON))
    with server.running():
        plan = Plan(60, 16, date(2026, 3, 8), "browser", taste=0.8)
        server.call(populate(server.live.app.services.store, plan, lambda done, of: None))
        yield server


def become(page: Page, server: ThreadedServer, player_id: str) -> None:
    """Log a browser in as a player who is already there."""
    token = f"session-of-{player_id}-{next(COUNT)}"

    async def admit() -> None:
        services = server.live.app.services
        now = services.clock.now_ms()
        async with services.store.writing() as conn:
            await players.create_session(conn, token_hash(token), player_id, now, now + DAY)

    server.call(admit())
    page.context.add_cookies([{"name": "samedeal", "value": token, "url": server.base_url}])
    page.evaluate("localStorage.setItem('samedeal.session', '1')")
    page.reload()


class Watched:
    """A browser context that remembers what went wrong in it."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.faults: list[str] = []
        context.on("weberror", lambda error: self.faults.append(f"error: {error.error}"))
        context.on("console", lambda message: self._note(message.type, message.text))

    def _note(self, kind: str, text: str) -> None:
        # Refused policies, failed scripts and failed loads are all written as errors or warnings.
        if kind in ("error", "warning"):
            self.faults.append(f"{kind}: {text}")


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens new readers' pages; at the end no page may have reported a fault, except those that the test expects."""
    opened: list[Watched] = []
    expected: list[str] = []

    def open_page(url: str, *, expect: str | tuple[str, ...] = (), **options: Any) -> Page:
        expected.extend([expect] if isinstance(expect, str) else expect)
        context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", **options})
        context.set_default_timeout(3 * PATIENCE_MS)
        opened.append(Watched(context))
        page = context.new_page()
        page.on("framenavigated", lambda frame: expected.append(FIRST_PLAY) if TABLES.search(frame.url) else None)
        page.goto(url)
        return page

    yield open_page
    faults = [fault for watched in opened for fault in watched.faults]
    for watched in opened:
        watched.context.close()
    assert [fault for fault in faults if not any(part in fault for part in expected)] == []


@pytest.fixture
def sit_down(visit: Callable[..., Page], table_server: ThreadedServer) -> Callable[..., TablePage]:
    """A new player at a challenge made from a seed."""

    def sit(ruleset: str, seed: str, **options: Any) -> TablePage:
        challenge = table_server.make_challenge(ruleset, seed)
        return TablePage(visit(f"{table_server.base_url}/challenge/{challenge}", **options)).ready()

    return sit


@pytest.fixture
def phone() -> dict[str, Any]:
    """Options of a context that is a phone."""
    return {"viewport": PHONE, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="session")
def vectors() -> Path:
    """The folder of the shared vectors."""
    return Path(__file__).parent.parent / "vectors"
