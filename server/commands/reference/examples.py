"""The examples of docs/protocol.md: played from first to last on one server, so each is what really happens."""

import json
from typing import Any, Final

from server.commands.reference.markdown import block, lay_out
from server.commands.reference.stage import HOUR, NOON, Line, Message, Stage, stage

#: The deal of the examples of practice; it is public, and soon found to be winnable.
SEED: Final = "7624d0f02971e79ca50f86b39c0f7c91"
#: What stands for the part of a long list that is left out.
MORE: Final = "…"
#: Such lists, and how much of each is shown.
LONG: Final = {"piles": 2, "tall": 2, "dailies": 1, "rulesets": 1, "rules": 2}
#: Milliseconds between moves.
THOUGHT: Final = 1340
#: What the server does by itself, each asleep until its time: heartbeats, days, closings.
TICKERS: Final = 3


class Talk:
    """Notes what is said on a line, as an example shows it."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._said: list[str] = []

    async def ask(self, frame: Message | str) -> Message:
        """Send something and note it with its answer."""
        self._note("→", frame)
        answer = await self._line.ask(frame)
        self._note("←", answer)
        return answer

    async def told(self) -> Message:
        """Note what comes unasked."""
        frame = await self._line.told()
        self._note("←", frame)
        return frame

    def _note(self, arrow: str, frame: Message | str) -> None:
        text = frame if isinstance(frame, str) else lay_out(_shortened(frame), 2)
        self._said.append(f"{arrow} {text}")

    def text(self) -> str:
        """What was said, as a block."""
        return block("\n".join(self._said))


def _shortened(value: Any) -> Any:
    """The value with long lists of like things cut short: the piles of a layout, the dailies, the rulesets, rules."""
    if not isinstance(value, dict):
        return value
    shown = {}
    for name, held in value.items():
        if isinstance(held, list) and len(held) > 2 and name in LONG:
            shown[name] = [*map(_shortened, held[: LONG[name]]), MORE]
        else:
            shown[name] = _shortened(held)
    return shown


async def examples() -> tuple[dict[str, str], Message]:
    """All examples by the name of their block, and the server's own description of its HTTP API."""
    async with stage() as server:
        shown = {}
        line, token = await server.player("Ada")
        shown["example hello"] = await _hello(server, token)
        shown["example start"], daily = await _start(line)
        shown["example play"] = await _play(server, line, daily)
        shown["example repeat"] = await _repeat(server, line, daily)
        shown["example refusals"] = await _refusals(line, daily)
        shown["example tabs"] = await _tabs(server, line, token, daily)
        shown["example turns"] = await _turns(server, line)
        shown["example practice"] = await _practice(server, line)
        shown["example resign"], ended = await _resign(server, line)
        shown["example watch"] = await _watch(server)
        shown["example errors"] = await _errors(server, line)
        shown |= await _requests(server, token)
        shown |= await _close(server, line, daily, ended)
        return shown, await server.request("GET", "/api/v1/openapi.json")


async def _hello(server: Stage, token: str) -> str:
    talk = Talk(server.line())
    await talk.ask({"t": "hello", "id": "1", "v": 1, "token": token})
    await talk.ask({"t": "ping", "id": "2"})
    return talk.text()


async def _start(line: Line) -> tuple[str, str]:
    talk = Talk(line)
    state = await talk.ask({"t": "start", "id": "3", "challenge": "daily/today/pyramid"})
    return talk.text(), state["attempt"]


async def _play(server: Stage, line: Line, attempt: str) -> str:
    talk = Talk(line)
    for seq, move in enumerate(("s", "p24p25")):
        server.clock.advance(THOUGHT)
        await talk.ask({"t": "play", "id": str(4 + seq), "attempt": attempt, "seq": seq, "move": move})
    server.clock.advance(THOUGHT)
    await talk.ask({"t": "undo", "id": "6", "attempt": attempt, "seq": 2})
    return talk.text()


