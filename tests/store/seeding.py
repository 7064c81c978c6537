"""Rows that tests need, with ids that tell nothing and clash with nothing."""

import itertools
import random
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import text

from server.core.deck import commitment
from server.store import attempts, challenges, players
from server.store.attempts import AttemptRow
from server.store.challenges import ChallengeRow
from server.store.engine import Store
from server.store.entries import Append, Ending
from server.store.ids import uuid7
from server.store.stock import DealRow

SEED = "000102030405060708090a0b0c0d0e0f"
NOW = 1_767_225_600_000

_counter = itertools.count()
_random = random.Random(20)


def new_id() -> str:
    return uuid7(NOW + next(_counter), _random.randbytes(10))


def challenge_row(
    kind: str = "event", ruleset: str = "pyramid", date: str | None = None, closes_at: int | None = None
) -> ChallengeRow:
    seed = _random.randbytes(16).hex() if kind == "daily" else SEED  # no two dailies are from one seed
    return ChallengeRow(
        id=new_id(),
        kind=kind,
        ruleset=ruleset,
        rules_version=1,
        deal_version=1,
        date=date,
        seed=seed,
        commitment=commitment(seed),
        opens_at=NOW,
        ends_at=None,
        closes_at=closes_at,
        closed_at=None,
        created_at=NOW,
    )


def deal_row(ruleset: str = "pyramid", difficulty: str = "easy", **values: Any) -> DealRow:
    """A deal for the stock, of a seed of its own."""
    seed = values.pop("seed", None) or _random.randbytes(16).hex()
    made = {
        "id": new_id(), "ruleset": ruleset, "rules_version": 1, "deal_version": 1, "seed": seed,
        "commitment": commitment(seed), "solver_version": 1, "witness": "s s p1", "par": 3, "par_exact": True,
        "score": None, "first_moves": 4, "winnable_first_moves": 2, "dead_ends": 100, "hardness": 200,
        "difficulty": difficulty, "nodes": 10, "ms": 1, "made_at": NOW,
    }  # fmt: skip
    return msgspec.convert({**made, **values}, DealRow)


#: The row numbers of the attempts that a :class:`Seeder` has made.
_numbers: dict[str, int] = {}


def number_of(attempt_id: str) -> int:
    """The row number of an attempt that a :class:`Seeder` of this process has made."""
    return _numbers[attempt_id]


def move(attempt_id: str, seq: int, text: str = "s", at_ms: int | None = None, progress: int = 0) -> Append:
    """A plain entry; the summary counts it as a move."""
    return Append(number_of(attempt_id), seq, text, seq * 100 if at_ms is None else at_ms, seq + 1, 0, progress)


def end(
    attempt_id: str,
    seq: int,
    *,
    over: str = "won",
    text: str = "p1",
    keys: tuple[int, int] = (1000, 10),
    moves: int | None = None,
    finished_at: int = NOW + 5000,
    progress: int = 28,
) -> Append:
    """The entry that ends an attempt; ``keys`` are those of the main board, turned round for the moves board."""
    klass = 0 if over == "won" else 1
    ending = Ending(over, finished_at, None, klass, *keys, *keys[::-1])
    return Append(number_of(attempt_id), seq, text, seq * 100, seq + 1 if moves is None else moves, 0, progress, ending)


class Seeder:
    """Makes players, challenges and attempts in a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def player(self, name: str = "Ada") -> str:
        (made,) = await self.players(1, name)
        return made

    async def players(self, count: int, name: str = "Ada") -> list[str]:
        ids = [new_id() for _ in range(count)]
        async with self.store.writing() as conn:
            for player_id in ids:
                await players.create_player(conn, player_id, "guest", name, NOW)
        return ids

    async def challenge(self, row: ChallengeRow | None = None) -> str:
        row = row or challenge_row()
        async with self.store.writing() as conn:
            standing, _ = await challenges.insert_challenge(conn, row)
        return standing.id

    async def attempts(self, count: int, *, challenge: str | None = None, ranked: bool = True) -> list[str]:
        """Attempts of as many new players at one challenge."""
        challenge = challenge or await self.challenge()
        own = await self.players(count)
        ids = []
        async with self.store.writing() as conn:
            for player_id in own:
                row, _ = await attempts.start_attempt(
                    conn, new_id(), challenge, player_id, ranked=ranked, undo_policy="counted", now_ms=NOW
                )
                _numbers[row.id] = row.number
                ids.append(row.id)
        return ids

    async def attempt(self, *, challenge: str | None = None, ranked: bool = True) -> str:
        (made,) = await self.attempts(1, challenge=challenge, ranked=ranked)
        return made

    async def row(self, attempt_id: str) -> AttemptRow:
        async with self.store.reading() as conn:
            row = await attempts.attempt(conn, attempt_id)
        assert row is not None
        return row

    async def log(self, attempt_id: str) -> list[tuple[str, int]]:
        async with self.store.reading() as conn:
            return await attempts.log(conn, attempt_id)

    async def ask(self, query: str, **values: object) -> Sequence[tuple[object, ...]]:
        async with self.store.reading() as conn:
            return [tuple(row) for row in await conn.execute(text(query), values)]

    async def tell(self, statement: str, **values: object) -> None:
        async with self.store.writing() as conn:
            await conn.execute(text(statement), values)
