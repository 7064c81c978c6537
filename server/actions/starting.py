"""Starting attempts: the one ranked attempt at a challenge, and practice as often as one likes."""

from typing import Final, NamedTuple

from msgspec import structs
from sqlalchemy.ext.asyncio import AsyncConnection

from server.actions import dailies
from server.actions.dates import today
from server.actions.folding import fold_stored
from server.actions.house import Services
from server.actions.stock import pick_surplus
from server.actions.table import Table
from server.core.deck import parse_seed
from server.core.rules import Rules, UndoPolicy
from server.errors import GameError
from server.games import ruleset
from server.play.attempt import ENDINGS, practice_policy
from server.store import admins, attempts, challenges, players, stock
from server.store.attempts import AttemptRow
from server.store.challenges import ChallengeRow

#: So many copied entries count as one more practice game started.
COPIED: Final = 500


class PracticeWish(NamedTuple):
    """What somebody wants to practise: a ruleset (with a seed), a closed challenge, or an attempt from a place on."""

    ruleset: str | None = None
    seed: str | None = None
    challenge: str | None = None
    origin: tuple[str, int] | None = None


class Prefix(NamedTuple):
    """The first entries of another attempt's log, from which a new one goes on."""

    source_id: str
    entries: tuple[tuple[str, int], ...]


async def start(services: Services, player_id: str, reference: str, arrived_ms: int) -> Table:
    """The player's ranked attempt at a challenge, started now or resumed; held for the caller, who releases it.

    At an unranked challenge it is unranked, and who has ended one may start another. Raises ``challenge/unknown``,
    ``challenge/not_open``, ``challenge/closed`` where it was never started in time, or ``challenge/barred`` for whoever
    is blocked or knows the deal.
    """
    row = await dailies.resolve(services, reference)
    async with services.store.reading() as conn:
        if row.unranked:
            own = await attempts.open_at(conn, player_id, row.id)
        else:
            own = await attempts.ranked_attempt(conn, player_id, row.id)
    if own is None:
        if row.kind == "practice":
            raise GameError("challenge/unknown", "a practice deal has no ranked attempts")
        if arrived_ms < row.opens_at:
            raise GameError("challenge/not_open", "the challenge has not opened yet")
        if row.voided_at is not None:
            raise GameError("challenge/closed", "the challenge is void")
        if row.closed_at is not None or (row.ends_at is not None and arrived_ms >= row.ends_at):
            raise GameError("challenge/closed", "the challenge can no longer be started")
        rules = ruleset(row.ruleset, row.rules_version)
        policy = practice_policy(rules) if row.unranked else rules.undo
        own = await _begin(services, row, rules, player_id, policy, arrived_ms, ranked=row.takes_ranked)
    return await services.house.open(own.id, player_id)


async def practise(services: Services, player_id: str, row: ChallengeRow, now_ms: int) -> AttemptRow:
    """A new unranked attempt at a deal that is stored, under the rules of practice."""
    rules = ruleset(row.ruleset, row.rules_version)
    return await _begin(services, row, rules, player_id, practice_policy(rules), now_ms, ranked=False)


