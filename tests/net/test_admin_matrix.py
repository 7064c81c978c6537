"""X13: who may call which route of the admin's API; a route without a row here fails."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.actions.admin.roles import ACTIONS, ROLES
from tests.support.live_server import LiveServer, live_server

ALL = {"owner", "seeder", "moderator", "auditor"}
SEEDING = {"owner", "seeder"}
ORDER = {"owner", "moderator"}
READ_CALENDAR = {"owner", "seeder", "auditor"}
READ_ORDER = {"owner", "moderator", "auditor"}
REASON = {"reason": "a test"}
EXCHANGE = {"first": "2026-03-20", "second": "2026-03-21"}
CELL = {"ruleset": "pyramid", "first_version": 0, "second_version": 0}
EVENT = {"name": "Club", "opens_at": "2026-03-11T12:00:00Z", "ends_at": "2026-03-12T12:00:00Z"}

#: Every route with a body that fits it, and the roles that may call it.
MATRIX: dict[tuple[str, str], tuple[Any, set[str]]] = {
    ("GET", "/admin/session"): (None, ALL),
    ("DELETE", "/admin/session"): (None, ALL),
    ("PUT", "/admin/session/player"): ({}, {"owner", "seeder", "moderator"}),
    ("GET", "/admin/matrix"): (None, ALL),
    ("GET", "/admin/admins"): (None, {"owner", "auditor"}),
    ("POST", "/admin/admins"): ({"name": "nobody", "role": "auditor"}, {"owner"}),
    ("PATCH", "/admin/admins/{name}"): ({"role": "auditor"}, {"owner"}),
    ("POST", "/admin/admins/{name}/token"): (None, {"owner"}),
    ("DELETE", "/admin/admins/{name}"): (None, {"owner"}),
    ("GET", "/admin/calendar"): ({"first": "2026-03-01", "last": "2026-03-31"}, READ_CALENDAR),
    ("PUT", "/admin/calendar/{date}/{ruleset}"): ({"version": 0, "difficulty": "hard"}, SEEDING),
    ("DELETE", "/admin/calendar/{date}/{ruleset}"): ({"version": 0}, SEEDING),
    ("POST", "/admin/calendar/import"): ({"text": ""}, SEEDING),
    ("POST", "/admin/calendar/move"): ({**EXCHANGE, "cells": [CELL]}, SEEDING),
    ("POST", "/admin/calendar/swap"): ({**EXCHANGE, "cells": [CELL]}, SEEDING),
    ("POST", "/admin/calendar/fill"): (EXCHANGE | {"last": "2026-03-21"}, SEEDING),
    ("POST", "/admin/previews"): ({"date": "2026-03-20", "ruleset": "pyramid"}, SEEDING),
    ("GET", "/admin/stock"): (None, READ_CALENDAR),
    ("GET", "/admin/deals"): ({"ruleset": "pyramid"}, READ_CALENDAR),
    ("POST", "/admin/searches"): ({"ruleset": "pyramid", "count": 1, "tries": 0}, SEEDING),
    ("GET", "/admin/searches"): (None, READ_CALENDAR),
    ("GET", "/admin/searches/{search_id}"): (None, READ_CALENDAR),
    ("POST", "/admin/searches/{search_id}/cancel"): (None, SEEDING),
    ("GET", "/admin/events"): (None, ALL),
    ("POST", "/admin/events"): ({**EVENT, "deals": [{"ruleset": "pyramid"}]}, SEEDING),
    ("PATCH", "/admin/events/{event_id}"): ({"name": "Club"}, SEEDING),
    ("POST", "/admin/events/{event_id}/cancel"): (REASON, SEEDING),
    ("GET", "/admin/challenges/{challenge_id}"): (None, READ_ORDER),
    ("POST", "/admin/challenges/{challenge_id}/void"): (REASON, ORDER),
    ("POST", "/admin/challenges/{challenge_id}/extend"): (REASON | {"until": "2026-03-12T12:00:00Z"}, ORDER),
    ("POST", "/admin/attempts/{attempt_id}/exclude"): (REASON, ORDER),
    ("GET", "/admin/players"): (None, READ_ORDER),
    ("GET", "/admin/players/{player_id}"): (None, READ_ORDER),
    ("POST", "/admin/players/{player_id}/block"): (REASON, ORDER),
    ("POST", "/admin/players/{player_id}/unblock"): (REASON, ORDER),
    ("GET", "/admin/export/results"): (None, READ_ORDER),
    ("GET", "/admin/export/moves"): (None, READ_ORDER),
    ("GET", "/admin/audit"): (None, READ_ORDER),
    ("GET", "/admin/audit/export"): (None, READ_ORDER),
}
#: Everybody may try to sign in.
OPEN = {("POST", "/admin/session")}
NOBODY = "01890000-0000-7000-8000-000000000000"


@pytest.fixture
async def server(sqlite_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    """A running server without limits."""
    async with live_server(sqlite_url, tmp_path, sandbox=True) as running:
        yield running


def described(server_paths: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """The routes of admins as the API describes them."""
    return {
        (method.upper(), path.removeprefix("/api/v1")): operation
        for path, operations in server_paths.items()
        for method, operation in operations.items()
        if path.startswith("/api/v1/admin")
    }


async def call(http: httpx.AsyncClient, method: str, path: str, body: Any) -> httpx.Response:
    address = path.replace("{date}", "2026-03-20").replace("{ruleset}", "pyramid")
    address = "/api/v1" + re.sub(r"\{\w+\}", NOBODY, address)
    if body is None or method in ("GET", "DELETE"):
        return await http.request(method, address, params=body)
    return await http.request(method, address, json=body)


async def test_x13_every_route_of_admins_is_in_the_matrix_and_names_its_action(server: LiveServer) -> None:
    async with server.http() as http:
        routes = described((await http.get("/api/v1/openapi.json")).json()["paths"])
    assert set(routes) == set(MATRIX) | OPEN
    for route, operation in routes.items():
        allowed, _ = ACTIONS[operation["x-action"]]
        assert operation["x-roles"] == sorted(allowed), route
        if route in MATRIX:
            assert allowed == MATRIX[route][1], route
    used = {operation["x-action"] for operation in routes.values()}
    assert used == set(ACTIONS)


async def test_x13_each_role_may_call_its_routes_and_no_others(server: LiveServer) -> None:
    """A refusal for another reason than the role shows that the role was let in."""
    _, player = await server.guest("Ada")
    for role in ROLES:
        async with await server.admin(role) as http:
            for (method, path), (body, allowed) in MATRIX.items():
                answer = await call(http, method, path, body)
                forbidden = answer.status_code == 403 and answer.json()["code"] == "auth/forbidden"
                assert forbidden == (role not in allowed), (role, method, path, answer.text)
                assert answer.status_code < 500, (method, path, answer.text)
    for token in (None, player, "no-token"):
        async with server.http(token) as http:
            for (method, path), (body, _) in MATRIX.items():
                answer = await call(http, method, path, body)
                assert answer.status_code == 401, (method, path, answer.text)


async def test_auditors_read_and_write_nothing() -> None:
    for action, (roles, _) in ACTIONS.items():
        if not action.endswith(".read") and action != "self.session":
            assert "auditor" not in roles, action
    assert {action for action, (roles, _) in ACTIONS.items() if "owner" in roles} == set(ACTIONS)
