"""Records (PROTOCOL 3) and judging them again: what is true agrees, whatever is changed is found and said in words."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.core.deck import commitment, shuffled
from server.games import ruleset
from server.play.attempt import Attempt, practice_policy
from server.play.ranking import Result, result_of
from server.play.record import FORMAT, KINDS, OUTCOMES, read_record, record_fields, result_fields
from server.play.verify import Weight, agrees, verify
from tests.play.toys import play_all, seed_number, vectors

WINS = vectors("wins.jsonl")
ANNE = {"id": "0192", "name": "Anne", "kind": "guest"}


def record_of(key: str, seed: str, moves: str, kind: str = "daily", rank: int | None = None) -> dict[str, Any]:
    """The record of an attempt that makes the moves, a second apart."""
    rules = ruleset(key)
    policy = practice_policy(rules) if kind == "practice" else rules.undo
    attempt = play_all(Attempt.start(rules, shuffled(seed, rules.deck), policy), moves)
    result = result_of(attempt)
    fields = record_fields(
        rules,
        rules_version=rules.version,
        kind=kind,
        commitment=commitment(seed),
        seed=seed,
        player=ANNE,
        started_at="2026-01-31T12:00:00.250Z",
        undo=policy,
        log=[(text, 1000 * (index + 1)) for index, text in enumerate(moves.split())],
        result=None if result is None else result_fields(result, rank, rank),
    )
    decoded: dict[str, Any] = json.loads(json.dumps(fields))
    return decoded


def won(key: str = "pyramid") -> dict[str, Any]:
    """The record of a win, with a rank."""
    win = next(line for line in WINS if line["ruleset"] == key)
    return record_of(key, win["seed"], win["moves"], rank=1)


def texts(data: object) -> list[str]:
    """What is found in a record, in words."""
    return [f"{finding.weight}: {finding.text}" for finding in verify(data)]


def test_the_record_has_the_fields_of_the_protocol() -> None:
    record = won()
    assert list(record) == [
        "format",
        "ruleset",
        "rules_version",
        "deal_version",
        "kind",
        "commitment",
        "seed",
        "player",
        "started_at",
        "undo",
        "log",
        "result",
    ]
    assert (record["format"], record["undo"], record["player"]) == (FORMAT, "counted", ANNE)
    assert record["log"][0] == ["p23", 1000]
    result = {"outcome": "won", "rank": 1, "of": 1, "time_ms": 77_000, "moves": 77, "undos": 0, "progress": 28}
    assert record["result"] == result


def test_a_score_stands_in_the_result_where_there_is_one() -> None:
    record = won("foursquare")
    assert record["result"]["score"] == 40 - 1 - record["result"]["moves"]
    assert texts(record) == ["note: the rank is not checked: it follows from the attempts of others"]


@pytest.mark.parametrize("win", WINS, ids=lambda win: f"{win['ruleset']}-{win['seed'][:4]}")
def test_every_true_record_agrees(win: dict[str, Any]) -> None:
    record = record_of(win["ruleset"], win["seed"], win["moves"])
    assert verify(record) == []
    assert agrees(verify(record))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("moves", ["", "s", "s resign", "s s close", "close", "s void"])
def test_records_of_every_kind_and_end_agree(kind: str, moves: str) -> None:
    assert verify(record_of("thirteen", seed_number(2), moves, kind)) == []


def test_a_practice_record_with_undos_agrees_under_its_own_policy() -> None:
    record = record_of("thirteen", seed_number(2), "s undo s undo resign", "practice")
    assert (record["undo"], record["result"]["undos"]) == ("free", 2)
    assert verify(record) == []


def test_the_rank_is_not_checked_and_that_is_said() -> None:
    record = won()
    record["result"] |= {"rank": 7, "of": 9}
    assert [finding.weight for finding in verify(record)] == [Weight.NOTE]
    assert agrees(verify(record))


CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"seed": seed_number(9)}, "wrong: the commitment is not that of the seed"),
    ({"seed": seed_number(9)}, "wrong: log entry 0, 'p23', is refused: move/illegal"),
    ({"commitment": "0" * 64}, "wrong: the commitment is not that of the seed"),
    ({"undo": "none"}, "wrong: undo is none, but counted in a daily attempt of pyramid"),
    ({"undo": "free", "kind": "practice"}, "wrong: undo is free, but counted in a practice attempt of pyramid"),
    ({"ruleset": "klondike"}, "unchecked: deal and moves: the ruleset 'klondike', version 1, is not known here"),
    ({"rules_version": 99}, "unchecked: deal and moves: the ruleset 'pyramid', version 99, is not known here"),
    ({"deal_version": 2}, "unchecked: deal and moves: the deal version 2 is not known here"),
    ({"ruleset": "pyramid-3"}, "unchecked: outcome, progress and score, as the log cannot be played to its end"),
    ({"result": None}, "wrong: there is no result, but the log ends the attempt: won"),
    ({"seed": None}, "unchecked: commitment, deal, moves and result: the record has no seed"),
    ({"format": 2}, "wrong: format 2 is not known here, only 1 is"),
    ({"format": True}, "wrong: format must be a whole number, not negative"),
    ({"rules_version": "1"}, "wrong: rules_version must be a whole number, not negative"),
    ({"kind": "duel"}, "wrong: kind must be one of daily, race, event, practice"),
    ({"kind": ["daily"]}, "wrong: kind must be one of daily, race, event, practice"),
    ({"undo": None}, "wrong: undo must be one of counted, none, free"),
    ({"commitment": "F" * 64}, "wrong: commitment must be 64 lower-case hex digits"),
    ({"seed": "0" * 31}, "wrong: a seed is 32 lower-case hex digits"),
    ({"seed": 5}, "wrong: a seed is 32 lower-case hex digits"),
    ({"started_at": "yesterday"}, "wrong: started_at must be an instant such as 2026-01-31T12:00:00Z"),
    ({"started_at": "2026-13-31T12:00:00Z"}, "wrong: started_at must be an instant such as 2026-01-31T12:00:00Z"),
    ({"player": "Anne"}, "wrong: player must be an object, or null for an erased player"),
    ({"log": {}}, "wrong: log must be a list of [move, at_ms]"),
    ({"log": [["s", 1], ["s"]]}, "wrong: log entry 1 must be [move, at_ms], with whole milliseconds, not negative"),
    ({"log": [["s", -1]]}, "wrong: log entry 0 must be [move, at_ms], with whole milliseconds, not negative"),
    ({"log": [["s", 1.5]]}, "wrong: log entry 0 must be [move, at_ms], with whole milliseconds, not negative"),
    ({"log": [["s", True]]}, "wrong: log entry 0 must be [move, at_ms], with whole milliseconds, not negative"),
    ({"log": [["s", 2**60]]}, "wrong: log entry 0 must be [move, at_ms], with whole milliseconds, not negative"),
    ({"log": [[5, 1]]}, "wrong: log entry 0 must be [move, at_ms], with whole milliseconds, not negative"),
    ({"log": [["\x1b[2J", 1]]}, r"wrong: log entry 0, '\x1b[2J', is refused: move/syntax"),
    ({"result": "won"}, "wrong: result must be an object, or null while the attempt is open"),
]


@pytest.mark.parametrize(("change", "found"), CHANGES)
def test_a_changed_record_is_found_out(change: dict[str, Any], found: str) -> None:
    record = won() | change
    assert found in texts(record)
    assert not agrees(verify(record))


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"outcome": "lost"}, "wrong: result: outcome is lost, by the log won"),
        ({"time_ms": 76_999}, "wrong: result: time_ms is 76999, by the log 77000"),
        ({"moves": 76}, "wrong: result: moves is 76, by the log 77"),
        ({"undos": 1}, "wrong: result: undos is 1, by the log 0"),
        ({"progress": 27}, "wrong: result: progress is 27, by the log 28"),
        ({"score": 24}, "wrong: result: score is 24, by the log missing"),
        ({"outcome": "glorious"}, f"wrong: result: outcome must be one of {', '.join(OUTCOMES)}"),
        ({"time_ms": -1}, "wrong: result: time_ms must be a whole number, not negative"),
        ({"rank": "1"}, "wrong: result: rank must be a whole number, not negative"),
    ],
)
def test_a_changed_result_is_found_out(change: dict[str, Any], found: str) -> None:
    record = won()
    record["result"] |= change
    assert found in texts(record)
    assert not agrees(verify(record))


def test_a_score_that_is_too_high_is_found_out() -> None:
    record = won("foursquare")
    score = record["result"]["score"]
    record["result"]["score"] = 24
    assert f"wrong: result: score is 24, by the log {score}" in texts(record)


@pytest.mark.parametrize("name", sorted(set(won()) - {"seed"}))
def test_a_missing_field_is_named(name: str) -> None:
    record = won()
    del record[name]
    findings = texts(record)
    assert any(text.startswith(f"wrong: {name} ") for text in findings)
    assert findings[-1] == "unchecked: nothing else, as the record cannot be read"


@pytest.mark.parametrize("name", ["outcome", "time_ms", "moves", "undos", "progress"])
def test_a_missing_field_of_the_result_is_named(name: str) -> None:
    record = won()
    del record["result"][name]
    assert any(text.startswith(f"wrong: result: {name} is missing") for text in texts(record))


def test_falling_time_is_found_where_it_falls() -> None:
    record = won()
    record["log"][5][1] = record["log"][4][1] - 1
    assert texts(record)[0] == "wrong: time falls at log entry 5: 4999 ms after 5000 ms"


def test_a_move_left_out_a_move_too_many_and_another_spelling_are_found() -> None:
    short = won()
    del short["log"][-1]
    assert "wrong: the result is won, but by its log the attempt is still open" in texts(short)
    long = won()
    long["log"].append(["undo", 90_000])
    assert "wrong: log entry 77, 'undo', is refused: attempt/over" in texts(long)
    turned = won()
    assert turned["log"][2] == ["p24p28", 3000]
    turned["log"][2][0] = "p28p24"
    assert texts(turned)[0] == "wrong: log entry 2 is written 'p28p24', a log has p24p28"


def test_a_log_beyond_its_limit_is_found() -> None:
    record = record_of("pyramid", seed_number(1), "s " * 5000)
    assert verify(record) == []
    record["log"].append(["s", 5_000_000])
    assert "wrong: log entry 5000, 's', is refused: attempt/log_full" in texts(record)


def test_without_a_seed_the_log_is_still_counted() -> None:
    record = won()
    del record["seed"]
    assert not agrees(verify(record))
    record["result"]["moves"] = 76
    assert "wrong: result: moves is 76, by the log 77" in texts(record)


def test_an_erased_player_and_fields_to_come_are_fine() -> None:
    record = won() | {"player": None, "weather": "fair"}
    record["result"]["stars"] = 3
    assert agrees(verify(record))


def test_a_finding_repeats_no_more_than_an_excerpt() -> None:
    record = won() | {"ruleset": "x" * 10_000}
    assert max(map(len, texts(record))) < 200


@pytest.mark.parametrize("data", [None, [], "record", 5, {}])
def test_what_is_no_record_is_said_to_be_none(data: object) -> None:
    record, faults = read_record(data)
    assert record is None
    assert faults
    assert not agrees(verify(data))


def test_a_result_leaves_out_what_it_has_not() -> None:
    assert result_fields(Result("lost", 5, 2, 0, 1, None)) == {
        "outcome": "lost",
        "time_ms": 5,
        "moves": 2,
        "undos": 0,
        "progress": 1,
    }


WHOLE = won("foursquare")

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(st.data())
def test_whatever_is_put_into_a_record_it_is_judged_in_words(data: st.DataObject) -> None:
    record = copy.deepcopy(WHOLE)
    place: Any = record
    while True:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if not isinstance(place[key], dict | list) or data.draw(st.booleans()):
            break
        place = place[key]
    before = place[key]
    place[key] = data.draw(values)
    findings = verify(record)
    assert all(finding.text.isascii() for finding in findings)
    # Whatever else was changed, only the name of a player, an instant, a time in the middle and a rank may be any.
    unjudged = {"player", "started_at", "rank", "of", "id", "name", "kind", 1}
    assert place[key] == before or key in unjudged or not agrees(findings)
