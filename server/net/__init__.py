"""Everything that touches the network: the socket session, its messages, HTTP routes and static files."""
