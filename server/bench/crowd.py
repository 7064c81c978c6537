"""Many players at once: making guests, connecting them, giving them attempts to play."""

import asyncio
import hashlib
import http.client
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import msgspec

from server.bench.figures import BenchError
from server.bench.players import Guest
from server.games import rulesets

T = TypeVar("T")

#: Requests under way at once while a measurement is being prepared.
AT_ONCE: Final = 50


async def side_by_side(number: int, work: Callable[[int], Coroutine[Any, Any, T]], at_once: int = AT_ONCE) -> list[T]:
    """What ``work`` returns for 0 to ``number`` - 1, a few at a time."""
    gate = asyncio.Semaphore(at_once)

    async def one(index: int) -> T:
        async with gate:
            return await work(index)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(index)) for index in range(number)]
    except* BenchError as errors:
        raise BenchError(str(errors.exceptions[0])) from errors
    return [task.result() for task in tasks]


def guest_tokens(url: str, number: int) -> list[str]:
    """The tokens of new guests, made over HTTP one after the other. Raises :class:`BenchError` where one is refused."""
    parts = urlsplit(url)
    tokens: list[str] = []
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
    try:
        for _ in range(number):
            connection.request("POST", "/api/v1/guests")
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 201:
                raise BenchError(f"no guest: {answer.status}")
            tokens.append(msgspec.json.decode(body)["token"])
    finally:
        connection.close()
    return tokens


class Attempts:
    """Hands attempts to guests: of all rulesets in turn, the same deals in every run."""

    def __init__(self) -> None:
        self._keys: Final = tuple(rulesets())
        self._given = 0

    async def give(self, guests: Sequence[Guest], number: int) -> None:
        """Let every guest have so many attempts waiting."""

        async def one(index: int) -> None:
            guest = guests[index]
            while guest.ready < number:
                self._given += 1
                seed = hashlib.sha256(b"samedeal/bench/%d" % self._given).hexdigest()[:32]
                await guest.practice(self._keys[self._given % len(self._keys)], seed)

        await side_by_side(len(guests), one)
