"""Rebuilding finds what is not as the logs say, and corrects all of it (DESIGN 1.4)."""

import pytest

from server.core.deck import shuffled
from server.core.rules import Rules, UndoPolicy
from server.games import ruleset
from server.play.attempt import Attempt
from server.store.engine import Store
from server.store.entries import Stored, last_entry
from server.store.rebuild import Difference, Outcome, rebuild
from server.store.recorder import Recorder
from tests.store.seeding import NOW, SEED, Seeder, challenge_row, number_of


async def play(seeder: Seeder, recorder: Recorder, challenge: str, rules: Rules, moves: int, end: str | None) -> str:
    """An attempt of true moves, stored move by move."""
    own = await seeder.attempt(challenge=challenge)
    attempt = Attempt.start(rules, shuffled(SEED, rules.deck), UndoPolicy.COUNTED)
    for number in range(moves):
        attempt = attempt.play(attempt.legal[0], number * 250)
        assert await recorder.append(last_entry(number_of(own), attempt, NOW + number * 250)) is Stored.COMMITTED
    if end == "undo":
        attempt = attempt.undo(moves * 250)
        assert await recorder.append(last_entry(number_of(own), attempt, NOW)) is Stored.COMMITTED
    elif end is not None:
        attempt = attempt.apply(end, moves * 250)
        assert await recorder.append(last_entry(number_of(own), attempt, NOW + moves * 250)) is Stored.COMMITTED
    return own


@pytest.fixture
async def played(store: Store, seeder: Seeder) -> dict[str, str]:
    """Attempts of every kind: open, given up after moves and before any, voided, practice."""
    recorder = Recorder(store)
    rules = ruleset("pyramid")
    challenge = await seeder.challenge(challenge_row(ruleset="pyramid"))
    bakers = await seeder.challenge(challenge_row(ruleset="bakers-dozen"))
    made = {
        "open": await play(seeder, recorder, challenge, rules, 4, "undo"),
        "resigned": await play(seeder, recorder, challenge, rules, 6, "resign"),
        "closed": await play(seeder, recorder, bakers, ruleset("bakers-dozen"), 3, "close"),
        "unmoved": await play(seeder, recorder, challenge, rules, 0, "resign"),
        "void": await play(seeder, recorder, challenge, rules, 2, "void"),
        "new": await seeder.attempt(challenge=challenge),
    }
    await recorder.close()
    return made


async def run(store: Store, *, fix: bool) -> tuple[Outcome, list[Difference]]:
    found: list[Difference] = []
    steps: list[tuple[int, int]] = []
    outcome = await rebuild(
        store, fix=fix, tell=found.append, progress=lambda done, all_: steps.append((done, all_)), batch=4
    )
    assert steps == [(4, 6), (6, 6)]
    assert outcome.differences == len(found)
    return outcome, found


async def test_what_was_played_has_no_difference(store: Store, played: dict[str, str]) -> None:
    assert await run(store, fix=False) == (Outcome(6, 0, 0), [])


