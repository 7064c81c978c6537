"""The documents as tests read them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

#: Every document of the project.
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]


def read(name: str) -> str:
    """A document by its name from the root."""
    return (ROOT / name).read_text(encoding="utf-8")


def without_code(text: str) -> str:
    """The text without its code blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(text: str) -> set[str]:
    """What links may point at within a page: its headings, as sites that show Markdown name them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", without_code(text), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 1
        unique = slug
        while unique in found:
            unique = f"{slug}-{number}"
            number += 1
        found.add(unique)
    return found