async def practice(services: Services, player_id: str, wish: PracticeWish, arrived_ms: int) -> Table:
    """A new unranked attempt, held for the caller, who releases it.

    Raises ``protocol/malformed`` where the wish names not exactly one thing, ``protocol/rate`` where the player starts
    too many, ``challenge/not_open`` while the challenge is open for anybody, and what naming an unknown thing raises.
    """
    named = [wish.ruleset is not None, wish.challenge is not None, wish.origin is not None]
    if sum(named) != 1 or (wish.seed is not None and wish.ruleset is None):
        raise GameError("protocol/malformed", "name a ruleset (and a seed), a challenge or an attempt to go on from")
    _count(services, player_id, arrived_ms, 1)
    prefix: Prefix | None = None
    if wish.ruleset is not None:
        row = await _practice_challenge(services, ruleset(wish.ruleset), wish.seed, arrived_ms)
    elif wish.challenge is not None:
        row = await dailies.resolve(services, wish.challenge)
        _must_be_closed(row)
    else:
        assert wish.origin is not None
        row, prefix = await _from(services, player_id, *wish.origin)
        _count(services, player_id, arrived_ms, len(prefix.entries) // COPIED)
    rules = ruleset(row.ruleset, row.rules_version)
    policy = practice_policy(rules)
    own = await _begin(services, row, rules, player_id, policy, arrived_ms, ranked=False, prefix=prefix)
    return await services.house.open(own.id, player_id)


def _count(services: Services, player_id: str, now_ms: int, games: int) -> None:
    if not services.unlimited and not services.practices.take(player_id, now_ms, games):
        raise GameError("protocol/rate", "too many practice games at once")


def _must_be_closed(row: ChallengeRow) -> None:
    if row.closed_at is None:
        raise GameError("challenge/not_open", "a deal is free for practice once its challenge is closed")


async def _practice_challenge(services: Services, rules: Rules, seed: str | None, now: int) -> ChallengeRow:
    """A deal to practise on: of the given seed, else one that the stock can spare, else any."""
    if seed is None:
        row = await _spared(services, rules, now)
        if row is not None:
            return row
        seed = services.seed()
    else:
        parse_seed(seed)
    row = _practice_row(services, rules, seed, now)
    async with services.store.writing() as conn:
        row, _ = await challenges.insert_challenge(conn, row)
    return row


async def _spared(services: Services, rules: Rules, now: int) -> ChallengeRow | None:
    """A practice deal from the stock, as long as that holds more than the coming dailies need."""
    async with services.store.reading() as conn:
        if not await stock.unused(conn, rules):
            return None  # as mostly: nothing to write for
    async with services.store.writing() as conn:
        deal = await pick_surplus(conn, rules, today(now))
        if deal is None:
            return None
        row = _practice_row(services, rules, deal.seed, now)
        await challenges.insert_challenge(conn, row)
        await stock.mark_used(conn, deal.id, row.id, now)
    return row


def _practice_row(services: Services, rules: Rules, seed: str, now: int) -> ChallengeRow:
    return ChallengeRow.of(
        rules,
        seed,
        id=services.new_id(now),
        kind="practice",
        opens_at=now,
        created_at=now,
    )


async def _from(services: Services, player_id: str, attempt_id: str, seq: int) -> tuple[ChallengeRow, Prefix]:
    """The deal of an attempt and its first ``seq`` entries, taken at no time; closed, or one's own practice."""
    async with services.store.reading() as conn:
        row = await attempts.attempt(conn, attempt_id)
        if row is None:
            raise GameError("attempt/unknown", "no such attempt")
        challenge = await challenges.challenge(conn, row.challenge_id)
        assert challenge is not None, "a foreign key holds this"
        entries = await attempts.log(conn, row.id)
    if not row.ranked and row.player_id != player_id:
        raise GameError("attempt/not_yours", "another player's practice")
    if challenge.kind != "practice":
        _must_be_closed(challenge)
    played = [(text, 0) for text, _ in entries[:seq] if text not in ENDINGS]
    return challenge, Prefix(row.id, tuple(played))


async def _must_be_allowed(conn: AsyncConnection, challenge: ChallengeRow, player_id: str) -> None:
    """Raises ``challenge/barred`` for who is blocked, and for an admin who knows the deal."""
    if await players.blocked_at(conn, player_id) is not None:
        raise GameError("challenge/barred", "this player starts nothing ranked")
    if await admins.is_barred(conn, challenge.commitment, player_id):
        raise GameError("challenge/barred", "this player has prepared or previewed the deal")


async def _begin(
    services: Services,
    challenge: ChallengeRow,
    rules: Rules,
    player_id: str,
    policy: UndoPolicy,
    arrived_ms: int,
    *,
    ranked: bool,
    prefix: Prefix | None = None,
) -> AttemptRow:
    entries = () if prefix is None else prefix.entries
    _, attempt = await fold_stored(services.folding, rules, challenge.seed, policy, entries)
    if prefix is not None and attempt.over is not None:
        raise GameError("attempt/over", "nothing is left to play from there")
    async with services.store.writing() as conn:
        if ranked:
            await _must_be_allowed(conn, challenge, player_id)
        row, made = await attempts.start_attempt(
            conn,
            services.new_id(arrived_ms),
            challenge.id,
            player_id,
            ranked=ranked,
            undo_policy=policy.value,
            now_ms=arrived_ms,
            progress=attempt.progress,
        )
        if made and prefix is not None:
            summary = structs.replace(row, seq=attempt.seq, moves=attempt.moves, undos=attempt.undos)
            await attempts.copy_log_prefix(conn, prefix.source_id, summary)
        elif made and attempt.over is not None:
            await attempts.mark_over(conn, row.id, attempt.over, arrived_ms)
    if made:
        kind = challenge.kind if ranked else "practice"
        services.metrics.attempts_started.labels(rules.key, kind).inc()
    return row