async def _repeat(server: Stage, line: Line, attempt: str) -> str:
    talk = Talk(line)
    for number in (7, 8):
        server.clock.advance(THOUGHT)
        await talk.ask({"t": "play", "id": str(number), "attempt": attempt, "seq": 3, "move": "p23"})
    return talk.text()


async def _refusals(line: Line, attempt: str) -> str:
    talk = Talk(line)
    for number, (seq, move) in enumerate(((4, "p1"), (4, "P24"), (4, "p99"), (0, "s")), 9):
        await talk.ask({"t": "play", "id": str(number), "attempt": attempt, "seq": seq, "move": move})
    await line.told()  # the state that follows attempt/stale
    return talk.text()


async def _tabs(server: Stage, line: Line, token: str, attempt: str) -> str:
    other = server.line()
    await other.ask({"t": "hello", "v": 1, "token": token})
    await other.ask({"t": "sync", "attempt": attempt})
    server.clock.advance(THOUGHT)
    await line.ask({"t": "play", "attempt": attempt, "seq": 4, "move": "s"})
    talk = Talk(other)
    await talk.told()
    return talk.text()


async def _turns(server: Stage, line: Line) -> str:
    """Foursquare, to the first move that turns other piles, which is all that is shown."""
    state = await line.ask({"t": "start", "challenge": "daily/today/foursquare"})
    attempt, seq, legal = state["attempt"], 0, state["legal"]
    while True:
        server.clock.advance(THOUGHT)
        asked = {"t": "play", "id": "13", "attempt": attempt, "seq": seq, "move": legal[0]}
        answer = await line.ask(asked)
        if any(step[0] == "flip" for step in answer["steps"]):
            return _shown(asked, answer)
        seq, legal = answer["seq"], answer["legal"]


async def _practice(server: Stage, line: Line) -> str:
    talk = Talk(line)
    state = await talk.ask({"t": "practice", "id": "14", "ruleset": "bakers-dozen", "seed": SEED})
    await talk.told()  # the verdict that is late
    hint = await talk.ask({"t": "hint", "id": "14a", "attempt": state["attempt"]})
    server.clock.advance(THOUGHT)
    await talk.ask({"t": "play", "id": "15", "attempt": state["attempt"], "seq": 0, "move": hint["move"]})
    await talk.ask({"t": "practice", "id": "16", "challenge": "daily/today/pyramid"})
    return talk.text()


async def _resign(server: Stage, line: Line) -> tuple[str, str]:
    for name in ("Ben", "Ada"):
        player = line if name == "Ada" else (await server.player(name))[0]
        state = await player.ask({"t": "start", "challenge": "daily/today/thirteen"})
        attempt, seq = state["attempt"], 0
        for move in state["legal"][: 2 if name == "Ada" else 1]:
            server.clock.advance(THOUGHT)
            await player.ask({"t": "play", "attempt": attempt, "seq": seq, "move": move})
            seq += 1
        talk = Talk(player)
        await talk.ask({"t": "undo", "id": "17", "attempt": attempt, "seq": seq})
        server.clock.advance(THOUGHT)
        await talk.ask({"t": "resign", "id": "18", "attempt": attempt, "seq": seq})
        await talk.ask({"t": "play", "id": "19", "attempt": attempt, "seq": seq + 1, "move": "s"})
    return talk.text(), attempt


async def _watch(server: Stage) -> str:
    """Somebody who has not said hello looks at a board."""
    talk = Talk(server.line())
    await talk.ask({"t": "board.watch", "id": "29", "challenge": "daily/today/thirteen"})
    await talk.ask({"t": "board.unwatch", "id": "30", "challenge": "daily/today/thirteen"})
    return talk.text()


