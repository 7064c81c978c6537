"""How many connections one address may hold, and which addresses count as one."""

import ipaddress
from collections.abc import Sequence
from typing import Final

import structlog

from server.settings import Network

log = structlog.get_logger(__name__)

#: Connections that one address may hold at a time: a school fits, the descriptors of a server do not.
MOST: Final = 400


def household(address: str) -> str:
    """What limits count by: an IPv4 address, or the /64 of an IPv6 one, which is what one subscriber is given.

    Anything that is no address stands for itself.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


class Doors:
    """Counts connections by household. Proxies that are trusted hold everybody's and are not counted."""

    def __init__(self, most: int | None, proxies: Sequence[Network] = ()) -> None:
        """``most`` None lets everybody in."""
        self._most = most
        self._proxies = tuple(proxies)
        self._inside: dict[str, int] = {}
        self._turned_away: set[str] = set()

    def enter(self, address: str) -> str | None:
        """Let a connection in, to :meth:`leave` with what is returned; None turns it away."""
        if self._most is None or self._trusted(address):
            return ""
        key = household(address)
        inside = self._inside.get(key, 0)
        if inside >= self._most:
            if key not in self._turned_away:
                self._turned_away.add(key)
                log.warning("too many connections from one address", most=self._most)
            return None
        self._inside[key] = inside + 1
        return key

    def leave(self, key: str) -> None:
        """A connection that was let in is gone."""
        inside = self._inside.get(key, 0)
        if inside > 1:
            self._inside[key] = inside - 1
        else:
            self._inside.pop(key, None)
            self._turned_away.discard(key)

    def _trusted(self, address: str) -> bool:
        if not self._proxies:
            return False
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._proxies)
