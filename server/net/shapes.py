"""From what actions answer to the bodies of the HTTP API."""

from typing import cast

from server.actions.analyses import Found
from server.actions.boards import BoardPage, Part, RecordsPage, SeasonPage, Wish
from server.actions.dailies import Listed
from server.actions.dates import iso
from server.actions.people import Kind, Person
from server.actions.proofs import Witness
from server.core.rules import Rules
from server.net.board_schemas import BoardBody, BoardRow, RecordRow, RecordsBody, SeasonBody, SeasonRow
from server.net.frames import layout_dict, piles
from server.net.schemas import (
    AnalysisBody,
    ChallengeBody,
    EventName,
    OwnBody,
    PlayerBody,
    RulesetBody,
    TomorrowBody,
    TurnBody,
    WitnessBody,
    WitnessMove,
)
from server.play.ranking import By
from server.store.boards import Line, RecordLine, RecordsBy, SeasonLine
from server.store.players import PlayerRow


def player(person: Person | PlayerRow) -> PlayerBody:
    """A player as others may see him."""
    return PlayerBody(id=person.id, name=person.name, kind=cast(Kind, person.kind))


def line(found: Line) -> BoardRow:
    """A line of a board."""
    return BoardRow(
        rank=found.rank,
        player=player(found.player),
        attempt=found.attempt_id,
        outcome=found.outcome,
        time_ms=found.time_ms,
        moves=found.moves,
        undos=found.undos,
        progress=found.progress,
        score=found.score,
    )


def record_line(found: RecordLine) -> RecordRow:
    """A line of the records of a ruleset."""
    return RecordRow(
        **line(found.line).model_dump(),
        challenge=found.challenge_id,
        kind=found.challenge_kind,
        date=found.challenge_date,
        finished_at=iso(found.line.finished_at),
    )


def season_line(found: SeasonLine) -> SeasonRow:
    """A line of a season."""
    return SeasonRow(
        rank=found.rank,
        player=player(found.player),
        points=found.points,
        score=found.points,
        counted=found.counted,
        played=found.played,
    )


def board(page: BoardPage, by: By, wish: Wish) -> BoardBody:
    """A page of a challenge's board."""
    rules, part = page.listed.rules, page.part
    return BoardBody(
        challenge=listed(page.listed),
        by=by,
        who=wish.who,
        friends=wish.friends,
        keys=[key.value for key in rules.rankings[by]],
        maximum=rules.layout.maximum,
        outage_ms=page.outage_ms,
        rows=[line(found) for found in part.lines],
        total=part.total,
        me=None if part.me is None else line(part.me),
        next=part.next,
        previous=part.previous,
    )


def season(page: SeasonPage, formula: str, wish: Wish) -> SeasonBody:
    """A page of a season."""
    period, part = page.period, page.part
    return SeasonBody(
        period=period.key,
        kind=period.kind,
        ruleset=page.rules.key,
        title=page.rules.title,
        begins=None if period.begins is None else period.begins.isoformat(),
        ends=None if period.ends is None else period.ends.isoformat(),
        running=page.running,
        previous_period=page.before,
        next_period=page.after,
        formula=formula,
        who=wish.who,
        friends=wish.friends,
        rows=[season_line(found) for found in part.lines],
        total=part.total,
        me=None if part.me is None else season_line(part.me),
        next=part.next,
        previous=part.previous,
    )


def records(page: RecordsPage, by: RecordsBy, wish: Wish) -> RecordsBody:
    """A page of the records of a ruleset."""
    part: Part[RecordLine] = page.part
    return RecordsBody(
        ruleset=page.rules.key,
        title=page.rules.title,
        by=by,
        who=wish.who,
        friends=wish.friends,
        maximum=page.rules.layout.maximum,
        rows=[record_line(found) for found in part.lines],
        total=part.total,
        me=None if part.me is None else record_line(part.me),
        next=part.next,
        previous=part.previous,
    )


