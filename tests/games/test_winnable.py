"""P10 and T5: what the table tells about winning is true, exact where it must be, and quick."""

import pickle
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import pytest

from server.core.cards import DOWN, Card
from server.core.deck import FRENCH_52, shuffled
from server.core.position import Position
from server.core.rules import Memo, Rules, Undecided
from server.games import _one_pass, _order_free, ruleset, winnable
from server.games._one_pass import OnePass
from server.games._order_free import OrderFree
from tests.games.helpers import amount, deal, legal, moved, seed_number, table, walk
from tests.games.oracle import PYRAMID_KEYS, ROW_OF, THIRTEEN_KEYS

ENDLESS = PYRAMID_KEYS

pytestmark = pytest.mark.timeout(amount(120, 3_600))


def told(key: str, p: Position, memo: Memo | None = None) -> bool | None:
    rules = ruleset(key)
    return rules.winnable(rules.view(p), {} if memo is None else memo, patient=True)


def plain_order_free(key: str, p: Position) -> bool:
    """P10 by its own words: may the pyramid be cleared when every stock and waste card may be used at any time?"""
    start = frozenset((int(n[1:]), pile[-1] >> 2) for n, pile in p.piles.items() if n[0] == "p" and pile)
    outside = Counter((c & 63) >> 2 for n, pile in p.piles.items() if n[0] in "sw" for c in pile)

    @cache
    def clears(held: frozenset[tuple[int, int]], left: tuple[int, ...]) -> bool:
        if not held:
            return True
        cells = {n for n, _ in held}

        def covers(n: int) -> set[int]:
            return {n + ROW_OF[n], n + ROW_OF[n] + 1} & cells if ROW_OF[n] < 7 else set()

        free = [(n, rank) for n, rank in held if not covers(n)]
        for n, rank in free:
            if rank == 12:
                return clears(held - {(n, rank)}, left)
            if left[11 - rank]:
                fewer = tuple(count - (r == 11 - rank) for r, count in enumerate(left))
                if clears(held - {(n, rank)}, fewer):
                    return True
        pairs = [{a, b} for a, b in combinations(free, 2) if a[1] + b[1] == 11]
        if key == "pyramid-cover":
            pairs += [{a, b} for a in held for b in free if covers(a[0]) == {b[0]} and a[1] + b[1] == 11]
        return any(clears(held - pair, left) for pair in pairs)

    return clears(start, tuple(outside[rank] for rank in range(13)))


def late_positions(key: str, most_cells: int, count: int) -> Iterator[Position]:
    """Random positions of real games with few cells left, so that the slow ways of deciding come to an end."""
    rules = ruleset(key)
    for number in range(10_000):
        start = rules.deal(shuffled(seed_number(number), rules.deck))
        for p, _ in walk(rules, start, Random(number), 200):
            if p.piles["p1"] and 28 - rules.progress(p) <= most_cells:
                yield p
                count -= 1
                break
        if not count:
            return


@pytest.mark.parametrize("key", ENDLESS)
def test_p10_the_order_free_test_equals_its_definition(key: str) -> None:
    answers: Counter[bool | None] = Counter()
    for p in late_positions(key, 13, amount(80, 2_000)):
        answer = told(key, p)
        assert answer is plain_order_free(key, p)
        answers[answer] += 1
    assert answers[True] > 5 < answers[False]


def can_be_won(rules: Rules, p: Position, most: int) -> bool | None:
    """Whether any row of legal moves wins, tried out; None when more than ``most`` positions would be needed."""
    seen = {p}
    waiting = [p]
    while waiting:
        p = waiting.pop()
        for move in rules.moves(p):
            following = p.after(rules.steps(p, move))
            if rules.verdict(following).value == "won":
                return True
            if rules.verdict(following).value == "open" and following not in seen:
                seen.add(following)
                waiting.append(following)
        if len(seen) > most:
            return None
    return False


@pytest.mark.parametrize("key", ENDLESS)
def test_p10_order_does_not_matter_in_the_real_game(key: str) -> None:
    """Played out with real draws, turn-overs and covers: winnable exactly when the test says so."""
    answers: Counter[bool | None] = Counter()
    for p in late_positions(key, 6, amount(60, 600)):
        truth = can_be_won(ruleset(key), p, 4_000)
        if truth is not None:
            assert told(key, p) is truth
            answers[truth] += 1
    assert answers[True] > 5
    if key != "pyramid-cover":
        assert answers[False] > 3


