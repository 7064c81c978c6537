"""``samedeal admin``: what those do who look after a server. Everything here can be done over HTTP too."""

import typer

from server.commands import admin_calendar, admin_people, admin_rulings
from server.commands.admin_stock import stock

admin = typer.Typer(rich_markup_mode=None)
admin.add_typer(stock, name="stock", help="The stock of certified deals.")

for command in (
    *(admin_people.create, admin_people.role, admin_people.token, admin_people.revoke, admin_people.play_as),
    *(admin_calendar.calendar, admin_calendar.schedule, admin_calendar.clear, admin_calendar.move),
    *(admin_calendar.swap, admin_calendar.fill, admin_calendar.preview, admin_calendar.search),
    *(admin_rulings.void, admin_rulings.exclude, admin_rulings.extend),
    *(admin_people.players, admin_people.block, admin_people.unblock),
    *(admin_rulings.audit, admin_rulings.export),
):
    admin.command()(command)
admin.command("list")(admin_people.show)
admin.command("import")(admin_calendar.import_)

event = typer.Typer(rich_markup_mode=None)
event.command("make")(admin_rulings.event)
event.command("change")(admin_rulings.change_event)
event.command("cancel")(admin_rulings.cancel_event)
event.command("list")(admin_rulings.list_events)
admin.add_typer(event, name="event", help="Events: deals under one name, with an opening and a closing.")
