"""Certifying deals in processes of their own, so that no search is ever near the event loop."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from typing import Final, Self

import msgspec

from server.core.rules import Rules
from server.errors import SolverError
from server.solve.certificate import Certificate
from server.solve.worker import Failure, Question

#: How far worker processes stand back: where somebody waits, and where nobody does.
PROMPT: Final = 5
PATIENT: Final = 19

#: The longest answer of a worker, in bytes; a witness takes a few hundred.
_LONGEST: Final = 1 << 20

_encode = msgspec.json.Encoder().encode
_certificate = msgspec.json.Decoder(Certificate | None).decode
_failure = msgspec.json.Decoder(Failure).decode


class WorkerLost(Exception):
    """A worker process could not be started, or ended before it had answered."""


class Prover:
    """Up to so many worker processes, started when first needed; leave the block to end them, whatever they do."""

    def __init__(self, workers: int, niceness: int) -> None:
        self._niceness = niceness
        self._free = asyncio.Semaphore(workers)
        self._idle: list[Process] = []
        self._all: set[Process] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End the processes. What they were asked is lost."""
        self._idle.clear()
        while self._all:
            await self._end(self._all.pop())

    async def prove(self, rules: Rules, seed: str, *, hasty: bool = False) -> Certificate | None:
        """The certificate of a deal; None where it cannot be won or that was not decided.

        Raises :class:`WorkerLost`, or :class:`SolverError` where a solver contradicts its rules.
        """
        async with self._free:
            process = self._idle.pop() if self._idle else await self._start()
            try:
                line = await _asked(process, _encode(Question(rules.key, seed, hasty)) + b"\n")
            except BaseException:  # it would answer whoever asks next
                self._all.discard(process)
                await self._end(process)
                raise
            self._idle.append(process)
        try:
            return _certificate(line)
        except msgspec.ValidationError:
            raise SolverError(_failure(line).error) from None

    async def _start(self) -> Process:
        # Not in a session of its own: Linux weighs sessions against each other, whatever the niceness within.
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "server.solve.worker", str(self._niceness)),
                stdin=PIPE,
                stdout=PIPE,
                limit=_LONGEST,
            )
        except OSError as error:
            raise WorkerLost(f"no worker process: {error}") from error
        self._all.add(process)
        return process

    async def _end(self, process: Process) -> None:
        with suppress(ProcessLookupError):
            process.kill()
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


async def _asked(process: Process, question: bytes) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(question)
        await process.stdin.drain()
        line = await process.stdout.readline()
    except (ConnectionError, ValueError) as error:
        raise WorkerLost("a worker process is gone") from error
    if not line.endswith(b"\n"):
        raise WorkerLost("a worker process is gone")
    return line
