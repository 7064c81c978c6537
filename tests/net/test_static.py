"""The static site: one tree, one hash; pages asked for again, files kept for ever; nothing inline."""

import gzip
import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from server.net.static import CONTENT_SECURITY_POLICY, StaticSite, _read_tree

PAGE = '<!doctype html><html lang="en"><script type="module" src="/static/src/main.js"></script></html>'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small client."""
    for name, text in {
        "index.html": PAGE,
        "api.html": PAGE.replace("main", "apidocs"),
        "icon.svg": "<svg/>",
        "src/main.js": "export const answer = 42;\n" * 60,
        "style/tokens.css": ":root { --ink: #000 }",
        "locale/tr.po": 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n>1);\\n"\n'
        '\nmsgid "Undo"\nmsgstr "Geri al"\n'
        '\nmsgid "{count} move"\nmsgid_plural "{count} moves"\nmsgstr[0] "{count} hamle"\nmsgstr[1] "{count} hamle"\n'
        '\nmsgid "Open"\nmsgstr ""\n',
        ".hidden/secret.txt": "not for the web",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path


@pytest.fixture
def site(root: Path) -> StaticSite:
    """The site of the small client."""
    return StaticSite(root)


async def _api(_: object) -> JSONResponse:
    return JSONResponse({"fine": True})


@pytest.fixture
async def http(site: StaticSite) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an application that mounts the site after its own routes."""
    app = Starlette(routes=[Route("/api/v1/fine", _api), *site.routes()])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        yield client


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/daily/today/pyramid",
        "/challenge/1",
        "/boards",
        "/boards/daily/2026-01-01/pyramid",
        "/boards/season/2026-W01/pyramid",
        "/boards/records/pyramid",
        "/players/1",
        "/calendar",
        "/verify/1",
        "/settings",
    ],
)
async def test_every_page_of_the_client_is_the_index(http: httpx.AsyncClient, site: StaticSite, path: str) -> None:
    answer = await http.get(path)
    assert answer.status_code == 200
    assert f'src="/static/{site.tree_hash}/src/main.js"' in answer.text
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"


def test_the_policy_allows_nothing_inline_and_nobody_else() -> None:
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert "default-src 'none'" in CONTENT_SECURITY_POLICY
    assert "http" not in CONTENT_SECURITY_POLICY


async def test_a_page_that_did_not_change_is_not_sent_again(http: httpx.AsyncClient) -> None:
    etag = (await http.get("/")).headers["etag"]
    for known in (etag, f'W/{etag}, "other"', "*"):
        answer = await http.get("/", headers={"If-None-Match": known})
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["etag"] == etag
    assert (await http.get("/", headers={"If-None-Match": '"other"'})).status_code == 200


async def test_a_file_is_kept_for_ever(http: httpx.AsyncClient, site: StaticSite, root: Path) -> None:
    answer = await http.get(f"/static/{site.tree_hash}/src/main.js")
    assert answer.text == (root / "src/main.js").read_text("utf-8")
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["etag"]


@pytest.mark.parametrize(
    "path", ["/static/{hash}/src/gone.js", "/static/0000/src/main.js", "/static/{hash}/index.html"]
)
async def test_another_hash_or_name_is_not_found(http: httpx.AsyncClient, site: StaticSite, path: str) -> None:
    answer = await http.get(path.format(hash=site.tree_hash))
    assert answer.status_code == 404
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip", "gzip"), ("br, gzip;q=0.5", "gzip"), ("*", "gzip"), ("gzip;q=0", None), ("identity", None), ("br", None)],
)
async def test_compression_is_for_those_who_take_it(
    http: httpx.AsyncClient, site: StaticSite, root: Path, accepted: str, encoding: str | None
) -> None:
    path = f"/static/{site.tree_hash}/src/main.js"
    async with http.stream("GET", path, headers={"Accept-Encoding": accepted}) as answer:
        body = b"".join([part async for part in answer.aiter_raw()])
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["vary"] == "Accept-Encoding"
    assert (gzip.decompress(body) if encoding else body) == (root / "src/main.js").read_bytes()


async def test_small_files_are_sent_as_they_are(http: httpx.AsyncClient, site: StaticSite) -> None:
    answer = await http.get(f"/static/{site.tree_hash}/style/tokens.css", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in answer.headers


async def test_catalogues_are_served_as_json_with_what_is_translated(http: httpx.AsyncClient, site: StaticSite) -> None:
    answer = await http.get(f"/static/{site.tree_hash}/locale/tr.json")
    assert answer.json() == {"Undo": "Geri al", "{count} move": ["{count} hamle", "{count} hamle"]}


async def test_hidden_files_are_not_served(site: StaticSite) -> None:
    assert site.names() == {"icon.svg", "src/main.js", "style/tokens.css", "locale/tr.json", "locale/tr.admin.json"}


async def test_a_mistyped_address_gets_the_clients_page_and_a_program_the_plain_refusal(
    http: httpx.AsyncClient,
) -> None:
    answer = await http.get("/no/such/page")
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "<script" in answer.text
    assert (await http.get("/api/v1/fine")).json() == {"fine": True}
    assert "<script" not in (await http.get("/api/v1/nothing")).text
    assert (await http.post("/no/such/page")).status_code == 404


async def test_the_old_address_of_the_icon(http: httpx.AsyncClient) -> None:
    assert (await http.get("/favicon.ico")).headers["content-type"] == "image/svg+xml"


def test_the_hash_is_the_trees(root: Path, site: StaticSite) -> None:
    assert StaticSite(root).tree_hash == site.tree_hash
    (root / "style/tokens.css").write_text(":root { --ink: #111 }", "utf-8")
    assert StaticSite(root).tree_hash != site.tree_hash


def test_a_folder_without_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"index\.html"):
        StaticSite(tmp_path)


async def test_a_server_without_limits_marks_its_pages(root: Path) -> None:
    app = Starlette(routes=StaticSite(root, sandbox=True).routes())
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        assert "<html data-sandbox " in (await client.get("/")).text


async def test_texts_of_the_admins_pages_alone_stand_in_a_catalogue_of_their_own(root: Path) -> None:
    """What only they say is not sent to players; what others say too is."""
    admin, table = "#. src/views/admin/grid.js\n", "#. src/views/table.js\n"
    (root / "locale" / "tr.po").write_text(
        'msgid ""\nmsgstr ""\n'
        f'\n{admin}msgid "Swap"\nmsgstr "Takas"\n\n{admin}{table}msgid "Undo"\nmsgstr "Geri al"\n'
        '\nmsgid "Open"\nmsgstr "Aç"\n',
        "utf-8",
    )
    files = _read_tree(root)
    assert json.loads(files["locale/tr.admin.json"]) == {"Swap": "Takas"}
    assert json.loads(files["locale/tr.json"]) == {"Undo": "Geri al", "Open": "Aç"}
