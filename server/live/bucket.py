"""Token buckets: so many requests at once, so many a second in the long run."""

from typing import Final


class Bucket:
    """Allowance for one asker. Times in milliseconds, from one clock."""

    __slots__ = ("_at_ms", "_capacity", "_per_ms", "_tokens")

    def __init__(self, capacity: int, per_second: float, now_ms: int) -> None:
        """A full bucket."""
        self._capacity: Final = float(capacity)
        self._per_ms: Final = per_second / 1000
        self._tokens = self._capacity
        self._at_ms = now_ms

    def take(self, now_ms: int, tokens_wanted: int = 1) -> bool:
        """Take tokens if there are enough."""
        tokens = self._tokens + (now_ms - self._at_ms) * self._per_ms
        self._tokens = tokens = tokens if tokens < self._capacity else self._capacity
        self._at_ms = now_ms
        if tokens < tokens_wanted:
            return False
        self._tokens = tokens - tokens_wanted
        return True

    @property
    def rested(self) -> bool:
        """Whether the last token was taken from a full bucket."""
        return self._tokens == self._capacity - 1


class Buckets:
    """A bucket for everybody who asks; who has not asked for longest is forgotten when there are too many."""

    def __init__(self, capacity: int, per_second: float, *, most: int = 10_000) -> None:
        self._capacity: Final = capacity
        self._per_second: Final = per_second
        self._most: Final = most
        self._buckets: dict[str, Bucket] = {}

    def take(self, key: str, now_ms: int, tokens_wanted: int = 1) -> bool:
        """Take tokens from the bucket of ``key`` if there are enough."""
        bucket = self._buckets.pop(key, None)
        if bucket is None:
            bucket = Bucket(self._capacity, self._per_second, now_ms)
            if len(self._buckets) >= self._most:
                del self._buckets[next(iter(self._buckets))]
        self._buckets[key] = bucket  # the latest is the last
        return bucket.take(now_ms, tokens_wanted)
