"""What the code writes into docs/ is current, complete, and the same in every run; its examples are true."""

import asyncio
import json
import re
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families
from typer.testing import CliRunner

from server.cli import app, run
from server.commands.reference import http, pages, types, words
from server.commands.reference.examples import examples, parsed
from server.errors import CODES
from server.games import rulesets
from server.metrics import Metrics
from server.net.codec import Refused, decode
from server.net.messages import CLIENT_MESSAGES, SERVER_MESSAGES
from server.play.verify import agrees, verify
from tests.docs.pages import DOCS, read

PROTOCOL = read("docs/protocol.md")


def said() -> list[tuple[str, Any]]:
    """Everything that is said in the examples of protocol.md, in order."""
    shown = re.findall(r"<!-- generated: example [a-z ]+ -->\n\n```\n(.*?)\n```", PROTOCOL, re.DOTALL)
    return [line for example in shown for line in parsed(example)]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder of documents that may be spoiled."""
    return Path(shutil.copytree(DOCS, tmp_path / "docs"))


# --- current -------------------------------------------------------------------------------------------------------


def test_the_documents_are_current() -> None:
    done = CliRunner().invoke(app, ["dev", "docs", "--check"])
    assert (done.exit_code, done.stdout) == (0, "the documents are current\n")


def test_check_names_what_is_stale_and_writes_nothing(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, rules = copy / "protocol.md", copy / "rules" / "pyramid.md"
    page.write_text(PROTOCOL.replace('"seq": 1', '"seq": 2'), encoding="utf-8")
    rules.unlink()
    (copy / "rules" / "klondike.md").write_text("# Klondike\n", encoding="utf-8")
    spoiled = page.read_bytes()
    assert run(["dev", "docs", "--check", "--folder", str(copy)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[:-1] == ["stale: rules/pyramid.md", "stale: protocol.md", "stale: rules/klondike.md"]
    assert page.read_bytes() == spoiled
    assert not rules.exists()


def test_writing_mends_it(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = copy / "protocol.md"
    page.write_text(PROTOCOL.replace('"seq": 1', '"seq": 2'), encoding="utf-8")
    (copy / "rules" / "pyramid.md").unlink()
    (copy / "rules" / "klondike.md").write_text("# Klondike\n", encoding="utf-8")
    assert run(["dev", "docs", "--folder", str(copy)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out == ["written: rules/pyramid.md", "written: protocol.md", "removed: rules/klondike.md"]
    assert page.read_text(encoding="utf-8") == PROTOCOL
    assert {path.name for path in (copy / "rules").iterdir()} == {path.name for path in (DOCS / "rules").iterdir()}


def test_what_is_written_by_hand_stays(copy: Path) -> None:
    page = copy / "protocol.md"
    page.write_text(PROTOCOL.replace("# What crosses the wire", "# Another title"), encoding="utf-8")
    assert run(["dev", "docs", "--check", "--folder", str(copy)]) == 0


def test_a_folder_without_documents_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["dev", "docs", "--folder", str(tmp_path)]) == 1
    assert "this is for a checkout" in capsys.readouterr().err


def test_examples_are_the_same_in_every_run() -> None:
    assert asyncio.run(examples()) == asyncio.run(examples())


# --- complete ------------------------------------------------------------------------------------------------------


def test_a_block_without_a_place_and_a_place_without_a_block_are_told(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = copy / "protocol.md"
    page.write_text(PROTOCOL.replace("<!-- generated: limits -->", "<!-- generated: bounds -->"), encoding="utf-8")
    assert run(["dev", "docs", "--folder", str(copy)]) == 1
    assert capsys.readouterr().err == "samedeal: nothing makes: bounds\n"
    page.write_text(PROTOCOL.replace("<!-- generated: limits -->", ""), encoding="utf-8")
    assert run(["dev", "docs", "--folder", str(copy)]) == 1
    assert capsys.readouterr().err == "samedeal: no page has a place for: limits\n"


def test_a_field_a_code_or_a_message_without_words_is_told() -> None:
    class Unheard(msgspec.Struct, tag="unheard", tag_field="t"):
        """A message."""

        volume: int

    with pytest.raises(words.UndocumentedError, match=r"unheard\.volume"):
        types.fields_table(Unheard, "unheard")
    Unheard.__doc__ = None
    with pytest.raises(words.UndocumentedError, match="Unheard has no docstring"):
        types.doc(Unheard)
    with pytest.raises(words.UndocumentedError, match="hush_get has no docstring"):
        http.routes({"paths": {"/hush": {"get": {"operationId": "hush_get", "responses": {}}}}})
    with pytest.raises(words.UndocumentedError, match="code tea/cold"):
        words.words_for("code", words.CODES, "tea/cold")


def test_no_words_are_left_over() -> None:
    assert set(words.CODES) == set(CODES)
    assert set(words.ANSWERS) == {message.__struct_config__.tag for message in CLIENT_MESSAGES}
    messages: tuple[type[msgspec.Struct], ...] = (*CLIENT_MESSAGES, *SERVER_MESSAGES)
    structs = (*messages, *types.nested(messages))
    keys = {
        f"{struct.__struct_config__.tag or struct.__name__}.{field.encode_name}"
        for struct in structs
        for field in msgspec.structs.fields(struct)
    }
    plain = {key.partition(".")[2] for key in keys}
    assert sorted(key for key in words.FIELDS if key not in (keys if "." in key else plain)) == []


def test_every_type_has_its_words() -> None:
    assert types.words(msgspec.inspect.type_info(dict[str, list[int] | None])) == (
        "object: name to list of integers or null"
    )
    with pytest.raises(TypeError, match="no words"):
        types.words(msgspec.inspect.type_info(bytes))


def test_every_metric_is_listed_and_none_names_a_person() -> None:
    page = read("docs/operations.md")
    families = list(text_string_to_metric_families(Metrics().exposition().decode()))
    assert len(families) >= 10
    families = [family for family in families if not family.name.endswith("_created")]  # instants of histograms
    for family in families:
        assert family.name.startswith("samedeal_")
        assert re.search(rf"^\| `{family.name}(_total|_bucket)?`", page, re.MULTILINE), family.name
    labels = set(re.findall(r"^\| `samedeal_\w+`.*?\| (.*?) \|", page, re.MULTILINE))
    assert {label for cell in labels for label in re.findall(r"`(\w+)`", cell)} <= {
        "ruleset", "kind", "outcome", "code", "difficulty"
    }  # fmt: skip
    alerts = page.partition("Worth an alert")[2].partition("<!--")[0]
    named = set(re.findall(r"`(samedeal_\w+)`", alerts))
    assert named
    assert {name.removesuffix("_total") for name in named} <= {family.name for family in families}


def test_every_ruleset_has_its_page_with_its_piles() -> None:
    for key, rules in rulesets().items():
        page = read(f"docs/rules/{key}.md")
        assert page.startswith(f"# {rules.title}\n")
        for paragraph in rules.text:
            assert paragraph in page
        assert f"ruleset `{key}`" in page
    assert "| column | `c1` to `c13` |" in read("docs/rules/bakers-dozen.md")
    assert "| foundation | `fc`, `fd`, `fh`, `fs` |" in read("docs/rules/bakers-dozen.md")


# --- true ----------------------------------------------------------------------------------------------------------


def test_every_message_of_a_client_in_an_example_is_one() -> None:
    sent = [value for arrow, value in said() if arrow == "→" and not str(value).startswith(("GET", "POST"))]
    tags = set()
    for value in sent:
        if value in ("hello?", {"t": "dance", "id": "23"}, {"t": "play", "id": "24", "attempt": 7}):
            with pytest.raises(Refused):
                decode(value.encode() if isinstance(value, str) else msgspec.json.encode(value))
        else:
            tags.add(type(decode(msgspec.json.encode(value))).__struct_config__.tag)
    assert tags == {message.__struct_config__.tag for message in CLIENT_MESSAGES}


def test_every_message_of_the_server_in_an_example_has_the_type_that_the_page_gives_it() -> None:
    by_tag = {message.__struct_config__.tag: message for message in SERVER_MESSAGES}
    told = [value for arrow, value in said() if arrow == "←" and "t" in value]
    for value in told:
        text = msgspec.json.encode(value)
        again = json.loads(msgspec.json.encode(msgspec.json.decode(text, type=by_tag[value["t"]])))
        assert again == value
    assert {value["t"] for value in told} >= {"welcome", "state", "played", "rejected", "pong", "error"}


def test_codes_in_examples_are_codes() -> None:
    codes = {value["code"] for _, value in said() if isinstance(value, dict) and "code" in value}
    assert len(codes) >= 14
    assert codes <= set(CODES)


def test_the_record_of_the_example_is_verified() -> None:
    record = next(value for arrow, value in said() if isinstance(value, dict) and "format" in value)
    assert agrees(verify(record))
    assert not agrees(verify(record | {"seed": "0" * 32}))


def test_the_repeated_move_of_the_example_gets_the_same_answer() -> None:
    shown = re.search(r"<!-- generated: example repeat -->\n\n```\n(.*?)\n```", PROTOCOL, re.DOTALL)
    assert shown is not None
    (_, first), (_, answer), (_, second), (_, again) = parsed(shown[1])
    assert {**first, "id": ""} == {**second, "id": ""}
    assert {**answer, "id": ""} == {**again, "id": ""}


@pytest.mark.parametrize("name", pages.MIXED)
def test_marks_come_in_pairs(name: str) -> None:
    text = read(f"docs/{name}")
    assert re.findall(r"<!-- (generated|end)", text) == ["generated", "end"] * text.count("<!-- end -->")
