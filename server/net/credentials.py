"""Who sends an HTTP request: the bearer token or the session cookie, and whether his page may write here."""

import hashlib
from typing import Final

from fastapi import Request, Response
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from server.actions import people
from server.actions.house import Services
from server.actions.people import SESSION_MS, Person
from server.errors import GameError
from server.net.doors import household
from server.net.socket_app import origin_allowed

#: Guests that one address may make: a school behind one address fits, a flood does not.
GUEST_LIMITS: Final[tuple[RateLimitItem, ...]] = (RateLimitItemPerMinute(60), RateLimitItemPerHour(600))


def cookie_name(*, secure: bool) -> str:
    """The name of the session cookie; with HTTPS it carries the prefix that binds it to this host."""
    return "__Host-samedeal" if secure else "samedeal"


class Credentials:
    """Reads and sets what identifies a player in HTTP."""

    def __init__(self, services: Services, *, public_origin: str | None, secure: bool) -> None:
        self.services: Final = services
        self.cookie: Final = cookie_name(secure=secure)
        self._secure = secure
        self._public_origin = public_origin
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def viewer(self, request: Request) -> Person | None:
        """The player who asks, None where nobody is logged in. Raises ``auth/invalid`` for a wrong bearer token."""
        bearer = request.headers.get("authorization")
        if bearer is not None:
            scheme, _, token = bearer.partition(" ")
            if scheme.lower() != "bearer" or not token:
                raise GameError("auth/invalid", "the header is Authorization: Bearer TOKEN")
            return await people.authenticate(self.services, token.strip())
        return await self._by_cookie(request)

    async def _by_cookie(self, request: Request) -> Person | None:
        token = request.cookies.get(self.cookie, "")
        if not token:
            return None
        try:
            return await people.authenticate(self.services, token)
        except GameError:
            return None  # an outdated cookie is no cookie

    async def has_session(self, request: Request) -> bool:
        """Whether the browser that asks is logged in already, whatever token the request itself carries."""
        return await self._by_cookie(request) is not None

    async def player(self, request: Request) -> Person:
        """The player who asks. Raises ``auth/required`` or ``auth/invalid``."""
        person = await self.viewer(request)
        if person is None:
            raise GameError("auth/required", "a session cookie or a token is needed")
        return person

    def check_origin(self, request: Request) -> None:
        """Refuse writing requests from other people's pages. Raises ``auth/forbidden``."""
        if not origin_allowed(request.headers.get("origin"), request.headers.get("host"), self._public_origin):
            raise GameError("auth/forbidden", "this page may not do that")

    def take_guest(self, request: Request) -> None:
        """Count a new guest against the address of its maker. Raises ``protocol/rate``."""
        if self.services.unlimited:
            return
        address = request.client.host if request.client is not None else "unknown"
        key = hashlib.sha256(household(address).encode()).hexdigest()
        for limit in GUEST_LIMITS:
            if not self._limiter.hit(limit, "guests", key):
                raise GameError("protocol/rate", "too many guests from this address", retry_after_s=limit.get_expiry())

    def set_cookie(self, response: Response, token: str) -> None:
        """Log the browser in."""
        response.set_cookie(
            self.cookie,
            token,
            max_age=SESSION_MS // 1000,
            path="/",
            httponly=True,
            secure=self._secure,
            samesite="lax",
        )
