"""Folding stored logs without holding up anybody else."""

import asyncio
from collections.abc import Sequence
from itertools import islice
from typing import Final

from server.core.deck import shuffled
from server.core.rules import Rules, UndoPolicy
from server.play.attempt import Attempt, fold

#: Entries that are folded in one turn of the event loop: about two milliseconds.
SLICE: Final = 20
#: Logs longer than this are folded one at a time; nearly every game is shorter.
LONG_LOG: Final = 200


async def fold_stored(
    one_at_a_time: asyncio.Lock, rules: Rules, seed: str, policy: UndoPolicy, entries: Sequence[tuple[str, int]]
) -> tuple[Attempt, Attempt]:
    """The attempt before its first entry, and after the entries.

    It is done in slices, between which everybody else is served. Long logs wait for each other at ``one_at_a_time``,
    so that however many are asked for, moves wait for one slice.
    """
    start = Attempt.start(rules, shuffled(seed, rules.deck), policy)
    if len(entries) <= LONG_LOG:
        return start, await _sliced(start, entries)
    async with one_at_a_time:
        return start, await _sliced(start, entries)


async def _sliced(attempt: Attempt, entries: Sequence[tuple[str, int]]) -> Attempt:
    left = iter(entries)
    while part := list(islice(left, SLICE)):
        attempt = fold(attempt, part)
        await asyncio.sleep(0)
    return attempt
