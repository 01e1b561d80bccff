"""Commands for purchases that were inserted directly into the database."""

import asyncio
from typing import Annotated

import typer
from rich.progress import Progress

from countinghouse.cli.terminal import err, migrated_database, out
from countinghouse.purchases.actions import check_purchases

purchases_app = typer.Typer(no_args_is_help=True, help="Check the transaction IDs of purchases.")


@purchases_app.command("check")
def check(
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

        done = asyncio.run(check_purchases(database, show, every=every))
    out.print(f"Checked {done:,} purchases.")
