"""A bound on request bodies: nobody makes the server keep more than a form's worth."""

from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Largest body of a request, in bytes.
LARGEST: Final = 16 * 1024

_ANSWER: Final = b'{"code":"protocol/malformed","message":"the body is too large"}'


class _TooLarge(Exception):
    """The body went past the bound while it was read."""


class BodyLimit:
    """ASGI middleware that answers 413 to larger bodies, announced or not."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request whose body stays within the bound."""
        for name, value in scope["headers"]:
            if name == b"content-length" and (not value.isdigit() or int(value) > LARGEST):
                await _refuse(send)
                return
        taken = 0
        started = False

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > LARGEST:
                raise _TooLarge
            return message

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, counted, watched)
        except _TooLarge:
            if not started:
                await _refuse(send)


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": _ANSWER})
