"""The browser client: its pages and its files, held in memory and named by the hash of the whole tree.

Everything is read, hashed and compressed once. A file's address contains the tree's hash, so it may be kept for ever
by whoever has fetched it; the pages themselves are always asked for again and answered by 304 while nothing changed.
"""

import gzip
import hashlib
import json
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

#: Addresses for which the server gives ``index.html``; the client shows the page. ``/api/docs`` is a page of its own.
PAGES: Final = (
    "/",
    "/daily/{date}/{ruleset}",
    "/challenge/{challenge}",
    "/practice/{ruleset}",
    "/boards",
    "/boards/records/{ruleset}",
    "/boards/{kind}/{period}/{ruleset}",
    "/players/{player}",
    "/calendar",
    "/verify/{challenge}",
    "/rules/{ruleset}",
    "/settings",
    "/admin",
    "/admin/{page:path}",
)

#: Texts of modules under these folders stand in catalogues of their own, which the client asks for with the pages.
PARTS: Final[Mapping[str, str]] = {"admin": "src/views/admin/"}

#: Nothing comes from elsewhere and nothing is written into a page: no inline script, no inline style, no frame.
CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'"
)

#: Sent with every page and every file.
SECURITY_HEADERS: Final[Mapping[str, str]] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}

#: A page may be stored but must be asked for again; a file under the tree's hash never changes.
_PAGE_CACHE: Final = "no-cache"
_FILE_CACHE: Final = "public, max-age=31536000, immutable"

#: Files smaller than this gain nothing by compression, in bytes.
_COMPRESS_FROM: Final = 512

_MEDIA_TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file in memory. ``packed`` is its gzip form, where that is smaller."""

    body: bytes
    packed: bytes | None
    media_type: str
    etag: str


def _asset(body: bytes, media_type: str) -> Asset:
    packed = None
    if len(body) >= _COMPRESS_FROM:
        # No time stamp inside, so that the same tree always gives the same bytes.
        squeezed = gzip.compress(body, compresslevel=9, mtime=0)
        packed = squeezed if len(squeezed) < len(body) else None
    return Asset(body, packed, media_type, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def _media_type(path: str) -> str:
    suffix = Path(path).suffix
    return _MEDIA_TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")


def part_of(message: Message) -> str:
    """The part of the client that alone uses a text, empty where others do too."""
    for part, folder in PARTS.items():
        if message.auto_comments and all(place.startswith(folder) for place in message.auto_comments):
            return part
    return ""


def catalogue_json(catalogue: Catalog, part: str = "") -> bytes:
    """A catalogue, or a part of it, as the client reads it: source text to translation, plural forms in their order."""
    texts: dict[str, str | list[str]] = {}
    for message in catalogue:
        if not message.id or message.fuzzy or part_of(message) != part:
            continue
        if isinstance(message.id, str):
            if isinstance(message.string, str) and message.string:
                texts[message.id] = message.string
        elif not isinstance(message.string, str) and message.string and all(message.string):
            texts[message.id[0]] = list(message.string)
    return json.dumps(texts, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _read_tree(root: Path) -> dict[str, bytes]:
    """Every file of the client by its address below ``/static/HASH/``; catalogues in their JSON form."""
    files: dict[str, bytes] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if not path.is_file() or any(part.startswith(".") for part in name.split("/")):
            continue
        if path.suffix == ".po":
            with path.open("rb") as lines:
                catalogue = read_po(lines, locale=path.stem)
            for part in ("", *PARTS):
                files[name.removesuffix("po") + (f"{part}.json" if part else "json")] = catalogue_json(catalogue, part)
        else:
            files[name] = path.read_bytes()
    return files


#: Style sheets that a page asks for one after the other.
_SHEETS: Final = re.compile(rb'(?:<link rel="stylesheet" href="/static/[^"]+">\s*)+')
_SHEET: Final = re.compile(rb'href="/static/([^"]+)"')


def _join_sheets(files: dict[str, bytes]) -> None:
    """Let every page ask for its style sheets as one file, in the order in which it names them.

    Raises KeyError when a page names a sheet that is not there.
    """
    for page in [name for name in files if name.endswith(".html")]:
        joined = f"style/{page.removesuffix('.html')}.css"

        def one(found: re.Match[bytes], joined: str = joined) -> bytes:
            sheets = [files[name.decode()] for name in _SHEET.findall(found[0])]
            files[joined] = b"\n".join(sheets)
            return f'<link rel="stylesheet" href="/static/{joined}">\n'.encode()

        files[page] = _SHEETS.sub(one, files[page], count=1)


class _Elsewhere(Route):
    """Every address that a reader may have mistyped. Programs that err below ``/api/`` get its own refusal."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Takes GET and HEAD outside ``/api/`` only, so that it never turns another route's 404 into a 405."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD") or scope["path"].startswith("/api/"):
            return Match.NONE, {}
        return super().matches(scope)


