"""The types of messages in words, read from the msgspec structs themselves."""

from typing import Any, Final

import msgspec
from msgspec import inspect

from server.commands.reference.markdown import table
from server.commands.reference.words import FIELDS, UndocumentedError, words_for

#: Types that are explained by hand, by the name of their field.
_EXPLAINED: Final = {"steps": "list of [steps](#steps)", "layout": "[layout](#layout)"}


def fields_table(struct: type[msgspec.Struct], key: str) -> str:
    """The fields of a message or an object as a table; ``key`` is its tag or name in :mod:`.words`.

    Raises :class:`UndocumentedError` where a field has no meaning there.
    """
    described = inspect.type_info(struct)
    assert isinstance(described, inspect.StructType)
    rows = []
    for field in described.fields:
        if field.encode_name == "id" and struct.__struct_config__.tag is not None:
            continue  # all messages have it
        name = f"`{field.encode_name}`" + ("" if field.required else " ?")
        kind = _EXPLAINED.get(field.encode_name) or words(field.type, optional=not field.required)
        rows.append((name, kind, words_for("field", FIELDS, f"{key}.{field.encode_name}", field.encode_name)))
    return table(("field", "type", "meaning"), rows) if rows else "No fields of its own."


def nested(structs: tuple[type[msgspec.Struct], ...]) -> list[type[msgspec.Struct]]:
    """The objects inside messages, each once, in order of appearance."""
    found: dict[type[msgspec.Struct], None] = {}

    def look(kind: Any) -> None:
        if isinstance(kind, inspect.StructType) and kind.cls not in structs:
            found[kind.cls] = None
        for field in getattr(kind, "fields", ()):
            look(field.type)
        for inner in getattr(kind, "types", ()):
            look(inner)
        if isinstance(kind, inspect.ListType):
            look(kind.item_type)

    for struct in structs:
        look(inspect.type_info(struct))
    return list(found)


def doc(struct: type) -> str:
    """The docstring as one paragraph. Raises :class:`UndocumentedError` where there is none."""
    if not struct.__doc__:
        raise UndocumentedError(f"{struct.__name__} has no docstring")
    return " ".join(struct.__doc__.split())


def words(kind: Any, *, optional: bool = False) -> str:
    """A type in words. ``optional`` leaves out that null may stand for nothing."""
    match kind:
        case inspect.StrType(max_length=None):
            return "string"
        case inspect.StrType(max_length=longest):
            return f"string, at most {longest} characters"
        case inspect.IntType(ge=None, le=None):
            return "integer"
        case inspect.IntType(ge=least, le=most):
            return f"integer, {least:,} to {most:,}"
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType(values=values):
            return " or ".join(f"`{value}`" for value in values)
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            return f"list of {words(item)}s"
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(words(item) for item in items)}]"
        case inspect.DictType(value_type=value):
            return f"object: name to {words(value)}"
        case inspect.StructType(cls=cls):
            return f"[{cls.__name__}](#{cls.__name__.lower()})"
        case inspect.UnionType(types=types):
            some = [words(one) for one in types if not isinstance(one, inspect.NoneType)]
            return " or ".join(some if optional else [*some, "null"])
        case _:
            raise TypeError(f"no words for {kind}")