def with_an_empty_stock(key: str, rng: Random) -> Position:
    """A position behind the last draw with eight to eleven cells held, reached by taking partners from anywhere."""
    piles = dict(deal(key, rng.randrange(10**6)).piles)
    outside = [c & 63 for c in piles["s"]]
    removed: list[Card] = []
    cells = rng.randrange(8, 12)
    while len([n for n, pile in piles.items() if n[0] == "p" and pile]) > cells:
        held = {int(n[1:]) for n, pile in piles.items() if n[0] == "p" and pile}
        free = [n for n in held if ROW_OF[n] == 7 or not held & {n + ROW_OF[n], n + ROW_OF[n] + 1}]
        sources = [c for n in free for c in piles[f"p{n}"]] + outside
        kings = [{c} for c in sources if c >> 2 == 12]
        pairs = [{a, b} for a, b in combinations(sources, 2) if (a >> 2) + (b >> 2) == 11]
        if not kings + pairs:
            return with_an_empty_stock(key, rng)  # a dead end; begin again
        taken = rng.choice(kings + pairs)
        removed += taken
        outside = [c for c in outside if c not in taken]
        piles |= {f"p{n}": () for n in free if piles[f"p{n}"][0] in taken}
    rng.shuffle(outside)
    wastes = [name for name in piles if name[0] == "w"]
    piles |= {waste: tuple(outside[index :: len(wastes)]) for index, waste in enumerate(wastes)}
    return Position(piles | {"s": (), "f": tuple(removed)})


@pytest.mark.parametrize("key", ["thirteen", "thirteen-3"])
def test_t5_exact_once_the_stock_is_empty(key: str) -> None:
    answers: Counter[bool | None] = Counter()
    for number in range(amount(150, 3_000)):
        p = with_an_empty_stock(key, Random(number))
        truth = can_be_won(ruleset(key), p, 100_000)
        assert truth is not None
        assert told(key, p) is truth
        answers[truth] += 1
    assert answers[True] > 5 < answers[False]


@pytest.mark.parametrize("key", THIRTEEN_KEYS)
def test_t5_false_only_where_the_visible_ranks_prove_it_and_never_true_before_the_last_draw(key: str) -> None:
    answers: Counter[bool | None] = Counter()
    for number in range(40):
        rules = ruleset(key)
        for p, _ in walk(rules, deal(key, number), Random(number), 60):
            if p.piles["s"] and p.piles["p1"]:
                answer = told(key, p)
                assert answer is (None if told("pyramid", as_pyramid(p)) else False)
                answers[answer] += 1
    assert answers[None] > 0 < answers[False]


def as_pyramid(p: Position) -> Position:
    """The same cards on the table of ``pyramid``."""
    piles = {name: pile for name, pile in p.piles.items() if name not in ("w2", "w3")}
    return Position(piles | {"w1": sum((p.piles.get(w, ()) for w in ("w1", "w2", "w3")), ())})


def test_t7_strict_without_a_stock_is_decided() -> None:
    assert told("thirteen-strict", table("thirteen-strict", p1="KC")) is False
    assert told("thirteen-strict", table("thirteen-strict", w1="KC")) is True


@pytest.mark.parametrize(
    ("key", "share", "error"), [("pyramid", 0.66865, 0.00009), ("pyramid-cover", 0.83152, 0.00007)]
)
def test_p10_the_known_share_of_deals_is_winnable(key: str, share: float, error: float) -> None:
    """RULES section 5: the sample lies within four standard errors, of itself and the table together."""
    deals = amount(8_000, 100_000)
    rng = Random(13)
    won = 0
    for _ in range(deals):
        cells = tuple((c,) for c in rng.sample(FRENCH_52.cards, 28))
        won += OrderFree(last_covers=key == "pyramid-cover").clearable(cells, (), patient=True)
    spread = (share * (1 - share) / deals + error**2) ** 0.5
    assert abs(won / deals - share) < 4 * spread


@pytest.mark.parametrize("key", ENDLESS)
def test_p10_what_was_learnt_on_the_way_changes_no_answer(key: str) -> None:
    """One memo through moves, draws and undos answers like a fresh look at each position."""
    for number in range(amount(25, 400)):
        rng = Random(number)
        memo: Memo = {}
        history = []
        for p, _ in walk(ruleset(key), deal(key, number), rng, 60):
            history.append(p)
            assert told(key, p, memo) is told(key, p)
            if rng.random() < 0.2:
                back = rng.choice(history)
                assert told(key, back, memo) is told(key, back)