class StaticSite:
    """The client below one folder. It answers for pages and files, from what it read at the start."""

    def __init__(self, root: Path, *, sandbox: bool = False) -> None:
        """Read the folder. Raises FileNotFoundError when it holds no ``index.html`` or ``api.html``.

        ``sandbox`` marks every page, so that it can say that limits are lifted here.
        """
        self._sandbox = sandbox
        files = _read_tree(root)
        for page in ("index.html", "api.html"):
            if page not in files:
                raise FileNotFoundError(f"{root} holds no {page}")
        _join_sheets(files)
        digest = hashlib.sha256()
        for name, body in sorted(files.items()):
            digest.update(f"{name}\0{len(body)}\0".encode())
            digest.update(body)
        self.tree_hash: Final = digest.hexdigest()[:16]
        self._pages: Final = {name: self._page(body) for name, body in files.items() if name.endswith(".html")}
        self._files: Final = {
            name: _asset(body, _media_type(name)) for name, body in files.items() if not name.endswith(".html")
        }

    def _page(self, body: bytes) -> Asset:
        body = body.replace(b'"/static/', f'"/static/{self.tree_hash}/'.encode())
        if self._sandbox:
            body = body.replace(b"<html ", b"<html data-sandbox ", 1)
        return _asset(body, _MEDIA_TYPES[".html"])

    def names(self) -> frozenset[str]:
        """Names of all files that are served below ``/static/HASH/``."""
        return frozenset(self._files)

    async def index(self, request: Request) -> Response:
        """The page that starts the client."""
        return self._answer(request, self._pages["index.html"], _PAGE_CACHE)

    async def api_docs(self, request: Request) -> Response:
        """The page that shows the HTTP API and tries its calls."""
        return self._answer(request, self._pages["api.html"], _PAGE_CACHE)

    async def file(self, request: Request) -> Response:
        """A file by hash and name; 404 for any other hash, so that no cache can mix two versions."""
        asset = self._files.get(request.path_params["path"])
        if asset is None or request.path_params["hash"] != self.tree_hash:
            return PlainTextResponse("not found", 404, {**SECURITY_HEADERS, "Cache-Control": "no-store"})
        return self._answer(request, asset, _FILE_CACHE)

    async def favicon(self, request: Request) -> Response:
        """The icon for those who ask at the old address."""
        return self._answer(request, self._files["icon.svg"], "public, max-age=86400")

    async def not_found(self, request: Request) -> Response:
        """The client's own page for an address that leads nowhere, with status 404."""
        response = self._answer(request, self._pages["index.html"], _PAGE_CACHE)
        response.status_code = 404 if response.status_code == 200 else response.status_code
        return response

    def routes(self) -> list[BaseRoute]:
        """The routes of pages and files. They are mounted after all others, since the last one takes the rest."""
        return [
            *(Route(path, self.index, methods=["GET"], include_in_schema=False) for path in PAGES),
            Route("/api/docs", self.api_docs, methods=["GET"], include_in_schema=False),
            Route("/static/{hash}/{path:path}", self.file, methods=["GET"], include_in_schema=False),
            Route("/favicon.ico", self.favicon, methods=["GET"], include_in_schema=False),
            _Elsewhere("/{path:path}", self.not_found, methods=["GET"], include_in_schema=False),
        ]

    def _answer(self, request: Request, asset: Asset, cache: str) -> Response:
        headers = {
            **SECURITY_HEADERS,
            "Cache-Control": cache,
            "ETag": asset.etag,
            "Vary": "Accept-Encoding",
        }
        if asset.media_type.startswith(("text/html", "image/svg")):
            headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        if _matches(request.headers.get("if-none-match"), asset.etag):
            return Response(status_code=304, headers=headers)
        body = asset.body
        if asset.packed is not None and _takes_gzip(request.headers.get("accept-encoding", "")):
            headers["Content-Encoding"] = "gzip"
            body = asset.packed
        return Response(body, headers=headers, media_type=asset.media_type)


def _matches(header: str | None, etag: str) -> bool:
    """Whether an If-None-Match header names the tag; a cache may have made it weak."""
    if header is None:
        return False
    tags = {tag.strip().removeprefix("W/") for tag in header.split(",")}
    return "*" in tags or etag in tags


def _takes_gzip(header: str) -> bool:
    """Whether an Accept-Encoding header allows gzip (``q=0`` forbids it)."""
    for part in header.split(","):
        coding, _, weight = part.partition(";")
        if coding.strip().lower() in ("gzip", "*"):
            return weight.replace(" ", "").lower() not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
