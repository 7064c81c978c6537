"""Exports of boards: every line, as CSV for spreadsheets or as a JSON object a line, sent while it is read.

A name may begin with a sign that a spreadsheet takes for a formula; such a cell gets an apostrophe in front, so that
opening a file runs nothing.
"""

import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final, Literal

from fastapi.responses import StreamingResponse

Format = Literal["csv", "ndjson"]

#: What begins a formula in one spreadsheet or another.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")

_TYPES: Final[dict[Format, str]] = {"csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson"}

Fields = dict[str, str | int | None]


def safe_cell(value: str | int | None) -> str | int:
    """A value as a spreadsheet may read it: text that looks like a formula is quoted, nothing is an empty cell."""
    if value is None:
        return ""
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA):
        return f"'{value}"
    return value


def export(
    batches: AsyncIterator[list[Any]],
    fields: Callable[[Any], Fields],
    columns: Sequence[str],
    form: Format,
    name: str,
) -> StreamingResponse:
    """The lines of all batches as a file to be saved under ``name``; ``fields`` makes named values of a line."""
    lines = _csv(batches, fields, columns) if form == "csv" else _ndjson(batches, fields)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"', "X-Content-Type-Options": "nosniff"}
    return StreamingResponse(lines, media_type=_TYPES[form], headers=headers)


async def _csv(
    batches: AsyncIterator[list[Any]], fields: Callable[[Any], Fields], columns: Sequence[str]
) -> AsyncIterator[bytes]:
    page = io.StringIO()
    writer = csv.writer(page)
    writer.writerow(columns)
    async for batch in batches:
        for line in batch:
            values = fields(line)
            writer.writerow([safe_cell(values[column]) for column in columns])
        yield page.getvalue().encode()
        page.seek(0)
        page.truncate()


async def _ndjson(batches: AsyncIterator[list[Any]], fields: Callable[[Any], Fields]) -> AsyncIterator[bytes]:
    async for batch in batches:
        yield "".join(json.dumps(fields(line), ensure_ascii=False) + "\n" for line in batch).encode()
