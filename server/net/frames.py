"""From what happened to what is sent: the one place where positions become frames.

Only views pass through here (RULES C9): a pile is written as its ruleset lets the player see it.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, cast

import msgspec
from msgspec import UNSET

from server.actions.board_news import BoardHint
from server.actions.dates import iso
from server.actions.table import Moved, Seat, Standing, Table
from server.core.cards import CARD_TEXTS
from server.core.layout import Layout, PileSpec
from server.core.position import Flip, Position, Step
from server.core.rules import Rules
from server.net.messages import Board, BoardLine, Challenge, Played, Player, Result, SeasonLine, State, StepWire
from server.play.attempt import Attempt
from server.store.boards import Line
from server.store.boards import SeasonLine as SeasonStanding

Kind = Literal["daily", "race", "event", "practice"]
PlayerKind = Literal["guest", "account", "bot"]


def piles(rules: Rules, position: Position, names: Iterable[str] | None = None) -> dict[str, list[str]]:
    """The piles as their player may see them, bottom first; all of them, or those named."""
    held, closed = position.piles, rules.closed
    seen: dict[str, list[str]] = {}
    for name in held if names is None else names:
        pile = held[name]
        if closed is None or name in closed:
            pile = rules.view_pile(name, pile)
        seen[name] = list(map(_text, pile))
    return seen


#: Texts by card; a look-up without a loop of the interpreter, for the way of every move.
_text = CARD_TEXTS.__getitem__


@lru_cache(maxsize=4096)
def step(s: Step) -> StepWire:
    """A step as it is sent: ``["shift", from, to, count]`` with an optional turn, or ``["flip", pile]``."""
    if type(s) is Flip:
        return ("flip", s.pile)
    source, target, number, turn = s
    return ("shift", source, target, number) if turn is None else ("shift", source, target, number, turn)


def _pile(spec: PileSpec) -> dict[str, str | float]:
    return {"name": spec.name, "kind": spec.kind, "x": spec.x, "y": spec.y, "fan": spec.fan}


def layout_dict(layout: Layout) -> dict[str, object]:
    """The layout as PROTOCOL 2 writes it."""
    described: dict[str, object] = {
        "title": layout.title,
        "maximum": layout.maximum,
        "piles": [_pile(spec) for spec in layout.piles],
        "tall": [_pile(spec) for spec in layout.tall],
        "preview": {shape: [list(pair) for pair in pairs] for shape, pairs in layout.preview.items()},
    }
    if layout.fit is not None:
        described["fit"] = layout.fit
    return described


@lru_cache(maxsize=256)
def _layout(rules: Rules) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(layout_dict(rules.layout)))


def result(standing: Standing) -> Result:
    """How an attempt ended, with its rank where it has one."""
    outcome, time_ms, moves, undos, progress, score = standing.result
    return Result(
        outcome=outcome,
        rank=UNSET if standing.rank is None else standing.rank,
        of=UNSET if standing.of is None else standing.of,
        time_ms=time_ms,
        moves=moves,
        undos=undos,
        progress=progress,
        score=UNSET if score is None else score,
    )


def challenge(seat: Seat) -> Challenge:
    """The challenge of an attempt; unranked attempts are practice, whatever deal they use."""
    return Challenge(
        id=seat.challenge_id,
        kind=cast(Kind, seat.challenge_kind) if seat.ranked else "practice",
        date=seat.challenge_date if seat.challenge_date is not None else UNSET,
        closes_at=iso(seat.closes_at) if seat.closes_at is not None and seat.ranked else UNSET,
    )


def state(
    table: Table,
    attempt: Attempt,
    now_ms: int,
    winnable: bool | None,
    standing: Standing | None,
    frame_id: str | None = None,
) -> State:
    """The whole state of an attempt at an instant."""
    seat = table.seat
    return State(
        id=UNSET if frame_id is None else frame_id,
        attempt=seat.attempt_id,
        ruleset=attempt.rules.key,
        challenge=challenge(seat),
        ranked=seat.ranked,
        undo=attempt.policy.value,
        seq=attempt.seq,
        elapsed_ms=attempt.at_ms if attempt.over is not None else max(attempt.at_ms, seat.elapsed_ms(now_ms)),
        layout=_layout(attempt.rules),
        piles=piles(attempt.rules, attempt.position),
        legal=attempt.legal,
        can_undo=attempt.can_undo,
        moves=attempt.moves,
        undos=attempt.undos,
        progress=attempt.progress,
        over=attempt.over,
        winnable=winnable,
        deal_winnable=table.deal_verdict,
        commitment=seat.commitment,
        credit_ms=seat.credit_ms,
        result=UNSET if standing is None else result(standing),
    )


def played(moved: Moved, frame_id: str | None = None) -> Played:
    """The news of a stored entry."""
    attempt = moved.attempt
    last = attempt.last
    assert last is not None, "a stored entry is the last of its attempt"
    rules = attempt.rules
    return Played(
        id=UNSET if frame_id is None else frame_id,
        attempt=moved.table.seat.attempt_id,
        seq=attempt.seq,
        at_ms=last.entry.at_ms,
        move=last.entry.text,
        steps=tuple([step(s) for s in last.steps]),
        piles=piles(rules, attempt.position, last.changed),
        legal=attempt.legal,
        can_undo=attempt.can_undo,
        moves=attempt.moves,
        progress=attempt.progress,
        over=attempt.over,
        winnable=moved.winnable,
        result=UNSET if moved.standing is None else result(moved.standing),
    )


def board(hint: BoardHint, *, watching: bool, frame_id: str | None = None) -> Board:
    """A board as it stands."""
    return Board(
        id=UNSET if frame_id is None else frame_id,
        board=hint.board.reference,
        challenge=UNSET if hint.board.challenge_id is None else hint.board.challenge_id,
        watching=watching,
        total=hint.total,
        top=[_board_line(line) for line in hint.top],
        season=UNSET if hint.season is None else [_season_line(line) for line in hint.season],
    )


def _season_line(line: SeasonStanding) -> SeasonLine:
    player = Player(line.player.id, line.player.name, cast(PlayerKind, line.player.kind))
    return SeasonLine(rank=line.rank, player=player, points=line.points, counted=line.counted, played=line.played)


def _board_line(line: Line) -> BoardLine:
    return BoardLine(
        rank=line.rank,
        player=Player(line.player.id, line.player.name, cast(PlayerKind, line.player.kind)),
        attempt=line.attempt_id,
        outcome=line.outcome,
        time_ms=line.time_ms,
        moves=line.moves,
        undos=line.undos,
        progress=line.progress,
        score=UNSET if line.score is None else line.score,
    )
