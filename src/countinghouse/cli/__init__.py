"""The `countinghouse` command, with one file per noun that has several commands."""

from typing import Annotated

import typer

from countinghouse import __version__
from countinghouse.cli.admins import admin_app
from countinghouse.cli.audit import audit_app
from countinghouse.cli.backups import backup, restore
from countinghouse.cli.desk import check_purchases, demo, doctor, openapi, serve
from countinghouse.cli.importing import import_data
from countinghouse.cli.keys import key_app
from countinghouse.cli.migrating import migrate
from countinghouse.cli.partitioning import partition
from countinghouse.cli.policy import policy_app
from countinghouse.cli.terminal import out
from countinghouse.cli.webhooks import webhook_app

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Countinghouse: the back office.")


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        out.print(f"countinghouse {__version__}")
        raise typer.Exit


@app.callback()
def main(
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None: ...


purchases_app = typer.Typer(no_args_is_help=True, help="Check the transaction IDs of purchases.")
purchases_app.command("check")(check_purchases)
for command in (serve, demo, openapi, doctor, backup, restore, migrate, partition):
    app.command()(command)
app.command("import")(import_data)
app.add_typer(admin_app, name="admin")
app.add_typer(audit_app, name="audit")
app.add_typer(key_app, name="key")
app.add_typer(policy_app, name="policy")
app.add_typer(purchases_app, name="purchases")
app.add_typer(webhook_app, name="webhook")
