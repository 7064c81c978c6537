"""The settings of a command: flags, then environment; what is wrong with them is said in one line."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from server.commands.console import USAGE, CommandError

if TYPE_CHECKING:
    from server.settings import Settings

#: The flag of every command that opens the database.
DatabaseUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", help="The database, such as postgresql+asyncpg://...; else SAMEDEAL_DATABASE_URL."),
]


def settings_from(**flags: object) -> "Settings":
    """The settings of this process, where ``flags`` that are not None win; warns of variables that nothing reads.

    Raises :class:`CommandError` with the setting that is wrong, never with its value.
    """
    from server.settings import SettingsError, load_settings, unknown_variables

    for name in unknown_variables():
        sys.stderr.write(f"samedeal: warning: {name} is no setting and is not read\n")
    try:
        return load_settings(**flags)
    except SettingsError as error:
        raise CommandError(str(error), USAGE) from error
