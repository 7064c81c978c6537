"""Every text of the client stands in every catalogue, and every other language has a translation for it."""

import json
import re
from collections.abc import Sequence

import pytest
from babel import Locale

from server.net.static import catalogue_json
from tests.client import catalogue

PLACEHOLDER = re.compile(r"\{\w+\}")
#: Texts that come from the server and are looked up as they come.
FROM_SERVER = re.compile(r"^(\w+\??\.)*(title|formula)( \?\? ruleset)?$|^line$|^attempt\.layout\.title$")
TEXTS = sorted({(text.singular, text.plural) for text in catalogue.texts()}, key=str)


def test_texts_are_found() -> None:
    assert ("{count} move", "{count} moves") in TEXTS
    assert ("Undo", None) in TEXTS
    assert len(TEXTS) > 150


def test_a_catalogue_of_the_source_language_is_there() -> None:
    assert "en" in catalogue.languages()


@pytest.mark.parametrize("path", catalogue.modules(), ids=lambda path: path.stem)
def test_texts_are_written_out_where_they_are_used(path: object) -> None:
    """A text put together from parts cannot be translated; only what the server tells may be looked up."""
    source = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)  # type: ignore[attr-defined]
    found = [match[2].strip() for match in catalogue.ANY.finditer(source) if "function" not in match[0]]
    if str(path).endswith("i18n.js"):
        return
    assert [text for text in found if not FROM_SERVER.match(text)] == []


@pytest.mark.parametrize("code", catalogue.languages())
def test_a_catalogue_holds_exactly_the_texts_of_today(code: str) -> None:
    """Run ``python -m tests.client.catalogue`` when this fails."""
    held = {message.id if isinstance(message.id, str) else tuple(message.id) for message in catalogue.read(code)}
    wanted = {singular if plural is None else (singular, plural) for singular, plural in TEXTS}
    assert held - {""} == wanted


@pytest.mark.parametrize("code", [code for code in catalogue.languages() if code != "en"])
def test_nothing_is_left_untranslated(code: str) -> None:
    missing = [
        message.id
        for message in catalogue.read(code)
        if message.id and (not message.string or not all(forms(message.string)) or message.fuzzy)
    ]
    assert missing == []


@pytest.mark.parametrize("code", [code for code in catalogue.languages() if code != "en"])
def test_translations_keep_their_placeholders_and_marks(code: str) -> None:
    for message in catalogue.read(code):
        if not message.id:
            continue
        wanted = set(PLACEHOLDER.findall(forms(message.id)[-1]))
        for form in forms(message.string):
            assert set(PLACEHOLDER.findall(form)) <= wanted, message.id
        assert set(PLACEHOLDER.findall(forms(message.string)[-1])) == wanted, message.id
        for mark in ("# ", "- "):
            assert forms(message.string)[0].startswith(mark) == forms(message.id)[0].startswith(mark), message.id


def forms(text: str | Sequence[str] | None) -> list[str]:
    """The forms of a text, plural or not."""
    if text is None:
        return [""]
    return [text] if isinstance(text, str) else list(text)


def test_a_catalogue_as_the_client_reads_it() -> None:
    read = catalogue.read("en")
    message = read.get("Undo")
    assert message is not None
    message.string = "Geri al"
    plural = read.get("{count} move")
    assert plural is not None
    plural.string = ("{count} hamle", "{count} hamle")
    told = json.loads(catalogue_json(read))
    assert told == {"Undo": "Geri al", "{count} move": ["{count} hamle", "{count} hamle"]}


#: An operand and what stands between two of them: an expression that loses its order where one writes from the right.
OPERAND = r"(?:\w+|\{\w+\}|[()]+)"
EXPRESSION = re.compile(rf"(?a:{OPERAND}(?:\s+[-+×x*/=−–]\s+{OPERAND})+|\d+[-+×x*/=−–]\d+)")
ISOLATED = re.compile("[\u2066\u2068][^\u2069]*\u2069")


@pytest.mark.parametrize("code", [code for code in catalogue.languages() if Locale.parse(code).text_direction == "ltr"])
def test_the_formula_is_found_where_it_needs_no_care(code: str) -> None:
    """What the next test looks for is there to be found."""
    texts = [form for message in catalogue.read(code) for form in (*forms(message.id), *forms(message.string))]
    assert any(EXPRESSION.search(text) for text in texts)


@pytest.mark.parametrize("code", [code for code in catalogue.languages() if Locale.parse(code).text_direction == "rtl"])
def test_formulas_keep_their_order_where_one_writes_from_the_right(code: str) -> None:
    """They are isolated: else `500 x (2 x (n - r + 1) - t) / n` falls apart into pieces that stand in reverse."""
    found = [
        (form, expression)
        for message in catalogue.read(code)
        if message.id
        for form in forms(message.string)
        for expression in EXPRESSION.findall(ISOLATED.sub("", form))
    ]
    assert found == []
    assert any(
        EXPRESSION.search(part)
        for m in catalogue.read(code)
        for form in forms(m.string)
        for part in ISOLATED.findall(form)
    )
