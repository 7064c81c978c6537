"""Which pages may open a socket or write: those of PUBLIC_URL, else those of the Host asked for (PROTOCOL 2)."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.net.wire import wired
from tests.support.live_server import LiveServer, live_server

PUBLIC = "https://cards.example.org"


@pytest.fixture
async def public(sqlite_url: str, tmp_path: Path) -> AsyncIterator[LiveServer]:
    """A server behind a proxy, known by its public address."""
    async with live_server(sqlite_url, tmp_path, public_url=PUBLIC) as running:
        yield running


async def allowed(server: LiveServer, origin: str | None) -> bool:
    """Whether a page of that origin may open a socket; the API must think the same of a new guest."""
    headers = {} if origin is None else {"Origin": origin}
    async with wired(server) as wire:
        await wire.send(wire.handshake(**headers))
        status = await wire.status()
    async with server.http() as http:
        answer = await http.post("/api/v1/guests", headers=headers)
    assert (status, answer.status_code) in {(101, 201), (403, 403)}, origin
    if status == 403:
        assert answer.json()["code"] == "auth/forbidden"
    return status == 101


async def test_without_a_public_url_the_own_host_counts(server: LiveServer) -> None:
    own = server.base_url
    assert await allowed(server, None)
    assert await allowed(server, own)
    assert await allowed(server, own.replace("http:", "https:"))
    assert await allowed(server, own.upper().replace("HTTP:", "http:"))
    for foreign in (
        "http://evil.example", own + ".evil.example", "null", "", own + "/", "file://", own.removeprefix("http://"),
        own.replace("http:", "ftp:"), own.rsplit(":", 1)[0], own.rsplit(":", 1)[0] + ":1", "http://[", "http://[::1",
        own + "@evil.example", "http://evil.example#" + own,
    ):  # fmt: skip
        assert not await allowed(server, foreign), foreign


async def test_with_a_public_url_its_origin_counts_alone(public: LiveServer) -> None:
    assert await allowed(public, None)
    assert await allowed(public, PUBLIC)
    assert await allowed(public, PUBLIC.upper().replace("HTTPS", "https"))
    for foreign in (public.base_url, "http://cards.example.org", PUBLIC + ":8443", PUBLIC + ".evil.example", "null"):
        assert not await allowed(public, foreign), foreign


@pytest.mark.parametrize(("url", "name", "secure"), [(None, "samedeal", False), (PUBLIC, "__Host-samedeal", True)])
async def test_the_cookie_takes_its_flags_from_the_scheme_of_the_public_url(
    sqlite_url: str, tmp_path: Path, url: str | None, name: str, secure: bool
) -> None:
    async with live_server(sqlite_url, tmp_path, public_url=url) as server, server.http() as http:
        answer = await http.post("/api/v1/guests", json={"name": "Ada"})
        value, *flags = answer.headers["set-cookie"].split("; ")
        assert value == f"{name}={answer.json()['token']}"
        wanted = {"HttpOnly", "Path=/", "SameSite=lax", f"Max-Age={400 * 86_400}"} | ({"Secure"} if secure else set())
        assert set(flags) == wanted
        http.cookies.clear()
        me = await http.get("/api/v1/me", headers={"Cookie": value})
        assert me.json()["player"]["name"] == "Ada"
        assert (await http.get("/api/v1/me", headers={"Cookie": f"{name}=x"})).json()["code"] == "auth/required"


async def test_writing_with_the_cookie_from_another_page_is_refused(server: LiveServer) -> None:
    async with server.http() as http:
        await http.post("/api/v1/guests", json={"name": "Ada"})
        refused = await http.patch("/api/v1/me", json={"name": "Eve"}, headers={"Origin": "http://evil.example"})
        assert (refused.status_code, refused.json()["code"]) == (403, "auth/forbidden")
        assert (await http.get("/api/v1/me")).json()["player"]["name"] == "Ada"
