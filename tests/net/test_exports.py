"""Boards as files: whole, in order, and harmless in a spreadsheet; and answers that are not sent twice."""

import csv
import io
import json

import pytest

from server.actions import boards
from server.net.exports import safe_cell
from tests.net.pastimes import SECOND, WIN, get, give_up, win_daily
from tests.support.live_server import LiveServer


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", '"=1', ' "=1'])
def test_text_that_a_spreadsheet_would_run_is_quoted(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("Ada;=1+1", "Ada;'=1+1"),
        ("a; -1;@b", "a; '-1;'@b"),
        ("=1;=2", "'=1;'=2"),
        ("a|+1", "a|'+1"),
        ("a;b", "a;b"),
        ('a;"=1;b', "a;\"'=1;b"),
        ("a;'=1", "a;''=1"),
        ('a| "@x', "a| \"'@x"),
    ],
)
def test_text_that_would_be_one_where_a_semicolon_divides_is_quoted_there(text: str, cell: str) -> None:
    """No quotes help: such a spreadsheet sees them in the middle of a cell and takes the name apart all the same."""
    assert safe_cell(text) == cell


@pytest.mark.parametrize("value", ["Ada", "O'Neil-7", 5, -5, "1+1", "ليلى"])
def test_everything_else_is_left_as_it_is(value: str | int) -> None:
    assert safe_cell(value) == value
    assert safe_cell(None) == ""


async def test_a_board_is_a_file_in_its_order_whatever_the_size_of_a_batch(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards, "BATCH", 2)
    challenge = await server.make_challenge(WIN.ruleset, WIN.seed)
    for name in ("=A1+cmd", 'Quote "," me', "Ben", "Ben", "Cem"):
        async with server.playing(name) as player:
            if name == "Ben":
                await win_daily(server, player, challenge, 5 * SECOND)
            else:
                await give_up(player, challenge)
    board = await get(server, f"/boards/challenge/{challenge}")
    async with server.http() as http:
        sheet = await http.get(f"/api/v1/boards/challenge/{challenge}/export")
        lines = await http.get(f"/api/v1/boards/challenge/{challenge}/export", params={"format": "ndjson"})
        for path in (f"season/all/{WIN.ruleset}", f"records/{WIN.ruleset}", f"daily/today/{WIN.ruleset}"):
            answer = await http.get(f"/api/v1/boards/{path}/export", params={"format": "ndjson"})
            assert answer.status_code == 200, answer.text
            assert len(answer.text.splitlines()) == (2 if path.startswith("records") else 0)
        assert (
            await http.get(f"/api/v1/boards/challenge/{challenge}/export", params={"format": "xls"})
        ).status_code == 400
    assert sheet.headers["content-type"] == "text/csv; charset=utf-8"
    assert sheet.headers["content-disposition"].startswith('attachment; filename="samedeal-')
    assert sheet.content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(sheet.content.decode("utf-8-sig"))))
    assert [(int(row["rank"]), row["player_id"]) for row in rows] == [
        (row["rank"], row["player"]["id"]) for row in board["rows"]
    ]
    assert "'=A1+cmd" in [row["player"] for row in rows]
    objects = [json.loads(line) for line in lines.text.splitlines()]
    assert [(row["rank"], row["player"], row["time_ms"]) for row in objects] == [
        (row["rank"], row["player"]["name"], row["time_ms"]) for row in board["rows"]
    ]


async def test_a_file_is_named_by_its_board_and_by_whom_it_shows(server: LiveServer) -> None:
    _, token = await server.guest("Ada")
    async with server.http(token) as http:
        for path, query, name in (
            ("daily/today/pyramid", {}, "samedeal-2026-03-10-pyramid-main.csv"),
            ("daily/today/pyramid", {"by": "moves", "who": "bots"}, "samedeal-2026-03-10-pyramid-moves-bots.csv"),
            ("season/week/pyramid", {"who": "accounts"}, "samedeal-2026-W11-pyramid-accounts.csv"),
            ("season/month/pyramid", {"friends": "1"}, "samedeal-2026-03-pyramid-friends.csv"),
            ("records/pyramid", {"format": "ndjson"}, "samedeal-records-pyramid-time.ndjson"),
        ):
            answer = await http.get(f"/api/v1/boards/{path}/export", params=query)
            assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'


async def test_an_answer_that_is_known_is_not_sent_again(server: LiveServer) -> None:
    path = "/api/v1/boards/daily/today/pyramid"
    async with server.playing("Ada") as ada, server.http() as http, server.http(ada.token) as own:
        first = await http.get(path)
        assert first.headers["cache-control"] == "public, max-age=1"
        assert (await own.get(path)).headers["cache-control"] == "private, no-cache"
        assert "Authorization" in first.headers["vary"]
        mark = first.headers["etag"]
        for known in (mark, mark.removeprefix("W/"), f'"x", {mark}', "*"):
            again = await http.get(path, headers={"If-None-Match": known})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", mark), known
        await give_up(ada, "daily/today/pyramid")
        changed = await http.get(path, headers={"If-None-Match": mark})
        assert (changed.status_code, changed.json()["total"]) == (200, 1)
