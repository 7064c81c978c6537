"""The admin's API under ``/admin``: who one is, the other admins, the audit log, files."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from server.actions.admin import exporting, identity
from server.actions.admin.roles import Actor
from server.actions.dates import iso
from server.actions.house import Services
from server.net import admin_shapes
from server.net.admin_gate import AdminGate, marked
from server.net.admin_schemas import (
    AdminBody,
    AdminsBody,
    AdminSelfBody,
    AdminWish,
    AuditBody,
    MatrixBody,
    NewAdminBody,
    PlayerToken,
    RoleChange,
    SignIn,
)
from server.net.exports import FILE, Fields, Format, export
from server.net.refusals import refusals
from server.net.routes_calendar import calendar_routes
from server.net.routes_deals import deal_routes
from server.net.routes_rulings import ruling_routes
from server.store.audit import Entry
from server.store.exports import MoveLine, ResultLine

RESULT_COLUMNS = (
    *("date", "kind", "ruleset", "challenge", "attempt", "player_id", "player", "player_kind", "outcome"),
    *("time_ms", "moves", "undos", "progress", "score", "started_at", "finished_at"),
)
MOVE_COLUMNS = ("date", "ruleset", "challenge", "attempt", "player_id", "over", "seq", "move", "at_ms")
AUDIT_COLUMNS = (*("number", "at", "admin", "role", "via", "action", "target", "before", "after", "reason"),)

DENIED = ("auth/required", "auth/invalid", "auth/forbidden")


def admin_routes(services: Services, gate: AdminGate) -> APIRouter:
    """The routes under ``/admin``."""
    router = APIRouter(prefix="/admin")
    who = Depends(gate.who)
    _session_routes(router, services, gate, who)
    _admins_routes(router, services, who)
    router.include_router(calendar_routes(services, who))
    router.include_router(deal_routes(services, who))
    router.include_router(ruling_routes(services, who))
    _audit_routes(router, services, who)
    _file_routes(router, services, who)
    return router


def _session_routes(router: APIRouter, services: Services, gate: AdminGate, who: Any) -> None:
    @router.post(
        "/session",
        status_code=201,
        responses=refusals("auth/invalid", "auth/forbidden", "protocol/malformed", "protocol/rate"),
        **marked("self.session"),
    )
    async def sign_in(request: Request, response: Response, wish: SignIn) -> AdminSelfBody:
        """Sign a browser in with an admin's token, for twelve hours. Few attempts are allowed."""
        gate.take_attempt(request)
        gate.check_page(request)
        actor, session = await identity.sign_in(services, wish.token)
        gate.set_cookie(response, session)
        return admin_shapes.myself(actor)

    @router.get("/session", responses=refusals(*DENIED), **marked("self.read"))
    async def myself(actor: Annotated[Actor, who]) -> AdminSelfBody:
        """Who one is as an admin, and what one may do."""
        return admin_shapes.myself(actor)

    @router.delete("/session", status_code=204, responses=refusals(*DENIED), **marked("self.session"))
    async def sign_out(request: Request, response: Response, actor: Annotated[Actor, who]) -> None:
        """Sign the browser out."""
        await identity.sign_out(services, actor, gate.session(request))
        gate.drop_cookie(response)

    @router.put(
        "/session/player", responses=refusals(*DENIED, "admin/unbound", "protocol/malformed"), **marked("self.bind")
    )
    async def bind(request: Request, actor: Annotated[Actor, who], wish: PlayerToken) -> AdminSelfBody:
        """Name the player as whom one plays. He has no ranked attempt at what the admin prepares or previews."""
        actor.needs("self.bind")
        person = await identity.bind(services, actor, gate.player_token(request, wish.token))
        return admin_shapes.myself(actor).model_copy(update={"player": person.id})

    @router.get("/matrix", responses=refusals(*DENIED), **marked("self.read"))
    async def matrix(actor: Annotated[Actor, who]) -> MatrixBody:
        """What can be done, and which roles may do it."""
        actor.needs("self.read")
        return admin_shapes.matrix()


def _admins_routes(router: APIRouter, services: Services, who: Any) -> None:
    @router.get("/admins", responses=refusals(*DENIED), **marked("admins.read"))
    async def every(actor: Annotated[Actor, who]) -> AdminsBody:
        """All admins, revoked ones too."""
        return AdminsBody(admins=[admin_shapes.admin(row) for row in await identity.every(services, actor)])

    @router.post(
        "/admins",
        status_code=201,
        responses=refusals(*DENIED, "name/invalid", "admin/exists", "protocol/malformed"),
        **marked("admins.write"),
    )
    async def create(actor: Annotated[Actor, who], wish: AdminWish) -> NewAdminBody:
        """Make an admin. His token is told this once."""
        made = await identity.create(services, actor, wish.name, wish.role)
        return NewAdminBody(admin=admin_shapes.admin(made.admin), token=made.token)

    @router.patch(
        "/admins/{name}",
        responses=refusals(*DENIED, "not_found", "admin/last_owner", "protocol/malformed"),
        **marked("admins.write"),
    )
    async def set_role(name: str, actor: Annotated[Actor, who], wish: RoleChange) -> AdminBody:
        """Give an admin another role, at once."""
        return admin_shapes.admin(await identity.set_role(services, actor, name, wish.role))

    @router.post("/admins/{name}/token", responses=refusals(*DENIED, "not_found"), **marked("admins.write"))
    async def renew(name: str, actor: Annotated[Actor, who]) -> NewAdminBody:
        """Give an admin a new token; the old one and all sessions are void."""
        made = await identity.renew(services, actor, name)
        return NewAdminBody(admin=admin_shapes.admin(made.admin), token=made.token)

    @router.delete(
        "/admins/{name}",
        status_code=204,
        responses=refusals(*DENIED, "not_found", "admin/last_owner"),
        **marked("admins.write"),
    )
    async def revoke(name: str, actor: Annotated[Actor, who]) -> None:
        """Let an admin sign in no more, at once. The name stays taken."""
        await identity.revoke(services, actor, name)


