"""The description of the HTTP API says what the server does."""

from pathlib import Path

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
