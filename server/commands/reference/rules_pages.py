"""Pages of docs/rules/: what each ruleset tells players, its piles, and how its boards rank."""

import re
from collections.abc import Iterator
from typing import Final

from server.commands.reference.markdown import table
from server.core.layout import Layout
from server.core.rules import RankKey, Rules, UndoPolicy
from server.games import rulesets

_KEYS: Final = {RankKey.TIME: "shorter time", RankKey.MOVES: "fewer moves", RankKey.SCORE: "higher score"}
_UNDO: Final = {
    UndoPolicy.COUNTED: "counted as a move",
    UndoPolicy.NONE: "none (free in practice)",
    UndoPolicy.FREE: "free",
}


def rules_pages() -> dict[str, str]:
    """File names and texts: one page for each ruleset, and their index."""
    pages = {f"{key}.md": _page(rules) for key, rules in rulesets().items()}
    return pages | {"README.md": _index()}


def _index() -> str:
    rows = [
        (
            f"[{rules.title}]({key}.md)",
            f"`{key}`",
            "yes" if rules.daily is not None else "",
            _UNDO[rules.undo],
            str(rules.layout.maximum),
        )
        for key, rules in rulesets().items()
    ]
    head = ("game", "key", "daily", "undo", "greatest progress")
    return (
        "# The games\n\nOne page for each ruleset, as its file in `server/games/` tells it; `samedeal dev docs` writes"
        f" them.\nExactly, and by number, the rules are in [numbers.md](numbers.md).\n\n{table(head, rows)}\n"
    )


def _page(rules: Rules) -> str:
    parts = [f"# {rules.title}", *_paragraphs(rules.text), "## For programs", _facts(rules), _piles(rules.layout)]
    return "\n\n".join(parts) + "\n"


def _paragraphs(text: tuple[str, ...]) -> Iterator[str]:
    """The rules text as Markdown: headings one level down, neighbouring list items in one list."""
    items: list[str] = []
    for paragraph in text:
        if paragraph.startswith("- "):
            items.append(paragraph)
            continue
        if items:
            yield "\n".join(items)
            items = []
        yield f"#{paragraph}" if paragraph.startswith("# ") else paragraph
    if items:
        yield "\n".join(items)


def _facts(rules: Rules) -> str:
    boards = "; ".join(f"`{by}`: {', then '.join(_KEYS[key] for key in keys)}" for by, keys in rules.rankings.items())
    return "\n".join(
        (
            f"- ruleset `{rules.key}`, version {rules.version}, of the family `{rules.family}`",
            f"- deck of {rules.deck.size} cards",
            f"- undo: {_UNDO[rules.undo]}",
            f"- progress: 0 to {rules.layout.maximum}",
            f"- boards, for games that were won: {boards}",
        )
    )


def _piles(layout: Layout) -> str:
    kinds: dict[str, list[str]] = {}
    for pile in layout.piles:
        kinds.setdefault(pile.kind, []).append(pile.name)
    return table(("piles", "names"), ((kind, ", ".join(_ranges(names))) for kind, names in kinds.items()))


def _ranges(names: list[str]) -> Iterator[str]:
    """Names in a row are written as from-to: ``p1`` to ``p28``."""
    runs: list[list[str]] = []
    for name in names:
        if runs and _next(runs[-1][-1]) == name:
            runs[-1].append(name)
        else:
            runs.append([name])
    for run in runs:
        yield f"`{run[0]}` to `{run[-1]}`" if len(run) > 2 else ", ".join(f"`{name}`" for name in run)


def _next(name: str) -> str | None:
    found = re.fullmatch(r"([a-z]+)(\d+)", name)
    return f"{found[1]}{int(found[2]) + 1}" if found else None
