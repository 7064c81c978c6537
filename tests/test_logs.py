"""Log lines: one a line, for programs or people, and nothing private in them."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any, Literal

import pytest
import structlog

from server import logs


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Put logging back as it was: other tests configure it for themselves."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    quiet = {name: logging.getLogger(name).level for name in logs._QUIET}
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, old in quiet.items():
        logging.getLogger(name).setLevel(old)
    structlog.reset_defaults()


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_for_programs_is_one_object() -> None:
    stream = io.StringIO()
    logs.configure("json", stream=stream)
    structlog.get_logger().info("daily made", date="2026-11-29", ruleset="pyramid")
    (line,) = lines(stream)
    assert line.pop("timestamp").endswith("Z")
    assert line == {"event": "daily made", "level": "info", "date": "2026-11-29", "ruleset": "pyramid"}


@pytest.mark.parametrize("name", sorted(logs.PRIVATE))
def test_private_values_are_withheld(name: str) -> None:
    stream = io.StringIO()
    logs.configure("json", stream=stream)
    structlog.get_logger().warning("refused", **{name: "canary"})
    logging.getLogger("some.library").warning("refused", extra={} if name == "name" else {name: "canary"})
    assert "canary" not in stream.getvalue()
    assert lines(stream)[0][name] == logs.WITHHELD


def test_a_bug_is_logged_with_its_traceback_but_no_local_variables() -> None:
    for format_ in ("json", "console"):
        stream = io.StringIO()
        logs.configure(format_, stream=stream)
        payload = "canary"
        try:
            raise RuntimeError("it broke")
        except RuntimeError:
            structlog.get_logger().exception("internal", id="0190")
        assert "RuntimeError: it broke" in stream.getvalue()
        assert payload not in stream.getvalue()


@pytest.mark.parametrize("format_", ["json", "console"])
def test_values_of_a_row_that_the_database_refuses_are_withheld(format_: Literal["json", "console"]) -> None:
    stream = io.StringIO()
    logs.configure(format_, stream=stream)
    row = 'violates check constraint "ck_stock_par"\nDETAIL:  Failing row contains (1, canary,\ncanary).'
    try:
        try:
            raise ValueError(row)
        except ValueError as error:
            raise RuntimeError(f"{row}\n[SQL: INSERT INTO stock]") from error
    except RuntimeError:
        structlog.get_logger().exception("request failed")
    told = stream.getvalue()
    assert told.count("ck_stock_par") == told.count(logs.WITHHELD) == 2
    assert "INSERT INTO stock" in told
    assert "canary" not in told


def test_a_line_feed_in_a_value_makes_no_second_line() -> None:
    stream = io.StringIO()
    logs.configure("console", stream=stream)
    structlog.get_logger().info("refused", code="x\n2026-01-01 [info] forged")
    assert len(stream.getvalue().splitlines()) == 1


def test_libraries_are_heard_from_warnings_up() -> None:
    stream = io.StringIO()
    logs.configure("json", "debug", stream)
    logging.getLogger("uvicorn.error").info('127.0.0.1:5555 - "WebSocket /ws" [accepted]')
    logging.getLogger("websockets.server").info("connection open")
    logging.getLogger("uvicorn.error").error("it broke")
    assert [(line["level"], line["event"]) for line in lines(stream)] == [("error", "it broke")]


def test_the_level_is_kept() -> None:
    stream = io.StringIO()
    logs.configure("json", "error", stream)
    structlog.get_logger().warning("not this")
    logging.getLogger("uvicorn.error").warning("nor this")
    structlog.get_logger().error("this")
    assert [line["event"] for line in lines(stream)] == ["this"]


def test_the_last_call_counts() -> None:
    first, second = io.StringIO(), io.StringIO()
    logs.configure("json", stream=first)
    logs.configure("json", stream=second)
    structlog.get_logger().info("once")
    assert first.getvalue() == ""
    assert len(lines(second)) == 1


def test_context_is_added_to_every_line() -> None:
    stream = io.StringIO()
    logs.configure("json", stream=stream)
    with structlog.contextvars.bound_contextvars(worker=2):
        structlog.get_logger().info("ready")
    assert lines(stream)[0]["worker"] == 2
