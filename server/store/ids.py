"""Row ids: UUIDv7 (RFC 9562), which sort by the millisecond they were made in and cannot be guessed."""

import re
from typing import Final

#: Random bytes that one id takes.
ENTROPY_BYTES: Final = 10

_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def uuid7(now_ms: int, entropy: bytes) -> str:
    """A new id in its hyphenated, lower-case form.

    ``now_ms`` is the present instant in milliseconds since the Unix epoch, ``entropy`` is 10 bytes from the operating
    system's random source. ValueError when there are more or fewer.
    """
    if len(entropy) != ENTROPY_BYTES:
        raise ValueError(f"an id takes {ENTROPY_BYTES} random bytes")
    noise = int.from_bytes(entropy, "big")
    value = (now_ms & (1 << 48) - 1) << 80
    value |= 0x7 << 76 | (noise >> 62 & 0xFFF) << 64  # version, then 12 random bits
    value |= 0b10 << 62 | noise & (1 << 62) - 1  # variant, then 62 random bits
    digits = f"{value:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def is_id(text: str) -> bool:
    """Whether a text has the form of a row id. Asking a database for anything else is an error on PostgreSQL."""
    return _ID.fullmatch(text) is not None
