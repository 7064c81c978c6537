"""The stock and searches for deals over HTTP."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query

from server.actions import stock
from server.actions.admin import searching
from server.actions.admin.roles import Actor
from server.actions.house import Services
from server.games import rulesets
from server.net import admin_shapes
from server.net.admin_gate import marked
from server.net.admin_schemas import DealsBody, Level, SearchBody, SearchesBody, SearchWish, StockBody, StockRow
from server.net.refusals import refusals
from server.solve.difficulty import LEVELS
from server.store.deals import Wish

_DENIED: Final = ("auth/required", "auth/invalid", "auth/forbidden")
_SEARCHES: Final = refusals(*_DENIED, "job/unknown")

Figure = Annotated[int | None, Query(ge=0, le=10_000)]


def deal_routes(services: Services, who: Any) -> APIRouter:
    """The routes under ``/admin/stock``, ``/admin/deals`` and ``/admin/searches``."""
    router = APIRouter()
    _stock(router, services, who)
    _searches(router, services, who)
    return router


def _stock(router: APIRouter, services: Services, who: Any) -> None:
    @router.get("/stock", responses=refusals(*_DENIED), **marked("deals.read"))
    async def levels(actor: Annotated[Actor, who]) -> StockBody:
        """How many unused deals lie in stock, by ruleset and difficulty, and for how many days they last."""
        actor.needs("deals.read")
        have = await stock.counts(services, rulesets().values())
        rows = [
            StockRow(
                ruleset=key,
                title=rulesets()[key].title,
                levels={level: counted[level] for level in LEVELS},
                days=stock.days_left(counted) if rulesets()[key].daily is not None else None,
            )
            for key, counted in have.items()
        ]
        return StockBody(rulesets=rows, few_days=stock.FEW_DAYS, keep_days=stock.RESERVE_DAYS)

    @router.get("/deals", responses=refusals(*_DENIED, "ruleset/unknown", "protocol/malformed"), **marked("deals.read"))
    async def deals(
        actor: Annotated[Actor, who],
        ruleset: Annotated[str, Query(max_length=40)],
        difficulty: Annotated[list[Level] | None, Query(max_length=4)] = None,
        par_least: Figure = None,
        par_most: Figure = None,
        free_least: Figure = None,
        free_most: Figure = None,
        limit: Annotated[int, Query(ge=1, le=searching.MOST)] = 50,
        after: Annotated[str | None, Query(max_length=40, pattern="^[0-9a-f-]*$")] = None,
    ) -> DealsBody:
        """Deals in stock that nobody has used or planned, by difficulty, par and free first moves."""
        wish = Wish(ruleset, tuple(difficulty or ()), par_least, par_most, free_least, free_most)
        found, following = await searching.find(services, actor, wish, limit=limit, after=after)
        return DealsBody(deals=[admin_shapes.deal(one) for one in found], next=following)


def _searches(router: APIRouter, services: Services, who: Any) -> None:
    @router.post(
        "/searches",
        status_code=201,
        responses=refusals(*_DENIED, "ruleset/unknown", "deal/none", "job/busy", "protocol/malformed"),
        **marked("deals.search"),
    )
    async def start(actor: Annotated[Actor, who], wish: SearchWish) -> SearchBody:
        """Search for deals in the background: in stock, then among fresh ones that are proved one after the other."""
        bounds = (wish.par_least, wish.par_most, wish.free_least, wish.free_most)
        wanted = Wish(wish.ruleset, tuple(wish.difficulty), *bounds)
        found = await searching.start(services, actor, wanted, count=wish.count, tries=wish.tries)
        return admin_shapes.search(*found)

    @router.get("/searches", responses=refusals(*_DENIED), **marked("deals.read"))
    async def every(actor: Annotated[Actor, who]) -> SearchesBody:
        """The latest searches."""
        return SearchesBody(searches=[admin_shapes.search(row) for row in await searching.every(services, actor)])

    @router.get("/searches/{search_id}", responses=_SEARCHES, **marked("deals.read"))
    async def look(search_id: str, actor: Annotated[Actor, who]) -> SearchBody:
        """How far a search is, and what it has found."""
        return admin_shapes.search(*await searching.look(services, actor, search_id))

    @router.post("/searches/{search_id}/cancel", responses=_SEARCHES, **marked("deals.search"))
    async def cancel(search_id: str, actor: Annotated[Actor, who]) -> SearchBody:
        """Break a search off; what it has found stays."""
        return admin_shapes.search(*await searching.cancel(services, actor, search_id))
