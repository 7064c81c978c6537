"""How Alembic runs here: on the connection that server/store/migrate.py hands over, in the transaction it has begun."""

from alembic import context

from server.store import admin_tables  # noqa: F401  # its tables belong to the schema too
from server.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite changes a table by copying it
    compare_type=True,
)
context.run_migrations()
