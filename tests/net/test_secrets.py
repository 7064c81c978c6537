"""Nothing hidden leaves the server before its time (DESIGN 1.6): non-interference (X12), a scan of all bytes (R53)."""

import asyncio
import contextlib
import hashlib
import itertools
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from server.actions import folding
from server.clock import ManualClock
from server.core.cards import Card, card_text
from server.core.deck import Deck
from server.core.deck import shuffled as shuffled_truly
from server.core.position import Position
from server.core.rules import Rules
from server.games import ruleset, rulesets
from server.net import frames
from server.play.attempt import Attempt
from server.store import challenges, stock
from server.store.challenges import ChallengeRow
from server.store.ids import uuid7
from tests.net.deals import dealt, seeds, wins
from tests.store.seeding import deal_row
from tests.support.live_server import DAY, HOUR, NOON, LiveServer, counted_seeds, live_server
from tests.support.player import Player
from tests.support.scale import rounds

HIDING = [
    key
    for key, rules in rulesets().items()
    if rules.view(dealt(key, "0" * 32).position) != dealt(key, "0" * 32).position
]
CLOSE = NOON + DAY // 2 + HOUR


def counted_ids() -> Any:
    numbers = itertools.count()
    return lambda now_ms: uuid7(now_ms, next(numbers).to_bytes(10, "big"))


def counted_tokens() -> Any:
    numbers = itertools.count()
    return lambda: f"token-{next(numbers)}"


# --- X12: two deals that differ only in hidden cards ---------------------------------------------------------------


class Twins:
    """A deck, another one, and moves that are played on both without showing where they differ."""

    def __init__(self, key: str, salt: str) -> None:
        rules = ruleset(key)
        chance = random.Random(salt)
        self.deck = shuffled_truly(next(seeds(salt)), rules.deck)
        attempt = Attempt.start(rules, self.deck, rules.undo)
        self.moves: list[str] = []
        seen = {card & 63 for card in _shown(rules, attempt)}
        for _ in range(chance.choice((1, 2, 3, 4, 5, 20))):
            choice = [move for move in attempt.legal if attempt.play(move, 0).over is None]
            if not choice:
                break
            after = attempt.play(chance.choice(choice), 0)
            shown = seen | {card & 63 for card in _shown(rules, after)}
            if len(shown) > len(self.deck) - 2:
                break
            attempt, seen = after, shown
            self.moves.append(attempt.last.entry.text if attempt.last else "")
        hidden = [place for place, card in enumerate(self.deck) if card not in seen]
        self.other = list(self.deck)
        for place, card in zip(hidden, chance.sample([self.deck[p] for p in hidden], len(hidden)), strict=True):
            self.other[place] = card
        if self.other == list(self.deck):
            first, second = hidden[:2]
            self.other[first], self.other[second] = self.other[second], self.other[first]


def _shown(rules: Rules, attempt: Attempt) -> Iterator[Card]:
    """The cards that a player sees."""
    for card in itertools.chain.from_iterable(rules.view(attempt.position).piles.values()):
        if card_text(card) != "??":
            yield card


async def conversation(
    server: LiveServer, ada: Player, http: Any, key: str, number: int, moves: Sequence[str]
) -> list[str]:
    """Everything that is sent about a challenge with a false commitment, from its start to the last move."""
    now, rules = server.manual.now_ms(), ruleset(key)
    row = ChallengeRow(
        id=server.app.services.new_id(now), kind="event", ruleset=key, rules_version=rules.version, deal_version=1,
        date=None, seed=f"{number:032x}", commitment=f"{number:064x}", opens_at=now, ends_at=now + DAY,
        closes_at=now + DAY, closed_at=None, created_at=now,
    )  # fmt: skip
    async with server.app.services.store.writing() as conn:
        await challenges.insert_challenge(conn, row)
    before = len(ada.frames)
    attempt = (await ada.start(row.id))["attempt"]
    server.manual.advance(100)
    for seq, move in enumerate(moves):
        await ada.send(t="play", attempt=attempt, seq=seq, move=move)
        await ada.send(t="play", attempt=attempt, seq=seq, move=move)
        await ada.send(t="play", attempt=attempt, seq=seq + 1, move="nonsense")
    assert (await ada.sync(attempt))["seq"] == len(moves)
    await ada.undo(attempt)
    await ada.resign(attempt)
    bodies = [(await http.get(path)).text for path in (
        f"/api/v1/attempts/{attempt}", f"/api/v1/challenges/{row.id}", f"/api/v1/boards/challenge/{row.id}",
    )]  # fmt: skip
    return ada.frames[before:] + bodies


