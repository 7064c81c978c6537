"""What the documents promise of commands, settings, signs of life, backups and close codes is so."""

import asyncio
import os
import re
import sqlite3
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from server.cli import app
from server.net import session, socket_protocol
from server.net.messages import MAX_FRAME
from server.settings import PREFIX, Settings
from tests.docs.pages import PAGES, ROOT, read
from tests.support.live_server import LiveServer, live_server

COMMANDS = typer.main.get_command(app)


def options_of(words: list[str]) -> set[str] | None:
    """The options of a command named by words, None where there is no such command."""
    command = COMMANDS
    for word in words:
        commands = getattr(command, "commands", {})
        if word not in commands:
            return None
        command = commands[word]
    return {option for parameter in command.params for option in parameter.opts} | {"--help", "--version"}


def invocations() -> list[tuple[str, str]]:
    """Every command line of ours in the documents, with its page; the changelog tells of what was."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        lines = re.findall(r"`(samedeal [^`\n]+)`|^(?:\$ |.*[|;&] *)?(samedeal [a-z].*)$", text, re.MULTILINE)
        found += [(inline or block, page.relative_to(ROOT).as_posix()) for inline, block in lines]
    return found


def test_every_command_that_a_document_names_exists_with_its_options() -> None:
    wrong = []
    for line, page in invocations():
        if "COMMAND" in line or "dael" in line or line == "samedeal --help":  # the page on mistyped commands
            continue
        words = re.split(r"[|;]", line)[0].split()[1:]
        names = [word for word in words[:3] if re.fullmatch("[a-z]+", word)]
        options = options_of(names) or options_of(names[:2]) or options_of(names[:1])
        flags = set(re.findall(r"(?<![\w-])--[a-z-]+", line))
        if options is None or (names and not flags <= options):
            wrong.append(f"{line} in {page}")
    assert len(invocations()) > 30
    assert wrong == []


def test_settings_that_documents_name_exist() -> None:
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
    known |= {f"{name}_FILE" for name in known} | {
        f"{PREFIX}PUBLISH",
        f"{PREFIX}COMPILE",
    }  # read by docker-compose.yml and hatch_build.py
    for page in PAGES:
        named = set(re.findall(rf"\b{PREFIX}(?!TEST_)[A-Z]+(?:_[A-Z]+)*\b", page.read_text(encoding="utf-8")))
        assert named <= known, page.name


# --- close codes ---------------------------------------------------------------------------------------------------


async def closed_after(server: LiveServer, *frames: str | bytes) -> int | None:
    """The code with which the server closes a socket that sends these frames."""
    async with connect(server.socket_url, compression=None) as socket:
        try:
            for frame in frames:
                await socket.send(frame)
            while True:
                await asyncio.wait_for(socket.recv(), 60)
        except ConnectionClosed:
            return socket.close_code


async def closed_after_broken_text(server: LiveServer) -> int | None:
    async with connect(server.socket_url, compression=None) as socket:
        await socket.send(b"\xff", text=True)
        await asyncio.wait_for(socket.wait_closed(), 60)
        return socket.close_code


async def test_every_close_code_is_listed_and_used(sqlite_url: str, tmp_path: Path) -> None:
    listed = {int(code) for code in re.findall(r"^\| (1\d\d\d) \|", read("docs/protocol.md"), re.MULTILINE)}
    async with live_server(sqlite_url, tmp_path) as server:
        pings = ['{"t":"ping"}'] * (session.BURST + session.PATIENCE + 1)
        seen = {
            await closed_after(server, b"binary"),
            await closed_after_broken_text(server),
            await closed_after(server, "x" * (MAX_FRAME + 1)),
            await closed_after(server, *pings),
        }
        assert seen == {1003, 1007, 1009, session.POLICY_VIOLATION}
        async with connect(server.socket_url, compression=None) as socket:
            await server.stop()
            await asyncio.wait_for(socket.wait_closed(), 60)
            assert socket.close_code == 1012
    silence = 1011  # after forty seconds, by uvicorn
    assert listed == {*seen, 1012, silence, socket_protocol.TOO_SLOW}


# --- operations ----------------------------------------------------------------------------------------------------


async def test_signs_of_life(sqlite_url: str, tmp_path: Path) -> None:
    async with live_server(sqlite_url, tmp_path) as server, server.http() as http:
        assert [(await http.get(path)).status_code for path in ("/healthz", "/readyz", "/metrics")] == [200, 200, 404]

        def out_of_reach() -> None:
            raise OSError("the database is gone")

        server.app.services.store.reading = out_of_reach  # type: ignore[method-assign, assignment]
        assert [(await http.get(path)).status_code for path in ("/healthz", "/readyz")] == [200, 503]
        del server.app.services.store.reading
        assert (await http.get("/readyz")).status_code == 200


async def test_the_backup_of_a_running_server_holds_what_was_acknowledged(sqlite_url: str, tmp_path: Path) -> None:
    command = re.search(r"^```\n(python3 -c .*?)\n```$", read("docs/operations.md"), re.MULTILINE | re.DOTALL)
    assert command is not None
    (tmp_path / "backup").mkdir()
    line = command[1].replace("python3 ", f"'{sys.executable}' ", 1).replace("/backup/", f"{tmp_path}/backup/")
    async with live_server(sqlite_url, tmp_path) as server, server.playing() as player:
        state = await player.start("daily/today/pyramid")
        for _ in range(3):
            await player.play(state["attempt"], "s")
        environment = os.environ | {"SAMEDEAL_DATA_DIR": str(tmp_path)}
        await asyncio.to_thread(subprocess.run, ["bash", "-c", line], check=True, env=environment, timeout=60)
    copies = list((tmp_path / "backup").glob("samedeal-*.db"))
    assert len(copies) == 1
    connection = sqlite3.connect(copies[0])
    try:
        assert connection.execute("SELECT count(*) FROM log").fetchone() == (3,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        connection.close()


@pytest.mark.parametrize("name", ["README.md", "docs/operations.md"])
def test_ways_to_install_name_extras_that_exist(name: str) -> None:
    extras = tomllib.loads(read("pyproject.toml"))["project"]["optional-dependencies"]
    assert set(re.findall(r"samedeal\[(\w+)\]", read(name))) <= set(extras)
    assert "pip install ." in read(name)
