"""The common rules C1-C8 (RULES 0) at the level of the fold: counters, refusals, undo, ends, the full log."""

import pytest

from server.core.cards import DOWN, HIDDEN
from server.core.moves import RESERVED
from server.core.position import Position
from server.core.rules import Memo, UndoPolicy
from server.errors import GameError
from server.games import rulesets
from server.play.attempt import LOG_LIMIT, Attempt, Entry, practice_policy
from tests.play.toys import NothingToDo, RedHome, deck_of, first_start, play_all, red_home, start, state_of

KEYS = sorted(rulesets())


def refusal(attempt: Attempt, text: str, at_ms: int = 99_999) -> str:
    """The code with which an entry is refused."""
    with pytest.raises(GameError) as caught:
        attempt.apply(text, at_ms)
    return caught.value.code


@pytest.mark.parametrize("text", ["w1", "s9", "nonsense!", "undo", "p1p2p3"])
def test_c1_a_refused_request_changes_nothing(text: str) -> None:
    attempt = red_home("2D 3D 4D")
    before = state_of(attempt)
    refusal(attempt, text)
    assert state_of(attempt) == before
    assert attempt.play("s", 5).at_ms == 5  # not even the time of the refused request was kept


def test_c2_an_undo_counts_one_and_gives_nothing_back() -> None:
    attempt = play_all(red_home("2D 3D 4C"), "s w1 undo undo s")
    assert (attempt.seq, attempt.moves, attempt.undos) == (5, 5, 2)


def test_c2_resigning_is_an_entry_but_no_move() -> None:
    attempt = play_all(red_home("2D 3D 4C"), "s resign")
    assert (attempt.seq, attempt.moves, attempt.undos) == (2, 1, 0)


@pytest.mark.parametrize("key", ["bakers-dozen", "bakers-dozen-kings", "bakers-dozen-classic"])
def test_c3_an_open_ace_stays_until_it_is_sent_home(key: str) -> None:
    attempt = first_start(key, lambda a: any(m[-2:] in ("fc", "fd", "fh", "fs") for m in a.legal))
    home = next(m for m in attempt.legal if m[-2] == "f")
    other = next(m for m in attempt.legal if m[-2] != "f" and home[:-2] not in m)
    after = attempt.play(other, 1)
    assert (after.seq, after.progress) == (1, 0)
    assert home in after.legal


@pytest.mark.parametrize("key", ["pyramid", "pyramid-3", "thirteen", "thirteen-3"])
def test_c3_a_king_that_is_drawn_stays_on_the_waste(key: str) -> None:
    attempt = first_start(key, lambda a: "w1" in a.play("s", 0).legal)
    after = attempt.play("s", 0)
    assert after.progress == 0
    assert "w1" in after.legal


def test_c4_undo_goes_back_one_move_as_far_as_the_deal() -> None:
    deal = red_home("2D 3D 4C")
    attempt = play_all(deal, "s w1 s")
    seen = []
    while attempt.can_undo:
        attempt = attempt.undo(0)
        seen.append(attempt.position)
    assert seen == [play_all(deal, "s w1").position, play_all(deal, "s").position, deal.position]
    assert attempt.legal == deal.legal
    assert refusal(attempt, "undo") == "attempt/no_undo"


def test_c4_nothing_can_be_redone() -> None:
    attempt = play_all(red_home("2D 3D 4C"), "s w1 undo")
    assert refusal(attempt, "redo") == "move/illegal"
    # The move may be made again, as a new one, and going back from it does not find the undone one.
    again = play_all(attempt, "w1 undo")
    assert again.position == attempt.position
    assert again.seq == 5


def test_c4_time_runs_on_through_an_undo() -> None:
    attempt = red_home("2D 3D 4C").play("s", 1000).undo(2500)
    assert attempt.at_ms == 2500
    assert attempt.play("s", 2600).at_ms == 2600


def test_time_never_falls() -> None:
    attempt = red_home("2D 3D 4C").play("s", 1000).play("w1", 400)
    assert attempt.at_ms == 1000
    assert attempt.undo(3).at_ms == 1000
    assert attempt.resign(3).last == (Entry("resign", 1000), (), ())


@pytest.mark.parametrize(
    ("moves", "over"),
    [("s w1 s w1", "won"), ("s s s", "lost"), ("s resign", "resigned"), ("s close", "closed"), ("s void", "void")],
)
@pytest.mark.parametrize("text", ["s", "w1", "nonsense!", "undo", "resign", "close"])
def test_c4_nothing_is_accepted_after_the_end(moves: str, over: str, text: str) -> None:
    attempt = play_all(red_home("2D 3D AS"), moves)
    assert attempt.over == over
    assert attempt.legal == ()
    assert not attempt.can_undo
    assert refusal(attempt, text) == "attempt/over"


