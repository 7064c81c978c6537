"""The test suite; it mirrors `server/`."""