def _audit_routes(router: APIRouter, services: Services, who: Any) -> None:
    @router.get("/audit", responses=refusals(*DENIED, "protocol/malformed"), **marked("audit.read"))
    async def audit(
        actor: Annotated[Actor, who],
        limit: Annotated[int, Query(ge=1, le=exporting.PAGE)] = exporting.PAGE,
        before: Annotated[int | None, Query(ge=1, le=2**62)] = None,
        action: Annotated[str | None, Query(max_length=40, pattern=r"^[a-z.]*$")] = None,
        admin: Annotated[str | None, Query(max_length=40, pattern=r"^[\w.-]*$")] = None,
        target: Annotated[str | None, Query(max_length=200, pattern=r"^[\w./-]*$")] = None,
    ) -> AuditBody:
        """What admins did, latest first. The log is append-only, in the database too."""
        found, following = await exporting.audit_page(
            services, actor, limit=limit, before=before, action=action, admin=admin, target=target
        )
        return AuditBody(entries=[admin_shapes.entry(one) for one in found], next=following)

    @router.get("/audit/export", response_class=Response, responses=FILE | refusals(*DENIED), **marked("audit.read"))
    async def audit_file(actor: Annotated[Actor, who], format: Format = "ndjson") -> Response:  # noqa: A002 - in the address
        """The whole audit log as a file, oldest first."""
        lines = exporting.audit_log(services, actor)
        return export(lines, audit_fields, AUDIT_COLUMNS, format, "samedeal-audit")


def _file_routes(router: APIRouter, services: Services, who: Any) -> None:
    day = Annotated[str | None, Query(max_length=10)]
    key = Annotated[str | None, Query(max_length=40)]
    told = refusals(*DENIED, "admin/dates", "ruleset/unknown", "challenge/unknown", "protocol/malformed")

    @router.get("/export/results", response_class=Response, responses=FILE | told, **marked("results.read"))
    async def results(
        actor: Annotated[Actor, who],
        first: day = None,
        last: day = None,
        ruleset: key = None,
        challenge: Annotated[str | None, Query(max_length=80)] = None,
        format: Format = "csv",  # noqa: A002 - the name in the address
    ) -> Response:
        """All results of closed challenges as a file, from a date to another, of a ruleset or of one challenge."""
        chosen = await exporting.choice(services, actor, first=first, last=last, key=ruleset, challenge=challenge)
        lines = exporting.results(services, actor, chosen)
        return export(lines, result_fields, RESULT_COLUMNS, format, "samedeal-results")

    @router.get("/export/moves", response_class=Response, responses=FILE | told, **marked("results.read"))
    async def moves(
        actor: Annotated[Actor, who],
        first: day = None,
        last: day = None,
        ruleset: key = None,
        challenge: Annotated[str | None, Query(max_length=80)] = None,
        format: Format = "csv",  # noqa: A002 - the name in the address
    ) -> Response:
        """All moves of ranked attempts at closed challenges as a file, void attempts too."""
        chosen = await exporting.choice(services, actor, first=first, last=last, key=ruleset, challenge=challenge)
        lines = exporting.moves(services, actor, chosen)
        return export(lines, move_fields, MOVE_COLUMNS, format, "samedeal-moves")


def result_fields(line: ResultLine) -> Fields:
    """A result as named values."""
    return {
        "date": line.date,
        "kind": line.kind,
        "ruleset": line.ruleset,
        "challenge": line.challenge_id,
        "attempt": line.attempt_id,
        "player_id": line.player_id,
        "player": line.player,
        "player_kind": line.player_kind,
        "outcome": line.outcome,
        "time_ms": line.time_ms,
        "moves": line.moves,
        "undos": line.undos,
        "progress": line.progress,
        "score": line.score,
        "started_at": iso(line.started_at),
        "finished_at": iso(line.finished_at),
    }


def move_fields(line: MoveLine) -> Fields:
    """An entry of a log as named values."""
    return {
        "date": line.date,
        "ruleset": line.ruleset,
        "challenge": line.challenge_id,
        "attempt": line.attempt_id,
        "player_id": line.player_id,
        "over": line.over,
        "seq": line.seq,
        "move": line.move,
        "at_ms": line.at_ms,
    }


def audit_fields(found: Entry) -> Fields:
    """An entry of the audit log as named values."""
    return {
        "number": found.number,
        "at": iso(found.at),
        "admin": found.admin,
        "role": found.role,
        "via": found.via,
        "action": found.action,
        "target": found.target,
        "before": found.before,
        "after": found.after,
        "reason": found.reason,
    }