@pytest.mark.parametrize("key", ["thirteen", "thirteen-3"])
def test_t5_what_was_learnt_in_practice_before_another_way_changes_no_answer(key: str) -> None:
    """Undo in practice may go behind the last draw; the wastes that follow are then others."""
    rules = ruleset(key)
    for number in range(amount(25, 400)):
        memo: Memo = {}
        for way in range(4):
            for p, _ in walk(rules, deal(key, number), Random(way), 70):
                if not p.piles["s"]:
                    assert told(key, p, memo) is told(key, p)


def test_t5_other_wastes_of_the_same_height_are_other_states() -> None:
    cells: tuple[tuple[Card, ...], ...] = tuple(
        table("thirteen", p1="5C", p2="4C", p3="6D").piles[f"p{n}"] for n in range(1, 29)
    )
    helpful, useless = table("thirteen", w1="8C 9D 7C").piles["w1"], table("thirteen", w1="8C 2D 7C").piles["w1"]
    for first, second in ((helpful, useless), (useless, helpful)):
        search = OnePass(wastes=1)
        for waste in (first, second, first):
            assert search.clearable(cells, (waste,)) is (waste is helpful)


@pytest.mark.interpreted
def test_p10_a_draw_asks_for_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    p = deal("pyramid", 1)
    memo: Memo = {}
    first = told("pyramid", p, memo)

    def search(*_: object) -> bool:
        raise AssertionError("a draw changes neither cells nor foundation")

    monkeypatch.setattr(OrderFree, "_search", search)
    for _ in range(30):
        p = moved("pyramid", p, "s")
        assert told("pyramid", p, memo) is first


@pytest.mark.interpreted
def test_a_long_search_is_handed_on_and_finished_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_order_free, "HASTY", 0)
    monkeypatch.setattr(_one_pass, "HASTY", 0)
    cases: list[tuple[str, Position]] = [
        ("pyramid", next(p for p in (deal("pyramid", n) for n in range(50)) if needs_a_search(p))),
        ("thirteen", table("thirteen", p1="5C", p2="4C", p3="6D", w1="8C 7C 9D")),
    ]
    for key, p in cases:
        rules = ruleset(key)
        memo: Memo = {}
        for _ in range(2):  # being asked again does not change it
            with pytest.raises(Undecided):
                rules.winnable(rules.view(p), memo)
        work = pickle.loads(pickle.dumps((winnable, key, dict(rules.view(p).piles))))
        answer = work[0](*work[1:])
        assert answer in (True, False)
        assert answer is rules.winnable(rules.view(p), memo, patient=True)
        assert answer is rules.winnable(rules.view(p), memo)  # known from now on


def needs_a_search(p: Position) -> bool:
    test = OrderFree(last_covers=False)
    test.clearable(tuple(p.piles[f"p{n}"] for n in range(1, 29)), (), patient=True)
    return len(test._won) + len(test._lost) > 1


@pytest.mark.parametrize("key", ENDLESS)
def test_a_move_waits_for_few_states_only(key: str) -> None:
    """Of many deals none comes near the number of states that a move may wait for (a figure without a clock)."""
    rules = ruleset(key)
    for number in range(amount(300, 5_000)):
        p = deal(key, number)
        memo: Memo = {}
        rules.winnable(rules.view(p), memo)
        test: Any = memo[OrderFree]
        assert len(test._won) + len(test._lost) < _order_free.HASTY


@pytest.mark.interpreted
def test_memory_of_one_attempt_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_order_free, "KEPT", 5)
    test = OrderFree(last_covers=False)
    rng = Random(3)
    for _ in range(200):
        cells = tuple((c,) for c in rng.sample(FRENCH_52.cards, 28))
        kept = len(test._won) + len(test._lost)
        test.clearable(cells, (), patient=True)
        assert len(test._won) + len(test._lost) <= max(kept, 5) + 300


def test_hidden_cards_are_not_looked_at() -> None:
    """The view holds no stock card, and the answer is there all the same (P10, T5)."""
    for key in (*ENDLESS, "thirteen"):
        view = ruleset(key).view(deal(key, 2))
        hidden = [c for c in view.piles["s"] if c < DOWN]
        assert len(hidden) == (key == "pyramid-open")
        assert ruleset(key).winnable(view, {}) in (True, False, None)


def test_one_pass_follows_wastes_only_from_their_tops() -> None:
    p = table("thirteen", p1="5C", w1="8C 2D")
    assert told("thirteen", p) is False
    assert legal("thirteen", p) == set()
    assert told("thirteen", table("thirteen", p1="5C", w1="8C KD")) is True
    cells: tuple[tuple[Card, ...], ...] = ((16,), *[()] * 27)
    assert OnePass(wastes=1).clearable(cells, ((28,),)) is True
