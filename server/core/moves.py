"""Moves as short text: one or two pile names joined (PROTOCOL 1, RULES C5, C6)."""

import re
from functools import lru_cache
from typing import Final

from server.errors import GameError

#: A move in its canonical spelling, as it stands in legal lists and logs.
Move = str

#: Words that stand in logs beside moves; no pile may bear such a name (PROTOCOL 1).
RESERVED: Final = frozenset({"undo", "resign", "close", "void"})

#: Longer texts are read all the same, but not remembered: they are no move of any table and would only fill memory.
_REMEMBERED_LENGTH: Final = 16

_MOVE = re.compile(r"([a-z]+[0-9]+)([a-z]+[0-9]*)|([a-z]+[0-9]*)")


def _parsed(text: str) -> tuple[str, ...] | None:
    found = _MOVE.fullmatch(text)
    names = tuple(name for name in found.groups() if name is not None) if found else ()
    return names if names and RESERVED.isdisjoint(names) else None


_remembered = lru_cache(maxsize=4096)(_parsed)


def split(text: str) -> tuple[str, ...]:
    """The one or two pile names of a move; in a pair the first ends in a digit (C5).

    Raises ``move/syntax`` for anything that is not one or two pile names, reserved words included (C6).
    """
    names = _remembered(text) if len(text) <= _REMEMBERED_LENGTH else _parsed(text)
    if names is None:
        raise GameError("move/syntax", "a move is one or two pile names")
    return names
