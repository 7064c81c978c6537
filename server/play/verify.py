"""Judging a record again from nothing but itself: deal, commitment, every move, times and result (PROTOCOL 4)."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from server.core.deck import DEAL_VERSION, commitment, shuffled
from server.core.rules import Rules
from server.errors import GameError
from server.games import ruleset
from server.play.attempt import ENDINGS, UNDO, Attempt, practice_policy
from server.play.ranking import Result, result_of
from server.play.record import PRACTICE, Record, read_record


class Weight(StrEnum):
    """What a finding means for the record: it is wrong, it cannot be judged, or there is only something to know."""

    WRONG = "wrong"
    UNCHECKED = "unchecked"
    NOTE = "note"


class Finding(NamedTuple):
    """One thing that was found, in words. Nothing of the record stands in ``text`` unescaped."""

    weight: Weight
    text: str


#: Longest piece of a record that a finding repeats, in characters.
_EXCERPT: Final = 40


def agrees(findings: Sequence[Finding]) -> bool:
    """Whether everything was checked and found true."""
    return all(finding.weight is Weight.NOTE for finding in findings)


def verify(data: object) -> list[Finding]:
    """Everything that does not agree in a decoded record, or cannot be checked. Never raises for what is in it.

    The rank is never checked: it follows from other attempts. A note says so where there is one.
    """
    record, faults = read_record(data)
    if record is None:
        return [*map(_wrong, faults), _unchecked("nothing else, as the record cannot be read")]
    findings = [*_times(record), *_counts(record)]
    rules = _known_rules(record, findings)
    if record.seed is not None:
        if commitment(record.seed) != record.commitment:
            findings.append(_wrong("the commitment is not that of the seed"))
        if rules is not None:
            findings += _judge(record, rules, record.seed)
    else:
        findings.append(_unchecked("commitment, deal, moves and result: the record has no seed"))
    if record.rank is not None or record.of is not None:
        findings.append(Finding(Weight.NOTE, "the rank is not checked: it follows from the attempts of others"))
    return findings


def _wrong(text: str) -> Finding:
    return Finding(Weight.WRONG, text)


def _unchecked(text: str) -> Finding:
    return Finding(Weight.UNCHECKED, text)


def _quoted(text: str) -> str:
    """A piece of the record, fit for any terminal: control characters and the like are escaped."""
    return ascii(text if len(text) <= _EXCERPT else text[:_EXCERPT] + "...")


def _known_rules(record: Record, findings: list[Finding]) -> Rules | None:
    """The rules that the attempt was played under, or None with the reason among the findings."""
    try:
        rules = ruleset(record.ruleset, record.rules_version)
    except GameError:
        which = f"{_quoted(record.ruleset)}, version {record.rules_version}"
        findings.append(_unchecked(f"deal and moves: the ruleset {which}, is not known here"))
        return None
    policy = practice_policy(rules) if record.kind == PRACTICE else rules.undo
    if record.undo is not policy:
        findings.append(_wrong(f"undo is {record.undo}, but {policy} in a {record.kind} attempt of {rules.key}"))
    if record.deal_version != DEAL_VERSION:
        findings.append(_unchecked(f"deal and moves: the deal version {record.deal_version} is not known here"))
        return None
    return rules


def _times(record: Record) -> Iterator[Finding]:
    """Whether time never falls; only the first fall is told."""
    before = 0
    for index, (_, at_ms) in enumerate(record.log):
        if at_ms < before:
            yield _wrong(f"time falls at log entry {index}: {at_ms} ms after {before} ms")
            return
        before = at_ms


def _counts(record: Record) -> Iterator[Finding]:
    """What the log tells of the result without the cards."""
    result = record.result
    if result is None:
        return
    texts = [text for text, _ in record.log]
    told: dict[str, tuple[int, int]] = {
        "time_ms": (result.time_ms, record.log[-1].at_ms if record.log else 0),
        "moves": (result.moves, sum(text not in ENDINGS for text in texts)),
        "undos": (result.undos, texts.count(UNDO)),
    }
    for name, (stated, counted) in told.items():
        if stated != counted:
            yield _wrong(f"result: {name} is {stated}, by the log {counted}")


def _judge(record: Record, rules: Rules, seed: str) -> Iterator[Finding]:
    """Play the log on the deal of the seed and compare the result."""
    attempt = Attempt.start(rules, shuffled(seed, rules.deck), record.undo)
    for index, (text, at_ms) in enumerate(record.log):
        try:
            attempt = attempt.apply(text, at_ms)
        except GameError as refusal:
            yield _wrong(f"log entry {index}, {_quoted(text)}, is refused: {refusal.code}")
            yield _unchecked("outcome, progress and score, as the log cannot be played to its end")
            return
        if attempt.last is not None and attempt.last.entry.text != text:
            canonical = attempt.last.entry.text
            yield _wrong(f"log entry {index} is written {_quoted(text)}, a log has {canonical}")
    yield from _compare(record.result, result_of(attempt))


def _compare(stated: Result | None, found: Result | None) -> Iterator[Finding]:
    if stated is None or found is None:
        if found is not None:
            yield _wrong(f"there is no result, but the log ends the attempt: {found.outcome}")
        elif stated is not None:
            yield _wrong(f"the result is {stated.outcome}, but by its log the attempt is still open")
        return
    for name in ("outcome", "progress", "score"):
        ours, theirs = getattr(found, name), getattr(stated, name)
        if ours != theirs:
            yield _wrong(f"result: {name} is {_shown(theirs)}, by the log {_shown(ours)}")


def _shown(value: str | int | None) -> str:
    return "missing" if value is None else str(value)
