"""Where a game was lost: the analysis of whole logs, against plain searches over the rules alone."""

from collections.abc import Callable, Hashable, Iterator
from random import Random

import pytest

from server.core.deck import shuffled
from server.core.position import Position
from server.core.rules import Outcome, Rules
from server.games import ruleset
from server.play.attempt import UNDO
from server.solve.guidance import budget
from server.solve.turning import Analysis, Deal, Tree, Turn, Turning, analysed, path_to
from tests.games.helpers import amount, seed_number
from tests.net.deals import wins
from tests.solve.small import late_columns, plain_par, small_pyramids, sorted_columns

UNTOLD = Deal(None, None, False, None)
#: Of each ruleset a few small positions, and what makes two of them alike.
SMALL: dict[str, Callable[[int], Iterator[Position]]] = {
    "pyramid": lambda count: small_pyramids("pyramid", count),
    "pyramid-3": lambda count: small_pyramids("pyramid-3", count),
    "pyramid-cover": lambda count: small_pyramids("pyramid-cover", count),
    "thirteen": lambda count: small_pyramids("thirteen", count),
    "thirteen-3": lambda count: small_pyramids("thirteen-3", count),
    "thirteen-strict": lambda count: small_pyramids("thirteen-strict", count),
    "bakers-dozen": lambda count: late_columns("bakers-dozen", count, left=10),
}


def no_pause() -> None:
    """Nobody ends these searches."""


def random_log(rules: Rules, start: Position, rng: Random) -> list[str]:
    """A log of random moves with undos among them, until no move is left or it is long enough."""
    log: list[str] = []
    past = [start]
    for _ in range(rng.randrange(1, 30)):
        if len(past) > 1 and rng.random() < 0.3:
            log.append(UNDO)
            past.pop()
            continue
        legal = rules.moves(past[-1]) if rules.verdict(past[-1]) is Outcome.OPEN else []
        if not legal:
            break
        log.append(rng.choice(legal))
        past.append(past[-1].after(rules.steps(past[-1], log[-1])))
    return log


