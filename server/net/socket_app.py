"""The ASGI end of ``/ws``: who may connect, and the life of the connection."""

from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from starlette.requests import cookie_parser

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
    """The value of a cookie, read as browsers mean it: whatever other programs of this host have set beside it."""
    return cookie_parser(header(scope, b"cookie") or "").get(name)


def origin_allowed(origin: str | None, host: str | None, public_origin: str | None) -> bool:
    """Whether a browser page of this origin may connect; programs send no Origin and may.

    The origin must be that of ``PUBLIC_URL``, or, where none is set, the host that was asked for.
    """
    if origin is None:
        return True
    if public_origin is not None:
        return origin.lower() == public_origin
    return bool(host) and origin.lower() in (f"http://{host}".lower(), f"https://{host}".lower())


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
            socket.attach(session)
            while (await receive())["type"] != "websocket.disconnect":
                pass
        finally:
            self._sessions.discard(session)
            socket.receiver = None
            session.close()
