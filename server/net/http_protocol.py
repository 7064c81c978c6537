"""uvicorn's HTTP protocol, made to lose nothing at the change to a WebSocket.

A client should wait for the answer to its handshake, but bytes that it sent along with it would vanish without a word:
uvicorn hands only the request on.
"""

import sys
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol


class HttpProtocol(AutoHTTPProtocol):  # type: ignore[valid-type,misc]  # which of two classes it is depends on what is installed
    """One connection, until it becomes a socket."""

    _arrived = b""

    def data_received(self, data: bytes) -> None:
        """Remember the chunk in which a handshake may end."""
        self._arrived = data
        super().data_received(data)
        self._arrived = b""

    def handle_websocket_upgrade(self, *event: Any) -> None:
        """Hand over to the socket's protocol, with what followed the handshake in the same chunk."""
        found = sys.exc_info()[1]  # httptools tells of the upgrade by an exception that says where the request ended
        rest = self._arrived[found.args[0] :] if found is not None else bytes(self.conn.trailing_data[0])
        super().handle_websocket_upgrade(*event)
        if rest:
            self.transport.get_protocol().data_received(rest)
