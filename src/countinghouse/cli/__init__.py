"""The `countinghouse` command, with one file per noun."""

import typer

from countinghouse.cli.admins import admin_app
from countinghouse.cli.desk import demo, doctor, openapi, serve
from countinghouse.cli.policy import policy_app
from countinghouse.cli.purchases import purchases_app

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Countinghouse: the back office.")
for command in (serve, demo, openapi, doctor):
    app.command()(command)
app.add_typer(admin_app, name="admin")
app.add_typer(policy_app, name="policy")
app.add_typer(purchases_app, name="purchases")
