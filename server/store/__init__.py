"""The database: tables, connections, the recorder of moves, and the queries of every room."""
