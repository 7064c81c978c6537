"""The table as a person sees it: page object of the browser tests."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from playwright.sync_api import FloatRect, Locator, Page, expect

MOVE = re.compile(r"([a-z]+[0-9]+)([a-z]+[0-9]*)|([a-z]+[0-9]*)")


def piles_of(move: str) -> tuple[str, ...]:
    """The one or two piles that a move names; the first of two ends in a digit."""
    found = MOVE.fullmatch(move)
    assert found is not None, move
    return (found[3],) if found[3] else (found[1], found[2])


MOVES_FIGURE = 1
#: Resolves as soon as a figure shows a text; hundreds of moves are too many for waiting in steps.
AWAIT_FIGURE = """([figure, text]) => new Promise((resolve, reject) => {
    const value = document.querySelectorAll('.figure-value')[figure];
    const look = () => value.textContent === text && (resolve(), watcher.disconnect(), clearTimeout(timer));
    const watcher = new MutationObserver(look);
    const timer = setTimeout(() => reject(new Error(`expected ${text}, found ${value.textContent}`)), 20000);
    watcher.observe(value, {childList: true, characterData: true, subtree: true});
    look();
})"""


class Point(NamedTuple):
    """A place on the screen, in pixels."""

    x: float
    y: float


class TablePage:
    """A table in a browser page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._tapped = ""

    def ready(self) -> "TablePage":
        """Wait until the cards lie there; a ranked deal that waits to be started is started."""
        start = self.page.locator(".start-button")
        expect(start.or_(self.page.locator(".cell").first)).to_be_attached()
        if start.count():
            start.click()
        expect(self.page.locator(".cell").first).to_be_attached()
        return self

    def top(self, pile: str) -> Locator:
        """The cell of a pile's top card, or of the empty pile."""
        return self.page.locator(f'.cell[data-pile="{pile}"]').last

    def card(self, pile: str) -> str:
        """The top card of a pile as the grid tells it, empty for none."""
        return self.top(pile).get_attribute("data-card") or ""

    def cards(self) -> dict[str, str]:
        """Every card that lies in the grid, by cell."""
        return dict(
            self.page.evaluate(
                "[...document.querySelectorAll('.cell')].map(cell => [cell.dataset.key, cell.dataset.card])"
            )
        )

    def middle(self, pile: str) -> Point:
        """A point of the top card that nothing lies on: near its upper edge, which other cards cover last."""
        box = self._box(pile)
        return Point(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def _box(self, pile: str) -> FloatRect:
        box = self.top(pile).bounding_box()
        assert box is not None, f"{pile} is not on the screen"
        return box

    def click(self, pile: str) -> None:
        """Click the top card of a pile."""
        self.page.mouse.click(*self.middle(pile))

    def tap(self, pile: str) -> None:
        """Touch the top card of a pile; two touches of the same pile are not one double tap."""
        if pile == self._tapped:
            self.page.locator(".hud-title").tap()
        self._tapped = pile
        self.page.touchscreen.tap(*self.middle(pile))

    def press(self, pile: str) -> None:
        """Focus the top card of a pile and press Enter."""
        self.top(pile).focus()
        self.page.keyboard.press("Enter")

    def drag(self, source: str, target: str, *, to: Point | None = None) -> None:
        """Drag the top card of a pile onto another pile, or to a point."""
        self.page.mouse.move(*self.middle(source))
        self.page.mouse.down()
        self.page.mouse.move(*(to or self.middle(target)), steps=6)
        self.page.mouse.up()

    def moves(self) -> int:
        """The move counter."""
        return int(self.figure("Moves").replace(",", ""))

    def figure(self, name: str) -> str:
        """A figure of the bar over the table."""
        return self.page.locator(".figure", has_text=name).locator(".figure-value").inner_text()

    def expect_moves(self, count: int) -> None:
        """Wait until the server has counted so many moves and undos."""
        self.page.evaluate(AWAIT_FIGURE, [MOVES_FIGURE, f"{count:,}"])

    def play_by_clicks(self, moves: Iterable[str]) -> None:
        """Play moves by clicking the piles that they name, each after the answer to the one before."""
        for count, move in enumerate(moves, self.moves() + 1):
            for pile in piles_of(move):
                self.click(pile)
            self.expect_moves(count)

    def play_by_drags(self, moves: Iterable[str]) -> None:
        """Play moves by dragging; piles that nothing can be dragged from are clicked."""
        for count, move in enumerate(moves, self.moves() + 1):
            piles = piles_of(move)
            if len(piles) == 2:
                self.drag(*piles)
            elif piles[0].startswith("s"):
                self.click(piles[0])
            else:
                self.drag(piles[0], "f")
            self.expect_moves(count)

    def type_moves(self, moves: Sequence[str]) -> None:
        """Play moves on the move line."""
        self.page.keyboard.press("/")
        for move in moves:
            self.page.keyboard.type(move)
            self.page.keyboard.press("Enter")
        self.page.keyboard.press("Escape")

    def expect_end(self, verdict: str) -> None:
        """Wait for the end screen with this verdict."""
        expect(self.page.locator(".end .end-title")).to_have_text(verdict)

    def focused(self) -> str:
        """What has the focus: the accessible name or the text of the element, empty for the page body."""
        return str(
            self.page.evaluate(
                "document.activeElement === document.body ? ''"
                " : document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
            )
        )