def test_a_finished_attempt_can_be_voided_once() -> None:
    attempt = play_all(red_home("2D 3D 4C"), "s w1 s w1")
    void = attempt.void(9000)
    assert (void.over, void.seq, void.moves) == ("void", 5, 4)
    assert void.position == attempt.position
    assert refusal(void, "void") == "attempt/over"


@pytest.mark.parametrize("key", ["pyramid", "pyramid-3", "pyramid-open", "pyramid-cover", "thirteen", "thirteen-3"])
def test_c5_a_pair_may_be_sent_either_way_round_and_is_logged_one_way(key: str) -> None:
    def pairs(attempt: Attempt) -> list[str]:
        return [m for m in attempt.legal if m.count("p") == 2]

    attempt = first_start(key, lambda a: bool(pairs(a)))
    canonical = pairs(attempt)[0]
    _, first, second = canonical.split("p")
    after = attempt.play(f"p{second}p{first}", 7)
    assert after.last is not None
    assert after.last.entry == Entry(canonical, 7)
    assert state_of(after) == state_of(attempt.play(canonical, 7))


def test_c5_two_wastes_may_be_paired_either_way_round() -> None:
    attempt = first_start("pyramid-3", lambda a: "w1w2" in a.play("s", 0).legal).play("s", 0)
    after = attempt.play("w2w1", 0)
    assert after.last is not None
    assert after.last.entry.text == "w1w2"


def test_c5_the_stock_is_named_last_because_its_name_ends_in_no_digit() -> None:
    attempt = first_start("pyramid-open", lambda a: any(m != "s" and m.endswith("s") for m in a.legal))
    pair = next(m for m in attempt.legal if m != "s" and m.endswith("s"))
    assert refusal(attempt, "s" + pair[:-1]) == "move/illegal"
    assert attempt.play(pair, 0).progress == 1


def test_c5_a_column_move_means_its_own_direction_only() -> None:
    def one_way(attempt: Attempt) -> list[str]:
        moves = [m for m in attempt.legal if m.count("c") == 2 and "f" not in m]
        return [m for m in moves if _reversed(m) not in moves]

    def _reversed(move: str) -> str:
        _, source, target = move.split("c")
        return f"c{target}c{source}"

    attempt = first_start("bakers-dozen", lambda a: bool(one_way(a)))
    assert refusal(attempt, _reversed(one_way(attempt)[0])) == "move/illegal"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "P1",
        "p1p2p3",
        "d4d5d6",
        "1p",
        "p1 p2",
        "s ",
        "p1-p2",
        "s1x2y",
        "p\u0661",
        "\u00e9",
        "s\n",
        "p1\0",
        *sorted(RESERVED),
    ],
)
def test_c6_what_is_not_one_or_two_pile_names_is_a_syntax_error(key: str, text: str) -> None:
    attempt = start(key)
    with pytest.raises(GameError) as caught:
        attempt.play(text, 0)
    assert caught.value.code == "move/syntax"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "text", ["zz9", "c0c1", "p29", "p99p98", "w9", "sp4", "h1h2", "q", "f", "undos", "redo", "a" * 5000]
)
def test_c6_a_pile_that_the_table_lacks_or_a_move_not_listed_is_illegal(key: str, text: str) -> None:
    attempt = start(key)
    assert text not in attempt.legal
    assert refusal(attempt, text) == "move/illegal"


def test_c7_stuck_stays_open_while_there_is_something_to_undo() -> None:
    for policy in (UndoPolicy.COUNTED, UndoPolicy.FREE):
        attempt = play_all(red_home("2C 3C 4C", policy), "s s s")
        assert (attempt.over, attempt.legal, attempt.can_undo) == (None, (), True)
        assert refusal(attempt, "s") == "move/illegal"
        assert attempt.undo(0).legal == ("s",)
        assert attempt.resign(0).over == "resigned"


def test_c7_stuck_is_lost_where_the_policy_allows_no_undo() -> None:
    attempt = play_all(red_home("2C 3C 4C", UndoPolicy.NONE), "s s")
    assert attempt.over is None
    assert attempt.play("s", 0).over == "lost"


