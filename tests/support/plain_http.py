"""HTTP clients without TLS: to read the certificates of the world takes longer than most requests of a test."""

import ssl
from typing import Final

import httpx

_NO_CERTIFICATES: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def plain_http(address: str, token: str | None = None, *, timeout_s: float) -> httpx.AsyncClient:
    """A client of a server on this machine; with a token, as that player or admin."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx.AsyncClient(base_url=address, headers=headers, timeout=timeout_s, verify=_NO_CERTIFICATES)
