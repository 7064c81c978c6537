"""Faults that others shipped (field-report numbers in the names), held at the level of the fold."""

import pytest

from server.core.cards import DOWN, HIDDEN
from server.core.deck import shuffled
from server.core.position import Flip, Position
from server.errors import GameError
from server.games import ruleset
from server.play.attempt import Attempt, fold
from server.play.ranking import result_of
from tests.play.toys import first_start, play_all, start, state_of, vectors


def draws_to_the_end_and_three_more(attempt: Attempt) -> list[Attempt]:
    """Every state while the stock is drawn empty, turned over, and three more draws are made."""
    states = [attempt]
    while states[-1].position.piles["s"]:
        states.append(states[-1].play("s", len(states)))
    for _ in range(4):
        states.append(states[-1].play("s", len(states)))
    return states


@pytest.mark.parametrize("key", ["pyramid", "pyramid-3", "pyramid-open", "pyramid-cover"])
def test_r01_undoing_draws_and_the_turn_over_restores_the_order(key: str) -> None:
    states = draws_to_the_end_and_three_more(start(key, 1))
    attempt = states[-1]
    for earlier in reversed(states[:-1]):
        attempt = attempt.undo(1000)
        assert (attempt.position, attempt.legal, attempt.progress) == (
            earlier.position,
            earlier.legal,
            earlier.progress,
        )
    for later in states[1:]:
        attempt = attempt.play("s", 2000)
        assert attempt.position == later.position


def test_r02_one_undo_brings_both_cards_of_a_pair_back() -> None:
    deal = first_start("pyramid", lambda a: any(m.count("p") == 2 for m in a.legal))
    pair = next(m for m in deal.legal if m.count("p") == 2)
    removed = deal.play(pair, 10)
    assert removed.progress == 2
    back = removed.undo(20)
    assert (back.position, back.legal, back.progress) == (deal.position, deal.legal, 0)
    assert back.moves == removed.moves + 1
    assert not back.can_undo


def flips(attempt: Attempt) -> int:
    """How many cards the last entry has turned besides the placed one."""
    return sum(type(step) is Flip for step in attempt.last.steps) if attempt.last else 0


def placement_that_turns_cards() -> tuple[Attempt, Attempt]:
    """A practice Foursquare attempt before and after a placement that turns at least two cards."""
    for number in range(200):
        attempt = start("foursquare", number, practice=True)
        while attempt.over is None:
            following = [attempt.play(move, attempt.seq) for move in attempt.legal]
            turning = [after for after in following if flips(after) >= 2 and after.over is None]
            if turning:
                return attempt, turning[0]
            attempt = following[0]
    raise AssertionError("no placement turns two cards")


def test_r02_r04_one_undo_takes_a_placement_back_with_every_card_it_turned() -> None:
    before, after = placement_that_turns_cards()
    turned = [n for n, pile in before.position.piles.items() if pile and after.position.piles[n] == (pile[0] ^ DOWN,)]
    assert turned
    back = after.undo(5000)
    assert back.position == before.position
    assert (back.legal, back.progress) == (before.legal, before.progress)
    assert (back.moves, back.undos) == (after.moves + 1, 1)


def test_r04_a_card_put_back_on_the_stock_is_hidden_and_cannot_be_played() -> None:
    deal = first_start("pyramid", lambda a: any(m.startswith("p") and "w1" in m for m in a.play("s", 0).legal))
    drawn = deal.play("s", 0)
    pairing = next(m for m in drawn.legal if m.startswith("p") and "w1" in m)
    card = drawn.position.piles["w1"][-1]
    back = drawn.undo(1)
    before = state_of(back)
    for text in (pairing, pairing.replace("w1", "") + "s"):
        with pytest.raises(GameError, match="move/illegal"):
            back.play(text, 2)
    assert state_of(back) == before
    view: Position = back.rules.view(back.position)
    assert set(view.piles["s"]) == {HIDDEN}
    assert card not in {c & ~DOWN for pile in view.piles.values() for c in pile if c != HIDDEN}


def test_r05_a_look_and_an_undo_are_counted_and_shown_in_the_result() -> None:
    attempt = play_all(start("pyramid", 3), "s undo s undo s s resign")
    result = result_of(attempt)
    assert result is not None
    assert (result.moves, result.undos) == (6, 2)
    assert result.time_ms == 7000  # the clock never went back


def test_r05_no_look_ahead_where_the_ruleset_allows_no_undo() -> None:
    for key in ("thirteen", "thirteen-3", "thirteen-strict", "foursquare", "foursquare-all"):
        attempt = start(key, 3)
        with pytest.raises(GameError, match="attempt/no_undo"):
            attempt.play(attempt.legal[-1], 0).undo(1)


@pytest.mark.parametrize("win", vectors("wins.jsonl"), ids=lambda win: f"{win['ruleset']}-{win['seed'][:4]}")
def test_r17_the_stored_moves_and_the_seed_give_the_stored_end(win: dict[str, str]) -> None:
    rules = ruleset(win["ruleset"])

    def deal() -> Attempt:
        return Attempt.start(rules, shuffled(win["seed"], rules.deck), rules.undo)

    played = play_all(deal(), win["moves"])
    log = [(text, 1000 * (index + 1)) for index, text in enumerate(win["moves"].split())]
    assert state_of(fold(deal(), log)) == state_of(played)
    assert played.over == "won"
    assert deal().position == deal().position


def test_r52_a_won_game_cannot_be_won_again() -> None:
    win = next(line for line in vectors("wins.jsonl") if line["ruleset"] == "pyramid")
    rules = ruleset("pyramid")
    won = play_all(Attempt.start(rules, shuffled(win["seed"], rules.deck), rules.undo), win["moves"])
    result = result_of(won)
    last = win["moves"].split()[-1]
    for text in ("undo", last, *win["moves"].split(), "resign", "close"):
        with pytest.raises(GameError, match="attempt/over"):
            won.apply(text, won.at_ms + 60_000)
    assert result_of(won) == result
    assert result is not None
    assert result.time_ms == 1000 * len(win["moves"].split())