@pytest.mark.parametrize(
    ("statement", "whose", "what"),
    [
        ("UPDATE attempts SET progress = progress + 1 WHERE number = :n", "resigned", {"progress"}),
        ("UPDATE attempts SET moves = moves - 1 WHERE number = :n", "open", {"moves"}),
        ("UPDATE attempts SET undos = 0 WHERE number = :n", "open", {"undos"}),
        ("UPDATE attempts SET seq = seq + 1 WHERE number = :n", "new", {"seq"}),
        ("UPDATE attempts SET last_at_ms = 1 WHERE number = :n", "closed", {"last_at_ms"}),
        ("UPDATE attempts SET over = NULL, finished_at = NULL WHERE number = :n", "unmoved", {"over", "finished_at"}),
        ("UPDATE attempts SET over = 'won', finished_at = 5 WHERE number = :n", "open", {"over", "finished_at"}),
        ("UPDATE results SET time_ms = 1 WHERE attempt = :n", "resigned", {"result.time_ms"}),
        ("UPDATE results SET main_1 = 3 WHERE attempt = :n", "closed", {"result.main_1", "tally"}),
        ("DELETE FROM results WHERE attempt = :n", "resigned", {"result", "tally"}),
        ("UPDATE tallies SET count = count + 5 WHERE :n > 0", "open", {"tally"}),
        ("DELETE FROM tallies WHERE :n > 0", "open", {"tally"}),
    ],
)
async def test_an_injected_difference_is_found_and_corrected(
    store: Store, seeder: Seeder, played: dict[str, str], statement: str, whose: str, what: set[str]
) -> None:
    before = await everything(seeder)
    await seeder.tell(statement, n=(await seeder.row(played[whose])).number)
    outcome, found = await run(store, fix=False)
    assert found
    assert outcome.corrected == 0
    kinds = {difference.what for difference in found}
    assert {kind if kind in what else kind.split(".")[0] for kind in kinds} == what
    assert all(difference.place == played[whose] or difference.what.startswith("tally") for difference in found)
    outcome, found = await run(store, fix=True)
    assert outcome.corrected > 0
    assert await run(store, fix=False) == (Outcome(6, 0, 0), [])
    after = await everything(seeder)
    if "finished_at" not in what:  # the instant itself is in no log
        assert after == before


async def test_a_result_that_should_not_stand_is_removed(store: Store, seeder: Seeder, played: dict[str, str]) -> None:
    row = await seeder.row(played["open"])
    await seeder.tell(
        "INSERT INTO results SELECT :n, challenge_id, :p, ruleset, lane, outcome, time_ms, moves, undos, progress,"
        ' score, finished_at, "class", main_1, main_2, moves_1, moves_2 FROM results WHERE attempt = :other',
        n=row.number,
        p=row.player_id if store.dialect == "postgresql" else row.player_id.replace("-", ""),
        other=(await seeder.row(played["resigned"])).number,
    )
    _, found = await run(store, fix=True)
    assert {difference.place for difference in found if difference.what == "result.attempt"} == {played["open"]}
    assert await run(store, fix=False) == (Outcome(6, 0, 0), [])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE log SET text = 'p1' WHERE attempt = :n AND seq = 0",  # covered: an illegal move
        "UPDATE log SET text = 'nonsense!' WHERE attempt = :n AND seq = 1",
        "UPDATE log SET at_ms = 9999 WHERE attempt = :n AND seq = 0",  # time falls
        "DELETE FROM log WHERE attempt = :n AND seq = 0",
        "DELETE FROM log WHERE attempt = :n AND seq = 1",
    ],
)
async def test_a_broken_log_is_told_and_left_alone(
    store: Store, seeder: Seeder, played: dict[str, str], statement: str
) -> None:
    await seeder.tell(statement, n=(await seeder.row(played["resigned"])).number)
    before = await everything(seeder)
    outcome, found = await run(store, fix=True)
    assert [(difference.place, difference.what) for difference in found] == [(played["resigned"], "log")]
    assert outcome == Outcome(6, 1, 0)
    assert await everything(seeder) == before


async def test_rules_and_deals_of_the_future_are_told(store: Store, seeder: Seeder, played: dict[str, str]) -> None:
    await seeder.tell("UPDATE challenges SET rules_version = 99 WHERE ruleset = 'bakers-dozen'")
    await seeder.tell("UPDATE challenges SET deal_version = 99 WHERE ruleset = 'pyramid'")
    outcome, found = await run(store, fix=True)
    assert {difference.what for difference in found} == {"log"}
    assert outcome == Outcome(6, 6, 0)


async def everything(seeder: Seeder) -> list[object]:
    return [
        await seeder.ask("SELECT * FROM attempts ORDER BY number"),
        await seeder.ask("SELECT * FROM log ORDER BY attempt, seq"),
        await seeder.ask("SELECT * FROM results ORDER BY attempt"),
        await seeder.ask('SELECT * FROM tallies WHERE count > 0 ORDER BY scope, board, lane, "class", bucket'),
    ]
