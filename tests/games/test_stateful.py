"""X16: an attempt and the second writing of the rules walk side by side, through any way Hypothesis finds."""

from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from server.core.cards import DOWN, HIDDEN, pile_texts
from server.core.deck import shuffled
from server.core.position import Position
from server.errors import GameError
from server.games import ruleset
from server.play.attempt import Attempt, practice_policy
from tests.games.helpers import all_cards, amount, seed_number, texts
from tests.games.oracle import KEYS, Oracle

#: TARGETS X16: 1,000 runs of 50 steps for each ruleset is the gate (``SAMEDEAL_TEST_DEEP=1``).
RUNS = settings(max_examples=amount(20, 1_000), stateful_step_count=amount(40, 50), deadline=None)


class Table(RuleBasedStateMachine):
    """One attempt under the practice policy. Subclasses name the ruleset."""

    key: str

    @initialize(number=st.integers(min_value=0, max_value=2**64))
    def start(self, number: int) -> None:
        """Deal on both sides."""
        self.game = ruleset(self.key)
        self.cards = shuffled(seed_number(number), self.game.deck)
        self.attempt = Attempt.start(self.game, self.cards, practice_policy(self.game))
        self.log: list[tuple[str, int]] = []
        self.moves: list[str] = []
        self.earlier: list[tuple[Position, tuple[str, ...]]] = []

    def oracle(self) -> Oracle:
        """The second table after the moves that were not undone."""
        oracle = Oracle(self.key, texts(self.cards))
        for move in self.moves:
            oracle.play(move)
        return oracle

    @precondition(lambda self: self.attempt.legal)
    @rule(choice=st.integers(min_value=0, max_value=10**6), wait=st.integers(min_value=-5, max_value=5_000))
    def play(self, choice: int, wait: int) -> None:
        """A legal move is accepted."""
        before = self.attempt
        move = before.legal[choice % len(before.legal)]
        self.attempt = before.play(move, before.at_ms + wait)
        assert (self.attempt.seq, self.attempt.moves) == (before.seq + 1, before.moves + 1)
        assert self.attempt.at_ms == max(before.at_ms, before.at_ms + wait)
        self.earlier.append((before.position, before.legal))
        self.moves.append(move)
        self.log.append((move, self.attempt.at_ms))

    @rule(data=st.data())
    def refuse(self, data: st.DataObject) -> None:
        """What is not legal is refused and changes nothing."""
        names = st.sampled_from(self.game.layout.names)
        text = data.draw(st.one_of(names, st.tuples(names, names).map("".join), st.text(max_size=6)))
        if self.may_be_played(text):
            return
        state = (self.attempt.position, self.attempt.legal, self.attempt.seq, self.attempt.moves, self.attempt.at_ms)
        with pytest.raises(GameError, match=r"attempt/over|move/(syntax|illegal)"):
            self.attempt.play(text, 10**9)
        assert state == (
            *(self.attempt.position, self.attempt.legal, self.attempt.seq, self.attempt.moves, self.attempt.at_ms),
        )

    def may_be_played(self, text: str) -> bool:
        """Whether the text is a spelling of a legal move."""
        try:
            return self.game.canonical(text) in self.attempt.legal
        except GameError:
            return False

    @precondition(lambda self: self.attempt.can_undo)
    @rule()
    def undo(self) -> None:
        """An undo leads to the earlier state, and counts."""
        before = self.attempt
        self.attempt = before.undo(before.at_ms)
        assert (self.attempt.position, self.attempt.legal) == self.earlier.pop()
        assert (self.attempt.moves, self.attempt.undos) == (before.moves + 1, before.undos + 1)
        self.moves.pop()
        self.log.append(("undo", self.attempt.at_ms))

    @rule()
    def replay(self) -> None:
        """The log leads to the same state again."""
        again = Attempt.start(self.game, self.cards, self.attempt.policy)
        for text, at_ms in self.log:
            again = again.apply(text, at_ms)
        for name in ("position", "legal", "seq", "moves", "undos", "at_ms", "over", "progress", "last"):
            assert getattr(again, name) == getattr(self.attempt, name), name

    @invariant()
    def both_tables_agree(self) -> None:
        """Same piles, same legal moves, same verdict."""
        oracle = self.oracle()
        assert {name: list(pile_texts(pile)) for name, pile in self.attempt.position.piles.items()} == oracle.piles
        assert set(self.attempt.legal) == oracle.legal()
        stuck_at_the_deal = not oracle.legal() and not self.moves
        assert self.attempt.over == (oracle.over or ("lost" if stuck_at_the_deal else None))

    @invariant()
    def cards_are_kept(self) -> None:
        """The deck, each card once."""
        assert all_cards(self.attempt.position) == sorted(self.cards)

    @invariant()
    def the_view_names_no_hidden_card(self) -> None:
        """Face-down cards of a stock are hidden; of an open stock all but the top (C9)."""
        view = self.game.view(self.attempt.position)
        stock = view.piles.get("s", ())
        hidden = stock[:-1] if self.key == "pyramid-open" else stock
        assert set(hidden) <= {HIDDEN}
        assert HIDDEN not in [c for name, pile in view.piles.items() if name != "s" for c in pile]
        if not self.key.startswith("foursquare"):
            assert not any(DOWN <= c < HIDDEN for pile in view.piles.values() for c in pile)


def machine(key: str) -> Any:
    """The state machine of one ruleset."""
    return type(f"Table of {key}", (Table,), {"key": key})


@pytest.mark.timeout(amount(600, 3_600))
@pytest.mark.parametrize("key", KEYS)
def test_x16_both_writings_of_the_rules_agree_through_any_play(key: str) -> None:
    run_state_machine_as_test(machine(key), settings=RUNS)
