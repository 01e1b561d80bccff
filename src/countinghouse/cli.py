"""The command: serve the desk, fill a demo, manage admins, set the policy, check what is stored."""

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from pydantic import TypeAdapter, ValidationError
from rich.console import Console
from rich.progress import Progress
from rich.table import Column, Table
from sqlalchemy.exc import DBAPIError

from countinghouse.admins import actions
from countinghouse.admins.passwords import hash_password
from countinghouse.admins.queries import NewUsername, Username, list_admins
from countinghouse.audit.actions import COMMAND
from countinghouse.banks.health import find_damaged_codes
from countinghouse.core.database import Database
from countinghouse.core.errors import Conflict, InvalidInput, Refusal
from countinghouse.core.inputs import invalid_from
from countinghouse.core.migrate import CannotMigrate, current_revision, migrate, newest_revision
from countinghouse.core.quick import ConnectionLook
from countinghouse.core.times import iso
from countinghouse.demo.actions import DEMO_PASSWORD, DEMO_USERNAME, Sizes, fill_demo
from countinghouse.policy.actions import set_policy
from countinghouse.policy.commands import RuleName, policy_lines, typed_setting
from countinghouse.policy.queries import list_rules
from countinghouse.purchases.actions import check_purchases
from countinghouse.qr.health import QR_CHECKS
from countinghouse.settings import Settings

REFUSED = 1
HAS_DATA = 3
LOOPBACK = ("127.0.0.1", "::1", "localhost")
IN_THE_CLEAR = (
    "Others on the network can reach this address, and passwords travel in the clear. "
    "Put TLS in front and set COUNTINGHOUSE_PUBLIC_URL to its https address."
)

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Countinghouse: the back office.")
admin_app = typer.Typer(no_args_is_help=True, help="Manage the admins of the desk.")
app.add_typer(admin_app, name="admin")
policy_app = typer.Typer(no_args_is_help=True, help="Set the rules for all admins.")
app.add_typer(policy_app, name="policy")
purchases_app = typer.Typer(no_args_is_help=True, help="Look after the purchases.")
app.add_typer(purchases_app, name="purchases")

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def _complain(sentence: str) -> None:
    """On one line, however narrow the terminal: a log reads it too."""
    err.print(sentence, markup=False, soft_wrap=True)


def _load_settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        for problem in error.errors():
            name = (
                "_".join(("COUNTINGHOUSE", *(str(part).upper() for part in problem["loc"]))) if problem["loc"] else ""
            )
            _complain(f"{name} {problem['msg'].removeprefix('Value error, ')}".strip())
        raise typer.Exit(REFUSED) from error


@contextmanager
def _migrated() -> Iterator[Database]:
    with _opened() as database:
        migrate(database)
        yield database


@contextmanager
def _opened() -> Iterator[Database]:
    """The database as it is; what goes wrong is told in a sentence, not in a trace."""
    database = Database(_load_settings().database)
    try:
        yield database
    except (CannotMigrate, Refusal) as error:
        _complain(str(error))
        is_full = isinstance(error, Conflict) and error.code == "database_has_data"
        raise typer.Exit(HAS_DATA if is_full else REFUSED) from error
    except DBAPIError as error:
        _complain(f"The database did not answer: {' '.join(str(error.orig).split())}")
        raise typer.Exit(REFUSED) from error
    except OSError as error:
        _complain(f"The database's file cannot be made: {error}")
        raise typer.Exit(REFUSED) from error
    finally:
        database.close()


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.", min=1, max=65535)] = 8000,
    workers: Annotated[int, typer.Option(help="How many processes share the work.", min=1, max=64)] = 1,
) -> None:
    """Migrate the database, then serve the API and the web app."""
    # Not above: the framework takes a second to load, and the other commands need none of it.
    import uvicorn

    from countinghouse.core.http.protocol import DeadlineProtocol

    with _migrated() as database:
        with database.reading() as connection:
            if not list_admins(connection):
                out.print("Nobody can log in yet. Add the first admin: countinghouse admin add NAME")
        if host not in LOOPBACK and not _load_settings().public_url:
            _complain(IN_THE_CLEAR)
        out.print(f"Countinghouse will be at http://{host}:{port}")
    uvicorn.run(
        "countinghouse.main:create_app",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        http=DeadlineProtocol,
        ws="none",
        loop="uvloop",
        # A forwarded header must not change who the peer is; core.http.addresses decides whom to believe.
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=10,
        # On a busy machine a worker takes some seconds to start; one that is killed for that never does.
        timeout_worker_healthcheck=30,
    )


@app.command()
def demo(
    users: Annotated[int, typer.Option(min=1)] = Sizes.users,
    purchases: Annotated[int, typer.Option(min=1)] = Sizes.purchases,
    claims: Annotated[int, typer.Option(min=0)] = Sizes.claims,
    seed: Annotated[int, typer.Option(help="The same seed makes the same data.")] = 1,
) -> None:
    """Fill an empty database with made-up data; refuses one that has data."""
    with _migrated() as database, Progress(console=err, transient=True) as progress:
        tasks = {}

        def show(noun: str, done: int, total: int) -> None:
            if noun not in tasks:
                tasks[noun] = progress.add_task(noun, total=total)
            progress.update(tasks[noun], completed=done)

        fill_demo(database, Sizes(users, purchases, claims), seed, show)
    out.print(f"Filled with {users:,} users, {purchases:,} purchases and {claims:,} claims, all made up.")
    out.print(f"User name: {DEMO_USERNAME}\nPassword:  {DEMO_PASSWORD}")


