"""``samedeal serve``: migrate the database, make the dailies, and serve until told to stop (PROTOCOL 5)."""

import gc
from typing import Annotated

import typer

from server.commands.configuration import DatabaseUrl, settings_from


def serve(
    host: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Address to listen on [127.0.0.1].")] = None,
    port: Annotated[
        int | None, typer.Option(metavar="PORT", help="Port to listen on, 0 for a free one [8000].")
    ] = None,
    workers: Annotated[int | None, typer.Option(metavar="NUMBER", help="Number of server processes [1].")] = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Start the server and print its address.

    Flags win over the SAMEDEAL_ environment variables, which win over the defaults in brackets. SIGTERM and SIGINT
    stop the server cleanly.
    """
    gc.disable()  # until it is ready: looking for garbage, of which a start makes none, took a fifth of the start
    settings = settings_from(host=host, port=port, workers=workers, database_url=database_url)
    from server.app import serve as serve_with

    if code := serve_with(settings):
        raise typer.Exit(code)
