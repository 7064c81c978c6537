"""WCAG 2.2 contrast of the colours that meet, in every theme and with every deck, computed from the tokens."""

import re
from pathlib import Path

import pytest

TOKENS = (Path(__file__).parent.parent.parent / "client_web" / "style" / "tokens.css").read_text("utf-8")
RULE = re.compile(r"(:root[^{]*)\{([^}]*)\}")
COLOUR = re.compile(r"--([\w-]+):\s*(#[0-9a-f]{6})")

#: Text on its ground: 4.5 to 1.
TEXT = [
    ("ink", "table"),
    ("ink", "panel"),
    ("ink-muted", "table"),
    ("ink-muted", "panel"),
    ("accent", "table"),
    ("accent", "panel"),
    ("accent", "accent-soft"),
    ("on-accent", "accent"),
    ("ink", "accent-soft"),
    ("ink", "line"),
    ("ink", "notice-soft"),
    ("good", "panel"),
    ("good", "good-soft"),
    ("bad", "panel"),
    ("bad", "bad-soft"),
    ("notice", "notice-soft"),
    ("panel", "ink"),
    *((f"suit-{suit}", ground) for suit in "cdhs" for ground in ("paper", "court")),
]
#: Outlines and marks that carry a meaning: 3 to 1.
MARKS = [
    ("line-strong", "table"),
    ("line-strong", "panel"),
    ("ring-out", "ring-in"),
    ("mark", "paper"),
    ("accent", "table"),
    ("back-edge", "back"),
]


def palettes() -> dict[str, dict[str, str]]:
    """The colours of every theme, each with two and with four suit colours."""
    rules = [(selector.strip(), dict(COLOUR.findall(body))) for selector, body in RULE.findall(TOKENS)]
    light = next(colours for selector, colours in rules if selector == ":root" and "table" in colours)
    dark = light | next(colours for selector, colours in rules if selector == ':root[data-theme="dark"]')
    four = next(colours for selector, colours in rules if "four" in selector)
    return {"light": light, "dark": dark, "light, four colours": light | four, "dark, four colours": dark | four}


def luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours, 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_measure_is_right() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("name", palettes())
def test_text_can_be_read(name: str) -> None:
    colours = palettes()[name]
    weak = {f"{a} on {b}": round(contrast(colours[a], colours[b]), 2) for a, b in TEXT}
    assert {pair: value for pair, value in weak.items() if value < 4.5} == {}


@pytest.mark.parametrize("name", palettes())
def test_marks_can_be_seen(name: str) -> None:
    colours = palettes()[name]
    weak = {f"{a} on {b}": round(contrast(colours[a], colours[b]), 2) for a, b in MARKS}
    assert {pair: value for pair, value in weak.items() if value < 3} == {}


def test_the_dark_theme_is_the_same_by_system_and_by_choice() -> None:
    rules = [(selector.strip(), dict(COLOUR.findall(body))) for selector, body in RULE.findall(TOKENS)]
    by_system = next(colours for selector, colours in rules if ":not(" in selector)
    by_choice = next(colours for selector, colours in rules if selector == ':root[data-theme="dark"]')
    assert by_system == by_choice
