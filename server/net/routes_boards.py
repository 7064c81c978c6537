"""Boards over HTTP: days, seasons, records, and all of each as a file."""

from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Query, Request, Response

from server.actions import boards
from server.actions.boards import Wish
from server.actions.dates import iso, parse_date
from server.actions.house import Services
from server.actions.people import Person
from server.errors import GameError
from server.net import shapes
from server.net.board_schemas import BoardBody, RecordsBody, SeasonBody
from server.net.caching import answer
from server.net.credentials import Credentials
from server.net.exports import FILE, Fields, Format, export
from server.net.refusals import refusals
from server.net.schemas import ErrorBody
from server.store.boards import LARGEST_PAGE, Line, RecordLine, SeasonLine
from server.store.lanes import Who

Cursor = Annotated[str | None, Query(max_length=200)]
By = Literal["main", "moves"]
RecordsBy = Literal["time", "moves"]
Limit = Annotated[int, Query(ge=1, le=LARGEST_PAGE)]
Friends = Annotated[bool, Query(description="only oneself and those whom one follows")]

_COLUMNS: Final = ("rank", "player", "kind", "outcome", "time_ms", "moves", "undos", "progress", "score", "player_id")
_RECORD_COLUMNS: Final = (*_COLUMNS, "date", "challenge", "finished_at")
_SEASON_COLUMNS: Final = ("rank", "player", "kind", "points", "counted", "played", "player_id")

_REFUSALS: Final = refusals(
    *("auth/required", "auth/invalid", "challenge/unknown", "challenge/not_open"),
    *("ruleset/unknown", "protocol/malformed"),
)
_RECORD_REFUSALS: Final = refusals("auth/required", "auth/invalid", "ruleset/unknown", "protocol/malformed")
_SEASON_REFUSALS: Final = refusals(
    *("auth/required", "auth/invalid", "ruleset/unknown", "not_found", "protocol/malformed")
)


def wish(
    limit: Limit = 50,
    after: Cursor = None,
    before: Cursor = None,
    around: Literal["me"] | None = None,
    who: Who = "all",
    friends: Friends = False,
) -> Wish:
    """What every board can be asked: a page, and whom it shows."""
    return Wish(limit, after, before, around == "me", who, friends)


def chosen(who: Who = "all", friends: Friends = False) -> Wish:
    """What every file can be asked: whom it shows."""
    return Wish(who=who, friends=friends)


Wished = Annotated[Wish, Depends(wish)]
Chosen = Annotated[Wish, Depends(chosen)]


def board_routes(services: Services, credentials: Credentials) -> APIRouter:
    """The routes under ``/boards``."""
    router = APIRouter()
    # A closure per audience: FastAPI reads the dependency of a person from here.
    viewer = Depends(credentials.viewer)
    _day_routes(router, services, viewer)
    _season_routes(router, services, viewer)
    _record_routes(router, services, viewer)
    return router


def _day_routes(router: APIRouter, services: Services, viewer: Any) -> None:
    async def board(request: Request, reference: str, person: Person | None, by: By, wished: Wish) -> Response:
        page = await boards.page(services, reference, _id(person), by=by, wish=wished)
        return answer(request, shapes.board(page, by, wished), person)

    async def file(reference: str, person: Person | None, by: By, wished: Wish, form: Format, name: str) -> Response:
        ladder = await boards.challenge_ladder(services, reference, by, wished.view(_id(person)))
        return export(boards.every_line(services, ladder), _fields, _COLUMNS, form, name)

    @router.get("/boards/daily/{date}/{ruleset}", response_model=BoardBody, responses=_REFUSALS)
    async def daily_board(
        request: Request,
        date: str,
        ruleset: str,
        person: Annotated[Person | None, viewer],
        wished: Wished,
        by: By = "main",
    ) -> Response:
        """A page of a daily's board. Equal results have equal ranks; `around=me` is the page about one's own line."""
        parse_date(date, services.clock.now_ms())
        return await board(request, f"daily/{date}/{ruleset}", person, by, wished)

    @router.get("/boards/challenge/{challenge_id}", response_model=BoardBody, responses=_REFUSALS)
    async def challenge_board(
        request: Request,
        challenge_id: str,
        person: Annotated[Person | None, viewer],
        wished: Wished,
        by: By = "main",
    ) -> Response:
        """A page of the board of any challenge, by its id."""
        return await board(request, challenge_id, person, by, wished)

    @router.get("/boards/daily/{date}/{ruleset}/export", response_class=Response, responses=FILE | _REFUSALS)
    async def daily_export(
        date: str,
        ruleset: str,
        person: Annotated[Person | None, viewer],
        wished: Chosen,
        by: By = "main",
        format: Format = "csv",  # noqa: A002 - the name in the address
    ) -> Response:
        """A daily's whole board as a file: CSV that no spreadsheet takes for formulas, or a JSON object a line."""
        day = parse_date(date, services.clock.now_ms()).isoformat()
        name = _name(day, ruleset, by, wished=wished)
        return await file(f"daily/{date}/{ruleset}", person, by, wished, format, name)

    @router.get("/boards/challenge/{challenge_id}/export", response_class=Response, responses=FILE | _REFUSALS)
    async def challenge_export(
        challenge_id: str,
        person: Annotated[Person | None, viewer],
        wished: Chosen,
        by: By = "main",
        format: Format = "csv",  # noqa: A002 - the name in the address
    ) -> Response:
        """The whole board of any challenge as a file."""
        return await file(challenge_id, person, by, wished, format, _name(challenge_id, by, wished=wished))


