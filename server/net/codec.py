"""Frames in and out: one total decoder, one encoder.

Decoding never raises anything but :class:`GameError`: the tag is looked at when the union does not fit, so that an
unknown message and a malformed one are told apart, and an `id` that can be read is repeated in the refusal.
"""

import msgspec

from server.errors import GameError
from server.net.messages import CLIENT_MESSAGES, AnyClientMessage, ServerMessage

_TAGS = frozenset(str(message.__struct_config__.tag) for message in CLIENT_MESSAGES)
_decoder: msgspec.json.Decoder[AnyClientMessage] = msgspec.json.Decoder(AnyClientMessage)
_encoder = msgspec.json.Encoder()


class _Tagged(msgspec.Struct):
    """The part of a frame by which a refusal can be addressed."""

    t: object = None
    id: object = None


_tagged: msgspec.json.Decoder[_Tagged] = msgspec.json.Decoder(_Tagged)

# RecursionError: nested containers in unknown fields are skipped recursively.
_BROKEN = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)


class Refused(GameError):
    """A frame that could not be read, with the id it bore, if any."""

    def __init__(self, code: str, message: str, frame_id: str | None) -> None:
        super().__init__(code, message)
        self.frame_id = frame_id


def decode(frame: bytes) -> AnyClientMessage:
    """The message in a text frame. Raises :class:`Refused` with ``protocol/malformed`` or ``protocol/unknown``."""
    try:
        message = _decoder.decode(frame)
    except _BROKEN:
        raise _refusal(frame) from None
    if b"\\u0000" in frame:
        raise Refused("protocol/malformed", "NUL is not allowed", read_id(frame))
    return message


def read_id(frame: bytes) -> str | None:
    """The `id` of a frame that is refused for another reason than what it says, None where none can be read."""
    try:
        return _id_of(_tagged.decode(frame))
    except _BROKEN:
        return None


def _id_of(tagged: _Tagged) -> str | None:
    return tagged.id if isinstance(tagged.id, str) and len(tagged.id) <= 40 and "\0" not in tagged.id else None


def _refusal(frame: bytes) -> Refused:
    try:
        tagged = _tagged.decode(frame)
    except _BROKEN:
        return Refused("protocol/malformed", "a frame is one JSON object with a tag t", None)
    if isinstance(tagged.t, str) and tagged.t not in _TAGS:
        return Refused("protocol/unknown", "no such message", _id_of(tagged))
    return Refused("protocol/malformed", "the fields do not fit the message", _id_of(tagged))


def encode(message: ServerMessage) -> bytes:
    """The message as the bytes of a text frame."""
    return _encoder.encode(message)
