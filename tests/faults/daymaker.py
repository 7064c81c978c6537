"""A process that makes the dailies of many days, to be run twice at once and to be killed.

``python -m tests.faults.daymaker URL FOLDER FIRST DAYS`` says every day that it has made, one a line.
"""

import asyncio
import sys
from datetime import date, timedelta
from pathlib import Path

from server import logs
from server.actions import dailies
from server.app import Application
from server.settings import Settings


async def make(url: str, folder: Path, first: date, days: int) -> None:
    settings = Settings(database_url=url, data_dir=folder, stock_days=0, prove_seconds=0)
    application = Application(settings)
    await application.start()
    try:
        for number in range(days):
            day = first + timedelta(days=number)
            await dailies.ensure(application.services, day)
            sys.stdout.write(f"{day}\n")
            sys.stdout.flush()
    finally:
        await application.stop()


if __name__ == "__main__":
    logs.configure("json", "error")
    url, folder, first, days = sys.argv[1:]
    asyncio.run(make(url, Path(folder), date.fromisoformat(first), int(days)))
