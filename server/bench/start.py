"""S10: from nothing to the first page and the first ``welcome``, and the memory of a server at rest."""

import asyncio
import http.client
import time
from contextlib import AsyncExitStack
from typing import Final
from urllib.parse import urlsplit

from server.bench import databases
from server.bench.crowd import guest_tokens
from server.bench.figures import Bar, BenchError, Figure, Say, median
from server.bench.players import Guest
from server.bench.processes import echoing, serving

ROUNDS: Final = 5
MIB: Final = 1024 * 1024


def first_page(url: str) -> None:
    """Read the first page. Raises :class:`BenchError` where there is none."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
    try:
        connection.request("GET", "/")
        answer = connection.getresponse()
        body = answer.read()
    finally:
        connection.close()
    if answer.status != 200 or not body:
        raise BenchError(f"no page: {answer.status}")


async def s10(*, smoke: bool, say: Say) -> list[Figure]:
    """Our server on a database that it must make first, and again on the one that it has made, beside a bare page."""
    bare: list[float] = []
    new: list[float] = []
    again: list[float] = []
    memory: list[float] = []
    for turn in range(1 if smoke else ROUNDS):
        began = time.perf_counter()
        async with echoing("page") as page:
            await asyncio.to_thread(first_page, page.url)
            bare.append(time.perf_counter() - began)
        async with AsyncExitStack() as stack:
            url = await stack.enter_async_context(databases.sqlite())
            for times in (new, again):
                seconds, resident = await _start(url)
                times.append(seconds)
                memory.append(resident / MIB)
        say(
            f"round {turn + 1}: new database {new[-1]:.2f} s, existing {again[-1]:.2f} s, bare page {bare[-1]:.2f} s;"
            f" {memory[-1]:.0f} MiB"
        )
    return [
        *(
            Figure(
                f"start to page and welcome, {what} database",
                f"{median(times):.2f} s",
                f"bare uvicorn page {median(bare):.2f} s",
                median([mine - other for mine, other in zip(times, bare, strict=True)]),
                "s more",
                Bar(1.5, 1.0, at_least=False),
            )
            for what, times in (("new", new), ("existing", again))
        ),
        Figure("memory at rest", f"{median(memory):.0f} MiB", "", median(memory), "MiB", Bar(120, 100, at_least=False)),
    ]


async def _start(database_url: str) -> tuple[float, int]:
    """Seconds to the first page and the first welcome, and the bytes of memory that the server has then."""
    began = time.perf_counter()
    async with serving(database_url, proving=True) as game:
        await asyncio.to_thread(first_page, game.url)
        (token,) = await asyncio.to_thread(guest_tokens, game.url, 1)
        guest = await Guest.connect(game.socket_url, token, 0)
        seconds = time.perf_counter() - began
        guest.leave()
        return seconds, game.memory()
