"""The calendar, previews and events of admins over HTTP."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query

from server.actions.admin import calendar, events, importing, planning, previewing
from server.actions.admin.events import DealWish, Times, default_close
from server.actions.admin.planning import Pair
from server.actions.admin.roles import Actor
from server.actions.house import Services
from server.errors import GameError
from server.net import admin_shapes, event_shapes
from server.net.admin_gate import marked
from server.net.admin_schemas import (
    CellBody,
    CellsBody,
    CellWish,
    EventChange,
    EventWish,
    Exchange,
    FilledBody,
    FillWish,
    ImportedBody,
    ImportWish,
    PlanBody,
    PreviewBody,
    PreviewWish,
    ReasonWish,
    RefusedLine,
)
from server.net.event_schemas import EventBody, EventsBody
from server.net.refusals import refusals
from server.store.attempts import AttemptRow

_DENIED: Final = ("auth/required", "auth/invalid", "auth/forbidden")
_PLANNING: Final = refusals(
    *_DENIED,
    *("admin/dates", "ruleset/unknown", "calendar/locked", "calendar/stale", "calendar/taken"),
    *("deal/unknown", "deal/used", "protocol/malformed"),
)
_EVENTS: Final = refusals(
    *_DENIED,
    *("event/unknown", "event/opened", "event/invalid", "ruleset/unknown", "seed/invalid", "deal/unknown"),
    *("deal/used", "deal/none"),
    *("admin/reason", "protocol/malformed"),
)
_DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def calendar_routes(services: Services, who: Any) -> APIRouter:
    """The routes under ``/admin/calendar``, ``/admin/previews`` and ``/admin/events``."""
    router = APIRouter()
    _calendar(router, services, who)
    _exchanges(router, services, who)
    _previews(router, services, who)
    _events(router, services, who)
    return router


def _calendar(router: APIRouter, services: Services, who: Any) -> None:
    @router.get(
        "/calendar", responses=refusals(*_DENIED, "admin/dates", "protocol/malformed"), **marked("calendar.read")
    )
    async def show(
        actor: Annotated[Actor, who],
        first: Annotated[str, Query(max_length=10)],
        last: Annotated[str, Query(max_length=10)],
    ) -> PlanBody:
        """The calendar from a date to another, a hundred days at most. No seed is in it."""
        return admin_shapes.calendar(await calendar.show(services, actor, first, last))

    @router.put("/calendar/{date}/{ruleset}", responses=_PLANNING, **marked("calendar.write"))
    async def schedule(date: str, ruleset: str, actor: Annotated[Actor, who], wish: CellWish) -> CellBody:
        """Plan a coming day and ruleset, in the place of what was planned."""
        cell = await planning.schedule(
            services, actor, date, ruleset, wish.version, difficulty=wish.difficulty, deal_id=wish.deal
        )
        return admin_shapes.cell(cell)

    @router.delete("/calendar/{date}/{ruleset}", responses=_PLANNING, **marked("calendar.write"))
    async def clear(
        date: str, ruleset: str, actor: Annotated[Actor, who], version: Annotated[int, Query(ge=0, le=2**62)]
    ) -> CellBody:
        """Let a coming day and ruleset follow the rule of weekdays again."""
        return admin_shapes.cell(await planning.clear(services, actor, date, ruleset, version))

    @router.post(
        "/calendar/import",
        responses=refusals(*_DENIED, "admin/unbound", "protocol/malformed"),
        **marked("calendar.import"),
    )
    async def import_seeds(actor: Annotated[Actor, who], wish: ImportWish) -> ImportedBody:
        """Plan explicit seeds: all lines of a list or none. Who imports a seed has no ranked attempt at it."""
        found = await importing.import_seeds(services, actor, wish.text, wish.format, dry_run=wish.dry_run)
        return ImportedBody(
            stored=found.stored,
            planned=found.planned,
            unchanged=found.unchanged,
            refused=[
                RefusedLine(line=one.number, code=one.code, message=one.message, same_as=one.same_as)
                for one in found.refused
            ],
            refused_total=found.refused_total,
        )


def _exchanges(router: APIRouter, services: Services, who: Any) -> None:
    @router.post("/calendar/move", responses=_PLANNING, **marked("calendar.write"))
    async def move(actor: Annotated[Actor, who], wish: Exchange) -> CellsBody:
        """Move what is planned for a day to another one, where nothing is planned; all rulesets named, or none."""
        cells = await planning.move(services, actor, wish.first, wish.second, _pairs(wish))
        return CellsBody(cells=[admin_shapes.cell(cell) for cell in cells])

    @router.post("/calendar/swap", responses=_PLANNING, **marked("calendar.write"))
    async def swap(actor: Annotated[Actor, who], wish: Exchange) -> CellsBody:
        """Swap what is planned for two days; all rulesets named, or none."""
        cells = await planning.swap(services, actor, wish.first, wish.second, _pairs(wish))
        return CellsBody(cells=[admin_shapes.cell(cell) for cell in cells])

    @router.post("/calendar/fill", responses=_PLANNING, **marked("calendar.write"))
    async def fill(actor: Annotated[Actor, who], wish: FillWish) -> FilledBody:
        """Plan all coming days of a span that have no plan, by a rule of weekdays."""
        rule = planning.BY_WEEKDAY
        if wish.rule is not None:
            rule = {_DAYS.index(day): level for day, level in wish.rule.items()}
        found = await planning.fill(services, actor, wish.first, wish.last, wish.rulesets, rule)
        return FilledBody(planned=found.planned, chosen=found.chosen, kept=found.kept)


def _pairs(wish: Exchange) -> list[Pair]:
    return [Pair(cell.ruleset, cell.first_version, cell.second_version) for cell in wish.cells]


def _previews(router: APIRouter, services: Services, who: Any) -> None:
    @router.post(
        "/previews",
        status_code=201,
        responses=refusals(
            *_DENIED,
            *("admin/unbound", "admin/dates", "ruleset/unknown", "challenge/unknown", "challenge/closed"),
            *("deal/none", "deal/unknown", "protocol/malformed"),
        ),
        **marked("deals.preview"),
    )
    async def preview(actor: Annotated[Actor, who], wish: PreviewWish) -> PreviewBody:
        """Play a coming deal without a result, as the player that one has named, who is barred from ranking on it."""
        named = [wish.date is not None, wish.challenge is not None, wish.deal is not None]
        if sum(named) != 1 or (wish.date is None) != (wish.ruleset is None):
            raise GameError("protocol/malformed", "name a date and a ruleset, a challenge, or a deal")
        row: AttemptRow
        if wish.deal is not None:
            row = await previewing.preview_deal(services, actor, wish.deal)
        elif wish.challenge is not None:
            row = await previewing.preview_challenge(services, actor, wish.challenge)
        else:
            row = await previewing.preview_day(services, actor, wish.date or "", wish.ruleset or "")
        return PreviewBody(attempt=row.id, player=row.player_id)


def _events(router: APIRouter, services: Services, who: Any) -> None:
    @router.get("/events", responses=refusals(*_DENIED, "protocol/malformed"), **marked("events.read"))
    async def every(
        actor: Annotated[Actor, who], before: Annotated[str | None, Query(max_length=40)] = None
    ) -> EventsBody:
        """Events, made latest first."""
        views, following = await events.every(services, actor, before)
        now = services.clock.now_ms()
        return EventsBody(events=[event_shapes.event(view, now) for view in views], next=following)

    @router.post("/events", status_code=201, responses=_EVENTS, **marked("events.write"))
    async def make(actor: Annotated[Actor, who], wish: EventWish) -> EventBody:
        """Make an event. Deals with seeds of one's own are unranked."""
        ends_at = admin_shapes.instant(wish.ends_at)
        closes_at = default_close(ends_at) if wish.closes_at is None else admin_shapes.instant(wish.closes_at)
        times = Times(admin_shapes.instant(wish.opens_at), ends_at, closes_at)
        deals = [DealWish(deal.ruleset, deal.seed, deal.difficulty, deal.deal) for deal in wish.deals]
        return event_shapes.event(await events.make(services, actor, wish.name, times, deals), services.clock.now_ms())

    @router.patch("/events/{event_id}", responses=_EVENTS, **marked("events.write"))
    async def change(event_id: str, actor: Annotated[Actor, who], wish: EventChange) -> EventBody:
        """Change the name or the times of an event that has not opened."""
        times: Times | None = None
        if wish.opens_at is not None and wish.ends_at is not None:
            ends_at = admin_shapes.instant(wish.ends_at)
            closes_at = default_close(ends_at) if wish.closes_at is None else admin_shapes.instant(wish.closes_at)
            times = Times(admin_shapes.instant(wish.opens_at), ends_at, closes_at)
        elif (wish.opens_at, wish.ends_at, wish.closes_at) != (None, None, None):
            raise GameError("protocol/malformed", "opens_at and ends_at are given together")
        view = await events.change(services, actor, event_id, wish.name, times)
        return event_shapes.event(view, services.clock.now_ms())

    @router.post("/events/{event_id}/cancel", responses=_EVENTS, **marked("events.write"))
    async def cancel(event_id: str, actor: Annotated[Actor, who], wish: ReasonWish) -> EventBody:
        """Call off an event that has not opened; it stays in the list as void."""
        view = await events.cancel(services, actor, event_id, wish.reason)
        return event_shapes.event(view, services.clock.now_ms())
