"""The HTTP API under ``/api/v1``: thin routes over the actions, by audience."""

import gzip
import secrets
from functools import lru_cache
from typing import Annotated, Final

import structlog
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from server.actions import dailies, people, proofs, records
from server.actions.dates import iso, midnight_ms, today
from server.actions.house import Services
from server.actions.people import Person
from server.core.rules import Rules
from server.errors import GameError
from server.games import rulesets
from server.net import shapes
from server.net.credentials import Credentials
from server.net.refusals import refusals
from server.net.routes_boards import board_routes
from server.net.routes_events import event_routes
from server.net.routes_profiles import profile_routes
from server.net.schemas import (
    AnalysisBody,
    ChallengeBody,
    DailiesBody,
    GuestBody,
    MeBody,
    MeChange,
    NewGuest,
    RecordBody,
    RulesetsBody,
    TomorrowBody,
    WitnessBody,
)

log = structlog.get_logger(__name__)

PREFIX: Final = "/api/v1"


def create_api(
    services: Services, credentials: Credentials, version: str, *, described_at: str | None = None
) -> FastAPI:
    """What players and visitors ask for, as an ASGI application; ``described_at`` is the path of its description."""
    api = FastAPI(
        title="Samedeal",
        version=version,
        description="Competitive solitaire: everybody gets the same deal, the server judges every move.",
        openapi_url=described_at,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # the address would be made of the Host header, which anybody may write
    )
    api.add_middleware(GZipMiddleware, minimum_size=2048, compresslevel=4)
    _handle_errors(api, services)
    api.include_router(_players(services, credentials), prefix=PREFIX, tags=["players"])
    api.include_router(_public(services, credentials), prefix=PREFIX, tags=["public"])
    api.include_router(board_routes(services, credentials), prefix=PREFIX, tags=["boards"])
    api.include_router(profile_routes(services, credentials), prefix=PREFIX, tags=["players"])
    api.include_router(event_routes(services, credentials), prefix=PREFIX, tags=["events"])
    return api


def _handle_errors(api: FastAPI, services: Services) -> None:
    def refusal(error: GameError) -> JSONResponse:
        headers = {} if error.retry_after_s is None else {"Retry-After": str(error.retry_after_s)}
        services.metrics.refused.labels(error.code).inc()
        return JSONResponse({"code": error.code, "message": error.message}, error.status, headers)

    @api.exception_handler(GameError)
    async def _(request: Request, error: GameError) -> JSONResponse:
        return refusal(error)

    @api.exception_handler(RequestValidationError)
    async def _(request: Request, error: RequestValidationError) -> JSONResponse:
        places = sorted({".".join(str(part) for part in item["loc"]) for item in error.errors()})
        return refusal(GameError("protocol/malformed", f"does not fit: {', '.join(places)}"))

    @api.exception_handler(HTTPException)
    async def _(request: Request, error: HTTPException) -> Response:
        code = {400: "protocol/malformed", 404: "not_found"}.get(error.status_code, "protocol/unknown")
        return JSONResponse({"code": code, "message": str(error.detail)}, error.status_code, error.headers)

    @api.exception_handler(Exception)
    async def _(request: Request, error: Exception) -> JSONResponse:
        fault = secrets.token_hex(4)
        services.metrics.faults.inc()
        log.error("request failed", fault=fault, method=request.method, exc_info=error)
        return refusal(GameError("internal", f"fault {fault}"))


def _players(services: Services, credentials: Credentials) -> APIRouter:
    router = APIRouter()
    player = Depends(credentials.player)
    own_page = Depends(credentials.check_origin)

    @router.post(
        "/guests",
        status_code=201,
        dependencies=[own_page],
        responses=refusals("auth/forbidden", "name/invalid", "protocol/malformed", "protocol/rate"),
    )
    async def new_guest(request: Request, response: Response, wish: NewGuest | None = None) -> GuestBody:
        """Make a guest and log him in. A browser that has a valid session keeps it: then no cookie is set."""
        credentials.take_guest(request)
        person, token = await people.new_guest(services, wish.name if wish is not None else None)
        # The cookie is all that a browser knows of its guest: whoever loses it loses the guest's games.
        if not await credentials.has_session(request):
            credentials.set_cookie(response, token)
        return GuestBody(player=shapes.player(person), token=token)

    @router.get("/me", responses=refusals("auth/required", "auth/invalid"))
    async def me(person: Annotated[Person, player]) -> MeBody:
        """Who one is, and what one has open."""
        return MeBody(player=shapes.player(person), open_attempts=await people.open_attempts(services, person.id))

    @router.patch(
        "/me",
        dependencies=[own_page],
        responses=refusals("auth/required", "auth/invalid", "auth/forbidden", "name/invalid", "protocol/malformed"),
    )
    async def change_me(person: Annotated[Person, player], change: MeChange) -> MeBody:
        """Change one's name; boards show it at once."""
        renamed = await people.rename(services, person, change.name)
        return MeBody(player=shapes.player(renamed), open_attempts=await people.open_attempts(services, person.id))

    return router


