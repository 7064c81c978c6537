"""The whole API: what players ask for, what admins ask for, and the description of both.

It is built when somebody first asks for what only it has: the admins' half would make every start a tenth longer, and a
server may run for weeks until an admin comes.
"""

import asyncio
from typing import Any, Final

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from server.actions.house import Services
from server.net.api import PREFIX, create_api
from server.net.credentials import Credentials
from server.net.refusals import refusals
from server.net.schemas import ErrorBody

#: Where the description lies.
OPENAPI: Final = f"{PREFIX}/openapi.json"
_ADMIN: Final = f"{PREFIX}/admin"


class WholeApi:
    """Answers players at once by their half; all else by the whole, once that is built."""

    def __init__(
        self, services: Services, credentials: Credentials, version: str, *, public_origin: str | None, secure: bool
    ) -> None:
        self._services = services
        self._credentials = credentials
        self._version = version
        self._public_origin = public_origin
        self._secure = secure
        self._whole: FastAPI | None = None
        self._building = asyncio.Lock()
        #: The players' half; other routes of the server are added to it.
        self.players: Final = create_api(services, credentials, version)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one HTTP request."""
        path: str = scope["path"]
        answers: ASGIApp = self.players
        if path == OPENAPI:
            answers = await self._described()
        elif path == _ADMIN or path.startswith(f"{_ADMIN}/"):
            answers = await self._built()
        await answers(scope, receive, send)

    async def _built(self) -> FastAPI:
        if self._whole is None:
            async with self._building:
                if self._whole is None:
                    self._whole = await asyncio.to_thread(self.build)
        return self._whole

    async def _described(self) -> FastAPI:
        """The whole with its description ready, which only readers of the description have to wait for."""
        whole = await self._built()
        if whole.openapi_schema is None:
            async with self._building:
                await asyncio.to_thread(whole.openapi)
        return whole

    def build(self) -> FastAPI:
        """The whole, not yet described; takes some hundredths of a second, the first time in a process longer."""
        from server.net.admin_gate import AdminGate
        from server.net.routes_admin import admin_routes

        gate = AdminGate(self._services, self._credentials, public_origin=self._public_origin, secure=self._secure)
        whole = create_api(self._services, self._credentials, self._version, described_at=OPENAPI)
        whole.include_router(admin_routes(self._services, gate), prefix=PREFIX, tags=["admin"])
        _describe(whole)
        return whole


def _describe(api: FastAPI) -> None:
    """Let the description say what the server does.

    A request that does not fit is answered by 400, in the shape of all refusals. The summary of a call is the first
    sentence of its words, not the name of a function.
    """
    plain = api.openapi

    def described() -> dict[str, Any]:
        if api.openapi_schema is None:
            schema = plain()
            schema["components"]["schemas"]["ErrorBody"] = ErrorBody.model_json_schema()
            malformed = refusals("protocol/malformed")[400]
            for operations in schema["paths"].values():
                for operation in operations.values():
                    first, _, _ = operation.get("description", "").partition(". ")
                    operation["summary"] = first.removesuffix(".")
                    unprocessable = operation["responses"].get("422", {})
                    if "HTTPValidationError" in str(unprocessable):
                        del operation["responses"]["422"]
                        operation["responses"]["400"] = malformed
            for unused in ("HTTPValidationError", "ValidationError"):
                schema["components"]["schemas"].pop(unused, None)
            api.openapi_schema = schema
        return api.openapi_schema

    api.openapi = described  # type: ignore[method-assign]