async def everything_sent(
    folder: Path, monkeypatch: pytest.MonkeyPatch, key: str, decks: Sequence[Sequence[Card]], plays: list[list[str]]
) -> list[list[str]]:
    """What a server sends whose numbered challenges have these decks; all else that it draws by chance is fixed."""

    def numbered(seed: str, deck: Deck) -> tuple[Card, ...]:
        number = int(seed, 16)
        return tuple(decks[number]) if number < len(decks) else shuffled_truly(seed, deck)

    monkeypatch.setattr(folding, "shuffled", numbered)
    await asyncio.to_thread(folder.mkdir)
    options = {"ids": counted_ids(), "token": counted_tokens(), "seed": counted_seeds("x12")}
    url = f"sqlite+aiosqlite:///{folder / 'samedeal.db'}"
    async with (
        live_server(url, folder, ManualClock(NOON), sandbox=True, **options) as server,
        server.playing("Ada") as ada,
        server.http(ada.token) as http,
    ):
        return [await conversation(server, ada, http, key, number, moves) for number, moves in enumerate(plays)]


@pytest.mark.parametrize("key", HIDING)
async def test_x12_hidden_cards_do_not_change_a_byte(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    twins = [Twins(key, f"x12/{key}/{number}") for number in range(rounds(500, 50_000, smoke=12))]
    plays = [twin.moves for twin in twins]
    one = await everything_sent(tmp_path / "one", monkeypatch, key, [twin.deck for twin in twins], plays)
    other = await everything_sent(tmp_path / "other", monkeypatch, key, [twin.other for twin in twins], plays)
    for twin, said, said_of_the_other in zip(twins, one, other, strict=True):
        assert said == said_of_the_other, twin.moves


async def test_x12_control_a_hidden_card_that_shows_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(ruleset("pyramid")), "view_pile", lambda self, name, pile: pile)
    twin = Twins("thirteen", "control")
    one = await everything_sent(tmp_path / "one", monkeypatch, "pyramid", [twin.deck], [["s"]])
    other = await everything_sent(tmp_path / "other", monkeypatch, "pyramid", [twin.other], [["s"]])
    assert one != other


# --- R53: a scan of everything that leaves -------------------------------------------------------------------------


class Scanner:
    """Looks for seeds, and for cards of a player's own table that he may not know yet."""

    def __init__(self, seeds_to_hide: Sequence[str]) -> None:
        self._secrets = list(seeds_to_hide)
        self._secrets += [hashlib.sha256(seed.encode()).hexdigest() for seed in seeds_to_hide]
        self._secrets += [seed.upper() for seed in seeds_to_hide] + [str(int(seed, 16)) for seed in seeds_to_hide]

    def leaks(self, texts: Sequence[str]) -> list[str]:
        """The secrets that stand in a text."""
        return [secret for secret in self._secrets for text in texts if secret in text]


def cards_in(text: str) -> set[str]:
    """Every card that a frame names, in piles or anywhere else."""
    found: set[str] = set()

    def walk(value: object) -> None:
        if isinstance(value, dict):
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)
        elif isinstance(value, str) and len(value) == 2 and value[0] in "A23456789TJQKatjqk" and value[1] in "CDHScdhs":
            found.add(value.upper())

    walk({name: value for name, value in json.loads(text).items() if name not in ("layout", "legal", "move", "steps")})
    return found


def unseen_so_far(key: str, seed: str, moves: Sequence[str]) -> set[str]:
    """The cards that a player who made these moves has not been shown."""
    rules: Rules = ruleset(key)
    attempt, seen = dealt(key, seed), set[str]()
    for move in (*moves, None):
        seen |= {card_text(card & 63) for card in _shown(rules, attempt)}
        if move is not None:
            attempt = attempt.play(move, 0)
    return {card_text(card) for card in shuffled_truly(seed, rules.deck)} - seen


async def played_and_read(server: LiveServer, key: str, challenge: str, moves: Sequence[str]) -> list[str]:
    """Every frame and body that a player, his second socket, a rival and a stranger get before the close."""
    async with contextlib.AsyncExitStack() as stack:
        ada = await stack.enter_async_context(server.playing())
        tab = await stack.enter_async_context(server.playing(token=ada.token))
        eve = await stack.enter_async_context(server.playing())
        attempt = (await ada.start(challenge))["attempt"]
        await tab.sync(attempt)
        await eve.start(challenge)
        await eve.sync(attempt)
        await eve.ask("practice", challenge=challenge)
        await eve.ask("practice", **{"from": {"attempt": attempt, "seq": 0}})
        for move in moves:
            await ada.play(attempt, move)
            await ada.play(attempt, "nonsense")
            await ada.ask("hint", attempt=attempt)
        late = await stack.enter_async_context(server.playing(token=ada.token))
        await late.sync(attempt)
        bodies = []
        for token in (ada.token, eve.token, None):
            http = await stack.enter_async_context(server.http(token))
            for path in (
                f"attempts/{attempt}", f"challenges/{challenge}", f"boards/challenge/{challenge}", "dailies/today",
                f"attempts/{attempt}/analysis",
                "dailies/tomorrow", "me", "rulesets", f"boards/daily/today/{key}", "openapi.json",
                f"challenges/{challenge}/witness", f"dailies/today/{key}/field",
            ):  # fmt: skip
                bodies.append((await http.get(f"/api/v1/{path}")).text)
        return [*ada.frames, *tab.frames, *late.frames, *eve.frames, *bodies]


