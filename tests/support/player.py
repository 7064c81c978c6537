"""A player at the end of a real socket."""

import asyncio
import itertools
import json
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

Message = dict[str, Any]
#: How long an answer is waited for, in seconds; a machine with much to do may take a while.
PATIENCE_S = 60


class Player:
    """Sends messages, finds their answers by id, and keeps what came unasked."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.welcome: Message = {}
        #: Frames that answered nothing we waited for, oldest first.
        self.news: asyncio.Queue[Message] = asyncio.Queue()
        #: Every frame as it came.
        self.frames: list[str] = []
        #: The newest state of each attempt that this socket was told.
        self.states: dict[str, Message] = {}
        self._ids = itertools.count(1)
        self._answers: dict[str, asyncio.Future[Message]] = {}
        self._reader = asyncio.get_running_loop().create_task(self._read())

    @classmethod
    async def connect(cls, url: str, token: str | None = None, **options: Any) -> "Player":
        """A connected socket that has not said hello yet."""
        player = cls(await connect(url, compression=None, open_timeout=PATIENCE_S, **options))
        player.token = token
        return player

    token: str | None = None

    async def _read(self) -> None:
        try:
            async for frame in self.socket:
                text = frame if isinstance(frame, str) else frame.decode()
                self.frames.append(text)
                message = json.loads(text)
                self._note(message)
                waiting = self._answers.pop(message.get("id", ""), None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(message)
                else:
                    await self.news.put(message)
        finally:
            for waiting in self._answers.values():
                if not waiting.done():
                    code, reason = self.socket.close_code, self.socket.close_reason
                    waiting.set_exception(ConnectionError(f"the socket was closed: {code} {reason}"))

    def _note(self, message: Message) -> None:
        if message["t"] == "state":
            self.states[message["attempt"]] = message
        elif message["t"] == "played":
            known = self.states.get(message["attempt"])
            if known is not None and message["seq"] > known["seq"]:
                piles = {**known["piles"], **message["piles"]}
                self.states[message["attempt"]] = {**known, **message, "t": "state", "piles": piles}

    async def send(self, **message: Any) -> None:
        """Send a message and wait for nothing."""
        await self.socket.send(json.dumps(message))

    async def ask(self, t: str, **fields: Any) -> Message:
        """Send a message and return its direct answer."""
        message_id = f"q{next(self._ids)}"
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._answers[message_id] = answer
        await self.send(t=t, id=message_id, **fields)
        return await asyncio.wait_for(answer, PATIENCE_S)

    async def told(self, t: str | None = None) -> Message:
        """The next frame that answers nothing, of a kind if one is named."""
        while True:
            message = await asyncio.wait_for(self.news.get(), PATIENCE_S)
            if t is None or message["t"] == t:
                return message

    async def hello(self) -> Message:
        """Say hello."""
        self.welcome = await self.ask("hello", v=1, **({"token": self.token} if self.token else {}))
        return self.welcome

    async def start(self, challenge: str) -> Message:
        """Start or resume the ranked attempt at a challenge; its state."""
        return await self.ask("start", challenge=challenge)

    async def play(self, attempt: str, move: str, seq: int | None = None) -> Message:
        """Make a move on the newest known state."""
        return await self.ask("play", attempt=attempt, seq=self.seq(attempt) if seq is None else seq, move=move)

    async def undo(self, attempt: str, seq: int | None = None) -> Message:
        """Go back one move."""
        return await self.ask("undo", attempt=attempt, seq=self.seq(attempt) if seq is None else seq)

    async def resign(self, attempt: str, seq: int | None = None) -> Message:
        """End the attempt."""
        return await self.ask("resign", attempt=attempt, seq=self.seq(attempt) if seq is None else seq)

    async def sync(self, attempt: str) -> Message:
        """The whole state, as the server has it."""
        return await self.ask("sync", attempt=attempt)

    def seq(self, attempt: str) -> int:
        """The number of log entries of an attempt, as this socket last heard."""
        return int(self.states[attempt]["seq"])

    async def closed(self) -> int | None:
        """Wait until the server closes the socket; its close code."""
        await asyncio.wait_for(self.socket.wait_closed(), PATIENCE_S)
        return self.socket.close_code

    async def close(self) -> None:
        """Close the socket."""
        await self.socket.close()
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)

    async def cut(self) -> None:
        """Cut the line without a word."""
        self.socket.transport.abort()
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
