"""The real server as a process of its own, to be killed."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx

from tests.support.plain_http import plain_http
from tests.support.player import Player

ROOT = Path(__file__).parent.parent.parent
PATIENCE_S = 60


class Served:
    """One process of ``samedeal serve`` in its own process group, with the limits lifted."""

    def __init__(self, process: asyncio.subprocess.Process, address: str, log: Path) -> None:
        self.process = process
        self.address = address.replace("localhost", "127.0.0.1")
        self.log = log

    @classmethod
    async def start(
        cls, database_url: str, folder: Path, *, fault: str = "none", before: tuple[str, ...] = (), **environment: str
    ) -> "Served":
        """Start it and wait for its address; `before` are words of a program that runs it."""
        variables = os.environ | {
            "SAMEDEAL_DATABASE_URL": database_url,
            "SAMEDEAL_DATA_DIR": str(folder),
            "SAMEDEAL_SANDBOX": "1",
            "SAMEDEAL_LOG_LEVEL": "warning",
            "SAMEDEAL_STOCK_DAYS": "0",
            "SAMEDEAL_PROVE_SECONDS": "0",
            "PYTHONPATH": str(ROOT),
            **environment,
        }
        log = folder / "server.log"
        with log.open("ab") as lines:
            process = await asyncio.create_subprocess_exec(
                *before, sys.executable, "-m", "tests.faults.variants", fault, "serve", "--port", "0",
                env=variables, stdout=asyncio.subprocess.PIPE, stderr=lines, start_new_session=True,
            )  # fmt: skip
        assert process.stdout is not None
        ready = (await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)).decode()
        if "http://" not in ready:
            await process.wait()
            raise AssertionError(f"the server did not start: {log.read_text()}")
        return cls(process, ready[ready.index("http://") :].strip(), log)

    def kill(self) -> None:
        """End it as the operating system does when memory is short."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    async def stop(self) -> int:
        """Ask it to stop, and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return await asyncio.wait_for(self.process.wait(), PATIENCE_S)

    def http(self, token: str | None = None) -> httpx.AsyncClient:
        """An HTTP client of it."""
        return plain_http(self.address, token, timeout_s=PATIENCE_S)

    async def guest(self) -> str:
        """The token of a new guest."""
        async with self.http() as http:
            return str((await http.post("/api/v1/guests")).json()["token"])

    async def player(self, token: str, **options: Any) -> Player:
        """A player who has said hello."""
        player = await Player.connect(self.address.replace("http:", "ws:") + "/ws", token, **options)
        await player.hello()
        return player


@contextlib.asynccontextmanager
async def served(database_url: str, folder: Path, **options: Any) -> AsyncIterator[Served]:
    """A served process for the length of a block; killed at its end if it still runs."""
    process = await Served.start(database_url, folder, **options)
    try:
        yield process
    finally:
        process.kill()
        await process.process.wait()
