"""``samedeal dev docs``: write the generated pages and blocks of docs/ again, or check that they are current."""

from pathlib import Path
from typing import Annotated, Final

import typer

from server.commands.console import FAILURE, CommandError, say

#: The folder of a checkout; an installed package has no documents.
_DOCS: Final = Path(__file__).resolve().parents[2] / "docs"


def docs(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail where a page is stale.")] = False,
    folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The folder of the documents [that of the checkout].")
    ] = None,
) -> None:
    """Write what the code knows into docs/: messages, codes, limits, routes, rules, and examples that are played."""
    from server import logs
    from server.commands.reference import pages
    from server.commands.reference.words import UndocumentedError

    root = _DOCS if folder is None else folder
    if not (root / pages.MIXED[0]).is_file():
        raise CommandError(f"{root} is no folder of documents; this is for a checkout of the project")
    logs.configure("console", "error")
    try:
        made = pages.made(root)
    except UndocumentedError as error:
        raise CommandError(str(error)) from error
    stale, left_over = pages.stale(made), pages.left_over(root, made)
    for page in stale:
        say(f"{'stale' if check else 'written'}: {page.relative_to(root).as_posix()}")
        if not check:
            page.parent.mkdir(exist_ok=True)
            page.write_text(made[page], encoding="utf-8")
    for page in left_over:
        say(f"{'stale' if check else 'removed'}: {page.relative_to(root).as_posix()}")
        if not check:
            page.unlink()
    if not (stale or left_over):
        say("the documents are current")
    elif check:
        say("samedeal dev docs writes them again")
        raise typer.Exit(FAILURE)
