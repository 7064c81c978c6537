"""Cursors: a place on a board as a text that a client hands back, made of the keys of a row and nothing else."""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

import msgspec

from server.errors import GameError

#: No cursor is longer; longer texts are not looked into.
LONGEST: Final = 200

#: What orders a row on a board, best first: its keys, the instant of finishing, the attempt.
Place = tuple[int, ...]

_ALTPAD: Final = {0: "", 2: "==", 3: "="}
_DECODER: Final = msgspec.json.Decoder(tuple[str, tuple[int, ...]])


def write(board: str, place: Place) -> str:
    """The cursor of a place on a board of that name, of letters, digits, ``-`` and ``_``."""
    return urlsafe_b64encode(msgspec.json.encode((board, place))).decode().rstrip("=")


def read(text: str, board: str, size: int) -> Place:
    """The place of ``size`` numbers that a cursor of the board names.

    Raises ``protocol/malformed`` for any other text.
    """
    padding = _ALTPAD.get(len(text) % 4)
    if padding is None or len(text) > LONGEST:
        raise malformed()
    try:
        name, place = _DECODER.decode(urlsafe_b64decode(text + padding))
    except (ValueError, binascii.Error, msgspec.MsgspecError) as error:
        raise malformed() from error
    if name != board or len(place) != size or any(abs(number) >= 1 << 62 for number in place):
        raise malformed()
    if write(board, place) != text:
        raise malformed()
    return place


def malformed() -> GameError:
    """The refusal of a cursor."""
    return GameError("protocol/malformed", "not a cursor of this board")
