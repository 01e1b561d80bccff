"""Commands for admins, the people who may log in."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Annotated, Any

import typer
from pydantic import TypeAdapter, ValidationError
from rich.table import Column, Table

from countinghouse.admins import actions
from countinghouse.admins.factors import enrolling
from countinghouse.admins.names import NewUsername, Username
from countinghouse.admins.passwords import hash_password
from countinghouse.admins.permissions import Role
from countinghouse.admins.queries import list_admins
from countinghouse.audit.actions import COMMAND
from countinghouse.cli.terminal import migrated_database, out, read_secret
from countinghouse.core.inputs import invalid_from
from countinghouse.core.times import iso

admin_app = typer.Typer(no_args_is_help=True, help="Manage the admins of the desk.")
RoleOption = Annotated[Role, typer.Option(help="What they may do.")]
PasswordStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]


def _ask_password(from_stdin: bool) -> str:
    if from_stdin:
        return read_secret("password")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))


def _change(
    action: Callable[..., Coroutine[Any, Any, object]],
    name: str,
    kind: Any = Username,
    *,
    password_stdin: bool | None = None,
    role: Role | None = None,
) -> None:
    """Asks for a password only if `password_stdin` is given."""
    with migrated_database() as database:
        try:
            arguments: list[str] = [str(TypeAdapter(kind).validate_python(name))]
        except ValidationError as error:
            raise invalid_from(error) from error
        if password_stdin is not None:
            arguments.append(hash_password(_ask_password(password_stdin)))
        if role is not None:
            arguments.append(role)
        asyncio.run(database.write(lambda transaction: action(transaction, COMMAND, *arguments)))


@admin_app.command("add")
def add(name: str, role: RoleOption = Role.OWNER, password_stdin: PasswordStdin = False) -> None:
    """Add an admin."""
    _change(actions.add_admin, name, NewUsername, password_stdin=password_stdin, role=role)
    out.print(f"{name} may log in now, as {role.label}.", markup=False)


@admin_app.command("passwd")
def passwd(name: str, password_stdin: PasswordStdin = False) -> None:
    """Change an admin's password, end their sessions and forget their devices."""
    _change(actions.change_password, name, password_stdin=password_stdin)
    out.print(f"The password of {name} is changed; their sessions have ended.", markup=False)


@admin_app.command("role")
def change_role(name: str, role: Role) -> None:
    """Change an admin's role, and end their sessions."""
    _change(actions.change_role, name, role=role)
    out.print(f"{name} is {role.label} now; their sessions have ended.", markup=False)


@admin_app.command("list")
def show_admins() -> None:
    """List the admins."""
    # Names wrap and are never truncated: a truncated name could be read as another name.
    table = Table(*(Column(title, overflow="fold") for title in ("Name", "Role", "Since", "State")))
    with migrated_database() as database:
        for admin in asyncio.run(database.read(list_admins)):
            state = f"disabled {iso(admin.disabled_at)}" if admin.disabled_at else "active"
            table.add_row(admin.username, Role(admin.role).label, iso(admin.created_at), state)
    out.print(table if table.rows else "There is no admin yet. Add one: countinghouse admin add NAME")


@admin_app.command("disable")
def disable(name: str) -> None:
    """Stop an admin from logging in, and end their sessions at once."""
    _change(actions.disable_admin, name)
    out.print(f"{name} may no longer log in; their sessions have ended.", markup=False)


@admin_app.command("enable")
def enable(name: str) -> None:
    """Let a disabled admin log in again."""
    _change(actions.enable_admin, name)
    out.print(f"{name} may log in again.", markup=False)


@admin_app.command("reset-factors")
def reset_factors(name: str) -> None:
    """Remove an admin's second factors, whose devices are lost, and end their sessions."""
    _change(enrolling.reset_factors, name)
    out.print(f"{name} logs in with the password only; their sessions have ended.", markup=False)
