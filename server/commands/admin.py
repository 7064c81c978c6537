"""``samedeal admin``: what those do who look after a server."""

import typer

from server.commands.admin_stock import stock

admin = typer.Typer(rich_markup_mode=None)
admin.add_typer(stock, name="stock", help="The stock of certified deals.")
