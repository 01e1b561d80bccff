"""Commands for webhooks."""

import asyncio

import typer

from countinghouse.cli.terminal import migrated_database, out
from countinghouse.webhooks.queries import Endpoint, list_endpoints

webhook_app = typer.Typer(no_args_is_help=True, help="See where events are sent. Admins add webhooks in the web app.")


@webhook_app.command("list")
def list_webhooks() -> None:
    """List the endpoints, whether they work, and their events."""
    with migrated_database() as database:
        endpoints = asyncio.run(database.read(list_endpoints))
    for one in endpoints:
        # Whole lines, however narrow the terminal, because other programs may read them.
        out.print(f"{one['_id']}  {one['url']}  {_state(one)}", markup=False, soft_wrap=True)
        out.print(f"{'':24}  {', '.join(one['events'])}", markup=False, soft_wrap=True)
    if not endpoints:
        out.print("There are no webhooks.")


def _state(endpoint: Endpoint) -> str:
    if not endpoint["isEnabled"]:
        return f"disabled since {endpoint['disabledAt']}: {endpoint['disabledWhy']}"
    health = f"failing since {endpoint['failingSince']}" if endpoint["failingSince"] else "enabled"
    return f"{health}, {endpoint['waiting']} waiting"
