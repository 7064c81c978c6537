"""The description of the HTTP API says what the server does."""

import asyncio
from pathlib import Path

import pytest
from fastapi import FastAPI

from server import __version__
from server.net.credentials import Credentials
from server.net.whole_api import WholeApi
from tests.support.live_server import live_server


async def test_requests_that_do_not_fit_are_described_as_they_are_answered(sqlite_url: str, tmp_path: Path) -> None:
    async with live_server(sqlite_url, tmp_path) as server, server.http() as http:
        described = (await http.get("/api/v1/openapi.json")).json()
        assert "HTTPValidationError" not in str(described)
        board = described["paths"]["/api/v1/boards/daily/{date}/{ruleset}"]["get"]["responses"]
        assert board["400"]["content"]["application/json"]["schema"]["$ref"].endswith("/ErrorBody")
        answer = await http.get("/api/v1/boards/daily/today/pyramid?limit=0")
        assert (answer.status_code, answer.json()["code"]) == (400, "protocol/malformed")


async def test_calls_are_told_in_words_not_by_the_names_of_functions(sqlite_url: str, tmp_path: Path) -> None:
    async with live_server(sqlite_url, tmp_path) as server, server.http() as http:
        paths = (await http.get("/api/v1/openapi.json")).json()["paths"]
        operations = [operation for methods in paths.values() for operation in methods.values()]
        assert operations
        for operation in operations:
            assert operation["summary"]
            assert operation["description"].startswith(operation["summary"])
        assert paths["/api/v1/guests"]["post"]["summary"] == "Make a guest and log him in"


async def test_the_whole_is_built_once_by_whoever_asks_first(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[FastAPI] = []
    build = WholeApi.build

    def counted(whole: WholeApi) -> FastAPI:
        built.append(build(whole))
        return built[-1]

    monkeypatch.setattr(WholeApi, "build", counted)
    async with live_server(sqlite_url, tmp_path) as server, server.http() as http:
        assert (await http.get("/api/v1/dailies/today")).status_code == 200
        assert built == []
        asked = ["/api/v1/openapi.json", "/api/v1/admin", "/api/v1/admin/session", "/api/v1/administrator"] * 3
        answers = await asyncio.gather(*(http.get(path) for path in asked))
        assert [answer.status_code for answer in answers] == [200, 404, 401, 404] * 3
        assert len(built) == 1
        credentials = Credentials(server.app.services, public_origin=None, secure=False)
        apart = WholeApi(server.app.services, credentials, __version__, public_origin=None, secure=False)
        assert build(apart).openapi() == answers[0].json()