async def _errors(server: Stage, line: Line) -> str:
    stranger = Talk(server.line())
    await stranger.ask({"t": "sync", "id": "20", "attempt": "019cd79e"})
    await stranger.ask({"t": "hello", "id": "21", "v": 2})
    await stranger.ask({"t": "hello", "id": "22", "v": 1, "token": "guess"})
    talk = Talk(line)
    await talk.ask({"t": "dance", "id": "23"})
    await talk.ask({"t": "play", "id": "24", "attempt": 7})
    await talk.ask("hello?")
    await talk.ask({"t": "sync", "id": "25", "attempt": "019cd79e"})
    await talk.ask({"t": "start", "id": "26", "challenge": "daily/today/klondike"})
    await talk.ask({"t": "start", "id": "27", "challenge": "daily/tomorrow/pyramid"})
    await talk.ask({"t": "practice", "id": "28", "ruleset": "pyramid", "seed": "abc"})
    return block("\n".join(part.text()[4:-4] for part in (stranger, talk)))


async def _requests(server: Stage, token: str) -> dict[str, str]:
    calls: list[tuple[str, str, str, Message | None, str | None]] = [
        ("example guests", "POST", "/api/v1/guests", {"name": "Cleo"}, None),
        ("example me", "GET", "/api/v1/me", None, token),
        ("example rulesets", "GET", "/api/v1/rulesets", None, None),
        ("example today", "GET", "/api/v1/dailies/today", None, token),
        ("example tomorrow", "GET", "/api/v1/dailies/tomorrow", None, None),
        ("example board", "GET", "/api/v1/boards/daily/today/thirteen?limit=1", None, token),
        ("example refusal", "GET", "/api/v1/dailies/2019-01-01", None, None),
    ]
    shown = {}
    for name, method, target, body, who in calls:
        answer = await server.request(method, target, body, who)
        shown[name] = _exchange(method, target, body, who, answer)
    return shown


def _exchange(method: str, target: str, body: Message | None, token: str | None, answer: Message) -> str:
    lines = [f"→ {method} {target}"]
    if token is not None:
        lines.append(f"  Authorization: Bearer {token}")
    if body is not None:
        lines.append(f"  {json.dumps(body)}")
    return block("\n".join((*lines, f"← {lay_out(_shortened(answer), 2)}")))


async def _close(server: Stage, line: Line, daily: str, ended: str) -> dict[str, str]:
    """The day of the examples goes by: what is open is ended, then the seed is public."""
    await server.clock.parked(TICKERS)
    before = await server.request("GET", f"/api/v1/attempts/{ended}")
    for hours in (12, 13):  # midnight: dailies are made; an hour later those of the day before close
        server.clock.set(NOON + hours * HOUR)
        await server.clock.parked(TICKERS)
    told = [await line.told(), await line.told()]  # of pyramid and foursquare, in either order
    news = next(frame for frame in told if frame["attempt"] == daily)
    record = await server.request("GET", f"/api/v1/attempts/{ended}")
    target = f"/api/v1/attempts/{ended}"
    season = "/api/v1/boards/season/week/thirteen?limit=1"
    shown = await server.request("GET", season)
    return {
        "example season": _exchange("GET", season, None, None, shown),
        "example close": block(f"← {lay_out(news, 2)}"),
        "example early": _exchange("GET", target, None, None, before),
        "example record": _exchange("GET", target, None, None, record),
    }


def _shown(asked: Message, answer: Message) -> str:
    return block(f"→ {lay_out(asked, 2)}\n← {lay_out(answer, 2)}")


def parsed(text: str) -> list[tuple[str, Any]]:
    """What an example says: an arrow and a JSON value, or text where it is none. The reverse of what is shown."""
    said: list[tuple[str, Any]] = []
    for part in text.replace("\n→ ", "\n\0→ ").replace("\n← ", "\n\0← ").split("\n\0"):
        arrow, _, rest = part.partition(" ")
        try:
            said.append((arrow, json.loads(rest)))
        except ValueError:
            said.append((arrow, rest))
    return said
