"""What the recorder stores: one log entry with the summary it leads to, and the result where it ends the attempt."""

from collections.abc import Sequence
from enum import Enum
from typing import Final, Protocol

import msgspec

from server.errors import SamedealError
from server.play.attempt import Attempt
from server.play.ranking import Result, order


class Stored(Enum):
    """What became of an entry."""

    COMMITTED = "committed"
    """It is durably stored; only now may the player be told."""
    STALE = "stale"
    """The log has another entry in its place, or the attempt is over or gone: load the attempt again."""
    FAILED = "failed"
    """It was not acknowledged by the database. It may stand in the log nevertheless: load the attempt again."""


class Ending(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """How an entry ends its attempt.

    ``finished_at`` is an instant; ``klass`` and the keys of both boards are smaller-is-better (C10).
    """

    over: str
    finished_at: int
    score: int | None
    klass: int
    main_1: int
    main_2: int
    moves_1: int
    moves_2: int


class Append(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """An entry to be stored at ``seq`` (the number of entries before it), and the attempt's summary after it.

    ``attempt`` is the number of the attempt's row. ``at_ms`` is milliseconds since the start of the attempt.
    """

    attempt: int
    seq: int
    text: str
    at_ms: int
    moves: int
    undos: int
    progress: int
    ending: Ending | None = None


class PoisonedError(SamedealError):
    """The database refuses a group because of what one of its entries is; the others are good without it."""


class Groups(Protocol):
    """Stores groups of entries, each in one durable transaction."""

    async def commit(self, entries: Sequence[Append]) -> Sequence[int]:
        """Store entries of different attempts; the answer has the indices of those refused as stale.

        A ``void`` takes a result away, but writes no season again: once a daily has closed that is
        :func:`server.store.withdrawals.void`'s to do.

        Raises :class:`PoisonedError`, or whatever the driver says when the database is not to be had; then nothing
        is stored, except that a connection lost in the commit leaves this open.
        """
        ...

    async def standing(self, entries: Sequence[Append]) -> Sequence[int]:
        """The indices of entries that stand in the log exactly as given, for after a commit of unknown fate."""
        ...

    async def close(self) -> None:
        """Give back what is held."""
        ...


ENCODER: Final = msgspec.json.Encoder()


def encode(entries: Sequence[Append]) -> str:
    """A group as one JSON text, an array a row. Raises :class:`PoisonedError` for text that no encoding has."""
    try:
        return ENCODER.encode(entries).decode()
    except (UnicodeError, OverflowError, TypeError, msgspec.MsgspecError) as error:
        raise PoisonedError("an entry has no encoding") from error


def last_entry(number: int, attempt: Attempt, now_ms: int) -> Append:
    """The entry that led to this state of an attempt, whose row has that number, ready to be stored.

    ``now_ms`` is the instant at which it ended, used only where it did. ValueError for an attempt without entries.
    """
    if attempt.last is None:
        raise ValueError("an attempt before its first entry has nothing to store")
    text, at_ms = attempt.last.entry
    ending = None if attempt.over is None else ending_of(attempt, now_ms)
    return Append(number, attempt.seq - 1, text, at_ms, attempt.moves, attempt.undos, attempt.progress, ending)


def ending_of(attempt: Attempt, finished_at: int) -> Ending:
    """The end of an attempt that is over, with its places on both boards. ValueError for an open one."""
    if attempt.over is None:
        raise ValueError("the attempt is open")
    result = Result(attempt.over, attempt.at_ms, attempt.moves, attempt.undos, attempt.progress, attempt.score)
    main = order(attempt.rules, "main", result)
    moves = order(attempt.rules, "moves", result)
    return Ending(
        attempt.over,
        finished_at,
        attempt.score,
        main.klass,
        main.first,
        main.second,
        moves.first,
        moves.second,
    )
