"""A process that closes all days that are over, to be run twice at once and to be killed.

``python -m tests.faults.daycloser URL FOLDER NOW`` says every attempt that it has closed, one a line; ``NOW`` is what
its clock says, in milliseconds.
"""

import asyncio
import sys
from pathlib import Path

from server import logs
from server.actions.house import House
from server.app import Application
from server.clock import ManualClock
from server.settings import Settings


async def close(url: str, folder: Path, now: int) -> None:
    close_attempt = House.close_attempt

    async def told(house: House, attempt_id: str, closes_at: int) -> None:
        await close_attempt(house, attempt_id, closes_at)
        sys.stdout.write(f"{attempt_id}\n")
        sys.stdout.flush()

    House.close_attempt = told  # type: ignore[assignment, method-assign]
    settings = Settings(database_url=url, data_dir=folder, stock_days=0, prove_seconds=0)
    application = Application(settings, clock=ManualClock(now))
    await application.start()  # closes what is due
    await application.stop()


if __name__ == "__main__":
    logs.configure("json", "error")
    url, folder, now = sys.argv[1:]
    asyncio.run(close(url, Path(folder), int(now)))
