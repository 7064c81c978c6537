"""``samedeal migrate``: bring the schema of the database up to date without starting a server."""

from server.commands.configuration import DatabaseUrl, settings_from
from server.commands.console import say


def migrate(database_url: DatabaseUrl = None) -> None:
    """Bring the database to the present schema.

    Does nothing where it is there already; several may run at once, one after the other does the work.
    """
    settings = settings_from(database_url=database_url)
    from server.store import migrate as migrations

    settings.make_data_dir()
    before = migrations.current(settings.database_url)
    migrations.upgrade(settings.database_url)
    after = migrations.current(settings.database_url)
    if before == after:
        say(f"the database is at revision {after}")
    else:
        say(f"the database is at revision {after} now; before, it was {before or 'empty'}")
