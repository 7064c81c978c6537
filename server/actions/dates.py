"""Instants and dates as they are written outside, and the dates of dailies.

Inside, instants are integer milliseconds since the epoch. The day changes at 00:00 UTC for everybody; days are counted
on the calendar, never in hours.
"""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final

from server.errors import GameError
from server.store.periods import EARLIEST

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def today(now_ms: int) -> date:
    """The UTC date of an instant."""
    return datetime.fromtimestamp(now_ms // 1000, UTC).date()


def iso(instant_ms: int) -> str:
    """The instant as ``2026-11-29T20:44:42.123Z``; whole seconds are written without a fraction."""
    seconds, ms = divmod(instant_ms, 1000)
    text = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{ms:03d}Z" if ms else f"{text}Z"


def midnight_ms(day: date) -> int:
    """The instant at which a date begins."""
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1000


def parse_date(text: str, now_ms: int) -> date:
    """``today``, ``tomorrow`` or ``YYYY-MM-DD``; raises ``challenge/unknown`` for absurd, malformed and later dates.

    Dates before any daily are refused without a look into the database.
    """
    now = today(now_ms)
    if text == "today":
        return now
    if text == "tomorrow":
        return now + timedelta(days=1)
    if not _DATE.fullmatch(text):
        raise GameError("challenge/unknown", "a date is YYYY-MM-DD, today or tomorrow")
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise GameError("challenge/unknown", "there is no such date") from None
    if not EARLIEST <= day <= now + timedelta(days=1):
        raise GameError("challenge/unknown", "there is no daily of that date")
    return day