async def certified(server: LiveServer, key: str, challenge: str, seed: str) -> str:
    """Give a challenge a certificate whose line and par can be told from everything else that is sent."""
    line = " ".join(wins()[key][0].moves)
    deal = deal_row(key, "hard", seed=seed, witness=line, par=9753, score=9753)
    async with server.app.services.store.writing() as conn:
        await stock.add_used(conn, deal, challenge, server.manual.now_ms())
    return line


@pytest.mark.parametrize("key", HIDING)
async def test_r53_no_seed_and_no_hidden_card_leaves_before_the_close(
    sqlite_url: str, tmp_path: Path, key: str
) -> None:
    seed = wins()[key][0].seed
    moves = wins()[key][0].moves[:6]
    made: list[str] = []
    fresh = counted_seeds("r53")

    def remembered() -> str:
        made.append(fresh())
        return made[-1]

    async with live_server(sqlite_url, tmp_path, sandbox=True, seed=remembered) as server:
        challenge = await server.make_challenge(key, seed)
        line = await certified(server, key, challenge, seed)
        texts = await played_and_read(server, key, challenge, moves)
        assert Scanner([seed, *made]).leaks(texts) == []
        # Difficulty is for all, par and the line are for nobody.
        told = [json.loads(text) for text in texts if text.startswith(f'{{"id":"{challenge}"')]
        assert [one["difficulty"] for one in told] == ["hard"] * 3
        assert {one[name] for one in told for name in ("par", "par_exact", "score", "witness")} == {None}
        assert not any(line in text for text in texts)
        assert not any("9753" in text for text in texts if "openapi" not in text), "par"
        refused = [json.loads(text)["code"] for text in texts if text.startswith('{"code"')]
        assert refused.count("challenge/not_open") == 4, "the witness for each reader, where it was lost for the player"
        shown = set[str]().union(
            *(cards_in(text) for text in texts if text.startswith("{") and '"openapi"' not in text)
        )
        assert shown & unseen_so_far(key, seed, moves) == set()
        assert shown  # the scan sees cards at all


async def test_r53_control_the_scan_catches_a_seed_and_a_card(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    win = wins()["pyramid"][0]

    def open_piles(rules: Rules, position: Position, names: Any = None) -> dict[str, list[str]]:
        return {name: [card_text(card & 63) for card in position.piles[name]] for name in names or position.piles}

    monkeypatch.setattr(frames, "piles", open_piles)
    async with live_server(sqlite_url, tmp_path, sandbox=True) as server:
        challenge = await server.make_challenge("pyramid", win.seed)
        texts = await played_and_read(server, "pyramid", challenge, win.moves[:3])
    assert set[str]().union(*(cards_in(text) for text in texts if text.startswith('{"t"'))) & unseen_so_far(
        "pyramid", win.seed, win.moves[:3]
    )
    assert Scanner([win.seed]).leaks([f'{{"seed":"{win.seed}"}}']) == [win.seed]


async def test_r53_after_the_close_seed_and_log_are_everybodys(sqlite_url: str, tmp_path: Path) -> None:
    win = wins()["pyramid"][0]
    async with live_server(sqlite_url, tmp_path) as server, server.playing() as ada, server.http() as http:
        challenge = await server.make_challenge("pyramid", win.seed, ends_in=HOUR, closes_in=HOUR)
        attempt = (await ada.start(challenge))["attempt"]
        await ada.play(attempt, win.moves[0])
        server.manual.advance(HOUR)
        await server.manual.parked(3)
        record = (await http.get(f"/api/v1/attempts/{attempt}")).json()
        assert (record["seed"], record["log"][-1][0]) == (win.seed, "close")
        assert (await http.get(f"/api/v1/challenges/{challenge}/witness")).status_code == 404  # nothing was proved
        line = await certified(server, "pyramid", challenge, win.seed)
        told = (await http.get(f"/api/v1/challenges/{challenge}")).json()
        assert (told["difficulty"], told["par"], told["par_exact"], told["witness"]) == ("hard", 9753, True, line)
        shown = (await http.get(f"/api/v1/challenges/{challenge}/witness")).json()
        assert [step["move"] for step in shown["moves"]] == line.split()
        rules, after = ruleset("pyramid"), dict(shown["piles"])
        for step in shown["moves"]:
            after |= step["piles"]
        attempt_then = dealt("pyramid", win.seed)
        assert shown["piles"] == frames.piles(rules, attempt_then.position)
        for move in line.split():
            attempt_then = attempt_then.play(move, 0)
        assert after == frames.piles(rules, attempt_then.position)
