"""The ASGI end of ``/ws``: who may connect, and the life of the connection."""

from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

import structlog

from server.actions.house import Services
from server.net.session import Session
from server.net.socket_protocol import EXTENSION, SocketProtocol

log = structlog.get_logger(__name__)

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

FORBIDDEN = 403


def header(scope: Scope, name: bytes) -> str | None:
    """The value of a header of the handshake, None where it is missing."""
    for key, value in scope["headers"]:
        if key.lower() == name:
            return str(value.decode("latin-1"))
    return None


def cookie(scope: Scope, name: str) -> str | None:
    """The value of a cookie; a header that cannot be read counts as none."""
    try:
        morsel = SimpleCookie(header(scope, b"cookie") or "").get(name)
    except CookieError:
        return None
    return morsel.value if morsel is not None else None


def origin_allowed(origin: str | None, host: str | None, public_origin: str | None) -> bool:
    """Whether a browser page of this origin may connect; programs send no Origin and may.

    The origin must be that of ``PUBLIC_URL``, or, where none is set, the host that was asked for.
    """
    if origin is None:
        return True
    if public_origin is not None:
        return origin.lower() == public_origin
    parts = urlsplit(origin)
    return bool(host) and parts.scheme in ("http", "https") and parts.netloc.lower() == (host or "").lower()


class SocketApp:
    """Takes WebSocket connections to one path and gives each a session."""

    def __init__(self, services: Services, *, cookie_name: str, public_origin: str | None) -> None:
        self._services = services
        self._cookie_name = cookie_name
        self._public_origin = public_origin
        self._sessions: set[Session] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection until it ends."""
        await receive()  # websocket.connect
        origin, host = header(scope, b"origin"), header(scope, b"host")
        if not origin_allowed(origin, host, self._public_origin):
            log.info("socket refused", reason="origin")
            await send({"type": "websocket.close", "code": 1008})
            return
        socket: SocketProtocol = scope["extensions"][EXTENSION]
        session = Session(self._services, socket, cookie(scope, self._cookie_name))
        self._sessions.add(session)
        try:
            await send({"type": "websocket.accept"})
            socket.receiver = session
            while True:
                message = await receive()
                if message["type"] == "websocket.disconnect":
                    return
                if message.get("text") is not None:  # came with the handshake, before there was a session
                    session.feed(message["text"].encode())
                else:
                    socket.close(1003)
        finally:
            self._sessions.discard(session)
            socket.receiver = None
            session.close()
