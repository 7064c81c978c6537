"""A game that the client has never heard of is playable as soon as its rules are known to the server (DESIGN 1.3)."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from server.core.cards import Card, rank
from server.core.deck import SHORT_40
from server.core.layout import Layout, PileSpec
from server.core.moves import Move
from server.core.position import Position, Shift, Step
from server.core.rules import Outcome, Rules, UndoPolicy
from server.games import register, unregister
from tests.support.live_server import ThreadedServer

pytestmark = pytest.mark.browser

SHELVES = ("shelf1", "shelf2", "shelf3")


class Shelves(Rules):
    """Clear three sideways shelves onto a heap; no card may lie on one of its own rank. The chest feeds the heap."""

    key = "toy-shelves"
    family = "toy"
    title = "Shelves"
    text = ("Clear the shelves.",)
    deck = SHORT_40
    undo = UndoPolicy.COUNTED
    layout = Layout(
        title="Shelves",
        maximum=9,
        piles=(
            *(PileSpec(name, "column", 0, at * 1.2, "side") for at, name in enumerate(SHELVES)),
            PileSpec("heap", "foundation", 4, 1.2),
            PileSpec("chest", "stock", 6, 1.2),
        ),
        tall=(
            *(PileSpec(name, "column", 0, at * 1.2, "side") for at, name in enumerate(SHELVES)),
            PileSpec("heap", "foundation", 0, 4),
            PileSpec("chest", "stock", 1.5, 4),
        ),
        preview={"column+foundation": (("@1", "@2"),)},
    )

    def deal(self, cards: Sequence[Card]) -> Position:
        """Three cards on each shelf; the rest face down in the chest."""
        piles = {name: tuple(cards[at * 3 : at * 3 + 3]) for at, name in enumerate(SHELVES)}
        return Position({**piles, "heap": (), "chest": tuple(card | 64 for card in cards[9:])})

    def moves(self, p: Position) -> list[Move]:
        """Shelf to heap, and a card of the chest onto the heap."""
        heap = p.piles["heap"]
        shelves = [
            f"{name}heap"
            for name in SHELVES
            if p.piles[name] and not (heap and rank(heap[-1]) == rank(p.piles[name][-1]))
        ]
        return [*shelves, *(["chest"] if p.piles["chest"] else [])]

    def steps(self, p: Position, m: Move) -> tuple[Step, ...]:
        """One card moves."""
        if m == "chest":
            return (Shift("chest", "heap", 1, "up"),)
        return (Shift(m.removesuffix("heap"), "heap", 1),)

    def verdict(self, p: Position) -> Outcome:
        """Won when the shelves are clear."""
        return Outcome.OPEN if any(p.piles[name] for name in SHELVES) else Outcome.WON

    def progress(self, p: Position) -> int:
        """Cards taken from the shelves."""
        return 9 - sum(len(p.piles[name]) for name in SHELVES)


@pytest.fixture
def shelves() -> Iterator[str]:
    """The toy, known to the server while the test lasts."""
    register(Shelves)
    yield Shelves.key
    unregister(Shelves.key)


def test_a_toy_is_won_by_clicks_drags_and_keys(shelves: str, table_server: ThreadedServer, sit_down: Any) -> None:
    table = sit_down(shelves, "00000000000000000000000000000000")
    assert table.page.locator(".cell").count() == 9 + 2
    done = 0
    while table.page.locator(".end").count() == 0 and done < 40:
        name = next((one for one in SHELVES if table.card(one)), None)
        if name is None:
            break
        before = table.card(name), table.card("heap")
        if before[0][:1] == before[1][:1]:
            table.press("chest")
        elif done % 2:
            table.click(name)
            table.click("heap")
        else:
            table.drag(name, "heap")
        done += 1
        table.expect_moves(done)
    table.expect_end("Won")


def test_a_toy_is_practised_on_a_phone(shelves: str, table_server: ThreadedServer, visit: Any, phone: Any) -> None:
    from tests.browser.table_page import TablePage

    table = TablePage(visit(f"{table_server.base_url}/practice/{shelves}", **phone)).ready()
    table.tap("chest")
    table.expect_moves(1)
    assert "Shelves" in table.page.title()
