"""Exports of boards: every line, as CSV for spreadsheets or as a JSON object a line, sent while it is read.

A name may begin with a sign that a spreadsheet takes for a formula; such a cell gets an apostrophe in front, so that
opening a file runs nothing. Where a spreadsheet divides by semicolons, as in half of Europe, a name with one is taken
apart whatever quotes are around it, so what follows a semicolon is guarded like a beginning. CSV begins with a mark by
which spreadsheets know UTF-8.
"""

import csv
import io
import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final, Literal

from fastapi.responses import StreamingResponse

Format = Literal["csv", "ndjson"]

#: What begins a formula in one spreadsheet or another.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")

#: Where another divider than the comma would begin a cell that is a formula. A quote there is no part of the cell.
_DIVIDED: Final = re.compile(r"""([;|][\s"']*)(?=[=+\-@])""")

#: What a file in UTF-8 begins with, for programs that would take it for something else.
_MARK: Final = b"\xef\xbb\xbf"

_TYPES: Final[dict[Format, str]] = {"csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson"}

#: A file, in the two forms that can be asked for, for the description of a route.
FILE: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "the file",
        "content": {
            "text/csv": {"schema": {"type": "string"}},
            "application/x-ndjson": {"schema": {"type": "string"}},
        },
    }
}

Fields = dict[str, str | int | None]


def safe_cell(value: str | int | None) -> str | int:
    """A value as a spreadsheet may read it: text that looks like a formula is quoted, nothing is an empty cell."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    guarded = _DIVIDED.sub(r"\1'", value)
    return f"'{guarded}" if value.lstrip(' "').startswith(_FORMULA) else guarded


def export(
    batches: AsyncIterator[list[Any]],
    fields: Callable[[Any], Fields],
    columns: Sequence[str],
    form: Format,
    name: str,
) -> StreamingResponse:
    """The lines of all batches as a file to be saved under ``name``; ``fields`` makes named values of a line."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"', "X-Content-Type-Options": "nosniff"}
    return StreamingResponse(lines(batches, fields, columns, form), media_type=_TYPES[form], headers=headers)


def lines(
    batches: AsyncIterator[list[Any]], fields: Callable[[Any], Fields], columns: Sequence[str], form: Format
) -> AsyncIterator[bytes]:
    """The bytes of a file, a part for each batch."""
    return _csv(batches, fields, columns) if form == "csv" else _ndjson(batches, fields)


async def _csv(
    batches: AsyncIterator[list[Any]], fields: Callable[[Any], Fields], columns: Sequence[str]
) -> AsyncIterator[bytes]:
    page = io.StringIO()
    writer = csv.writer(page, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(columns)
    yield _MARK
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
