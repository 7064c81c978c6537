"""ARCHITECTURE.md, CONTRIBUTING.md and design.md name files and functions that are there."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, read

PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/design.md", "docs/bots.md")
#: A file that a recipe makes up.
INVENTED = {"0002_friends.py"}
FOLDERS = ("client_web", "docs", "migrations", "server", "tests")
#: Fields of messages that hold objects; what they hold is described in protocol.md.
FIELDS = {"layout"}


@cache
def members() -> dict[str, set[str]]:
    """Names by the module or class that they belong to; a module goes by its last name."""
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / "server").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        module = path.stem if path.stem != "__init__" else path.parent.name
        _collect(tree, module, found)
    return found


def _collect(owner: ast.Module | ast.ClassDef, name: str, found: dict[str, set[str]]) -> None:
    names = found.setdefault(name, set())
    for node in owner.body:
        if isinstance(node, ast.ClassDef):
            names.add(node.name)
            _collect(node, node.name, found)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}


def spans(text: str) -> list[str]:
    """Everything in backquotes."""
    return re.findall(r"`([^`\n]+)`", text)


def unknown(text: str) -> list[str]:
    """Files, classes and functions that a text names and that are not there."""
    known = members()
    everything = {*known, "None"}.union(*known.values())
    missing = []
    for span in spans(text):
        if re.match(rf"({'|'.join(FOLDERS)})/", span):
            if "…" not in span and not (ROOT / span).exists() and Path(span).name not in INVENTED:
                missing.append(span)
        elif found := re.fullmatch(r"([A-Za-z]\w*)\.(_?[a-z]\w*|[A-Z]\w*)(\(.*\))?", span):
            owner, name = found[1], found[2]
            named = name in known.get(owner, ()) or owner in FIELDS or (ROOT / span).is_file()
            if not named and span not in INVENTED:
                missing.append(span)
        elif re.fullmatch(r"[A-Z][a-z]+([A-Z][a-z]+)*", span) and span not in everything:
            missing.append(span)
    return missing


@pytest.mark.parametrize("page", PAGES)
def test_files_and_functions_that_a_page_names_exist(page: str) -> None:
    assert unknown(read(page)) == []


def test_what_does_not_exist_would_be_seen() -> None:
    text = "`server/net/nowhere.py` `Session.fed` `codec.decode` `Sessions` `Session` `server/net/codec.py`"
    assert unknown(text) == ["server/net/nowhere.py", "Session.fed", "Sessions"]


def test_every_folder_of_the_server_has_its_line() -> None:
    rooms = read("ARCHITECTURE.md").partition("## Rooms")[2].partition("## What")[0]
    folders = {path.parent.name for path in (ROOT / "server").glob("*/__init__.py")}
    assert sorted(folder for folder in folders if f"`server/{folder}/`" not in rooms) == []


def test_the_way_of_one_move_names_each_hop() -> None:
    way = read("ARCHITECTURE.md").partition("## Rooms")[0]
    hops = (
        "SocketProtocol.handle_text",
        "Session.feed",
        "codec.decode",
        "Table.request",
        "Attempt.play",
        "House.append",
        "Recorder.submit",
        "Table._answer",
        "frames.played",
        "SocketProtocol.send_frame",
    )
    found = [way.find(f"`{hop}`") for hop in hops]
    assert -1 not in found
    assert found == sorted(found)
