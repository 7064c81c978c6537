"""Rulings on challenges and players over HTTP."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query

from server.actions.admin import blocking, rulings
from server.actions.admin.roles import Actor
from server.actions.house import Services
from server.net import admin_shapes, shapes
from server.net.admin_gate import marked
from server.net.admin_schemas import (
    AttemptsBody,
    BlockedBody,
    EffectBody,
    ExtensionWish,
    FoundPlayers,
    LookedBody,
    ReasonWish,
    RulingWish,
)
from server.net.refusals import refusals

_DENIED: Final = ("auth/required", "auth/invalid", "auth/forbidden")
_RULINGS: Final = refusals(
    *_DENIED,
    *("challenge/unknown", "challenge/void", "challenge/closed", "admin/reason", "admin/dates", "protocol/malformed"),
)
_PLAYERS: Final = refusals(*_DENIED, "not_found", "admin/reason", "protocol/malformed")


def ruling_routes(services: Services, who: Any) -> APIRouter:
    """The routes under ``/admin/challenges``, ``/admin/attempts`` and ``/admin/players``."""
    router = APIRouter()
    _challenges(router, services, who)
    _players(router, services, who)
    return router


def _challenges(router: APIRouter, services: Services, who: Any) -> None:
    @router.get("/challenges/{challenge_id}", responses=_RULINGS, **marked("rulings.read"))
    async def attempts(
        challenge_id: str, actor: Annotated[Actor, who], after: Annotated[int, Query(ge=0, le=2**62)] = 0
    ) -> AttemptsBody:
        """A challenge and its ranked attempts, to be ruled on."""
        listed, found, following = await rulings.attempts_at(services, actor, challenge_id, after)
        return AttemptsBody(
            challenge=shapes.challenge(listed, services.clock.now_ms()),
            attempts=[admin_shapes.attempt(row, name) for row, name in found],
            next=following,
        )

    @router.post("/challenges/{challenge_id}/void", responses=_RULINGS, **marked("rulings.write"))
    async def void(challenge_id: str, actor: Annotated[Actor, who], wish: RulingWish) -> EffectBody:
        """Take a challenge out of everything that counts, for a reason; or tell what that would change."""
        return admin_shapes.effect(await rulings.void(services, actor, challenge_id, wish.reason, dry_run=wish.dry_run))

    @router.post("/challenges/{challenge_id}/extend", responses=_RULINGS, **marked("rulings.write"))
    async def extend(challenge_id: str, actor: Annotated[Actor, who], wish: ExtensionWish) -> EffectBody:
        """Let a challenge be started until a later instant; it closes as much later."""
        until = admin_shapes.instant(wish.until)
        return admin_shapes.effect(
            await rulings.extend(services, actor, challenge_id, until, wish.reason, dry_run=wish.dry_run)
        )

    @router.post(
        "/attempts/{attempt_id}/exclude",
        responses=refusals(*_DENIED, "attempt/unknown", "attempt/over", "admin/reason", "protocol/malformed"),
        **marked("rulings.write"),
    )
    async def exclude(attempt_id: str, actor: Annotated[Actor, who], wish: RulingWish) -> EffectBody:
        """Take one ranked attempt out of everything that counts, for a reason; or tell what that would change."""
        return admin_shapes.effect(
            await rulings.exclude(services, actor, attempt_id, wish.reason, dry_run=wish.dry_run)
        )


def _players(router: APIRouter, services: Services, who: Any) -> None:
    @router.get("/players", responses=refusals(*_DENIED, "protocol/malformed"), **marked("players.read"))
    async def find(
        actor: Annotated[Actor, who], q: Annotated[str, Query(max_length=80, pattern=r"^[^\x00]*$")] = ""
    ) -> FoundPlayers:
        """Players whose name has a text in it, or of an id, latest first."""
        return FoundPlayers(players=[admin_shapes.found_player(one) for one in await blocking.find(services, actor, q)])

    @router.get("/players/{player_id}", responses=_PLAYERS, **marked("players.read"))
    async def look(player_id: str, actor: Annotated[Actor, who]) -> LookedBody:
        """One player and his latest games."""
        looked = await blocking.look(services, actor, player_id)
        return LookedBody(
            found=admin_shapes.found_player(looked.found), games=[admin_shapes.game(one) for one in looked.games]
        )

    @router.post("/players/{player_id}/block", responses=_PLAYERS, **marked("players.write"))
    async def block(player_id: str, actor: Annotated[Actor, who], wish: ReasonWish) -> BlockedBody:
        """Let a player start nothing ranked any more, and take away all that counts of him."""
        done = await blocking.block(services, actor, player_id, wish.reason)
        return BlockedBody(found=admin_shapes.found_player(done.found), attempts=done.attempts)

    @router.post("/players/{player_id}/unblock", responses=_PLAYERS, **marked("players.write"))
    async def unblock(player_id: str, actor: Annotated[Actor, who], wish: ReasonWish) -> BlockedBody:
        """Let a player start ranked attempts again; what was taken away stays away."""
        done = await blocking.unblock(services, actor, player_id, wish.reason)
        return BlockedBody(found=admin_shapes.found_player(done.found), attempts=done.attempts)
