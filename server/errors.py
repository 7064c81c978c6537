"""The whole error tree and its wire codes.

Domain code raises :class:`GameError` with one of :data:`CODES`; the socket session turns it into a frame and the HTTP
layer into a response. Anything else that is raised is a bug and reaches the client only as ``internal`` with an id.
Codes are part of the protocol: they are never renamed.
"""

from typing import Final

#: Every code that may cross the wire, with the HTTP status it has there.
CODES: Final[dict[str, int]] = {
    "protocol/malformed": 400,
    "protocol/unknown": 400,
    "protocol/version": 400,
    "protocol/rate": 429,
    "auth/required": 401,
    "auth/invalid": 401,
    "auth/forbidden": 403,
    "name/invalid": 422,
    "move/syntax": 422,
    "move/illegal": 422,
    "attempt/unknown": 404,
    "attempt/not_yours": 403,
    "attempt/stale": 409,
    "attempt/over": 409,
    "attempt/no_undo": 409,
    "attempt/no_hint": 409,
    "attempt/log_full": 409,
    "challenge/unknown": 404,
    "challenge/not_open": 409,
    "challenge/closed": 409,
    "challenge/barred": 403,
    "challenge/void": 409,
    "ruleset/unknown": 404,
    "seed/invalid": 422,
    "deck/invalid": 422,
    "race/unknown": 404,
    "race/full": 409,
    "race/started": 409,
    "race/not_running": 409,
    "race/not_host": 403,
    "race/not_ready": 409,
    "race/not_member": 403,
    "follow/full": 409,
    "admin/exists": 409,
    "admin/last_owner": 409,
    "admin/unbound": 409,
    "admin/reason": 422,
    "admin/dates": 422,
    "calendar/stale": 409,
    "calendar/locked": 409,
    "calendar/taken": 409,
    "deal/unknown": 404,
    "deal/used": 409,
    "deal/none": 409,
    "event/unknown": 404,
    "event/opened": 409,
    "event/invalid": 422,
    "job/unknown": 404,
    "job/busy": 409,
    "not_found": 404,
    "try_later": 503,
    "internal": 500,
}


class SamedealError(Exception):
    """Root of everything that Samedeal raises on purpose."""


class GameError(SamedealError):
    """A typed refusal: the request changes nothing and the sender is told ``code``.

    ``code`` is one of :data:`CODES`. ``message`` is English prose for a developer's eyes, without any payload;
    clients show their own words for the code. ``retry_after_s`` is set where trying again later makes sense.
    ``reason`` is one word, where a code has several reasons.
    """

    def __init__(
        self, code: str, message: str = "", *, retry_after_s: int | None = None, reason: str | None = None
    ) -> None:
        assert code in CODES, f"unlisted error code {code}"
        super().__init__(code, message)
        self.code = code
        self.message = message or code
        self.retry_after_s = retry_after_s
        self.reason = reason

    @property
    def status(self) -> int:
        """The HTTP status that goes with the code."""
        return CODES[self.code]


class ConfigurationError(SamedealError):
    """The server cannot start as it is configured; the message says what to change."""


class CorruptLogError(SamedealError):
    """A stored log does not replay under its own rules: the database was changed by something other than Samedeal."""


class SolverError(SamedealError):
    """A solver found a line that its rules refuse: a fault in the solver, so nothing that it says is to be believed."""
