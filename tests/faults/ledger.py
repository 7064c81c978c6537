"""What a client has sent and what it was told, against what the database holds (X1)."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from websockets.exceptions import WebSocketException

from server.store import attempts
from server.store.engine import Store
from tests.faults.served import Served
from tests.support.player import Message, Player

#: Requests that a client has under way at once.
WINDOW = 4


class Ledger:
    """Every request and every acknowledgement of one attempt."""

    def __init__(self, token: str, attempt: str, salt: str) -> None:
        self.token, self.attempt = token, attempt
        self.sent: Counter[tuple[int, str]] = Counter()
        self.acknowledged: dict[int, tuple[str, int]] = {}
        self._random = random.Random(salt)

    async def play(self, server: Served, acks: asyncio.Semaphore) -> None:
        """Play on from what the server holds, as fast as it answers, until the line breaks.

        Moves are draws and undos of Pyramid: both are always legal, so requests can follow each other unanswered.
        Every acknowledgement releases `acks`.
        """
        try:
            player = await server.player(self.token)
            seq = int((await player.sync(self.attempt))["seq"])
        except (OSError, WebSocketException):
            return  # killed before the first move
        window = asyncio.Semaphore(WINDOW)
        tasks = [
            asyncio.create_task(self._send(player, seq, window)),
            asyncio.create_task(self._listen(player, window, acks)),
        ]
        await player.socket.wait_closed()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await player.close()
        while not player.news.empty():
            self._note(player.news.get_nowait())

    async def _send(self, player: Player, seq: int, window: asyncio.Semaphore) -> None:
        depth = 0
        while True:
            await window.acquire()
            undo = depth > 0 and self._random.random() < 0.3
            depth += -1 if undo else 1
            self.sent[seq, "undo" if undo else "s"] += 1
            request = {"t": "undo"} if undo else {"t": "play", "move": "s"}
            await player.send(**request, attempt=self.attempt, seq=seq)
            seq += 1

    async def _listen(self, player: Player, window: asyncio.Semaphore, acks: asyncio.Semaphore) -> None:
        while True:
            if self._note(await player.news.get()):
                window.release()
                acks.release()

    def _note(self, message: Message) -> bool:
        if message["t"] != "played":
            return False
        self.acknowledged[message["seq"] - 1] = message["move"], message["at_ms"]
        return True


async def differences(database_url: str, ledgers: Sequence[Ledger]) -> Counter[str]:
    """How the database differs from what the clients were told: `lost`, `twice`, `gaps`, `falling`, `unasked`."""
    found: Counter[str] = Counter()
    store = await Store.open(database_url)
    try:
        for ledger in ledgers:
            async with store.reading() as conn:
                row = await attempts.attempt(conn, ledger.attempt)
                log = await attempts.log(conn, ledger.attempt)
            assert row is not None
            found["lost"] += sum(
                not (seq < len(log) and log[seq] == entry) for seq, entry in ledger.acknowledged.items()
            )
            found["unasked"] += sum((seq, text) not in ledger.sent for seq, (text, _) in enumerate(log))
            found["twice"] += max(0, len(log) - sum(ledger.sent.values()))
            found["gaps"] += abs(row.seq - len(log))
            found["falling"] += sum(later[1] < earlier[1] for earlier, later in pairwise(log))
    finally:
        await store.close()
    return +found