@app.command()
def openapi() -> None:
    """Print the API's description, as served at /api/openapi.json."""
    from countinghouse.main import create_app

    sys.stdout.write(json.dumps(create_app(_load_settings()).openapi(), indent=2, ensure_ascii=False) + "\n")


@app.command()
def doctor() -> None:
    """Check that what is stored is whole and true. Changes nothing, and ends with 1 when something is wrong."""
    is_well = True

    def say(title: str, problems: Iterable[str]) -> None:
        nonlocal is_well
        found = list(problems)
        is_well = is_well and not found
        out.print(f"{'wrong' if found else 'fine '}  {title}", markup=False)
        for problem in found:
            out.print(f"       {problem}", markup=False, soft_wrap=True)

    say("The list of bank codes is whole", find_damaged_codes())
    with _opened() as database:
        if database.file is not None and not database.file.exists():
            raise InvalidInput({"database": f"There is no database at {database.file}."})
        with database.reading() as connection:
            is_newest = current_revision(connection) == newest_revision()
            say("The database is at the newest migration", [] if is_newest else ["Start the server once: it migrates."])
            for title, find_problems in QR_CHECKS.items() if is_newest else ():
                say(title, find_problems(connection))
    if not is_well:
        raise typer.Exit(REFUSED)


PasswordStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]


def _ask_password(from_stdin: bool) -> str:
    """Never from an argument: arguments stand in the shell's history and in every list of processes."""
    if from_stdin:
        try:
            return sys.stdin.buffer.readline().decode().rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise InvalidInput({"password": "The password is not written in UTF-8; type it again."}) from error
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))


def _checked(name: str, kind: Any = Username) -> str:
    try:
        return str(TypeAdapter(kind).validate_python(name))
    except ValidationError as error:
        raise invalid_from(error) from error


@admin_app.command("add")
def add(name: str, password_stdin: PasswordStdin = False) -> None:
    """Add an admin."""
    with _migrated() as database:
        username = _checked(name, NewUsername)
        password_hash = hash_password(_ask_password(password_stdin))
        with database.writing() as connection:
            actions.add_admin(connection, COMMAND, username, password_hash)
    out.print(f"{name} may log in now.", markup=False)


@admin_app.command("passwd")
def passwd(name: str, password_stdin: PasswordStdin = False) -> None:
    """Change an admin's password, end their sessions and forget their devices."""
    with _migrated() as database:
        username = _checked(name)
        password_hash = hash_password(_ask_password(password_stdin))
        with database.writing() as connection:
            actions.change_password(connection, COMMAND, username, password_hash)
    out.print(f"The password of {name} is changed; their sessions have ended.", markup=False)


@admin_app.command("list")
def show_admins() -> None:
    """List the admins."""
    # Folded and not cut short: half a name is another name.
    table = Table(*(Column(title, overflow="fold") for title in ("Name", "Since", "State")))
    with _migrated() as database, database.reading() as connection:
        for admin in list_admins(connection):
            state = f"disabled {iso(admin.disabled_at)}" if admin.disabled_at else "active"
            table.add_row(admin.username, iso(admin.created_at), state)
    out.print(table if table.rows else "There is no admin yet. Add one: countinghouse admin add NAME")


@admin_app.command("disable")
def disable(name: str) -> None:
    """Stop an admin from logging in, and end their sessions at once."""
    with _migrated() as database, database.writing() as connection:
        actions.disable_admin(connection, COMMAND, _checked(name))
    out.print(f"{name} may no longer log in; their sessions have ended.", markup=False)


@admin_app.command("enable")
def enable(name: str) -> None:
    """Let a disabled admin log in again."""
    with _migrated() as database, database.writing() as connection:
        actions.enable_admin(connection, COMMAND, _checked(name))
    out.print(f"{name} may log in again.", markup=False)


@purchases_app.command("check")
def check(
    every: Annotated[bool, typer.Option("--all", help="Look at every one anew, not only at those that wait.")] = False,
) -> None:
    """Look at the transaction ids of purchases that were written past the desk; a running server does so by itself."""
    with _migrated() as database, Progress(console=err, transient=True) as progress:
        task = progress.add_task("purchases")
        done = check_purchases(
            database, lambda done, total: progress.update(task, completed=done, total=total), every=every
        )
    out.print(f"Looked at {done:,} purchases.")


@policy_app.command("show")
def show_policy() -> None:
    """Show each rule, and who set it when."""
    table = Table(*(Column(title, overflow="fold") for title in ("Rule", "Setting", "Set by", "Since")))
    with _migrated() as database, database.reading() as connection:
        for name, setting, found in policy_lines(list_rules(ConnectionLook(connection))):
            table.add_row(name, setting, found.set_by if found else "", iso(found.set_at) if found else "")
    out.print(table)


@policy_app.command("set")
def change_policy(
    rule: RuleName, setting: Annotated[str, typer.Argument(help="on or off; for second-look-above rupees or off.")]
) -> None:
    """Set a rule, on every server of this database at once. Admins themselves can only tighten."""
    with _migrated() as database, database.writing() as connection:
        set_policy(connection, COMMAND, rule.rule, typed_setting(rule, setting))
    out.print(f"{rule} is {setting} now.", markup=False)
