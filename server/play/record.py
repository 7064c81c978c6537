"""The record of an attempt (PROTOCOL 3): everything that a stranger needs to judge it again, as plain JSON values."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeGuard

from server.core.deck import DEAL_VERSION, parse_seed
from server.core.rules import Rules, UndoPolicy
from server.errors import GameError
from server.play.attempt import Entry
from server.play.ranking import Result

#: Version of the record format.
FORMAT: Final = 1

#: What a challenge may be; attempts at all but the last are ranked.
KINDS: Final = ("daily", "race", "event", "practice")
PRACTICE: Final = "practice"

#: Outcomes that a result may have; they are the verdicts of :class:`server.play.attempt.Attempt`.
OUTCOMES: Final = ("won", "lost", "resigned", "closed", "void")

#: The greatest number that every JSON reader keeps exactly.
_EXACT: Final = 2**53 - 1
_COMMITMENT: Final = re.compile(r"[0-9a-f]{64}")
_INSTANT: Final = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?Z", re.ASCII
)


class Record(NamedTuple):
    """A record whose values have the right types; whether they are true is for :mod:`server.play.verify` to say.

    ``seed`` is None while the challenge is open, ``result`` while the attempt is. ``rank`` and ``of`` are None where
    the result has none. Times are milliseconds since ``started_at``.
    """

    ruleset: str
    rules_version: int
    deal_version: int
    kind: str
    commitment: str
    seed: str | None
    started_at: str
    undo: UndoPolicy
    log: tuple[Entry, ...]
    result: Result | None
    rank: int | None
    of: int | None


def record_fields(
    rules: Rules,
    *,
    rules_version: int,
    deal_version: int = DEAL_VERSION,
    kind: str,
    commitment: str,
    seed: str | None,
    player: Mapping[str, str] | None,
    started_at: str,
    undo: UndoPolicy,
    log: Iterable[tuple[str, int]],
    result: Mapping[str, str | int] | None,
) -> dict[str, Any]:
    """The record of an attempt, ready for JSON.

    ``seed`` must be None until the challenge is closed for everybody. ``player`` is None once the player has been
    erased. ``started_at`` is ISO 8601 UTC with ``Z``. ``result`` comes from :func:`result_fields`.
    """
    fields: dict[str, Any] = {
        "format": FORMAT,
        "ruleset": rules.key,
        "rules_version": rules_version,
        "deal_version": deal_version,
        "kind": kind,
        "commitment": commitment,
    }
    if seed is not None:
        fields["seed"] = seed
    return fields | {
        "player": None if player is None else dict(player),
        "started_at": started_at,
        "undo": str(undo),
        "log": [[text, at_ms] for text, at_ms in log],
        "result": None if result is None else dict(result),
    }


def result_fields(result: Result, rank: int | None = None, of: int | None = None) -> dict[str, str | int]:
    """A result as PROTOCOL 2 writes it: ``rank`` of ``of`` for an attempt on a board, ``score`` where there is one."""
    fields: dict[str, str | int] = {"outcome": result.outcome}
    if rank is not None:
        fields["rank"] = rank
    if of is not None:
        fields["of"] = of
    fields |= {"time_ms": result.time_ms, "moves": result.moves, "undos": result.undos, "progress": result.progress}
    if result.score is not None:
        fields["score"] = result.score
    return fields


def read_record(data: object) -> tuple[Record | None, list[str]]:
    """The record in a decoded JSON value, or None and what is wrong with its form, in words.

    Unknown fields are passed over, so that later formats of the same version can be read.
    """
    if not isinstance(data, Mapping):
        return None, ["a record is a JSON object"]
    reader = _Reader(data)
    version = reader.count("format")
    if not reader.faults and version != FORMAT:
        return None, [f"format {version} is not known here, only {FORMAT} is"]
    player = data.get("player")
    if "player" not in data or not (player is None or isinstance(player, Mapping)):
        reader.faults.append("player must be an object, or null for an erased player")
    log = _read_log(data.get("log"), reader.faults)
    result, rank, of = _read_result(data, reader.faults)
    record = Record(
        ruleset=reader.text("ruleset"),
        rules_version=reader.count("rules_version"),
        deal_version=reader.count("deal_version"),
        kind=reader.one_of("kind", KINDS),
        commitment=reader.text("commitment", _COMMITMENT, "64 lower-case hex digits"),
        seed=reader.seed(),
        started_at=reader.text("started_at", _INSTANT, "an instant such as 2026-01-31T12:00:00Z"),
        undo=UndoPolicy(reader.one_of("undo", tuple(UndoPolicy))),
        log=log,
        result=result,
        rank=rank,
        of=of,
    )
    return (None, reader.faults) if reader.faults else (record, [])


class _Reader:
    """Takes typed values out of a JSON object and notes in words what is missing or has another type."""

    def __init__(self, data: Mapping[str, Any], where: str = "") -> None:
        self.data = data
        self.where = where
        self.faults: list[str] = []

    def count(self, name: str) -> int:
        value = self.data.get(name)
        if is_count(value):
            return value
        self._fault(name, "a whole number, not negative")
        return 0

    def optional_count(self, name: str) -> int | None:
        return None if self.data.get(name) is None else self.count(name)

    def text(self, name: str, form: re.Pattern[str] | None = None, words: str = "a text") -> str:
        value = self.data.get(name)
        if isinstance(value, str) and (form is None or form.fullmatch(value)):
            return value
        self._fault(name, words)
        return ""

    def one_of(self, name: str, choices: tuple[str, ...]) -> str:
        value = self.data.get(name)
        if isinstance(value, str) and value in choices:
            return value
        self._fault(name, "one of " + ", ".join(choices))
        return choices[0]

    def seed(self) -> str | None:
        value = self.data.get("seed")
        try:
            if value is not None:
                parse_seed(value if isinstance(value, str) else "")
        except GameError as refusal:
            self.faults.append(refusal.message)
            return None
        return value

    def _fault(self, name: str, words: str) -> None:
        state = "must be" if name in self.data else "is missing; it must be"
        self.faults.append(f"{self.where}{name} {state} {words}")


def is_count(value: object) -> TypeGuard[int]:
    """Whether a decoded JSON value is a whole number from 0 that every reader keeps exactly (``true`` is none)."""
    return type(value) is int and 0 <= value <= _EXACT


def _read_log(value: object, faults: list[str]) -> tuple[Entry, ...]:
    if not isinstance(value, list):
        faults.append("log must be a list of [move, at_ms]")
        return ()
    for index, entry in enumerate(value):
        if not (isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str) and is_count(entry[1])):
            faults.append(f"log entry {index} must be [move, at_ms], with whole milliseconds, not negative")
            return ()
    return tuple(Entry(text, at_ms) for text, at_ms in value)


def _read_result(data: Mapping[str, Any], faults: list[str]) -> tuple[Result | None, int | None, int | None]:
    value = data.get("result")
    if "result" in data and value is None:
        return None, None, None
    if not isinstance(value, Mapping):
        faults.append("result must be an object, or null while the attempt is open")
        return None, None, None
    reader = _Reader(value, "result: ")
    outcome = reader.one_of("outcome", OUTCOMES)
    result = Result(
        outcome,  # type: ignore[arg-type]  # one of OUTCOMES, which are these verdicts
        reader.count("time_ms"),
        reader.count("moves"),
        reader.count("undos"),
        reader.count("progress"),
        reader.optional_count("score"),
    )
    rank, of = reader.optional_count("rank"), reader.optional_count("of")
    faults += reader.faults
    return result, rank, of