def _season_routes(router: APIRouter, services: Services, viewer: Any) -> None:
    @router.get("/boards/season/{period}/{ruleset}", response_model=SeasonBody, responses=_SEASON_REFUSALS)
    async def season_board(
        request: Request,
        period: str,
        ruleset: str,
        person: Annotated[Person | None, viewer],
        wished: Wished,
    ) -> Response:
        """A page of a season: an ISO week `2026-W49`, a month `2026-11`, `all`, or the running `week` and `month`."""
        page = await boards.season(services, period, ruleset, _id(person), wished)
        return answer(request, shapes.season(page, boards.FORMULA, wished), person)

    @router.get("/boards/season/{period}/{ruleset}/export", response_class=Response, responses=FILE | _SEASON_REFUSALS)
    async def season_export(
        period: str,
        ruleset: str,
        person: Annotated[Person | None, viewer],
        wished: Chosen,
        format: Format = "csv",  # noqa: A002 - the name in the address
    ) -> Response:
        """A whole season as a file."""
        key, ladder = boards.season_ladder(services, period, ruleset, wished.view(_id(person)))
        lines = boards.every_line(services, ladder)
        return export(lines, _season_fields, _SEASON_COLUMNS, format, _name(key, ruleset, wished=wished))


def _record_routes(router: APIRouter, services: Services, viewer: Any) -> None:
    @router.get(
        "/boards/records/{ruleset}",
        response_model=RecordsBody,
        responses=_RECORD_REFUSALS,
    )
    async def records_board(
        request: Request,
        ruleset: str,
        person: Annotated[Person | None, viewer],
        wished: Wished,
        by: RecordsBy = "time",
    ) -> Response:
        """A page of all ranked wins of a ruleset: the fastest, or those in the fewest moves, first."""
        page = await boards.records(services, ruleset, _id(person), by=by, wish=wished)
        return answer(request, shapes.records(page, by, wished), person)

    @router.get(
        "/boards/records/{ruleset}/export",
        response_class=Response,
        responses=FILE | _RECORD_REFUSALS,
    )
    async def records_export(
        ruleset: str,
        person: Annotated[Person | None, viewer],
        wished: Chosen,
        by: RecordsBy = "time",
        format: Format = "csv",  # noqa: A002 - the name in the address
    ) -> Response:
        """All ranked wins of a ruleset as a file."""
        ladder = boards.records_ladder(ruleset, by, wished.view(_id(person)))
        lines = boards.every_line(services, ladder)
        return export(lines, _record_fields, _RECORD_COLUMNS, format, _name("records", ruleset, by, wished=wished))

    @router.get(
        "/boards/rating/{ruleset}", status_code=404, response_model=ErrorBody, response_description="`not_found`"
    )
    async def rating_board(ruleset: str) -> ErrorBody:
        """Ratings come from races, and this server runs none: always refused."""
        raise GameError("not_found", "ratings come from races, and this server runs none")


def _name(*parts: str, wished: Wish) -> str:
    """The name of a file: of which board it is, and whom it shows where that is not everybody."""
    who = () if wished.who == "all" else (wished.who,)
    return "-".join(("samedeal", *parts, *who, *(("friends",) if wished.friends else ())))


def _id(person: Person | None) -> str | None:
    return None if person is None else person.id


def _fields(line: Line) -> Fields:
    return {
        "rank": line.rank,
        "player": line.player.name,
        "kind": line.player.kind,
        "outcome": line.outcome,
        "time_ms": line.time_ms,
        "moves": line.moves,
        "undos": line.undos,
        "progress": line.progress,
        "score": line.score,
        "player_id": line.player.id,
    }


def _record_fields(found: RecordLine) -> Fields:
    own: Fields = {
        "date": found.challenge_date,
        "challenge": found.challenge_id,
        "finished_at": iso(found.line.finished_at),
    }
    return _fields(found.line) | own


def _season_fields(line: SeasonLine) -> Fields:
    return {
        "rank": line.rank,
        "player": line.player.name,
        "kind": line.player.kind,
        "points": line.points,
        "counted": line.counted,
        "played": line.played,
        "player_id": line.player.id,
    }
