"""The HTTP API under ``/api/v1``: thin routes over the actions, by audience."""

import gzip
import secrets
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, cast

import structlog
from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from server.actions import boards, dailies, people, records
from server.actions.dailies import Listed
from server.actions.dates import iso, midnight_ms, parse_date, today
from server.actions.house import Services
from server.actions.people import Kind, Person
from server.core.rules import Rules
from server.errors import CODES, GameError
from server.games import rulesets
from server.net.credentials import Credentials
from server.net.frames import layout_dict
from server.net.schemas import (
    BoardBody,
    BoardRow,
    ChallengeBody,
    DailiesBody,
    ErrorBody,
    GuestBody,
    MeBody,
    MeChange,
    NewGuest,
    OwnBody,
    PlayerBody,
    RecordBody,
    RulesetBody,
    RulesetsBody,
    TomorrowBody,
)
from server.store.boards import Line

log = structlog.get_logger(__name__)

PREFIX: Final = "/api/v1"

#: Largest page of a board.
PAGE: Final = 100

Cursor = Annotated[str | None, Query(max_length=200)]
By = Literal["main", "moves"]


def _refusals(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI description of the refusals of a route."""
    described: dict[int | str, dict[str, Any]] = {}
    for status in sorted({CODES[code] for code in codes}):
        words = ", ".join(f"`{code}`" for code in codes if CODES[code] == status)
        described[status] = {"model": ErrorBody, "description": words}
    return described


def create_api(services: Services, credentials: Credentials, version: str) -> FastAPI:
    """The API as an ASGI application."""
    api = FastAPI(
        title="Samedeal",
        version=version,
        description="Competitive solitaire: everybody gets the same deal, the server judges every move.",
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # the address would be made of the Host header, which anybody may write
    )
    api.add_middleware(GZipMiddleware, minimum_size=2048, compresslevel=4)
    _handle_errors(api, services)
    api.include_router(_players(services, credentials), prefix=PREFIX, tags=["players"])
    api.include_router(_public(services, credentials), prefix=PREFIX, tags=["public"])
    _describe(api)
    return api


def _describe(api: FastAPI) -> None:
    """Let the description say what the server does.

    A request that does not fit is answered by 400, in the shape of all refusals. The summary of a call is the first
    sentence of its words, not the name of a function.
    """
    plain = api.openapi

    def described() -> dict[str, Any]:
        if api.openapi_schema is None:
            schema = plain()
            malformed = {
                "description": "`protocol/malformed`",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}},
            }
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
        responses=_refusals("auth/forbidden", "name/invalid", "protocol/malformed", "protocol/rate"),
    )
    async def new_guest(request: Request, response: Response, wish: NewGuest | None = None) -> GuestBody:
        """Make a guest and log him in. A browser that has a valid session keeps it: then no cookie is set."""
        credentials.take_guest(request)
        person, token = await people.new_guest(services, wish.name if wish is not None else None)
        # The cookie is all that a browser knows of its guest: whoever loses it loses the guest's games.
        if not await credentials.has_session(request):
            credentials.set_cookie(response, token)
        return GuestBody(player=_player(person), token=token)

    @router.get("/me", responses=_refusals("auth/required", "auth/invalid"))
    async def me(person: Annotated[Person, player]) -> MeBody:
        """Who one is, and what one has open."""
        return MeBody(player=_player(person), open_attempts=await people.open_attempts(services, person.id))

    @router.patch(
        "/me",
        dependencies=[own_page],
        responses=_refusals("auth/required", "auth/invalid", "auth/forbidden", "name/invalid", "protocol/malformed"),
    )
    async def change_me(person: Annotated[Person, player], change: MeChange) -> MeBody:
        """Change one's name; boards show it at once."""
        renamed = await people.rename(services, person, change.name)
        return MeBody(player=_player(renamed), open_attempts=await people.open_attempts(services, person.id))

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

    @router.get("/dailies/{date}", responses=_refusals("auth/invalid", "challenge/unknown"))
    async def dailies_of(date: str, person: Annotated[Person | None, viewer]) -> DailiesBody:
        """The dailies of a date (`today` and `tomorrow` too). Tomorrow's show their commitments only."""
        day, rows = await dailies.dailies(services, date, None if person is None else person.id)
        now = services.clock.now_ms()
        return DailiesBody(
            date=day.isoformat(),
            now=iso(now),
            next_at=iso(midnight_ms(today(now)) + people.DAY_MS),
            dailies=[_listed(row) if row.challenge.opens_at <= now else _tomorrow(row) for row in rows],
        )

    @router.get("/challenges/{challenge_id}", responses=_refusals("auth/invalid", "challenge/unknown"))
    async def challenge(challenge_id: str, person: Annotated[Person | None, viewer]) -> ChallengeBody | TomorrowBody:
        """One challenge; after its close with the seed."""
        row = await records.challenge(services, challenge_id, None if person is None else person.id)
        return _listed(row) if row.challenge.opens_at <= services.clock.now_ms() else _tomorrow(row)

    @router.get(
        "/attempts/{attempt_id}",
        responses=_refusals("attempt/unknown", "attempt/not_yours", "auth/required", "auth/invalid"),
    )
    async def attempt(attempt_id: str, person: Annotated[Person | None, viewer]) -> RecordBody:
        """The record of an attempt: its player's at any time, everybody's after the challenge's close."""
        return await records.record(services, attempt_id, None if person is None else person.id)

    async def board(
        reference: str,
        person: Person | None,
        by: By,
        limit: int,
        after: str | None,
        before: str | None,
        around: str | None,
    ) -> BoardBody:
        page = await boards.page(
            services,
            reference,
            None if person is None else person.id,
            by=by,
            limit=limit,
            after=after,
            before=before,
            around_me=around == "me",
        )
        return BoardBody(
            challenge=_listed(page.listed),
            by=by,
            keys=[key.value for key in page.listed.rules.rankings[by]],
            maximum=page.listed.rules.layout.maximum,
            rows=[_line(line) for line in page.lines],
            total=page.total,
            me=None if page.me is None else _line(page.me),
            next=page.next,
            previous=page.previous,
        )

    limits = Query(ge=1, le=PAGE)

    refusals = _refusals(
        "auth/invalid", "challenge/unknown", "challenge/not_open", "protocol/malformed", "ruleset/unknown"
    )

    @router.get("/boards/daily/{date}/{ruleset}", responses=refusals)
    async def daily_board(
        date: str,
        ruleset: str,
        person: Annotated[Person | None, viewer],
        by: By = "main",
        limit: Annotated[int, limits] = 50,
        after: Cursor = None,
        before: Cursor = None,
        around: Literal["me"] | None = None,
    ) -> BoardBody:
        """A page of a daily's board. Equal results have equal ranks; `around=me` is the page about one's own line."""
        parse_date(date, services.clock.now_ms())
        return await board(f"daily/{date}/{ruleset}", person, by, limit, after, before, around)

    @router.get("/boards/challenge/{challenge_id}", responses=refusals)
    async def challenge_board(
        challenge_id: str,
        person: Annotated[Person | None, viewer],
        by: By = "main",
        limit: Annotated[int, limits] = 50,
        after: Cursor = None,
        before: Cursor = None,
        around: Literal["me"] | None = None,
    ) -> BoardBody:
        """A page of the board of any challenge, by its id."""
        return await board(challenge_id, person, by, limit, after, before, around)

    return router


def _player(person: Person) -> PlayerBody:
    return PlayerBody(id=person.id, name=person.name, kind=person.kind)


def _line(line: Line) -> BoardRow:
    return BoardRow(
        rank=line.rank,
        player=PlayerBody(id=line.player.id, name=line.player.name, kind=cast(Kind, line.player.kind)),
        outcome=line.outcome,
        time_ms=line.time_ms,
        moves=line.moves,
        undos=line.undos,
        progress=line.progress,
        score=line.score,
    )


def _ruleset(rules: Rules) -> RulesetBody:
    return RulesetBody(
        key=rules.key,
        family=rules.family,
        title=rules.title,
        rules=list(rules.text),
        rules_page=f"/rules/{rules.key}",
        rules_version=rules.version,
        rankings={by: [key.value for key in keys] for by, keys in rules.rankings.items()},
        maximum=rules.layout.maximum,
        undo=rules.undo.value,
        deck_size=rules.deck.size,
        daily=rules.daily is not None,
        layout=layout_dict(rules.layout),
    )


@lru_cache(maxsize=4)
def _rulesets_json(known: tuple[Rules, ...]) -> tuple[bytes, bytes]:
    """The answer about these rulesets, plain and compressed; made once, for it is the longest and never changes."""
    plain = RulesetsBody(rulesets=[_ruleset(rules) for rules in known]).model_dump_json().encode()
    return plain, gzip.compress(plain, mtime=0)


def _listed(listed: Listed) -> ChallengeBody:
    row, rules, own = listed.challenge, listed.rules, listed.own
    return ChallengeBody(
        id=row.id,
        kind=row.kind,
        ruleset=row.ruleset,
        title=rules.title,
        date=row.date,
        commitment=row.commitment,
        rules_version=row.rules_version,
        deal_version=row.deal_version,
        opens_at=iso(row.opens_at),
        ends_at=None if row.ends_at is None else iso(row.ends_at),
        closes_at=None if row.closes_at is None else iso(row.closes_at),
        closed=row.closed_at is not None,
        players=listed.players,
        own=None
        if own is None
        else OwnBody(
            attempt=own.attempt.id,
            over=own.attempt.over,
            rank=own.place.rank if own.place is not None else None,
            of=own.place.of if own.place is not None else None,
            time_ms=own.attempt.last_at_ms,
            moves=own.attempt.moves,
            progress=own.attempt.progress,
            maximum=rules.layout.maximum,
        ),
        seed=listed.seed,
    )


def _tomorrow(listed: Listed) -> TomorrowBody:
    row = listed.challenge
    return TomorrowBody(
        id=row.id,
        kind=row.kind,
        ruleset=row.ruleset,
        title=listed.rules.title,
        date=row.date or "",
        commitment=row.commitment,
        opens_at=iso(row.opens_at),
    )
