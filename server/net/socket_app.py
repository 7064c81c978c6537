"""The ASGI end of ``/ws``: who may connect, and the life of the connection."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import structlog
from starlette.requests import cookie_parser

from server.actions.house import Services
from server.net.doors import Doors
from server.net.session import POLICY_VIOLATION, Session
from server.net.socket_protocol import EXTENSION, SocketProtocol

log = structlog.get_logger(__name__)

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

#: Seconds until a socket must have said who is there, or watch a board, which is for everybody.
HELLO_S: Final = 15.0


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

    def __init__(
        self,
        services: Services,
        doors: Doors,
        *,
        cookie_name: str,
        public_origin: str | None,
        hello_s: float = HELLO_S,
    ) -> None:
        """``doors`` counts sockets by the address that a trusted proxy names, or by their own."""
        self._services = services
        self._cookie_name = cookie_name
        self._doors = doors
        self._public_origin = public_origin
        self._hello_s = hello_s
        self._sessions: set[Session] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection until it ends."""
        await receive()  # websocket.connect
        origin, host = header(scope, b"origin"), header(scope, b"host")
        if not origin_allowed(origin, host, self._public_origin):
            log.info("socket refused", reason="origin")
            await send({"type": "websocket.close", "code": 1008})
            return
        door = self._doors.enter(scope["client"][0] if scope.get("client") else "")
        if door is None:
            headers = [(b"retry-after", b"10")]
            await send({"type": "websocket.http.response.start", "status": 429, "headers": headers})
            await send({"type": "websocket.http.response.body", "body": b"too many connections\n"})
            return
        try:
            await self._converse(scope, receive, send)
        finally:
            self._doors.leave(door)

    async def _converse(self, scope: Scope, receive: Receive, send: Send) -> None:
        socket: SocketProtocol = scope["extensions"][EXTENSION]
        session = Session(self._services, socket, cookie(scope, self._cookie_name))
        self._sessions.add(session)

        loop = asyncio.get_running_loop()
        timer: asyncio.TimerHandle

        def hurry() -> None:
            nonlocal timer
            if session.greeted:
                return
            if session.watching:  # as long as it does; who ends that without a hello is idle again
                timer = loop.call_later(self._hello_s, hurry)
            else:
                socket.close(POLICY_VIOLATION, "say hello")

        timer = loop.call_later(self._hello_s, hurry)
        try:
            await send({"type": "websocket.accept"})
            socket.attach(session)
            while (await receive())["type"] != "websocket.disconnect":
                pass
        finally:
            timer.cancel()
            self._sessions.discard(session)
            socket.receiver = None
            session.close()
