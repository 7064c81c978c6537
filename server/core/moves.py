"""Moves as short text: one or two pile names joined (PROTOCOL 1, RULES C5, C6)."""

import re
from functools import lru_cache
from typing import Final

from server.errors import GameError

#: A move in its canonical spelling, as it stands in legal lists and logs.
Move = str

#: Words that stand in logs beside moves; no pile may bear such a name (PROTOCOL 1).
RESERVED: Final = frozenset({"undo", "resign", "close", "void"})

#: The longest text that is looked at; longer ones cannot be pile names of any table.
MAX_LENGTH: Final = 32

_MOVE = re.compile(r"([a-z]+[0-9]+)([a-z]+[0-9]*)|([a-z]+[0-9]*)")


@lru_cache(maxsize=4096)
def _split(text: str) -> tuple[str, ...] | None:
    found = _MOVE.fullmatch(text)
    if found is None or text in RESERVED:
        return None
    return tuple(name for name in found.groups() if name is not None)


def split(text: str) -> tuple[str, ...]:
    """The one or two pile names of a move; in a pair the first ends in a digit (C5).

    Raises ``move/syntax`` for anything that is not one or two pile names, reserved words included (C6).
    """
    names = _split(text) if len(text) <= MAX_LENGTH else None
    if names is None:
        raise GameError("move/syntax", "a move is one or two pile names")
    return names
