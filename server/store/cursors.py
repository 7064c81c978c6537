"""Cursors: a place on a board as a text that a client hands back, made of the keys of a row and nothing else."""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final, NamedTuple

import msgspec

from server.errors import GameError
from server.play.ranking import By

#: No cursor is longer; longer texts are not looked into.
LONGEST: Final = 200

_ALTPAD: Final = {0: "", 2: "==", 3: "="}


class Place(NamedTuple):
    """What orders a result on a board, best first."""

    klass: int
    first: int
    second: int
    finished_at: int
    attempt: int

    @property
    def keys(self) -> tuple[int, int, int]:
        """What makes its rank: results equal here have the same one."""
        return self.klass, self.first, self.second


_DECODER: Final = msgspec.json.Decoder(tuple[By, int, int, int, int, int])


def write(by: By, place: Place) -> str:
    """The cursor of a place on the board ``by``, of letters, digits, ``-`` and ``_``."""
    return urlsafe_b64encode(msgspec.json.encode((by, *place))).decode().rstrip("=")


def read(text: str, by: By) -> Place:
    """The place that a cursor of the board ``by`` names. Raises ``protocol/malformed`` for any other text."""
    padding = _ALTPAD.get(len(text) % 4)
    if padding is None or len(text) > LONGEST:
        raise malformed()
    try:
        board, *numbers = _DECODER.decode(urlsafe_b64decode(text + padding))
    except (ValueError, binascii.Error, msgspec.MsgspecError) as error:
        raise malformed() from error
    place = Place(*numbers)
    if board != by or any(abs(number) >= 1 << 62 for number in place) or write(by, place) != text:
        raise malformed()
    return place


def malformed() -> GameError:
    """The refusal of a cursor."""
    return GameError("protocol/malformed", "not a cursor of this board")
