"""Pieces of Markdown, and JSON laid out for reading."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

#: Columns of a code block.
WIDTH: Final = 116


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; bars inside cells are escaped."""
    lines = [_row(head), "|" + "---|" * len(head), *map(_row, rows)]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def block(text: str, language: str = "") -> str:
    """A code block."""
    return f"```{language}\n{text}\n```"


def lay_out(value: Any, indent: int = 0) -> str:
    """JSON in lines of at most :data:`WIDTH` columns where that is possible; what fits into one stays in one."""
    flat = json.dumps(value, ensure_ascii=False)
    if indent + len(flat) <= WIDTH or not isinstance(value, dict | list) or not value:
        return flat
    inside = indent + 2
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {lay_out(held, inside)}" for key, held in value.items()]
    else:
        parts = [lay_out(held, inside) for held in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{_filled(parts, inside)}\n{' ' * indent}{closing}"


def _filled(parts: list[str], indent: int) -> str:
    """Parts divided by commas, as many in a line as go in."""
    lines: list[str] = []
    for number, part in enumerate(parts, 1):
        piece = part if number == len(parts) else part + ","
        joined = f"{lines[-1]} {piece}" if lines else ""
        if lines and "\n" not in joined and len(joined) <= WIDTH:
            lines[-1] = joined
        else:
            lines.append(" " * indent + piece)
    return "\n".join(lines)
