"""A bot: plays today's daily of every game by the protocol alone. Usage: python bot.py [http://localhost:8000]."""

import itertools
import json
import sys
import time
import urllib.request

from websockets.sync.client import connect

LONGEST = 120  # moves; a game that takes more is resigned


def call(url, body=None):
    """The answer to a GET, or with a body to a POST."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})  # noqa: S310 - our own address
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        return json.load(answer)


def play(ask, ruleset):
    """Play a daily to its end, with the first legal move that was not tried since the last progress; the last news."""
    news = ask("start", challenge=f"daily/today/{ruleset}")
    attempt, best, tried = news["attempt"], -1, set()
    while news["over"] is None:
        if news["progress"] > best:
            best, tried = news["progress"], set()
        here = {"attempt": attempt, "seq": news["seq"]}
        if news["legal"] and news["moves"] < LONGEST and news["winnable"] is not False:
            move = next((move for move in news["legal"] if move not in tried), news["legal"][0])
            tried.add(move)
            news = ask("play", move=move, **here)
        else:
            news = ask("resign", **here)
    return news


def main(address):
    """Make a guest, say hello and play."""
    token = call(f"{address}/api/v1/guests", {"name": "Example bot"})["token"]
    with connect(address.replace("http", "ws", 1) + "/ws") as socket:
        numbers, pace = itertools.count(1), 0.0

        def ask(tag, **fields):
            number = f"{next(numbers)}"
            time.sleep(pace)
            socket.send(json.dumps({"t": tag, "id": number, **fields}))
            answer = next(news for frame in socket if (news := json.loads(frame)).get("id") == number)
            return answer if answer["t"] not in ("error", "rejected") else sys.exit(f"refused: {answer}")

        count, seconds = ask("hello", v=1, token=token)["limits"].get("messages", (1, 0))
        pace = seconds / count
        for daily in call(f"{address}/api/v1/dailies/today")["dailies"]:
            print(daily["ruleset"], play(ask, daily["ruleset"])["result"])


main(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000")
