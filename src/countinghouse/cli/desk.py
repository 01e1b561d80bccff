"""The commands `serve`, `demo`, `purchases check`, `openapi` and `doctor`."""

import asyncio
import json
import sys
from contextlib import suppress
from typing import Annotated

import typer
from rich.progress import Progress

from countinghouse.admins.inviting import offer_setup
from countinghouse.cli.terminal import (
    REFUSED,
    announce,
    complain,
    err,
    existing_database,
    load_settings,
    migrated_database,
    out,
    say_examined,
)
from countinghouse.core.db import Database
from countinghouse.core.descriptors import raise_descriptor_limit
from countinghouse.core.logs import configure_logs, finish_logs, set_up_serving_logs
from countinghouse.core.migrate import SchemaState, read_schema_state
from countinghouse.demo.actions import DEMO_PASSWORD, DEMO_USERNAME, Sizes, fill_demo
from countinghouse.home.zone import follow_zone
from countinghouse.monitoring.checks import AHEAD, MIGRATIONS, check_surroundings
from countinghouse.purchases import actions
from countinghouse.qr.upgrading import bring_up_to_date
from countinghouse.settings import Settings

LOOPBACK = ("127.0.0.1", "::1", "localhost")
IN_THE_CLEAR = (
    "others on the network can reach this address, and passwords travel in the clear. "
    "Put TLS in front and set COUNTINGHOUSE_PUBLIC_URL to its https address."
)

OPEN_METRICS = (
    "COUNTINGHOUSE_METRICS_PORT would be open to the network: set COUNTINGHOUSE_METRICS_TOKEN too, "
    "or serve on 127.0.0.1 behind a proxy."
)
SETUP = "nobody can log in yet. Open this link within a day to become the owner; it works once:"


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.", min=1, max=65535)] = 8000,
    workers: Annotated[int, typer.Option(help="How many processes share the work.", min=1, max=64)] = 1,
) -> None:
    """Migrate the database, then serve the API and the web app."""
    raise_descriptor_limit()
    settings = load_settings()
    if settings.metrics_port is not None and not settings.metrics_token and host not in LOOPBACK:
        complain(OPEN_METRICS)
        raise typer.Exit(REFUSED)
    set_up_serving_logs()
    configure_logs(settings.log_format, settings.log_level)
    try:
        _serve(settings, host, port, workers)
    finally:
        finish_logs()


def _serve(settings: Settings, host: str, port: int, workers: int) -> None:
    # Imported here because the framework takes a second to load, and the other commands do not need it.
    import uvicorn

    from countinghouse.cli.metrics import served_metrics
    from countinghouse.cli.processes import GRACEFUL_SECONDS, Workers
    from countinghouse.core.http.protocol import DeadlineProtocol

    config = uvicorn.Config(
        f"countinghouse.cli.processes:{'create_served_app' if workers == 1 else 'create_worker_app'}",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        http=DeadlineProtocol,
        ws="none",
        loop="uvloop",
        # A forwarded header must not change the peer's address; core.http.requests decides which proxies to trust.
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_level="warning",
        # Its lines go where ours go, in the same format.
        log_config=None,
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
        # On a busy machine a worker takes several seconds to start; with a short timeout it would be killed each time.
        timeout_worker_healthcheck=30,
    )
    # Before anything else, so that a port that is taken is reported before the database is touched.
    listener = config.bind_socket()
    origin = f"http://{host}:{port}"
    with migrated_database() as database:
        if asyncio.run(database.read(read_schema_state)) is SchemaState.AHEAD:
            announce(settings, "database_is_newer", AHEAD)
        if follow_zone(database, settings.time_zone):
            out.print(f"Home now counts the days of {settings.time_zone}.", markup=False)
        setup = asyncio.run(_prepare(database))
        if setup is not None:
            announce(settings, "setup_link", SETUP, link=f"{settings.public_url or origin}{setup}")
        if host not in LOOPBACK and not settings.public_url:
            announce(settings, "in_the_clear", IN_THE_CLEAR)
    with served_metrics(settings, host, workers):
        announce(settings, "serving", "serving at", url=origin)
        if workers > 1:
            Workers(config, [listener]).run()
        else:
            with suppress(KeyboardInterrupt):
                uvicorn.Server(config).run([listener])


async def _prepare(database: Database) -> str | None:
    """Returns the link for the first owner, if there is no admin."""
    await bring_up_to_date(database)
    return await database.write(offer_setup)


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
    """Check the surroundings and the stored data. Changes nothing; exits with 1 if something is wrong."""
    settings = load_settings()
    with existing_database() as database:
        is_well = asyncio.run(_examine(settings, database))
    if not is_well:
        raise typer.Exit(REFUSED)


async def _examine(settings: Settings, database: Database) -> bool:
    is_well = True
    for check in await check_surroundings(settings, database):
        # What is fine or wrong with the migrations is among the checks of the stored data.
        if check["title"] != MIGRATIONS or check["state"] == "note":
            out.print(f"{check['state']:<5}  {check['title']}: {check['message']}", markup=False, soft_wrap=True)
            is_well = is_well and check["state"] != "wrong"
    return await say_examined(database) and is_well
