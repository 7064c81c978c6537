"""The texts of the client: found in its modules, kept in the PO catalogues.

``python -m tests.client.catalogue`` writes the catalogues again: new texts come in, unused ones go, translations stay.
"""

import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from server.actions.boards import FORMULA
from server.games import rulesets

CLIENT = Path(__file__).parent.parent.parent / "client_web"
LOCALE = CLIENT / "locale"

STRING = r'"((?:[^"\\]|\\.)*)"'
ONE = re.compile(rf"\b(?:t|rich)\(\s*{STRING}")
MANY = re.compile(rf"\bn\(\s*{STRING},\s*{STRING}")
#: Any call of these functions, to find those whose text is not written out; and those that may pass on a server's text.
ANY = re.compile(r"(?<![\w.$])(t|n|rich)\((?!\s*\")\s*([^,)]*)")


#: Lines of the header that change without a reason or say nothing.
NOISE = (
    '"Report-Msgid-Bugs-To',
    '"POT-Creation-Date',
    '"PO-Revision-Date',
    '"Last-Translator',
    '"Language-Team',
    '"Generated-By',
)


class Text(NamedTuple):
    """A text with its plural form, and the module where it is used."""

    singular: str
    plural: str | None
    module: str


def _unescape(text: str) -> str:
    return re.sub(r'\\(["\\])', r"\1", text)


def modules() -> list[Path]:
    """Every module of the client."""
    return sorted((CLIENT / "src").rglob("*.js"))


def texts() -> Iterator[Text]:
    """Every text of the client, and every text that the server brings: titles and rules of games, the formula."""
    for path in modules():
        name = path.relative_to(CLIENT).as_posix()
        source = path.read_text("utf-8")
        for found in ONE.finditer(source):
            yield Text(_unescape(found[1]), None, name)
        for found in MANY.finditer(source):
            yield Text(_unescape(found[1]), _unescape(found[2]), name)
    for rules in rulesets().values():
        for text in (rules.title, rules.layout.title, *rules.text):
            yield Text(text, None, f"ruleset {rules.family}")
    yield Text(FORMULA, None, "boards of the server")


def read(code: str) -> Catalog:
    """The catalogue of a language."""
    with (LOCALE / f"{code}.po").open("rb") as lines:
        return read_po(lines, locale=code)


def languages() -> list[str]:
    """Codes of the languages that have a catalogue."""
    return sorted(path.stem for path in LOCALE.glob("*.po"))


def write(code: str) -> None:
    """Write a catalogue again with the texts of today and the translations that it had."""
    path = LOCALE / f"{code}.po"
    before = read(code) if path.exists() else Catalog(locale=code)
    after = Catalog(
        locale=code,
        project="Samedeal",
        version="1",
        copyright_holder="The Samedeal contributors",
        header_comment=f"# Texts of the Samedeal client: {code}",
        charset="utf-8",
        fuzzy=False,
    )
    places: dict[tuple[str, str | None], set[str]] = {}
    for text in texts():
        places.setdefault((text.singular, text.plural), set()).add(text.module)
    for (singular, plural), found in sorted(places.items(), key=lambda item: (min(item[1]), item[0][0])):
        old = before.get(singular)
        message_id = singular if plural is None else (singular, plural)
        string = old.string if old is not None and old.id == message_id else None
        after.add(message_id, string, auto_comments=sorted(found))
    written = BytesIO()
    write_po(written, after, width=0, no_location=True)
    lines = written.getvalue().decode().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith(NOISE)), "utf-8")


if __name__ == "__main__":
    for wanted in sys.argv[1:] or languages():
        write(wanted)
