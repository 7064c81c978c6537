"""Boards as anybody would compute them from the logs alone: lists, sorting, counting, and none of the store's SQL."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

from sqlalchemy import text

from server.core.deck import shuffled
from server.core.rules import UndoPolicy
from server.games import ruleset
from server.play.attempt import Attempt, fold
from server.store.engine import Store


@dataclass(frozen=True)
class Game:
    """A ranked attempt that stands on boards, folded from its log."""

    number: int
    player: str
    kind: str
    account: bool
    challenge: str
    ruleset: str
    day: date
    won: bool
    time_ms: int
    moves: int
    score: int
    missing: int
    finished_at: int
    outcome: str

    def keys(self, by: str) -> tuple[int, ...]:
        """C10: won before all others; these by progress alone."""
        if not self.won:
            return (1, self.missing)
        if by == "moves":
            return (0, self.moves, self.time_ms)
        if self.ruleset.startswith("foursquare"):
            return (0, -self.score, self.time_ms, self.moves)
        return (0, self.time_ms, self.moves)


async def games(store: Store) -> list[Game]:
    """Every game in a database."""
    async with store.reading() as conn:
        heads = (
            await conn.execute(
                text(
                    "SELECT a.number, a.undo_policy, a.finished_at, c.ruleset, c.seed, c.date, c.opens_at,"
                    " CAST(c.id AS TEXT) AS challenge, CAST(p.id AS TEXT) AS player, p.kind, p.created_at,"
                    " p.account_since FROM attempts a JOIN challenges c ON c.id = a.challenge_id"
                    " JOIN players p ON p.id = a.player_id WHERE a.ranked"
                )
            )
        ).all()
        logs: dict[int, list[tuple[str, int]]] = defaultdict(list)
        for number, entry, at_ms in await conn.execute(
            text("SELECT attempt, text, at_ms FROM log ORDER BY attempt, seq")
        ):
            logs[number].append((entry, at_ms))
    found = []
    for head in heads:
        rules = ruleset(head.ruleset)
        start = Attempt.start(rules, shuffled(head.seed, rules.deck), UndoPolicy(head.undo_policy))
        end = fold(start, logs[head.number])
        if end.over in (None, "void") or not any(entry not in ("resign", "close") for entry, _ in logs[head.number]):
            continue
        since = head.account_since or head.created_at
        found.append(
            Game(
                number=head.number,
                player=head.player.replace("-", ""),
                kind=head.kind,
                account=head.kind == "account" and since < head.opens_at,
                challenge=head.challenge.replace("-", ""),
                ruleset=head.ruleset,
                day=date.fromisoformat(head.date),
                won=end.over == "won",
                time_ms=end.at_ms,
                moves=end.moves,
                score=end.score or 0,
                missing=rules.layout.maximum - end.progress,
                finished_at=head.finished_at,
                outcome=str(end.over),
            )
        )
    return found


Chosen = Callable[[Game], bool]

FILTERS: dict[str, Chosen] = {
    "all": lambda game: True,
    "accounts": lambda game: game.account,
    "bots": lambda game: game.kind == "bot",
}


def ranked(rows: Iterable[tuple[tuple[int, ...], tuple[int, int], Any]]) -> list[tuple[int, Any]]:
    """Rank and thing of rows given as (keys, (finished_at, attempt), thing): 1, 2, 2, 4."""
    ordered = sorted(rows, key=lambda row: (row[0], row[1]))
    return [(1 + sum(other[0] < row[0] for other in ordered), row[2]) for row in ordered]


def board(own: Iterable[Game], by: str, chosen: Chosen) -> list[tuple[int, Game]]:
    """The board of some games."""
    return ranked((game.keys(by), (game.finished_at, game.number), game) for game in own if chosen(game))


def records(own: Iterable[Game], by: str, chosen: Chosen) -> list[tuple[int, Game]]:
    """The ranked wins."""

    def keys(game: Game) -> tuple[int, ...]:
        return (game.time_ms, game.moves) if by == "time" else (game.moves, game.time_ms)

    return ranked((keys(game), (game.finished_at, game.number), game) for game in own if game.won and chosen(game))


def points(own: Sequence[Game]) -> dict[int, int]:
    """Points by attempt: a thousand times the share of the field that was beaten, equals counted half."""
    worth: dict[int, int] = {}
    by_challenge: dict[str, list[Game]] = defaultdict(list)
    for game in own:
        by_challenge[game.challenge].append(game)
    for field in by_challenge.values():
        for game in field:
            worse = sum(other.keys("main") > game.keys("main") for other in field)
            equal = sum(other.keys("main") == game.keys("main") for other in field)
            worth[game.number] = 1000 * (2 * worse + equal) // (2 * len(field))
    return worth


def season(
    own: Sequence[Game], worth: dict[int, int], within: Callable[[date], bool], chosen: Chosen
) -> list[tuple[int, tuple[str, int, int, int]]]:
    """Rank and (player, points, counted, played): the best five of each ISO week's days in the period."""
    by_player: dict[str, list[Game]] = defaultdict(list)
    for game in own:
        if within(game.day) and chosen(game):
            by_player[game.player].append(game)
    rows = []
    for player, played in by_player.items():
        weeks: dict[tuple[int, int], list[int]] = defaultdict(list)
        for game in played:
            weeks[game.day.isocalendar()[:2]].append(worth[game.number])
        best = [value for week in weeks.values() for value in sorted(week, reverse=True)[:5]]
        ties = (max(game.finished_at for game in played), max(game.number for game in played))
        rows.append(((-sum(best),), ties, (player, sum(best), len(best), len(played))))
    return ranked(rows)


def has_ties(rows: Sequence[tuple[int, Any]]) -> bool:
    """Whether two neighbours have one rank."""
    return any(one[0] == other[0] for one, other in pairwise(rows))
