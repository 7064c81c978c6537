"""Folding stored logs without holding up anybody else."""

import asyncio
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import islice
from typing import Final

from server.core.deck import shuffled
from server.core.rules import Rules, UndoPolicy
from server.play.attempt import ENDINGS, Attempt, fold

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


async def course_of(
    one_at_a_time: asyncio.Lock, rules: Rules, seed: str, policy: UndoPolicy, entries: Sequence[tuple[str, int]]
) -> list[tuple[int, int]]:
    """At what time each move and undo of a log was made, and how far it led; see :func:`fold_stored`."""
    course: list[tuple[int, int]] = []
    attempt = Attempt.start(rules, shuffled(seed, rules.deck), policy)
    made = [entry for entry in entries if entry[0] not in ENDINGS]
    async with one_at_a_time if len(made) > LONG_LOG else nullcontext():
        for number, entry in enumerate(made, 1):
            attempt = fold(attempt, (entry,))
            course.append((attempt.at_ms, attempt.progress))
            if number % SLICE == 0:
                await asyncio.sleep(0)
    return course


async def _sliced(attempt: Attempt, entries: Sequence[tuple[str, int]]) -> Attempt:
    left = iter(entries)
    while part := list(islice(left, SLICE)):
        attempt = fold(attempt, part)
        await asyncio.sleep(0)
    return attempt
