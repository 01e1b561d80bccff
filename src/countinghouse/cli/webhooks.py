"""Commands for webhooks."""

import asyncio

import typer
from rich.table import Column, Table

from countinghouse.cli.terminal import migrated_database, out
from countinghouse.webhooks.queries import list_endpoints

webhook_app = typer.Typer(no_args_is_help=True, help="See where events are sent. Admins add webhooks in the web app.")


@webhook_app.command("list")
def list_webhooks() -> None:
    """List the endpoints, their events and how they are."""
    table = Table(*(Column(title, overflow="fold") for title in ("Id", "URL", "Events", "State", "Waiting")))
    with migrated_database() as database:
        for endpoint in asyncio.run(database.read(list_endpoints)):
            state = "enabled"
            if not endpoint["isEnabled"]:
                state = f"disabled since {endpoint['disabledAt']}: {endpoint['disabledWhy']}"
            elif endpoint["failingSince"]:
                state = f"failing since {endpoint['failingSince']}"
            table.add_row(
                endpoint["_id"], endpoint["url"], ", ".join(endpoint["events"]), state, str(endpoint["waiting"])
            )
    out.print(table)
