"""The command `partition`."""

import asyncio
from typing import Annotated

import typer

from countinghouse.cli.terminal import opened_database, out
from countinghouse.cli.upgrading import upgrade
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.migrate import SchemaState, read_schema_state
from countinghouse.partitions import actions


def partition(
    plan: Annotated[bool, typer.Option("--plan", help="Only say what would be done.")] = False,
    rows: Annotated[int, typer.Option(help="Leave tables with fewer rows as they are.", min=1)] = actions.ROWS,
) -> None:
    """Split the audit log and the history of claims into monthly partitions, while the desk is in use (PostgreSQL).

    Run it again every day, from a timer: it makes the partitions of the next months.
    """
    with opened_database() as database:
        if database.is_sqlite:
            raise InvalidInput({"database": "SQLite has no partitions, so there is nothing to do here."})
        if not plan:
            upgrade(database)
        elif asyncio.run(database.read(read_schema_state)) is SchemaState.BEHIND:
            raise Conflict("not_upgraded", "Migrations are pending: run countinghouse migrate first.")
        actions.partition(database, rows, _say, is_plan=plan)


def _say(sentence: str) -> None:
    out.print(sentence, markup=False, soft_wrap=True)
