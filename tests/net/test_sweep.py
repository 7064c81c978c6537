"""A sweep over the OpenAPI description: whatever is asked, the answer is described and never a fault of ours."""

import json
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.support.live_server import LiveServer, live_server
from tests.support.scale import rounds

ODD = [
    "", " ", "0", "-1", "1e9", "null", "true", "today", "tomorrow", "2026-03-10", "9999-12-31", "pyramid", "me",
    "\0", "\x7f", "%", "%2f", "..", "../..", "' OR 1=1 --", "<b>", "{}", "[]", "ğüşıöç", "اردو", "😀", "\ud7ff",
    "x" * 199, "x" * 5000,
    "0198c0de-0000-7000-8000-000000000000", "99999999999999999999999999", "NaN", "a\r\nX: y", "main", "moves",
]  # fmt: skip


@pytest.fixture
async def server(sqlite_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    """A running server without limits."""
    async with live_server(sqlite_url, tmp_path, sandbox=True) as running:
        yield running


class Generator:
    """Values that fit a schema, values that do not, and values that nobody expects."""

    def __init__(self, description: dict[str, Any], seed: int, known: list[str]) -> None:
        self._schemas = description.get("components", {}).get("schemas", {})
        self._chance = random.Random(seed)
        self._odd = ODD + known

    def text(self) -> str:
        """Any text; the odd ones more often."""
        if self._chance.random() < 0.8:
            return self._chance.choice(self._odd)
        return "".join(chr(self._chance.choice((self._chance.randrange(1, 128), self._chance.randrange(160, 0x2FFF))))
                       for _ in range(self._chance.randrange(30)))  # fmt: skip

    def value(self, schema: dict[str, Any], depth: int = 0) -> Any:
        """A value that may fit a schema."""
        if "$ref" in schema:
            schema = self._schemas[schema["$ref"].rsplit("/", 1)[1]]
        if self._chance.random() < 0.3 or depth > 4:
            return self._chance.choice([None, 0, -1, 2**70, 1.5, True, [], {}, [[]], self.text()])
        for choice in ("anyOf", "oneOf"):
            if choice in schema:
                return self.value(self._chance.choice(schema[choice]), depth + 1)
        if "enum" in schema:
            return self._chance.choice(schema["enum"])
        if "properties" in schema:
            return {name: self.value(inner, depth + 1) for name, inner in schema["properties"].items()}
        if schema.get("type") == "integer":
            return self._chance.choice([schema.get("minimum", 0), schema.get("maximum", 100), 5, -(2**40)])
        return self.text()

    def requests(self, description: dict[str, Any], count: int) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        """Method, path template, path, and the rest of each request."""
        operations = [(path, method, operation) for path, methods in description["paths"].items()
                      for method, operation in methods.items()]  # fmt: skip
        for number in range(count):
            path, method, operation = operations[number % len(operations)]
            template, query = path, {}
            for parameter in operation.get("parameters", []):
                value = self.value(parameter["schema"])
                shown = value if isinstance(value, str) else json.dumps(value)
                if parameter["in"] == "path":
                    quoted = "".join(f"%{byte:02x}" for byte in shown.encode()) or "x"
                    path = path.replace("{" + parameter["name"] + "}", quoted)
                elif parameter["in"] == "query" and self._chance.random() < 0.6:
                    query[parameter["name"]] = shown
            options: dict[str, Any] = {"params": query}
            body = operation.get("requestBody")
            if body is not None:
                schema = body["content"]["application/json"]["schema"]
                options["content"] = json.dumps(self.value(schema)).encode()
                options["headers"] = {"Content-Type": self._chance.choice(["application/json", "text/plain", "x/y"])}
            yield method.upper(), template, path, options


async def test_the_description_has_every_call_of_the_protocol(server: LiveServer) -> None:
    async with server.http() as http:
        description = (await http.get("/api/v1/openapi.json")).json()
    assert description["info"]["title"] == "Samedeal"
    paths = ["/guests", "/me", "/rulesets", "/dailies/{date}", "/boards/daily/{date}/{ruleset}"]
    paths += ["/attempts/{attempt_id}", "/challenges/{challenge_id}"]
    assert set(description["paths"]) >= {f"/api/v1{path}" for path in paths}


async def test_no_request_makes_a_fault_of_ours(server: LiveServer) -> None:
    async with server.playing("Ada") as ada, server.http(ada.token) as http, server.http() as nobody:
        state = await ada.start("daily/today/pyramid")
        description = (await http.get("/api/v1/openapi.json")).json()
        generator = Generator(description, 11, [state["attempt"], state["challenge"]["id"]])
        with capture_logs() as lines:
            for number, (method, template, path, options) in enumerate(
                generator.requests(description, rounds(5000, 200_000))
            ):
                client = (http, nobody)[number % 2]
                answer = await client.request(method, path, **options)
                assert answer.status_code < 500, (method, path, options, answer.text)
                if answer.status_code >= 400:
                    assert answer.headers["content-type"] == "application/json", (method, path)
                    assert answer.json().keys() == {"code", "message"}
                    if answer.status_code not in (404, 405, 413):  # the same for every path, so not described
                        documented = description["paths"][template][method.lower()]["responses"]
                        assert str(answer.status_code) in documented, (method, path, answer.text)
        assert [line for line in lines if line["log_level"] == "error"] == []
        assert (await ada.play(state["attempt"], "s"))["seq"] == 1
