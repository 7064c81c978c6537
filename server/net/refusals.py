"""What a route may refuse, for its description."""

from typing import Any

from server.errors import CODES

#: The body of every refusal, as the description of the API refers to it. A model at every route would be made ready to
#: read and write again for each of them, a third of what building the API takes.
_BODY = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}


def refusals(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI description of the refusals of a route."""
    described: dict[int | str, dict[str, Any]] = {}
    for status in sorted({CODES[code] for code in codes}):
        words = ", ".join(f"`{code}`" for code in codes if CODES[code] == status)
        described[status] = {"description": words, "content": _BODY}
    return described
