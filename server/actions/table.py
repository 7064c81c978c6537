"""A table: one attempt in memory, and the line of requests that wait for it.

Requests are served one at a time, which is the lock of the attempt. An accepted one is appended to the log, and only
when its row is durably committed does the table move on and answer; a commit that fails leaves it where it was.
Everything here runs on the event loop in plain calls; what needs the database is handed to the :class:`House`.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, NamedTuple, Protocol

from server.actions.guide import Guide
from server.core.moves import RESERVED
from server.errors import GameError
from server.play.attempt import CLOSE, RESIGN, UNDO, Attempt
from server.play.ranking import Result
from server.store.entries import Stored

Kind = Literal["play", "undo", "resign", "close"]

#: What the entries other than moves are called in the log.
WORDS: Final[dict[Kind, str]] = {"undo": UNDO, "resign": RESIGN, "close": CLOSE}


class Standing(NamedTuple):
    """A result and its place: ``rank`` of ``of``, None where the attempt stands on no board."""

    result: Result
    rank: int | None
    of: int | None


class Moved(NamedTuple):
    """An entry is stored: the attempt after it. ``standing`` is set once the attempt is over."""

    table: "Table"
    attempt: Attempt
    winnable: bool | None
    standing: Standing | None


class Refusal(NamedTuple):
    """A request changed nothing. ``seq`` is the true number of entries."""

    table: "Table"
    seq: int
    code: str


class Reloaded(NamedTuple):
    """The table was read from the database again; whoever shows it needs the whole state."""

    table: "Table"


class Verdict(NamedTuple):
    """A verdict that took longer than its move; void unless ``seq`` is still current."""

    table: "Table"
    seq: int
    winnable: bool | None


Answer = Moved | Refusal
Reply = Callable[[Answer], None]


class Request(NamedTuple):
    """What somebody asks of a table. ``arrived_ms`` is the instant at which the frame arrived.

    ``asker`` is the listener that gets the answer through ``reply`` and therefore not as news.
    """

    kind: Kind
    seq: int
    text: str
    arrived_ms: int
    reply: Reply
    asker: Any = None


class House(Protocol):
    """What a table needs of its surroundings."""

    def append(self, table: "Table", after: Attempt, arrived_ms: int, done: Callable[[Stored], None]) -> None:
        """Store the last entry of ``after``; ``done`` is told what became of it, in a later turn of the loop."""
        ...

    def verdict(self, table: "Table", attempt: Attempt) -> bool | None:
        """Whether the attempt can still be won, as far as it is known at once."""
        ...

    def rank_then(self, table: "Table", attempt: Attempt, then: Callable[[Standing], None]) -> None:
        """Look up the standing of an attempt that is over, and call ``then`` with it."""
        ...

    def reload_then(self, table: "Table", then: Callable[[Attempt | None], None]) -> None:
        """Fold the stored log again and call ``then`` with the attempt, None where that was not possible."""
        ...

    def publish(self, table: "Table", news: Any, but: Any = None) -> None:
        """Tell everybody who watches the table, except one."""
        ...


@dataclass(frozen=True, slots=True)
class Seat:
    """What does not change about an attempt. Instants in milliseconds since the epoch.

    ``number`` is that of its row, by which its entries are stored; it never leaves the server.
    ``credit_ms`` is the time during which the server was away; it does not count. ``closes_at`` is None where the
    challenge never closes.
    """

    number: int
    attempt_id: str
    player_id: str
    challenge_id: str
    challenge_kind: str
    challenge_date: str | None
    commitment: str
    ranked: bool
    started_at: int
    credit_ms: int
    closes_at: int | None

    def elapsed_ms(self, instant_ms: int) -> int:
        """Time that counts from the start to an instant, never negative."""
        return max(0, instant_ms - self.started_at - self.credit_ms)


class Table:
    """One attempt in memory."""

    __slots__ = ("_busy", "_deal_verdict", "_house", "_waiting", "attempt", "guide", "holders", "seat")

    def __init__(self, house: House, seat: Seat, attempt: Attempt, deal_verdict: bool | None) -> None:
        """``deal_verdict`` is what ``winnable`` said before the first move."""
        self.seat = seat
        self.attempt = attempt
        #: How many sockets hold the table in memory.
        self.holders = 0
        #: What searches have found out for its player, who practises; None until the first of them.
        self.guide: Guide | None = None
        self._house = house
        self._deal_verdict = deal_verdict
        self._busy = False
        self._waiting: deque[Request] = deque()

    @property
    def deal_verdict(self) -> bool | None:
        """Whether the deal could be won at all, None when not told."""
        return self._deal_verdict

    @property
    def idle(self) -> bool:
        """Whether nothing is under way here."""
        return not self._busy and not self._waiting

    def request(self, request: Request) -> None:
        """Take a request; ``reply`` is called once, in this turn of the loop or a later one."""
        if self._busy:
            self._waiting.append(request)
        else:
            self._serve(request)

    async def close(self, closes_at: int) -> Answer:
        """End the attempt with its challenge, at the instant at which that closes."""
        return await self.ask("close", self.attempt.seq, CLOSE, closes_at)

    async def ask(self, kind: Kind, seq: int, text: str, arrived_ms: int, asker: Any = None) -> Answer:
        """Make a request and wait for its answer."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def reply(given: Answer) -> None:
            if not answer.done():  # nobody waits any more where the asker was cancelled
                answer.set_result(given)

        self.request(Request(kind, seq, text, arrived_ms, reply, asker))
        return await answer

    def refresh(self) -> None:
        """Go on from what the database holds, because something else than play has written there."""
        if self._busy:
            return  # the entry under way is refused as stale, and then everything is read again
        self._busy = True
        self._house.reload_then(self, self._refreshed)

    def _refreshed(self, fresh: Attempt | None) -> None:
        if fresh is not None:
            self.attempt = fresh
            self._house.publish(self, Reloaded(self))
        self._go_on()

    def _go_on(self) -> None:
        self._busy = False
        while self._waiting and not self._busy:
            self._serve(self._waiting.popleft())

    def _serve(self, request: Request) -> None:
        attempt = self.attempt
        closes_at = self.seat.closes_at
        if request.kind == "close":
            if attempt.over is None:
                self._commit(request, attempt.close(self.seat.elapsed_ms(request.arrived_ms)))
            else:
                self._refuse(request, "attempt/over")
            return
        if self._repeats(request):
            self._answer(request, attempt, self._house.verdict(self, attempt), news=False)
        elif attempt.over is not None:
            self._refuse(request, "attempt/over")
        elif closes_at is not None and request.arrived_ms >= closes_at:
            self._serve(Request("close", attempt.seq, CLOSE, closes_at, partial(self._after_close, request)))
        elif request.seq != attempt.seq:
            self._refuse(request, "attempt/stale")
        else:
            at_ms = self.seat.elapsed_ms(request.arrived_ms)
            try:
                if request.kind == "play":
                    after = attempt.play(request.text, at_ms)
                elif request.kind == "undo":
                    after = attempt.undo(at_ms)
                else:
                    after = attempt.resign(at_ms)
            except GameError as refusal:
                self._refuse(request, refusal.code)
                return
            self._commit(request, after)

    def _after_close(self, request: Request, answer: Answer) -> None:
        """Go on with a request that came after the challenge's close, for which the attempt was ended first."""
        if isinstance(answer, Refusal) and answer.code == "try_later":
            self._refuse(request, "try_later")
        else:
            self._waiting.appendleft(request)  # it finds the attempt over

    def _repeats(self, request: Request) -> bool:
        """Whether the request is the last entry sent again (its old seq and the same text)."""
        last = self.attempt.last
        if last is None or request.seq != self.attempt.seq - 1:
            return False
        if request.kind != "play":
            return last.entry.text == WORDS[request.kind]
        if request.text in RESERVED:
            return False
        try:
            return last.entry.text == self.attempt.rules.canonical(request.text)
        except GameError:
            return False

    def _refuse(self, request: Request, code: str) -> None:
        request.reply(Refusal(self, self.attempt.seq, code))

    def _commit(self, request: Request, after: Attempt) -> None:
        self._busy = True

        def done(stored: Stored) -> None:
            if stored is Stored.COMMITTED:
                self.attempt = after
                self._answer(request, after, winnable, news=True)
            else:
                self._house.reload_then(self, lambda fresh: self._reloaded(request, after, stored, fresh))

        self._house.append(self, after, request.arrived_ms, done)
        # Found out while the commit is under way; `done` is never called before this turn of the loop ends.
        winnable = self._house.verdict(self, after)

    def _reloaded(self, request: Request, after: Attempt, stored: Stored, fresh: Attempt | None) -> None:
        """Go on from what the database holds: another worker's entry, or our own, whose commit was cut off."""
        if fresh is None:
            self._refuse(request, "try_later")
            self._go_on()
            return
        self.attempt = fresh
        if _same_entry(fresh, after):  # it was stored after all; a line was cut while it was
            self._answer(request, fresh, self._house.verdict(self, fresh), news=True)
            return
        self._refuse(request, "try_later" if stored is Stored.FAILED else "attempt/stale")
        self._house.publish(self, Reloaded(self), but=request.asker)
        self._go_on()

    def _answer(self, request: Request, attempt: Attempt, winnable: bool | None, *, news: bool) -> None:
        """Tell the asker of the last entry, and the others too where it is news."""
        if attempt.over is None:
            self._tell(request, Moved(self, attempt, winnable, None), news=news)
            return
        self._busy = True
        self._house.rank_then(
            self, attempt, lambda standing: self._tell(request, Moved(self, attempt, winnable, standing), news=news)
        )

    def _tell(self, request: Request, moved: Moved, *, news: bool) -> None:
        request.reply(moved)
        if news:
            self._house.publish(self, moved, but=request.asker)
        if self._busy:  # else this is an answer from memory, and whoever served the request serves the next one
            self._go_on()


def _same_entry(fresh: Attempt, after: Attempt) -> bool:
    return (
        fresh.seq == after.seq
        and fresh.last is not None
        and after.last is not None
        and fresh.last.entry == after.last.entry
    )
