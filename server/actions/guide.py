"""What searches have found out about the positions of one practice attempt (B10).

A position on a known winning line needs no search; once lost, all behind it is lost. An undo leads back to a position
that is known already.
"""

import asyncio
from hashlib import blake2b
from typing import Final, NamedTuple

from server.core.moves import Move
from server.core.position import Position
from server.errors import GameError

#: Positions kept before they are begun anew; a game has a few hundred.
KEPT: Final = 6_000


class Known(NamedTuple):
    """What is known of a position: the verdict, None where no search could decide, and its place on a winning line."""

    winnable: bool | None
    line: tuple[Move, ...] = ()
    at: int = 0

    @property
    def move(self) -> Move | None:
        """The next move of the line."""
        return self.line[self.at] if self.at < len(self.line) else None


def key_of(position: Position) -> bytes:
    """A short name of a position: equal positions of one deal have equal ones."""
    return blake2b(b"|".join(map(bytes, position.piles.values())), digest_size=16).digest()


class Guide:
    """The positions of one attempt, and the search that is under way or waits for one of them."""

    __slots__ = ("_keys", "_known", "rest", "rest_until", "search", "searched")

    def __init__(self) -> None:
        self._known: dict[bytes, Known] = {}
        #: The two positions named last; a move asks for those before and behind it again and again.
        self._keys: tuple[tuple[Position, bytes], ...] = ()
        self.search: asyncio.Task[Known | GameError] | None = None
        #: The position that is searched.
        self.searched = b""
        #: The end of the rest before a search, by the loop's clock: the first end set, and the one that counts.
        self.rest: asyncio.TimerHandle | None = None
        self.rest_until = 0.0

    def key(self, position: Position) -> bytes:
        """The short name of a position of this attempt."""
        for named, key in self._keys:
            if named is position:
                return key
        key = key_of(position)
        self._keys = ((position, key), *self._keys[:1])
        return key

    def of(self, position: Position) -> Known | None:
        """What is known of a position; None where it has not been searched."""
        return self._known.get(self.key(position))

    def learn(self, key: bytes, known: Known) -> None:
        """Keep what is known of a position."""
        if len(self._known) >= KEPT:
            self._known.clear()
        self._known[key] = known

    def forget_search(self) -> None:
        """Nobody needs the search that is under way."""
        if self.search is not None:
            self.search.cancel()
            self.search = None

    def leave(self) -> None:
        """Nobody is at the table any more: nothing is searched, now or after the rest."""
        self.forget_search()
        if self.rest is not None:
            self.rest.cancel()
            self.rest = None

    def follow(self, before: Position, move: Move, after: Position) -> None:
        """Take note of a move: what was known ahead of it may say something of the position behind it."""
        ahead = self.of(before)
        if ahead is None or ((known := self.of(after)) is not None and known.winnable is not None):
            return
        if ahead.winnable is False:
            self.learn(self.key(after), Known(False))
        elif ahead.move == move:
            self.learn(self.key(after), Known(True, ahead.line, ahead.at + 1))
