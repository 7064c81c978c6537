"""The baselines: programs that do as little as a server can, on the same stack, each in a process of its own.

``python -m server.bench.echo KIND`` prints its address and serves until it is told to stop:

- ``plain`` answers every frame with 400 bytes, through uvicorn, its Sans-I/O protocol and uvloop, without compression;
- ``durable FILE`` does so once the frame stands in the file, with one fdatasync for all frames that wait;
- ``websockets`` is the server of the websockets library, without compression;
- ``page`` is a web application of one page.
"""

import asyncio
import contextlib
import os
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import uvicorn

from server.bench.figures import BenchError

#: The answer to every frame, as long as an ordinary ``played``.
ANSWER: Final = "e" * 400

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def plain(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Answer every frame at once."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": ANSWER})


class Durable:
    """Answers a frame once it is on the disk; whatever waits meanwhile is written together."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._thread = ThreadPoolExecutor(1)
        self._waiting: list[tuple[bytes, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Serve one socket."""
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await self._stored(message["text"].encode())
            await send({"type": "websocket.send", "text": ANSWER})

    async def _stored(self, line: bytes) -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._waiting.append((line, done))
        if self._writer is None:
            self._writer = loop.create_task(self._write())
        await done

    async def _write(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            lines = b"\n".join(line for line, _ in group)
            await asyncio.get_running_loop().run_in_executor(self._thread, self._sync, lines)
            for _, done in group:
                if not done.done():
                    done.set_result(None)
        self._writer = None

    def _sync(self, lines: bytes) -> None:
        os.write(self._file, lines)
        os.fdatasync(self._file)


async def page(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """One page for every request."""
    await receive()
    headers = [(b"content-type", b"text/html"), (b"content-length", b"400")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": ANSWER.encode()})


class _Server(uvicorn.Server):
    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets=sockets)
        _announce(self.servers[0].sockets[0].getsockname()[1])


def _announce(port: int) -> None:
    sys.stdout.write(f"http://127.0.0.1:{port}\n")
    sys.stdout.flush()


def _serve(application: Any) -> None:
    config = uvicorn.Config(
        application,
        port=0,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        loop="uvloop",
        lifespan="off",
        log_config=None,
        access_log=False,
        backlog=4096,
    )
    _Server(config).run()


async def _serve_websockets() -> None:
    from websockets.asyncio.server import ServerConnection, serve

    async def answer(socket: ServerConnection) -> None:
        async for _ in socket:
            await socket.send(ANSWER)

    async with serve(answer, "127.0.0.1", 0, compression=None, backlog=4096) as server:
        _announce(next(iter(server.sockets)).getsockname()[1])
        await server.serve_forever()


def main(kind: str, *arguments: str) -> None:
    """Serve one of the baselines until told to stop."""
    if kind == "websockets":
        import uvloop

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, contextlib.suppress(KeyboardInterrupt):
            runner.run(_serve_websockets())
    elif kind in ("plain", "page"):
        _serve(plain if kind == "plain" else page)
    elif kind == "durable":
        _serve(Durable(*arguments))
    else:
        raise BenchError(f"no such baseline: {kind}")


if __name__ == "__main__":
    main(*sys.argv[1:])
