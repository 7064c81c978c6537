"""An attempt: a deal and a log, folded into the state that the player sees (DESIGN 1.4).

Attempts are immutable; every accepted entry gives a new one, and a refusal raises :class:`GameError` and leaves the
old one as it is (C1). The legal moves of a position are listed once and serve the answer to the player, the check of
the next move and the verdict that no move is left.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from sys import intern
from typing import Final, Literal, NamedTuple, final

from server.core.cards import Card
from server.core.moves import Move
from server.core.position import Position, Step, changed_piles, inverse
from server.core.rules import Memo, Outcome, Rules, UndoPolicy
from server.errors import CorruptLogError, GameError

Over = Literal["won", "lost", "resigned", "closed", "void"]

#: A log holds at most so many moves and undos; ``resign``, ``close`` and ``void`` always fit (DESIGN 6).
LOG_LIMIT: Final = 5000

UNDO: Final = "undo"
RESIGN: Final = "resign"
CLOSE: Final = "close"
VOID: Final = "void"

#: Log entries that end an attempt from outside its rules, and the verdict that they leave.
ENDINGS: Final[dict[str, Over]] = {RESIGN: "resigned", CLOSE: "closed", VOID: "void"}


class Entry(NamedTuple):
    """One line of a log: a canonical move or a reserved word, and milliseconds since the start of the attempt."""

    text: str
    at_ms: int


class Transition(NamedTuple):
    """What the last log entry did: the entry, the steps that show it, and the piles that changed."""

    entry: Entry
    steps: tuple[Step, ...]
    changed: tuple[str, ...]


class Past(NamedTuple):
    """An earlier position: the move that left it, and what came before. Undo goes back along this chain.

    A log may have thousands of moves, so a link is kept small: of the position only the piles that the move changed,
    a byte a card.
    """

    move: Move
    changed: tuple[str, ...]
    piles: tuple[bytes, ...]
    past: "Past | None"

    def position(self, after: Position) -> Position:
        """The earlier position, from the one that the move led to."""
        return Position({**after.piles, **dict(zip(self.changed, map(tuple, self.piles), strict=True))})


#: Most moves have the same few steps, so that links of a chain share the names of the piles.
_changed: Final = lru_cache(maxsize=4096)(changed_piles)


@final
class Attempt:
    """One player's way through one deal. One is made on every move, so it is a plain class.

    ``seq`` counts log entries, ``moves`` counts moves and undos (C2), ``at_ms`` is the time of the last entry in
    milliseconds since the start. ``legal`` is empty once the attempt is over. ``progress`` is how far the player has
    come, 0 to the ruleset's maximum.
    """

    __slots__ = (
        "at_ms", "last", "legal", "memo", "moves", "over", "past", "policy", "position", "progress", "rules", "seq",
        "undos",
    )  # fmt: skip

    def __init__(
        self,
        rules: Rules,
        policy: UndoPolicy,
        position: Position,
        legal: tuple[Move, ...],
        progress: int,
        memo: Memo,
        seq: int,
        moves: int,
        undos: int,
        at_ms: int,
        over: Over | None,
        past: Past | None,
        last: Transition | None,
    ) -> None:
        self.rules: Final = rules
        self.policy: Final = policy
        self.position: Final = position
        self.legal: Final = legal
        self.progress: Final = progress
        self.memo: Final = memo
        self.seq: Final = seq
        self.moves: Final = moves
        self.undos: Final = undos
        self.at_ms: Final = at_ms
        self.over: Final = over
        self.past: Final = past
        self.last: Final = last

    def __repr__(self) -> str:
        return f"<Attempt at {self.rules.key}: {self.seq} entries, {self.over or 'open'}>"

    @classmethod
    def start(cls, rules: Rules, cards: Sequence[Card], policy: UndoPolicy) -> "Attempt":
        """The attempt before its first move, on a shuffled deck."""
        position = rules.deal(cards)
        over, legal = _judge(rules, position, can_undo=False)
        return cls(rules, policy, position, legal, rules.progress(position), {}, 0, 0, 0, 0, over, None, None)

    @property
    def can_undo(self) -> bool:
        """Whether there is a move to go back on and the policy allows it (C4, C8)."""
        return self.over is None and self.past is not None and self.policy is not UndoPolicy.NONE

    @property
    def score(self) -> int | None:
        """The score of a won attempt, greater is better; None before a win and where the ruleset has none."""
        return self.rules.score(self.position) if self.over == "won" else None

    def winnable(self) -> bool | None:
        """Whether the attempt can still be won, None when the ruleset does not tell.

        Raises :class:`server.core.rules.Undecided` when finding out takes longer than a move may wait.
        """
        if self.over == "won":
            return True
        if self.over == "lost":
            return False
        return self.rules.winnable(self.rules.view(self.position), self.memo)

    def play(self, text: str, at_ms: int) -> "Attempt":
        """The attempt after a move. ``at_ms`` earlier than the last entry's counts as that one's: time never falls.

        Raises ``attempt/over``, ``attempt/log_full``, ``move/syntax`` (C6) or ``move/illegal``.
        """
        self._open_for_moves()
        move = self.rules.canonical(text)
        if move not in self.legal:
            raise GameError("move/illegal", "not a legal move here")
        before = self.position
        steps = self.rules.steps(before, move)
        position = before.after(steps)
        over, legal = _judge(self.rules, position, can_undo=self.policy is not UndoPolicy.NONE)
        entry = Entry(move, at_ms if at_ms > self.at_ms else self.at_ms)
        changed = _changed(steps)
        return Attempt(
            self.rules,
            self.policy,
            position,
            legal,
            self.rules.progress(position),
            self.memo,
            self.seq + 1,
            self.moves + 1,
            self.undos,
            entry.at_ms,
            over,
            Past(intern(move), changed, tuple([bytes(before.piles[name]) for name in changed]), self.past),
            Transition(entry, steps, changed),
        )

    def undo(self, at_ms: int) -> "Attempt":
        """The attempt one move back; the undo itself counts one move and gives nothing back (C2, C4).

        Raises ``attempt/over``, ``attempt/no_undo`` or ``attempt/log_full``.
        """
        if self.over is not None:
            raise GameError("attempt/over", "the attempt has ended")
        past = self.past
        if past is None or self.policy is UndoPolicy.NONE:
            raise GameError("attempt/no_undo", "nothing to undo, or this ruleset allows none")
        self._open_for_moves()
        entry = Entry(UNDO, max(at_ms, self.at_ms))
        before = past.position(self.position)
        steps = self.rules.steps(before, past.move)
        return Attempt(
            self.rules,
            self.policy,
            before,
            tuple(self.rules.moves(before)),
            self.rules.progress(before),
            self.memo,
            self.seq + 1,
            self.moves + 1,
            self.undos + 1,
            entry.at_ms,
            None,
            past.past,
            Transition(entry, inverse(steps, before) or (), changed_piles(steps)),
        )

    def resign(self, at_ms: int) -> "Attempt":
        """The attempt given up by its player. Raises ``attempt/over``."""
        return self._ended(RESIGN, at_ms)

    def close(self, at_ms: int) -> "Attempt":
        """The attempt ended with its challenge. Raises ``attempt/over``."""
        return self._ended(CLOSE, at_ms)

    def void(self, at_ms: int) -> "Attempt":
        """The attempt taken out of all rankings, also after its end. Raises ``attempt/over`` where it is void."""
        if self.over == "void":
            raise GameError("attempt/over", "the attempt is void already")
        return self._finished(VOID, at_ms)

    def apply(self, text: str, at_ms: int) -> "Attempt":
        """The attempt after one log entry, whichever kind it is. Raises what the matching method raises."""
        if text == UNDO:
            return self.undo(at_ms)
        if text == VOID:
            return self.void(at_ms)
        if text in ENDINGS:
            return self._ended(text, at_ms)
        return self.play(text, at_ms)

    def _open_for_moves(self) -> None:
        if self.over is not None:
            raise GameError("attempt/over", "the attempt has ended")
        if self.moves >= LOG_LIMIT:
            raise GameError("attempt/log_full", f"a log holds {LOG_LIMIT} moves and undos; resigning is possible")

    def _ended(self, text: str, at_ms: int) -> "Attempt":
        if self.over is not None:
            raise GameError("attempt/over", "the attempt has ended")
        return self._finished(text, at_ms)

    def _finished(self, text: str, at_ms: int) -> "Attempt":
        entry = Entry(text, max(at_ms, self.at_ms))
        return Attempt(
            self.rules,
            self.policy,
            self.position,
            (),
            self.progress,
            self.memo,
            self.seq + 1,
            self.moves,
            self.undos,
            entry.at_ms,
            ENDINGS[text],
            self.past,
            Transition(entry, (), ()),
        )


def _judge(rules: Rules, position: Position, *, can_undo: bool) -> tuple[Over | None, tuple[Move, ...]]:
    """The verdict on a position and its legal moves; stuck is lost where nothing can be undone (C7)."""
    verdict = rules.verdict(position)
    if verdict is Outcome.WON:
        return "won", ()
    if verdict is Outcome.LOST:
        return "lost", ()
    legal = tuple(rules.moves(position))
    if not legal and not can_undo:
        return "lost", ()
    return None, legal


def fold(start: Attempt, log: Iterable[tuple[str, int]]) -> Attempt:
    """The attempt that a stored log leads to.

    Raises :class:`CorruptLogError` where an entry is refused, where a move is not in its canonical spelling (C5) or
    where time falls: such a log was never written by play.
    """
    attempt = start
    for index, (text, at_ms) in enumerate(log, start.seq):
        if at_ms < attempt.at_ms:
            raise CorruptLogError(f"entry {index} lies before the one ahead of it")
        try:
            attempt = attempt.apply(text, at_ms)
        except GameError as refusal:
            raise CorruptLogError(f"entry {index} is refused: {refusal.code}") from refusal
        if attempt.last is not None and attempt.last.entry.text != text:
            raise CorruptLogError(f"entry {index} is not written as a log has it")
    return attempt


def practice_policy(rules: Rules) -> UndoPolicy:
    """The undo policy of practice attempts: free where ranked play allows none (C8)."""
    return UndoPolicy.FREE if rules.undo is UndoPolicy.NONE else rules.undo
