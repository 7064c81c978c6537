"""Profiles, calendars, friends, and the field of a daily over HTTP."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from server.actions import fields, following, profiles
from server.actions.following import Followed
from server.actions.house import Services
from server.actions.people import Person
from server.net import profile_shapes, shapes
from server.net.board_schemas import CalendarBody, FieldBody, FollowedBody, FollowersBody, FollowingBody, ProfileBody
from server.net.caching import answer
from server.net.credentials import Credentials
from server.net.refusals import refusals
from server.store.boards import LARGEST_PAGE

Limit = Annotated[int, Query(ge=1, le=LARGEST_PAGE)]


def profile_routes(services: Services, credentials: Credentials) -> APIRouter:
    """The routes of what one sees of players, and of whom one follows."""
    router = APIRouter()
    _seen_by_all(router, services, Depends(credentials.viewer))
    _own(router, services, Depends(credentials.player), Depends(credentials.check_origin))
    return router


def _seen_by_all(router: APIRouter, services: Services, viewer: Any) -> None:
    @router.get("/players/{player_id}", response_model=ProfileBody, responses=refusals("auth/invalid", "not_found"))
    async def profile(request: Request, player_id: str, person: Annotated[Person | None, viewer]) -> Response:
        """A player: statistics by ruleset, streak, latest games. Of open challenges results only, never moves."""
        found = await profiles.profile(services, player_id, None if person is None else person.id)
        return answer(request, profile_shapes.profile(found), person)

    @router.get(
        "/players/{player_id}/calendar/{month}",
        response_model=CalendarBody,
        responses=refusals("auth/invalid", "not_found"),
    )
    async def calendar(
        request: Request, player_id: str, month: str, person: Annotated[Person | None, viewer]
    ) -> Response:
        """A month (`2026-11`) of a player's dailies, day by day."""
        return answer(request, profile_shapes.calendar(await profiles.calendar(services, player_id, month)), person)

    @router.get(
        "/dailies/{date}/{ruleset}/field",
        response_model=FieldBody,
        responses=refusals(
            *("auth/required", "auth/invalid", "challenge/unknown", "challenge/barred", "ruleset/unknown")
        ),
    )
    async def field(request: Request, date: str, ruleset: str, person: Annotated[Person | None, viewer]) -> Response:
        """How everybody did in a daily, in numbers: for who has finished it, and for all after its close."""
        found = await fields.field(services, date, ruleset, None if person is None else person.id)
        return answer(request, profile_shapes.field(found), person)


def _own(router: APIRouter, services: Services, player: Any, own_page: Any) -> None:
    @router.get("/me/following", responses=refusals("auth/required", "auth/invalid"))
    async def followed(person: Annotated[Person, player]) -> FollowingBody:
        """Whom one follows: with oneself, these are the friends on boards."""
        found = await following.following(services, person.id)
        return FollowingBody(players=[shapes.player(row) for row in found], total=len(found))

    @router.get("/me/followers", responses=refusals("auth/required", "auth/invalid", "protocol/malformed"))
    async def follower_list(
        person: Annotated[Person, player], limit: Limit = 50, after: Annotated[str | None, Query(max_length=200)] = None
    ) -> FollowersBody:
        """Who follows oneself, the latest first."""
        found = await following.followers(services, person.id, limit, after)
        rows = [shapes.player(row) for row in found.players]
        return FollowersBody(players=rows, total=found.total, next=found.next)

    @router.put(
        "/me/following/{player_id}",
        dependencies=[own_page],
        responses=refusals(
            *("auth/required", "auth/invalid", "auth/forbidden", "not_found", "follow/full", "protocol/malformed")
        ),
    )
    async def follow(player_id: str, person: Annotated[Person, player]) -> FollowedBody:
        """Follow a player; twice is the same as once."""
        return _followed(await following.follow(services, person.id, player_id))

    @router.delete(
        "/me/following/{player_id}",
        dependencies=[own_page],
        responses=refusals("auth/required", "auth/invalid", "auth/forbidden", "not_found"),
    )
    async def unfollow(player_id: str, person: Annotated[Person, player]) -> FollowedBody:
        """Follow a player no more."""
        return _followed(await following.unfollow(services, person.id, player_id))


def _followed(found: Followed) -> FollowedBody:
    return FollowedBody(player=shapes.player(found.player), followed=found.followed, followers=found.followers)
