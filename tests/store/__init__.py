"""The database: one suite for SQLite and PostgreSQL."""
