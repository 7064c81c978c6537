"""A bound on request bodies: nobody makes the server keep more than a form's worth."""

import contextlib
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Largest body of a request, in bytes.
LARGEST: Final = 16 * 1024

#: Larger bodies that some addresses take, in bytes.
LARGER: Final = {"/api/v1/admin/calendar/import": 512 * 1024}

#: So much of a larger body is read and dropped before the refusal, in bytes.
DROPPED: Final = 1024 * 1024

_ANSWER: Final = b'{"code":"protocol/malformed","message":"the body is too large"}'


class _TooLarge(Exception):
    """The body went past the bound while it was read."""


class BodyLimit:
    """ASGI middleware that answers 413 to larger bodies, announced or not."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request whose body stays within the bound."""
        largest = LARGER.get(scope["path"], LARGEST)
        for name, value in scope["headers"]:
            if name == b"content-length" and (not value.isdigit() or int(value) > largest):
                await _refuse(receive, send)
                return
        taken = 0
        started = False

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > largest:
                raise _TooLarge
            return message

        async def watched(message: Message) -> None:
            nonlocal started
            if started or taken <= largest:  # what the application makes of the exception is not what we answer
                started = True
                await send(message)

        with contextlib.suppress(_TooLarge):
            await self._app(scope, counted, watched)
        if taken > largest and not started:
            await _refuse(receive, send)


async def _refuse(receive: Receive, send: Send) -> None:
    """Answer 413, after the rest of a body that is not huge: closing on top of it would cut off the answer."""
    dropped = 0
    while dropped < DROPPED:
        message = await receive()
        if not message.get("more_body", False):
            break
        dropped += len(message["body"])
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": _ANSWER})
