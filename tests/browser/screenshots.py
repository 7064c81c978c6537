"""Takes the pictures of the documentation: ``python -m tests.browser.screenshots FOLDER``."""

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from server.clock import SystemClock
from tests.browser.conftest import DESKTOP, FLAGS, PHONE
from tests.browser.table_page import TablePage
from tests.support.live_server import ThreadedServer
from tests.support.services import find_chromium

LINES = (Path(__file__).parent.parent / "vectors" / "wins.jsonl").read_text("utf-8").splitlines()
FIRST: dict[str, Any] = {line["ruleset"]: line for line in map(json.loads, reversed(LINES))}
PHONE_OPTIONS = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


def played(ruleset: str, moves: int) -> Callable[[Page, str, ThreadedServer], None]:
    """A table after some moves of a winning line; 0 plays it to its end."""

    def act(page: Page, url: str, server: ThreadedServer) -> None:
        line = FIRST[ruleset]
        page.goto(f"{url}/challenge/{server.make_challenge(ruleset, line['seed'])}")
        table = TablePage(page).ready()
        row = line["moves"].split()[: moves or None]
        table.type_moves(row)
        table.expect_moves(len(row))
        if moves == 0:
            table.expect_end("Won")
        page.evaluate("document.activeElement.blur()")

    return act


def lobby(page: Page, url: str, server: ThreadedServer) -> None:
    """The first page."""
    del server
    page.goto(url)
    page.locator(".daily").first.wait_for()


#: Name of the picture: options of the context, and how the page comes about.
SHOTS: dict[str, tuple[dict[str, Any], Callable[[Page, str, ThreadedServer], None]]] = {
    "lobby": ({"viewport": DESKTOP}, lobby),
    "table": ({"viewport": DESKTOP}, played("bakers-dozen", 24)),
    "pyramid-dark": ({"viewport": DESKTOP, "color_scheme": "dark"}, played("pyramid", 30)),
    "end": ({"viewport": DESKTOP}, played("thirteen", 0)),
    "phone": (PHONE_OPTIONS, played("bakers-dozen-kings", 45)),
    "phone-dark": ({**PHONE_OPTIONS, "color_scheme": "dark"}, played("foursquare", 14)),
}


def take(browser: Browser, server: ThreadedServer, folder: Path) -> None:
    """Every picture, into the folder."""
    for name, (options, act) in SHOTS.items():
        context = browser.new_context(**{"reduced_motion": "reduce", **options})
        page = context.new_page()
        act(page, server.base_url, server)
        page.screenshot(path=folder / f"{name}.png")
        context.close()


def main(folder: Path) -> None:
    """Start a server and a browser, and take the pictures."""
    program = find_chromium()
    if program is None:
        raise SystemExit("Chromium is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        server = ThreadedServer(f"sqlite+aiosqlite:///{data}/samedeal.db", Path(data), SystemClock())
        with server.running(), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
            take(browser, server, folder)
            browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
