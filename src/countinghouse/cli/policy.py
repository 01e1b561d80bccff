"""Commands for the rules that apply to all admins."""

import asyncio
from typing import Annotated

import typer
from rich.table import Column, Table

from countinghouse.audit.actions import COMMAND
from countinghouse.cli.terminal import migrated_database, out
from countinghouse.core.times import iso
from countinghouse.policy.actions import set_policy
from countinghouse.policy.commands import RuleName, typed_setting
from countinghouse.policy.queries import read_rules

policy_app = typer.Typer(no_args_is_help=True, help="Set the rules for all admins.")


@policy_app.command("show")
def show_policy() -> None:
    """Show each rule, who set it and when."""
    table = Table(*(Column(title, overflow="fold") for title in ("Rule", "Setting", "Set by", "Since")))
    with migrated_database() as database:
        for found in asyncio.run(database.read(read_rules)).values():
            table.add_row(found.command_name, found.shown, found.set_by, iso(found.set_at) if found.set_at else "")
    out.print(table)


@policy_app.command("set")
def change_policy(
    rule: RuleName,
    setting: Annotated[
        str, typer.Argument(help="on or off; for rules that end in -above, an amount in rupees or off.")
    ],
) -> None:
    """Set a rule for every server that uses this database. Admins themselves can only tighten rules."""
    with migrated_database() as database:
        wish = typed_setting(rule, setting)
        asyncio.run(database.write(lambda transaction: set_policy(transaction, COMMAND, rule.rule, wish)))
    out.print(f"{rule} is {setting} now.", markup=False)
