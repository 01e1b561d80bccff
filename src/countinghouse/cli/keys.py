"""Commands for API keys, with which the service's own programs identify themselves."""

import asyncio
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.table import Column, Table

from countinghouse.audit.actions import COMMAND
from countinghouse.cli.terminal import migrated_database, out
from countinghouse.core.errors import InvalidInput
from countinghouse.core.inputs import invalid_from
from countinghouse.keys import actions
from countinghouse.keys.actions import NewKey
from countinghouse.keys.queries import SCOPES, list_keys

key_app = typer.Typer(no_args_is_help=True, help="Manage the API keys of the desk.")


@key_app.command("add")
def add(
    name: str,
    scope: Annotated[list[str], typer.Option(help=f"What it may do: {', '.join(SCOPES)}. Repeat it for several.")],
    expires: Annotated[
        str | None, typer.Option(help="Its last day, like 2027-03-31 (UTC), or a moment like 2027-03-31T12:00:00Z.")
    ] = None,
    network: Annotated[
        list[str] | None, typer.Option(help="Where it may be used, like 203.0.113.0/24. Repeat it for several.")
    ] = None,
) -> None:
    """Add a key. It is printed alone on the last line and cannot be shown again."""
    with migrated_database() as database:
        wish = _checked(name, scope, _moment(expires), network or [])
        shown, key = asyncio.run(database.write(lambda transaction: actions.add_key(transaction, COMMAND, wish)))
    until = f" until {shown['expiresAt']}" if shown["expiresAt"] else ""
    out.print(f"{name} may use {', '.join(shown['scopes'])}{until}. Copy the key now:", markup=False, soft_wrap=True)
    out.print(key, markup=False, soft_wrap=True)


def _moment(expires: str | None) -> str | None:
    if expires is None:
        return None
    try:
        day = date.fromisoformat(expires)
    except ValueError:
        return expires
    return datetime.combine(day + timedelta(days=1), time(), UTC).isoformat()


def _checked(name: str, scopes: list[str], expires_at: str | None, networks: list[str]) -> NewKey:
    sent = {"name": name, "scopes": scopes, "expiresAt": expires_at, "networks": networks}
    try:
        return NewKey.model_validate(sent)
    except ValidationError as error:
        raise invalid_from(error) from error
    except OverflowError as error:
        raise InvalidInput({"expires": "--expires is too far in the future."}) from error


@key_app.command("list")
def show_keys() -> None:
    """List the keys; of each only its first characters are known."""
    table = Table(
        Column("Name", overflow="fold"),
        Column("Key", no_wrap=True),
        *(Column(title, overflow="fold") for title in ("Scopes", "State", "Last used")),
    )
    with migrated_database() as database:
        for key in asyncio.run(database.read(list_keys)):
            networks = f"from {' '.join(key['networks'])}" if key["networks"] else ""
            ends_at = key["revokedAt"] or key["expiresAt"]
            table.add_row(
                key["name"],
                f"{key['prefix']}…",
                " ".join((*key["scopes"], networks)),
                f"{'until' if key['state'] == 'active' else key['state']} {ends_at}" if ends_at else "active",
                key["lastUsedAt"] or "never",
            )
    out.print(table if table.rows else "There is no key yet. Add one: countinghouse key add NAME --scope read")


@key_app.command("revoke")
def revoke(name: str) -> None:
    """End a key at once."""
    with migrated_database() as database:
        asyncio.run(database.write(lambda transaction: actions.revoke_key_named(transaction, COMMAND, name)))
    out.print(f"The key {name} no longer works.", markup=False)
