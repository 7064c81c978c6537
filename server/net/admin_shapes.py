"""From what an admin's actions answer to the bodies of the HTTP API."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import cast

from msgspec import structs

from server.actions.admin.blocking import Found
from server.actions.admin.calendar import Calendar, Cell
from server.actions.admin.effects import Changes, Effect
from server.actions.admin.roles import ACTIONS, Actor, Via
from server.actions.dates import iso
from server.net import shapes
from server.net.admin_schemas import (
    AdminBody,
    AdminSelfBody,
    AttemptLine,
    AuditLine,
    CellBody,
    ChangeBody,
    ChangesBody,
    DealBody,
    EffectBody,
    FoundPlayer,
    MatrixBody,
    MatrixRow,
    PlanBody,
    PlayedBody,
    SearchBody,
)
from server.solve.difficulty import WEEK
from server.store.admins import AdminRow, Role
from server.store.attempts import AttemptRow
from server.store.audit import Entry
from server.store.deals import DealView
from server.store.jobs import JobRow
from server.store.profiles import Game


def instant(given: datetime) -> int:
    """An instant of a body in milliseconds since the epoch."""
    return round(given.timestamp() * 1000)


def myself(who: Actor) -> AdminSelfBody:
    """The admin who is signed in."""
    return AdminSelfBody(
        name=who.name, role=who.role, actions=[action for action in ACTIONS if who.may(action)], player=who.player_id
    )


def admin(row: AdminRow) -> AdminBody:
    """An admin."""
    return AdminBody(
        name=row.name,
        role=row.role,
        created_at=iso(row.created_at),
        revoked_at=shapes.told(row.revoked_at),
        player=row.player_id,
    )


def matrix() -> MatrixBody:
    """All actions and who may do them."""
    return MatrixBody(
        actions=[
            MatrixRow(action=action, words=words, roles=sorted(roles)) for action, (roles, words) in ACTIONS.items()
        ]
    )


def cell(found: Cell) -> CellBody:
    """A cell of the calendar."""
    row = found.challenge
    return CellBody(
        date=found.day.isoformat(),
        ruleset=found.rules.key,
        title=found.rules.title,
        state=found.state,
        source=found.source,
        difficulty=found.difficulty,
        deal=found.deal_id,
        version=found.version,
        challenge=None if row is None else row.id,
        commitment=None if row is None else row.commitment,
        closes_at=None if row is None else shapes.told(row.closes_at),
        void=row is not None and row.voided_at is not None,
        results=found.results,
    )


def calendar(found: Calendar) -> PlanBody:
    """The calendar."""
    return PlanBody(
        first=found.first.isoformat(),
        last=found.last.isoformat(),
        today=found.today.isoformat(),
        rule=list(WEEK),
        cells=[cell(one) for one in found.cells],
    )


def deal(found: DealView) -> DealBody:
    """A deal of the stock."""
    return DealBody(**structs.asdict(found) | {"made_at": iso(found.made_at)})


def search(row: JobRow, found: Sequence[DealView] = ()) -> SearchBody:
    """A search."""
    return SearchBody(
        id=row.id,
        ruleset=row.wish.ruleset,
        state=row.state,
        done=row.done,
        total=row.total,
        found=len(row.found),
        error=row.error,
        begun_at=iso(row.created_at),
        ended_at=shapes.told(row.ended_at),
        deals=[deal(one) for one in found],
    )


def effect(found: Effect) -> EffectBody:
    """What a ruling changes."""
    row = found.challenge
    return EffectBody(
        challenge=row.id,
        kind=row.kind,
        ruleset=row.ruleset,
        date=row.date,
        dry_run=found.dry_run,
        attempts_before=found.attempts_before,
        attempts_after=found.attempts_after,
        ranks=_changes(found.ranks),
        points=_changes(found.points),
        streaks=_changes(found.streaks),
        ends_at=shapes.told(found.ends_at),
        closes_at=shapes.told(found.closes_at),
    )


def _changes(found: Changes) -> ChangesBody:
    return ChangesBody(
        total=found.total,
        shown=[
            ChangeBody(player=one.player_id, name=one.name, before=one.before, after=one.after, period=one.period)
            for one in found.shown
        ],
    )


def attempt(row: AttemptRow, name: str) -> AttemptLine:
    """A ranked attempt."""
    return AttemptLine(
        attempt=row.id,
        player=row.player_id,
        name=name,
        started_at=iso(row.started_at),
        over=row.over,
        time_ms=row.last_at_ms,
        moves=row.moves,
        undos=row.undos,
        progress=row.progress,
    )


def found_player(found: Found) -> FoundPlayer:
    """A player who was looked up."""
    return FoundPlayer(
        player=shapes.player(found.player),
        since=iso(found.player.created_at),
        blocked_at=shapes.told(found.blocked_at),
    )


def game(found: Game) -> PlayedBody:
    """A game of a player."""
    return PlayedBody(
        attempt=found.attempt_id,
        challenge=found.challenge_id,
        kind=found.kind,
        ruleset=found.ruleset,
        date=found.date,
        closed=found.closed,
        outcome=found.outcome,
        time_ms=found.time_ms,
        moves=found.moves,
        finished_at=iso(found.finished_at),
    )


def entry(found: Entry) -> AuditLine:
    """An entry of the audit log."""
    return AuditLine(
        number=found.number,
        at=iso(found.at),
        admin=found.admin,
        role=cast(Role, found.role),
        via=cast(Via, found.via),
        action=found.action,
        target=found.target,
        before=None if found.before is None else json.loads(found.before),
        after=None if found.after is None else json.loads(found.after),
        reason=found.reason,
    )
