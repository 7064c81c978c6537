"""The HTTP API in words, read from its own OpenAPI description."""

from collections.abc import Iterator
from typing import Any, Final

from server.commands.reference.markdown import table
from server.commands.reference.words import UndocumentedError

Schema = dict[str, Any]

#: Objects whose form is explained by hand, by the beginning of their title.
_EXPLAINED: Final = {"Layout": "[layout](#layout)", "Response Attempt": "[record](#record)"}
#: The framework's own description of a refusal that the server words otherwise (``protocol/malformed``).
_NOT_OURS: Final = ("HTTPValidationError", "ValidationError")


def routes(description: Schema) -> str:
    """Every route: what it does, what it takes, and what it answers."""
    return "\n\n".join(
        _route(method.upper(), path, operation)
        for path, operations in description["paths"].items()
        for method, operation in operations.items()
    )


def actions(description: Schema) -> str:
    """The routes of admins with the action that each is."""
    rows = (
        (f"`{operation['x-action']}`", f"`{method.upper()} {path}`", operation["summary"])
        for path, operations in description["paths"].items()
        for method, operation in operations.items()
        if "x-action" in operation
    )
    return table(("action", "call", "what"), sorted(rows))


def bodies(description: Schema) -> str:
    """Every body, with its fields."""
    return "\n\n".join(
        f"#### {name}\n\n{_paragraph(schema)}\n\n{_fields(schema)}"
        for name, schema in description["components"]["schemas"].items()
        if name not in _NOT_OURS
    )


def _route(method: str, path: str, operation: Schema) -> str:
    parts = [f"#### `{method} {path}`", _paragraph(operation)]
    taken = [
        (f"`{one['name']}`" + ("" if one["required"] else " ?"), one["in"], _words(one["schema"]))
        for one in operation.get("parameters", ())
    ]
    if taken:
        parts.append(table(("parameter", "in", "type"), taken))
    parts.append("\n".join(f"- {line}" for line in _answers(operation)))
    return "\n\n".join(parts)


def _answers(operation: Schema) -> Iterator[str]:
    if "requestBody" in operation:
        yield f"takes {_words(_content(operation['requestBody']))}"
    answers = {}
    for status, response in operation["responses"].items():
        if "content" not in response:
            answers[status] = "nothing"
            continue
        content = _content(response)
        if status.startswith("2"):
            answers[status] = _words(content)
        elif not content.get("$ref", "").endswith(_NOT_OURS):
            answers[status] = response["description"]
    if "parameters" in operation or "requestBody" in operation:
        answers.setdefault("400", "`protocol/malformed`")
    for status in sorted(answers):
        yield f"{status}: {answers[status]}"


def _content(holder: Schema) -> Schema:
    """The schema of a body, whatever its media type."""
    schema: Schema = next(iter(holder["content"].values()))["schema"]
    return schema


def _fields(schema: Schema) -> str:
    needed = schema.get("required", ())
    rows = [
        (f"`{name}`" + ("" if name in needed else " ?"), _words(kind))
        for name, kind in schema.get("properties", {}).items()
    ]
    return table(("field", "type"), rows)


def _paragraph(described: Schema) -> str:
    """The docstring behind a part of the API. Raises :class:`UndocumentedError` where there is none."""
    text = " ".join(described.get("description", "").split())
    if not text:
        raise UndocumentedError(f"{described.get('operationId') or described.get('title')} has no docstring")
    return text


def _words(schema: Schema) -> str:
    for title, words in _EXPLAINED.items():
        if schema.get("title", "").startswith(title):
            return words
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(map(_words, schema["anyOf"]))
    if "const" in schema or "enum" in schema:
        text = " or ".join(f"`{value}`" for value in schema.get("enum", (schema.get("const"),)))
    elif schema.get("type") == "array":
        items = _words(schema["items"])
        text = f"list of {items}s" if items.isalpha() else f"list of {items}"
    elif schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        text = f"object: name to {_words(schema['additionalProperties'])}"
    else:
        text = str(schema["type"])
    return text + _bounds(schema)


def _bounds(schema: Schema) -> str:
    text = ""
    if "maxLength" in schema:
        text += f", at most {schema['maxLength']} characters"
    if "minimum" in schema:
        text += f", at least {schema['minimum']:g}"
    if "maximum" in schema:
        text += f", at most {schema['maximum']:g}"
    if "default" in schema:
        text += f" (`{schema['default']}`)"
    return text