def _public(services: Services, credentials: Credentials) -> APIRouter:
    router = APIRouter()
    viewer = Depends(credentials.viewer)

    @router.get("/rulesets", response_model=RulesetsBody)
    async def all_rulesets(request: Request) -> Response:
        """All rulesets with their rules in words."""
        plain, zipped = _rulesets_json(tuple(rulesets().values()))
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(plain, media_type="application/json", headers={"Vary": "Accept-Encoding"})
        headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(zipped, media_type="application/json", headers=headers)

    @router.get("/dailies/{date}", responses=refusals("auth/invalid", "challenge/unknown"))
    async def dailies_of(date: str, person: Annotated[Person | None, viewer]) -> DailiesBody:
        """The dailies of a date (`today` and `tomorrow` too). Tomorrow's show their commitments only."""
        day, rows = await dailies.dailies(services, date, None if person is None else person.id)
        now = services.clock.now_ms()
        return DailiesBody(
            date=day.isoformat(),
            now=iso(now),
            next_at=iso(midnight_ms(today(now)) + people.DAY_MS),
            dailies=[shapes.challenge(row, now) for row in rows],
        )

    @router.get("/challenges/{challenge_id}", responses=refusals("auth/invalid", "challenge/unknown"))
    async def challenge(challenge_id: str, person: Annotated[Person | None, viewer]) -> ChallengeBody | TomorrowBody:
        """One challenge; after its close with the seed."""
        row = await records.challenge(services, challenge_id, None if person is None else person.id)
        return shapes.challenge(row, services.clock.now_ms())

    @router.get(
        "/challenges/{challenge_id}/witness", responses=refusals("challenge/unknown", "challenge/not_open", "not_found")
    )
    async def witness(challenge_id: str) -> WitnessBody:
        """The winning line that was found for a challenge, move by move; only after its close."""
        return shapes.witness(await proofs.witness(services, challenge_id), challenge_id)

    @router.get(
        "/attempts/{attempt_id}",
        responses=refusals("attempt/unknown", "attempt/not_yours", "auth/required", "auth/invalid"),
    )
    async def attempt(attempt_id: str, person: Annotated[Person | None, viewer]) -> RecordBody:
        """The record of an attempt: its player's at any time, everybody's after the challenge's close."""
        return await records.record(services, attempt_id, None if person is None else person.id)

    @router.get(
        "/attempts/{attempt_id}/analysis",
        responses={
            202: {"model": AnalysisBody},
            **refusals(
                "attempt/unknown",
                "attempt/not_yours",
                "auth/required",
                "auth/invalid",
                "challenge/not_open",
                "try_later",
            ),
        },
    )
    async def analysis(attempt_id: str, response: Response, person: Annotated[Person | None, viewer]) -> AnalysisBody:
        """Where an attempt was lost, and its deal's par. Told to those who may see the record, once the challenge has
        closed or the practice has ended. Finding it out takes seconds: while that goes on, the answer is 202 with the
        fate `searching`.
        """
        found = await services.analyses.of(attempt_id, None if person is None else person.id)
        if found.analysis is None:
            response.status_code = 202
        return shapes.analysis(found)

    return router


@lru_cache(maxsize=4)
def _rulesets_json(known: tuple[Rules, ...]) -> tuple[bytes, bytes]:
    """The answer about these rulesets, plain and compressed; made once, for it is the longest and never changes."""
    plain = RulesetsBody(rulesets=[shapes.ruleset_body(rules) for rules in known]).model_dump_json().encode()
    return plain, gzip.compress(plain, mtime=0)
