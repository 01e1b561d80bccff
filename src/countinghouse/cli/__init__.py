"""The `countinghouse` command, with one file per noun that has several commands."""

import typer

from countinghouse.cli.admins import admin_app
from countinghouse.cli.desk import check_purchases, demo, doctor, openapi, serve
from countinghouse.cli.keys import key_app
from countinghouse.cli.policy import policy_app
from countinghouse.cli.webhooks import webhook_app

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Countinghouse: the back office.")
purchases_app = typer.Typer(no_args_is_help=True, help="Check the transaction IDs of purchases.")
purchases_app.command("check")(check_purchases)
for command in (serve, demo, openapi, doctor):
    app.command()(command)
app.add_typer(admin_app, name="admin")
app.add_typer(key_app, name="key")
app.add_typer(policy_app, name="policy")
app.add_typer(purchases_app, name="purchases")
app.add_typer(webhook_app, name="webhook")