def ruleset_body(rules: Rules) -> RulesetBody:
    """A ruleset with its rules in words."""
    return RulesetBody(
        key=rules.key,
        family=rules.family,
        title=rules.title,
        rules=list(rules.text),
        rules_page=f"/rules/{rules.key}",
        rules_version=rules.version,
        rankings={by: [key.value for key in keys] for by, keys in rules.rankings.items()},
        maximum=rules.layout.maximum,
        undo=rules.undo.value,
        deck_size=rules.deck.size,
        daily=rules.daily is not None,
        layout=layout_dict(rules.layout),
    )


def told(instant_ms: int | None) -> str | None:
    """An instant as a text, None for none."""
    return None if instant_ms is None else iso(instant_ms)


def challenge(found: Listed, now_ms: int) -> ChallengeBody | TomorrowBody:
    """A challenge, as much of it as may be known."""
    return listed(found) if found.challenge.opens_at <= now_ms else tomorrow(found)


def _event(found: Listed) -> EventName | None:
    return None if found.event is None else EventName(id=found.event[0], name=found.event[1])


def listed(found: Listed) -> ChallengeBody:
    """A challenge that has opened."""
    row, rules, own, proof = found.challenge, found.rules, found.own, found.proof
    return ChallengeBody(
        id=row.id,
        kind=row.kind,
        ruleset=row.ruleset,
        title=rules.title,
        date=row.date,
        event=_event(found),
        commitment=row.commitment,
        rules_version=row.rules_version,
        deal_version=row.deal_version,
        opens_at=iso(row.opens_at),
        ends_at=told(row.ends_at),
        closes_at=told(row.closes_at),
        closed=row.closed_at is not None,
        void=row.voided_at is not None,
        ranked=row.takes_ranked,
        players=found.players,
        own=None
        if own is None
        else OwnBody(
            attempt=own.attempt.id,
            over=own.attempt.over,
            rank=own.place.rank if own.place is not None else None,
            of=own.place.of if own.place is not None else None,
            time_ms=own.attempt.last_at_ms,
            moves=own.attempt.moves,
            progress=own.attempt.progress,
            maximum=rules.layout.maximum,
        ),
        difficulty=found.difficulty,
        seed=found.seed,
        par=None if proof is None else proof.par,
        par_exact=None if proof is None else proof.par_exact,
        score=None if proof is None else proof.score,
        witness=None if proof is None else proof.witness,
    )


def witness(found: Witness, challenge_id: str) -> WitnessBody:
    """A winning line, as a player at the table would see it."""
    rules, before = found.rules, found.start
    moves = []
    for move, position in found.line:
        changed = [name for name, pile in position.piles.items() if pile != before.piles[name]]
        moves.append(WitnessMove(move=move, piles=piles(rules, position, changed)))
        before = position
    return WitnessBody(
        challenge=challenge_id,
        ruleset=rules.key,
        par=found.deal.par,
        par_exact=found.deal.par_exact,
        score=found.deal.score,
        layout=layout_dict(rules.layout),
        piles=piles(rules, found.start),
        moves=moves,
    )


def tomorrow(found: Listed) -> TomorrowBody:
    """A challenge that has not opened."""
    row = found.challenge
    return TomorrowBody(
        id=row.id,
        kind=row.kind,
        ruleset=row.ruleset,
        title=found.rules.title,
        date=row.date or "",
        event=_event(found),
        commitment=row.commitment,
        opens_at=iso(row.opens_at),
        ends_at=told(row.ends_at),
        closes_at=told(row.closes_at),
        void=row.voided_at is not None,
    )


def analysis(found: Found) -> AnalysisBody:
    """What an attempt came to."""
    told, row = found.analysis, found.row
    deal = None if told is None else told.deal
    lost = None if told is None else told.lost
    return AnalysisBody(
        attempt=row.id,
        ruleset=found.rules.key,
        over=row.over or "",
        moves=row.moves,
        deal_winnable=None if deal is None else deal.winnable,
        par=None if deal is None else deal.par,
        par_exact=deal is not None and deal.par_exact,
        above_par=found.above_par,
        best_score=None if deal is None else deal.score,
        fate="searching" if told is None else told.fate,
        lost=None if lost is None else TurnBody(seq=lost.seq, move=lost.move),
        between=None if told is None or told.between is None else list(told.between),
        slips=[] if told is None else [TurnBody(seq=turn.seq, move=turn.move) for turn in told.slips],
        slips_all=told is not None and told.slips_all,
    )
