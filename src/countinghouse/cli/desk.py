"""The commands `serve`, `demo`, `purchases check`, `openapi` and `doctor`."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Annotated

import typer
from rich.progress import Progress

from countinghouse.admins.queries import list_admins
from countinghouse.banks.directory import find_damaged_codes
from countinghouse.claims.health import CLAIM_CHECKS
from countinghouse.cli.terminal import REFUSED, complain, err, load_settings, migrated_database, opened_database, out
from countinghouse.core.db import Cost, Database, Reader
from countinghouse.core.descriptors import raise_descriptor_limit
from countinghouse.core.errors import InvalidInput
from countinghouse.core.logs import configure_logs
from countinghouse.core.migrate import newest_revision, read_revision
from countinghouse.demo.actions import DEMO_PASSWORD, DEMO_USERNAME, Sizes, fill_demo
from countinghouse.purchases import actions
from countinghouse.qr.health import QR_CHECKS
from countinghouse.qr.upgrading import bring_up_to_date

# The maximum number of problems printed per check, so that one check does not hide the others.
MOST_TOLD = 20
LOOPBACK = ("127.0.0.1", "::1", "localhost")
IN_THE_CLEAR = (
    "Others on the network can reach this address, and passwords travel in the clear. "
    "Put TLS in front and set COUNTINGHOUSE_PUBLIC_URL to its https address."
)


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.", min=1, max=65535)] = 8000,
    workers: Annotated[int, typer.Option(help="How many processes share the work.", min=1, max=64)] = 1,
) -> None:
    """Migrate the database, then serve the API and the web app."""
    # Imported here because the framework takes a second to load, and the other commands do not need it.
    import uvicorn

    from countinghouse.cli.processes import GRACEFUL_SECONDS, Workers
    from countinghouse.core.http.protocol import DeadlineProtocol

    raise_descriptor_limit()
    settings = load_settings()
    with migrated_database() as database:
        if not asyncio.run(_prepare(database)):
            out.print("Nobody can log in yet. Add the first admin: countinghouse admin add NAME")
        if host not in LOOPBACK and not settings.public_url:
            complain(IN_THE_CLEAR)
        out.print(f"Countinghouse will be at http://{host}:{port}")
    configure_logs(settings.log_format, settings.log_level)
    config = uvicorn.Config(
        f"countinghouse.cli.processes:{'create_served_app' if workers == 1 else 'create_worker_app'}",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        http=DeadlineProtocol,
        ws="none",
        loop="uvloop",
        # A forwarded header must not change the peer's address; core.http.addresses decides which proxies to trust.
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
        # On a busy machine a worker takes several seconds to start; with a short timeout it would be killed each time.
        timeout_worker_healthcheck=30,
    )
    if workers > 1:
        Workers(config, [config.bind_socket()]).run()
    else:
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run()


async def _prepare(database: Database) -> bool:
    """Returns whether there is an admin."""
    await bring_up_to_date(database)
    return bool(await database.read(list_admins))


def demo(
    users: Annotated[int, typer.Option(min=1)] = Sizes.users,
    purchases: Annotated[int, typer.Option(min=1)] = Sizes.purchases,
    claims: Annotated[int, typer.Option(min=0)] = Sizes.claims,
    seed: Annotated[int, typer.Option(help="The same seed makes the same data.")] = 1,
) -> None:
    """Fill an empty database with made-up data; refuses one that has data."""
    with migrated_database() as database, Progress(console=err, transient=True) as progress:
        tasks = {}

        def show(noun: str, done: int, total: int) -> None:
            if noun not in tasks:
                tasks[noun] = progress.add_task(noun, total=total)
            progress.update(tasks[noun], completed=done)

        asyncio.run(fill_demo(database, Sizes(users, purchases, claims), seed, show))
    out.print(f"Filled with {users:,} users, {purchases:,} purchases and {claims:,} claims, all made up.")
    out.print(f"User name: {DEMO_USERNAME}\nPassword:  {DEMO_PASSWORD}")


def check_purchases(
    every: Annotated[
        bool, typer.Option("--all", help="Check all purchases again, not only those that are waiting.")
    ] = False,
) -> None:
    """Check the transaction IDs of purchases that were inserted directly into the database.

    A running server does this by itself.
    """
    with migrated_database() as database, Progress(console=err, transient=True) as progress:
        task = progress.add_task("purchases")

        def show(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        done = asyncio.run(actions.check_purchases(database, show, every=every))
    out.print(f"Checked {done:,} purchases.")


def openapi() -> None:
    """Print the API's description, as served at /api/openapi.json."""
    from countinghouse.main import create_app

    sys.stdout.write(json.dumps(create_app(load_settings()).openapi(), indent=2, ensure_ascii=False) + "\n")


def doctor() -> None:
    """Check the stored data for damage and contradictions. Changes nothing; exits with 1 if something is wrong."""
    is_well = _say("The list of bank codes is intact", list(find_damaged_codes()))
    with opened_database() as database:
        if database.file is not None and not database.file.exists():
            raise InvalidInput({"database": f"There is no database at {database.file}."})
        is_well = asyncio.run(_examine(database)) and is_well
    if not is_well:
        raise typer.Exit(REFUSED)


async def _examine(database: Database) -> bool:
    if await database.read(read_revision) != newest_revision():
        return _say("The database is at the newest migration", ["Start the server once to migrate the database."])
    is_well = _say("The database is at the newest migration", [])
    for title, find_problems in (CLAIM_CHECKS | QR_CHECKS).items():
        problems = await database.read(partial(_listed, find_problems), Cost.LONG, snapshot=True)
        is_well = _say(title, problems) and is_well
    return is_well


async def _listed(find_problems: Callable[[Reader], AsyncIterator[str]], reader: Reader) -> list[str]:
    return [problem async for problem in find_problems(reader)]


def _say(title: str, problems: Sequence[str]) -> bool:
    """Returns whether there is no problem."""
    out.print(f"{'wrong' if problems else 'fine '}  {title}", markup=False)
    for problem in problems[:MOST_TOLD]:
        out.print(f"       {problem}", markup=False, soft_wrap=True)
    if len(problems) > MOST_TOLD:
        out.print(f"       and {len(problems) - MOST_TOLD:,} more", markup=False)
    return not problems
