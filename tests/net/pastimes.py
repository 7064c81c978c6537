"""Dailies of days to come with deals that the tests can win, and ways of playing them."""

from datetime import date, timedelta
from typing import Any

from server.actions import dailies
from server.actions.dates import midnight_ms, today
from server.games import ruleset
from server.store import challenges, plans
from server.store.challenges import ChallengeRow
from tests.net.deals import Win, wins
from tests.support.live_server import DAY, HOUR, LiveServer
from tests.support.player import Player

#: The shared winning lines of a game whose board goes by time, the shortest first: a seed is that of one daily only.
WINS: list[Win] = sorted(wins()["pyramid"], key=lambda win: len(win.moves))
WIN: Win = WINS[0]
SECOND = 1000
#: What the server does by itself, each asleep until its time.
TICKERS = 3


def day_of(server: LiveServer) -> date:
    return today(server.manual.now_ms())


async def make_daily(server: LiveServer, day: date, win: Win | None = None) -> str:
    """A daily with the deal of a winning line, by itself one that no other daily has; its id."""
    services = server.app.services
    if win is None:
        async with services.store.reading() as conn:
            used = await plans.used_seeds(conn, [line.seed for line in WINS])
        win = next(line for line in WINS if line.seed not in used)
    now = services.clock.now_ms()
    ends = midnight_ms(day + timedelta(days=1))
    row = ChallengeRow.of(
        ruleset(win.ruleset),
        win.seed,
        id=services.new_id(now),
        kind="daily",
        date=day.isoformat(),
        opens_at=midnight_ms(day),
        ends_at=ends,
        closes_at=ends + HOUR,
        created_at=now,
    )
    async with services.store.writing() as conn:
        standing, made = await challenges.insert_challenge(conn, row)
    assert made
    return standing.id


async def go_to(server: LiveServer, day: date, after_ms: int = 12 * HOUR) -> None:
    """Move the clock to a time of a day and let everything happen that is due by then."""
    instant = midnight_ms(day) + after_ms
    while server.manual.now_ms() < instant:
        server.manual.set(min(instant, server.manual.now_ms() + 12 * HOUR))
        await server.manual.parked(TICKERS)
        await dailies.close_due(server.app.services)


async def win_daily(server: LiveServer, player: Player, challenge: str, time_ms: int) -> str:
    """Win a deal of one of the winning lines in so many milliseconds; the attempt's id."""
    row = await dailies.by_id(server.app.services, challenge)
    win = next(win for win in wins()[row.ruleset] if win.seed == row.seed)
    attempt = str((await player.start(challenge))["attempt"])
    server.manual.advance(time_ms)
    for move in win.moves:
        played = await player.play(attempt, move)
        assert played["t"] == "played", played
    assert played["over"] == "won"
    return attempt


async def give_up(player: Player, challenge: str) -> str:
    """Make one move and resign: the shortest game that stands on a board."""
    state = await player.start(challenge)
    await player.play(state["attempt"], state["legal"][0])
    await player.resign(state["attempt"])
    return str(state["attempt"])


async def get(server: LiveServer, path: str, token: str | None = None, **query: Any) -> Any:
    """The body of an answer that must be one."""
    async with server.http(token) as http:
        answer = await http.get(f"/api/v1{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


__all__ = ["DAY", "SECOND", "WIN", "day_of", "get", "give_up", "go_to", "make_daily", "win_daily"]