class Plain:
    """Whether positions can be won, each searched by itself over the rules alone."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._alike: Callable[[Position], Hashable] = sorted_columns if rules.family == "bakers-dozen" else lambda p: p
        self._told: dict[Hashable, bool] = {}

    def __call__(self, p: Position) -> bool:
        alike = self._alike(p)
        if alike not in self._told:
            self._told[alike] = plain_par(self._rules, p, alike=self._alike) is not None
        return self._told[alike]


def plainly(rules: Rules, start: Position, log: list[str], winnable: Plain) -> Analysis:
    """The same analysis by the plainest means."""
    stack = [(start, -1, "")]
    told = {-1: winnable(start)}
    parents: dict[int, int] = {}
    for seq, text in enumerate(log):
        if text == UNDO:
            stack.pop()
            continue
        after = stack[-1][0].after(rules.steps(stack[-1][0], text))
        told[seq], parents[seq] = winnable(after), stack[-1][1]
        stack.append((after, seq, text))
    lost = next((at for at, (_, seq, _) in enumerate(stack) if not told[seq]), None)
    if rules.verdict(stack[-1][0]) is Outcome.WON:
        return Analysis(UNTOLD, "won")
    if lost is None:
        return Analysis(UNTOLD, "winnable")
    if lost == 0:
        return Analysis(UNTOLD, "never")
    return Analysis(UNTOLD, "lost", Turn(stack[lost][1], stack[lost][2]))


def plain_slips(rules: Rules, start: Position, log: list[str], winnable: Plain) -> set[str]:
    """The moves of the log that lost a game, by text, also those that were taken back."""
    stack, losing = [start], set()
    for text in log:
        if text == UNDO:
            stack.pop()
            continue
        after = stack[-1].after(rules.steps(stack[-1], text))
        if winnable(stack[-1]) and not winnable(after):
            losing.add(text)
        stack.append(after)
    return losing


@pytest.mark.parametrize("key", SMALL)
def test_the_losing_move_is_that_of_a_plain_search(key: str) -> None:
    rules = ruleset(key)
    fates = set()
    for number, start in enumerate(SMALL[key](amount(4, 40))):
        winnable = Plain(rules)
        for again in range(4):
            log = random_log(rules, start, Random(f"{key}/{number}/{again}"))
            deal = Deal(winnable(start), None, False, None)
            found = Turning(rules, Tree(rules, start, log), budget(no_pause, 10**7), no_pause).analysis(deal)
            expected = plainly(rules, start, log, winnable)
            assert (found.fate, found.lost, found.between) == (expected.fate, expected.lost, None), (number, again)
            losing = {turn.move for turn in (*found.slips, *([found.lost] if found.lost else []))}
            assert losing == plain_slips(rules, start, log, winnable)
            assert found.slips_all
            fates.add(found.fate)
    assert "lost" in fates or "never" in fates


def test_a_won_log_has_no_losing_move() -> None:
    win = wins()["thirteen"][0]
    found = analysed(no_pause, "thirteen", 1, win.seed, win.moves, None)
    assert (found.fate, found.lost, found.slips, found.deal.winnable) == ("won", None, (), True)
    assert found.deal.par is not None
    assert found.deal.par <= len(win.moves)


#: Moves from the deal of the first golden win of Baker's Dozen, the last of which loses it.
LOSING = ["c1c7", "c9c8", "c1c11", "c3c10", "c13fd", "c10c4", "c12c7", "c10c3", "c13c9", "c6c10", "c2c7"]


def test_an_undo_takes_the_losing_move_back() -> None:
    seed = wins()["bakers-dozen"][0].seed
    deal = Deal(True, None, False, None)
    lost = analysed(no_pause, "bakers-dozen", 1, seed, [*LOSING, "resign"], deal)
    assert (lost.fate, lost.lost) == ("lost", Turn(10, "c2c7"))
    undone = analysed(no_pause, "bakers-dozen", 1, seed, [*LOSING, UNDO, "close"], deal)
    assert (undone.fate, undone.lost, undone.slips) == ("winnable", None, (Turn(10, "c2c7"),))
    # Lost again by the same move: what counts is its last time, which leads to the table as it was then.
    again = analysed(no_pause, "bakers-dozen", 1, seed, [*LOSING, UNDO, *LOSING[-1:], "resign"], deal)
    assert (again.fate, again.lost) == ("lost", Turn(12, "c2c7"))


def test_what_is_left_open_is_told_as_open() -> None:
    rules = ruleset("bakers-dozen")
    seed = wins()["bakers-dozen"][0].seed
    tree = Tree(rules, rules.deal(shuffled(seed, rules.deck)), LOSING)
    nothing = Turning(rules, tree, budget(no_pause, 0), no_pause)
    nothing._nodes.take()
    found = nothing.analysis(UNTOLD)
    assert (found.fate, found.lost, found.slips_all) == ("undecided", None, False)
    tree.last.winnable = False
    tree.last.searched = True
    found = nothing.analysis(Deal(True, None, False, None))
    assert (found.fate, found.lost, found.between) == ("lost", None, (0, len(LOSING)))
    assert path_to(tree.last)[0] is tree.root


def test_foursquare_has_a_par_and_no_losing_move() -> None:
    found = analysed(no_pause, "foursquare", 1, seed_number(1), ["e4", "resign"], None)
    assert (found.fate, found.lost) == ("untold", None)
    assert found.deal.score is not None


def test_the_same_question_has_the_same_answer() -> None:
    seed = wins()["thirteen-3"][0].seed
    log = ["s", "s", "s", "s", "s", "s", "s", "s"]
    assert analysed(no_pause, "thirteen-3", 1, seed, log, None) == analysed(no_pause, "thirteen-3", 1, seed, log, None)


class Enough(Exception):
    pass


def test_a_search_ends_when_it_is_told_to() -> None:
    calls = 0

    def pause() -> None:
        nonlocal calls
        calls += 1
        if calls > 3:
            raise Enough

    with pytest.raises(Enough):
        analysed(pause, "bakers-dozen", 1, seed_number(1), [], None)
