"""The pages of docs/ that the code makes, wholly or in blocks from ``<!-- generated: NAME -->`` to ``<!-- end -->``."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from server.commands.reference import http, numbers
from server.commands.reference.examples import examples
from server.commands.reference.rules_pages import rules_pages
from server.commands.reference.types import doc, fields_table, nested
from server.commands.reference.words import ANSWERS, UndocumentedError, words_for
from server.net.messages import CLIENT_MESSAGES, SERVER_MESSAGES

#: Pages written by hand around generated blocks.
MIXED: Final = ("protocol.md", "operations.md", "admin.md")

_BLOCK: Final = re.compile(r"(<!-- generated: ([a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def made(folder: Path) -> dict[Path, str]:
    """Every page of the folder that the code has a part in, as it ought to be.

    Raises :class:`UndocumentedError` where words are missing, or a block has no place or no content.
    """
    blocks = asyncio.run(_blocks())
    pages = {folder / "rules" / name: text for name, text in rules_pages().items()}
    unused = set(blocks)
    for name in MIXED:
        text = (folder / name).read_text(encoding="utf-8")
        unused -= {found[2] for found in _BLOCK.finditer(text)}
        pages[folder / name] = filled(text, blocks)
    if unused:
        raise UndocumentedError(f"no page has a place for: {', '.join(sorted(unused))}")
    return pages


def filled(text: str, blocks: dict[str, str]) -> str:
    """The page with its generated blocks as they ought to be. Raises :class:`UndocumentedError` for unknown ones."""
    unknown = {found[2] for found in _BLOCK.finditer(text)} - set(blocks)
    if unknown:
        raise UndocumentedError(f"nothing makes: {', '.join(sorted(unknown))}")
    return _BLOCK.sub(lambda found: f"{found[1]}\n{blocks[found[2]]}\n\n{found[3]}", text)


async def _blocks() -> dict[str, str]:
    shown, description = await examples()
    return shown | {
        "client messages": _messages(CLIENT_MESSAGES, ANSWERS),
        "server messages": _messages(SERVER_MESSAGES, {}),
        "objects": _objects(),
        "codes": numbers.codes(),
        "limits": numbers.limits(),
        "metrics": numbers.metrics(),
        "routes": http.routes(description),
        "bodies": http.bodies(description),
        "roles": numbers.roles(),
        "admin routes": http.actions(description),
    }


def _messages(messages: tuple[type[msgspec.Struct], ...], answers: dict[str, str]) -> str:
    return "\n\n".join("\n\n".join(_message(message, answers)) for message in messages)


def _message(message: type[msgspec.Struct], answers: dict[str, str]) -> Iterator[str]:
    tag = str(message.__struct_config__.tag)
    yield f"#### `{tag}`"
    yield doc(message)
    yield fields_table(message, tag)
    if answers:
        yield f"Answer: {words_for('message', answers, tag)}."


def _objects() -> str:
    inside = nested((*CLIENT_MESSAGES, *SERVER_MESSAGES))
    return "\n\n".join(f"#### {one.__name__}\n\n{doc(one)}\n\n{fields_table(one, one.__name__)}" for one in inside)


def stale(pages: dict[Path, str]) -> list[Path]:
    """The pages whose file says something else, or is not there."""
    return [page for page, text in pages.items() if not page.is_file() or page.read_text(encoding="utf-8") != text]


def left_over(folder: Path, pages: dict[Path, Any]) -> list[Path]:
    """Pages of rulesets that there are no more."""
    return sorted(set((folder / "rules").glob("*.md")) - {*pages, folder / "rules" / "numbers.md"})
