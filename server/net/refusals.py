"""What a route may refuse, for its description."""

from typing import Any

from server.errors import CODES
from server.net.schemas import ErrorBody


def refusals(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI description of the refusals of a route."""
    described: dict[int | str, dict[str, Any]] = {}
    for status in sorted({CODES[code] for code in codes}):
        words = ", ".join(f"`{code}`" for code in codes if CODES[code] == status)
        described[status] = {"model": ErrorBody, "description": words}
    return described
