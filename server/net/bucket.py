"""A token bucket: so many messages at once, so many a second in the long run."""

from typing import Final


class Bucket:
    """Allowance for one socket. Times in milliseconds, from the server's clock."""

    __slots__ = ("_at_ms", "_capacity", "_per_ms", "_tokens")

    def __init__(self, capacity: int, per_second: float, now_ms: int) -> None:
        """A full bucket."""
        self._capacity: Final = float(capacity)
        self._per_ms: Final = per_second / 1000
        self._tokens = self._capacity
        self._at_ms = now_ms

    def take(self, now_ms: int) -> bool:
        """Take one token if there is one."""
        tokens = self._tokens + (now_ms - self._at_ms) * self._per_ms
        self._tokens = tokens = tokens if tokens < self._capacity else self._capacity
        self._at_ms = now_ms
        if tokens < 1:
            return False
        self._tokens = tokens - 1
        return True

    @property
    def rested(self) -> bool:
        """Whether the last token was taken from a full bucket."""
        return self._tokens == self._capacity - 1
