"""Short caching: an answer carries a mark of what it says, and who has that already is sent no body.

What a player sees of himself is asked for anew every time: he must find his own result on a board at once.
"""

import hashlib
from typing import Final

from fastapi import Request, Response
from pydantic import BaseModel

from server.actions.people import Person

#: Seconds that an answer may be shown again without asking where nobody is logged in.
SHARED_S: Final = 1


def answer(request: Request, body: BaseModel, person: Person | None) -> Response:
    """The body as JSON with `ETag` and `Cache-Control`, or 304 where `If-None-Match` names it."""
    content = body.model_dump_json().encode()
    mark = f'W/"{hashlib.sha256(content).hexdigest()[:24]}"'
    age = f"public, max-age={SHARED_S}" if person is None else "private, no-cache"
    headers = {"ETag": mark, "Cache-Control": age, "Vary": "Authorization, Cookie"}
    if _names(request.headers.get("if-none-match", ""), mark):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="application/json", headers=headers)


def _names(wanted: str, mark: str) -> bool:
    """Whether an `If-None-Match` names a mark; weak and strong ones are compared alike (RFC 9110, 13.1.2)."""
    given = {part.strip().removeprefix("W/") for part in wanted.split(",")}
    return "*" in given or mark.removeprefix("W/") in given
