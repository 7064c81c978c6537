"""The bot of docs/bot.py plays all dailies of a real server, needs nothing but `websockets`, and stays short."""

import ast
import asyncio
import sys
from pathlib import Path

import pytest

from server.actions.dailies import daily_rulesets
from server.clock import SystemClock
from server.net import session
from tests.support.live_server import live_server

BOT = Path(__file__).parents[2] / "docs" / "bot.py"


def test_it_is_short_and_needs_the_websockets_package_only() -> None:
    source = BOT.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 60
    imports = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""])
    }
    assert imports - sys.stdlib_module_names == {"websockets"}


async def test_it_plays_every_daily_to_its_end_and_stands_on_the_boards(sqlite_url: str, tmp_path: Path) -> None:
    rulesets = [rules.key for rules in daily_rulesets()]
    async with live_server(sqlite_url, tmp_path, sandbox=True) as server, server.http() as http:
        bot = await asyncio.create_subprocess_exec(
            sys.executable, "-W", "error", str(BOT), server.base_url, stdout=asyncio.subprocess.PIPE
        )
        output, _ = await bot.communicate()
        assert bot.returncode == 0
        assert [line.split()[0] for line in output.decode().splitlines()] == rulesets
        for key in rulesets:
            board = (await http.get(f"/api/v1/boards/daily/today/{key}")).json()
            assert [row["rank"] for row in board["rows"]] == [1], key
            assert board["rows"][0]["outcome"] in ("won", "lost", "resigned"), key
            assert board["rows"][0]["moves"] > 0


async def test_it_keeps_to_the_limits_that_it_is_told(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a stricter server and in real time: a bot that did not wait would be refused."""
    monkeypatch.setattr(session, "BURST", 60)
    monkeypatch.setattr(session, "PER_SECOND", 60)
    async with live_server(sqlite_url, tmp_path, SystemClock()) as server:
        bot = await asyncio.create_subprocess_exec(
            sys.executable, str(BOT), server.base_url, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        output, complaint = await bot.communicate()
    assert (bot.returncode, complaint) == (0, b"")
    assert len(output.splitlines()) == len(daily_rulesets())