@pytest.mark.parametrize("policy", UndoPolicy)
def test_c7_stuck_is_lost_where_nothing_is_left_to_undo(policy: UndoPolicy) -> None:
    attempt = Attempt.start(NothingToDo(), deck_of(""), policy)
    assert (attempt.over, attempt.seq, attempt.legal) == ("lost", 0, ())
    assert refusal(attempt, "undo") == "attempt/over"


@pytest.mark.parametrize("policy", UndoPolicy)
def test_c7_what_the_rules_call_lost_is_lost_under_every_policy(policy: UndoPolicy) -> None:
    assert red_home("AS 2D 3D", policy).play("s", 0).over == "lost"


def test_c8_each_ruleset_has_its_policy_and_practice_frees_those_without() -> None:
    counted = {"pyramid", "pyramid-3", "pyramid-open", "pyramid-cover"}
    counted |= {"bakers-dozen", "bakers-dozen-kings", "bakers-dozen-classic"}
    for key, rules in rulesets().items():
        assert (rules.undo is UndoPolicy.COUNTED) == (key in counted), key
        assert practice_policy(rules) is (UndoPolicy.COUNTED if key in counted else UndoPolicy.FREE), key


@pytest.mark.parametrize("key", [k for k, r in rulesets().items() if r.undo is UndoPolicy.NONE])
def test_c8_no_undo_in_ranked_play_and_as_many_as_wanted_in_practice(key: str) -> None:
    ranked = start(key)
    move = ranked.legal[0]
    assert not ranked.play(move, 0).can_undo
    assert refusal(ranked.play(move, 0), "undo") == "attempt/no_undo"
    practice = start(key, practice=True)
    back = practice.play(move, 0).undo(0)
    assert (back.position, back.moves, back.undos) == (practice.position, 2, 1)


@pytest.mark.parametrize("key", [k for k in KEYS if any(c & DOWN for c in start(k).position.piles.get("s", ()))])
def test_c9_a_stock_card_seen_before_an_undo_is_hidden_again(key: str) -> None:
    attempt = start(key, practice=True)
    back = attempt.play(attempt.legal[-1], 0).undo(0)
    assert all(c & DOWN for c in back.position.piles["s"])
    assert set(back.rules.view(back.position).piles["s"]) == {HIDDEN}


def test_a_full_log_takes_no_move_and_no_undo_but_still_ends() -> None:
    attempt = start("pyramid")
    for _ in range(LOG_LIMIT):
        attempt = attempt.play("s", 0)
    assert (attempt.moves, attempt.over) == (LOG_LIMIT, None)
    assert {refusal(attempt, text) for text in ("s", "undo", "nonsense!")} == {"attempt/log_full"}
    for text, over in (("resign", "resigned"), ("close", "closed"), ("void", "void")):
        ended = attempt.apply(text, 1)
        assert (ended.over, ended.seq, ended.moves) == (over, LOG_LIMIT + 1, LOG_LIMIT)
    assert len(repr(attempt)) < 10_000  # thousands of earlier positions hang behind it


def test_undos_fill_the_log_like_moves() -> None:
    attempt = start("pyramid")
    for _ in range(LOG_LIMIT // 2):
        attempt = attempt.play("s", 0).undo(0)
    assert (attempt.moves, attempt.undos) == (LOG_LIMIT, LOG_LIMIT // 2)
    assert refusal(attempt, "s") == "attempt/log_full"
    assert refusal(attempt, "undo") == "attempt/no_undo"  # there is none, full or not


def test_the_last_move_that_fits_may_win() -> None:
    attempt = play_all(red_home("2D 3D 4C"), "s w1 s")
    while attempt.moves < LOG_LIMIT - 1:
        attempt = attempt.undo(0).play("s", 0)
    won = attempt.play("w1", 0)
    assert (won.over, won.moves) == ("won", LOG_LIMIT)


def test_what_is_decided_is_told_without_asking_the_rules() -> None:
    assert play_all(red_home("2D 3D 4C"), "s w1 s w1").winnable() is True
    assert red_home("AS 2D 3D").play("s", 0).winnable() is False
    assert red_home("2D 3D 4C").winnable() is None  # the toy does not tell


def test_winnable_asks_the_rules_with_the_players_view_and_the_attempts_memo() -> None:
    class Curious(RedHome):
        key = "curious"

        def winnable(self, view: Position, memo: Memo, *, patient: bool = False) -> bool | None:
            memo["calls"] = memo.get("calls", 0) + 1
            return HIDDEN in view.piles["s"] and memo["calls"] == 2

    attempt = Attempt.start(Curious(), deck_of("2D 3D 4C"), UndoPolicy.COUNTED)
    assert attempt.winnable() is False
    assert attempt.play("s", 0).winnable() is True
