"""S5: how fast the rules are: a move judged and made, and the legal moves after it listed."""

import gc
import hashlib
import random
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, cast

import msgspec

from server.actions.table import House, Moved, Seat, Table
from server.bench.figures import Bar, Figure, Say, median
from server.core.deck import shuffled
from server.core.rules import Rules
from server.games import rulesets
from server.net import frames
from server.net.codec import decode, encode
from server.net.messages import Played
from server.play.attempt import Attempt, practice_policy

#: Entries after which a game is left: a pyramid's stock may be drawn through for ever.
LONGEST: Final = 80
#: How often a move other than the preferred one is made.
WILD: Final = 0.2
#: A time such as a player's, milliseconds between two moves.
PACE_MS: Final = 900

#: Games of every ruleset, and how often they are played again.
GAMES: Final = 60
SMOKE_GAMES: Final = 3
ROUNDS: Final = 5


class Game(NamedTuple):
    """A game as it was played, with the frames that crossed the socket for it."""

    start: Attempt
    moves: Sequence[str]
    asked: Sequence[bytes]
    answers: Sequence[Played]


def game(rules: Rules, number: int) -> Game:
    """A game of the deal with this number: mostly preferred moves, now and then another."""
    salt = f"samedeal/bench/{number}"
    choose = random.Random(salt)  # noqa: S311 - which move is made is no secret
    seed = hashlib.sha256(salt.encode()).hexdigest()[:32]
    start = attempt = Attempt.start(rules, shuffled(seed, rules.deck), practice_policy(rules))
    attempt_id = f"01890a5d-ac96-774b-bcce-{number:012}"
    seat = Seat(number, attempt_id, attempt_id, attempt_id, "practice", None, "", False, 0, 0, None)
    moves: list[str] = []
    asked: list[bytes] = []
    answers: list[Played] = []
    while attempt.legal and attempt.seq < LONGEST:
        move = choose.choice(attempt.legal) if choose.random() < WILD else attempt.legal[0]
        asked.append(msgspec.json.encode({"t": "play", "attempt": attempt_id, "seq": attempt.seq, "move": move}))
        attempt = attempt.play(move, attempt.seq * PACE_MS)
        moves.append(move)
        answers.append(frames.played(Moved(Table(cast(House, None), seat, attempt, None), attempt, None, None)))
    return Game(start, moves, asked, answers)


def replayed(games: Sequence[Game]) -> None:
    """Play all games again."""
    for start, moves, _, _ in games:
        attempt, at_ms = start, 0
        for move in moves:
            at_ms += PACE_MS
            attempt = attempt.play(move, at_ms)


def recoded(games: Sequence[Game]) -> None:
    """Read all frames of the games and write the answers."""
    for _, _, asked, answers in games:
        for frame, answer in zip(asked, answers, strict=True):
            decode(frame)
            encode(answer)


def rate(work: Callable[[Sequence[Game]], None], games: Sequence[Game]) -> float:
    """Moves a second of processor time."""
    began = time.process_time()
    work(games)
    return sum(len(game.moves) for game in games) / (time.process_time() - began)


async def s5(*, smoke: bool, say: Say) -> list[Figure]:
    """Every ruleset beside reading and writing its frames, in turns."""
    figures: list[Figure] = []
    own: list[float] = []
    for rules in rulesets().values():
        games = [game(rules, number) for number in range(SMOKE_GAMES if smoke else GAMES)]
        gc.collect()  # what the games before have left is not to be paid for by this one
        played: list[float] = []
        coded: list[float] = []
        for _ in range(ROUNDS):
            coded.append(rate(recoded, games))
            played.append(rate(replayed, games))
        own.append(median(played))
        figures.append(
            Figure(
                rules.key,
                f"{own[-1]:,.0f} moves/s",
                f"{median(coded):,.0f} frames/s",
                own[-1],
                "moves/s",
                Bar(25_000, 70_000),
            )
        )
    average = sum(own) / len(own)
    figures.append(Figure("average", f"{average:,.0f} moves/s", "", average, "moves/s", Bar(25_000, 70_000)))
    return figures
