"""What every answer of the API has in common: a limit for who asks, and headers that keep it private."""

import time
from collections.abc import Callable
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.live.bucket import Buckets
from server.metrics import Metrics
from server.net.doors import household

#: Requests of one address at once, and a second in the long run (PROTOCOL 5).
BURST: Final = 200
PER_SECOND: Final = 50

#: Where the API begins; pages, their files and the signs of life are not limited.
API: Final = "/api/"

_REFUSED: Final = b'{"code":"protocol/rate","message":"too many requests from this address"}'


def monotonic_ms() -> int:
    """Milliseconds of a clock that never goes back."""
    return time.monotonic_ns() // 1_000_000


class ApiAnswers:
    """ASGI middleware around everything; it concerns itself with the paths of the API alone."""

    def __init__(
        self, app: ASGIApp, metrics: Metrics, *, unlimited: bool, now_ms: Callable[[], int] = monotonic_ms
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._buckets = None if unlimited else Buckets(BURST, PER_SECOND)
        self._now_ms = now_ms

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or answer 429 before anything is done for it."""
        if not scope["path"].startswith(API):
            await self._app(scope, receive, send)
            return

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message.setdefault("headers", []))
                headers.setdefault("Cache-Control", "no-store")
                headers.setdefault("X-Content-Type-Options", "nosniff")
                headers.add_vary_header("Cookie")
                headers.add_vary_header("Authorization")
            await send(message)

        if self._allowed(scope):
            await self._app(scope, receive, marked)
            return
        self._metrics.refused.labels("protocol/rate").inc()
        plain = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(_REFUSED))]
        await marked({"type": "http.response.start", "status": 429, "headers": [*plain, (b"retry-after", b"1")]})
        await send({"type": "http.response.body", "body": _REFUSED})

    def _allowed(self, scope: Scope) -> bool:
        client = scope.get("client")
        return self._buckets is None or self._buckets.take(household(client[0] if client else ""), self._now_ms())
