"""Who an admin's HTTP request comes from: a bearer token, or the session of a browser that signed in with one."""

import hashlib
from typing import Any, Final

from fastapi import Request, Response
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from server.actions.admin import identity
from server.actions.admin.identity import SESSION_MS
from server.actions.admin.roles import ACTIONS, Actor
from server.actions.house import Services
from server.errors import GameError
from server.net.credentials import Credentials
from server.net.doors import household
from server.net.socket_app import origin_allowed

#: Attempts to sign in from one address; also in a sandbox.
SIGN_IN_LIMITS: Final[tuple[RateLimitItem, ...]] = (RateLimitItemPerMinute(10), RateLimitItemPerHour(60))

#: Methods that change nothing.
_SAFE: Final = ("GET", "HEAD", "OPTIONS")

#: No token is longer; longer texts are not looked at.
_LONGEST: Final = 200


def marked(action: str) -> dict[str, Any]:
    """What says of a route which action it is, in its description and for the matrix of roles."""
    return {"openapi_extra": {"x-action": action, "x-roles": sorted(ACTIONS[action][0])}}


class AdminGate:
    """Reads and sets what identifies an admin in HTTP."""

    def __init__(
        self, services: Services, credentials: Credentials, *, public_origin: str | None, secure: bool
    ) -> None:
        self._services = services
        self._credentials = credentials
        self._public_origin = public_origin
        self._secure = secure
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        #: The name of the session's cookie; with HTTPS it carries the prefix that binds it to this host.
        self.cookie: Final = "__Host-samedeal-admin" if secure else "samedeal-admin"

    async def who(self, request: Request) -> Actor:
        """The admin who asks. Raises ``auth/required``, ``auth/invalid``, or ``auth/forbidden`` for others' pages."""
        bearer = request.headers.get("authorization")
        if bearer is not None:
            scheme, _, token = bearer.partition(" ")
            if scheme.lower() != "bearer" or not 0 < len(token) <= _LONGEST:
                raise GameError("auth/invalid", "the header is Authorization: Bearer TOKEN")
            return await identity.authenticate(self._services, token.strip(), session=False)
        token = self.session(request)
        if not token:
            raise GameError("auth/required", "sign in as an admin, or send an admin's token")
        if request.method not in _SAFE:
            self.check_page(request)
        return await identity.authenticate(self._services, token, session=True)

    def session(self, request: Request) -> str:
        """The token of the browser's session, empty where there is none."""
        token = request.cookies.get(self.cookie, "")
        return token if len(token) <= _LONGEST else ""

    def check_page(self, request: Request) -> None:
        """Refuse writing requests that name no page of ours: browsers always say from which one they come.

        Raises ``auth/forbidden``.
        """
        origin = request.headers.get("origin")
        if origin is None or not origin_allowed(origin, request.headers.get("host"), self._public_origin):
            raise GameError("auth/forbidden", "this page may not do that")

    def take_attempt(self, request: Request) -> None:
        """Count an attempt to sign in against its address. Raises ``protocol/rate``."""
        address = request.client.host if request.client is not None else "unknown"
        key = hashlib.sha256(household(address).encode()).hexdigest()
        for limit in SIGN_IN_LIMITS:
            if not self._limiter.hit(limit, "admins", key):
                raise GameError("protocol/rate", "too many attempts to sign in", retry_after_s=limit.get_expiry())

    def player_token(self, request: Request, given: str | None) -> str:
        """The token of the player that a request names: the one given, or that of his session in this browser.

        Raises ``auth/required`` where there is none.
        """
        token = given or request.cookies.get(self._credentials.cookie, "")
        if not token:
            raise GameError("auth/required", "a player's token, or his session in this browser, is needed")
        return token

    def set_cookie(self, response: Response, token: str) -> None:
        """Let the browser be signed in until its session ends."""
        response.set_cookie(
            self.cookie,
            token,
            max_age=SESSION_MS // 1000,
            path="/",
            httponly=True,
            secure=self._secure,
            samesite="strict",
        )

    def drop_cookie(self, response: Response) -> None:
        """Let the browser forget its session."""
        response.delete_cookie(self.cookie, path="/", httponly=True, secure=self._secure, samesite="strict")
