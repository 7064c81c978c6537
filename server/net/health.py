"""Signs of life for supervisors, and the metrics for those who hold the token."""

import secrets

from sqlalchemy import text
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from server.actions.house import Services


def health_routes(services: Services, metrics_token: str | None) -> list[BaseRoute]:
    """``/healthz``: the process lives. ``/readyz``: it can serve. ``/metrics``: for who has the token."""

    async def healthz(request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def readyz(request: Request) -> Response:
        try:
            async with services.store.reading() as conn:
                await conn.execute(text("SELECT 1"))
        except Exception:  # noqa: BLE001 - whatever it is, the server is not ready
            return PlainTextResponse("the database does not answer\n", 503)
        if not services.stores:
            return PlainTextResponse("the database does not store\n", 503)
        return PlainTextResponse("ready\n")

    async def metrics(request: Request) -> Response:
        given = request.headers.get("authorization", "")
        if metrics_token is None or not secrets.compare_digest(given.encode(), f"Bearer {metrics_token}".encode()):
            return PlainTextResponse("not found\n", 404)
        return Response(services.metrics.exposition(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return [Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", metrics)]
