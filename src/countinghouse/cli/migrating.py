"""The command `migrate`."""

import asyncio
import time
from collections.abc import Collection, Sequence
from typing import Annotated

import typer
from sqlalchemy import Index, func, select, table

from countinghouse.audit.baselines import find_pending
from countinghouse.audit.numbering import find_misnumbering
from countinghouse.cli.terminal import complain, opened_database, out
from countinghouse.cli.upgrading import upgrade
from countinghouse.core.db import Cost, Database, Reader
from countinghouse.core.indexes import find_unbuilt
from countinghouse.core.migrate import (
    SchemaState,
    Step,
    has_table,
    list_steps,
    newest_revision,
    read_revision,
    read_schema_state,
)
from countinghouse.core.unfinished import refuse_unfinished
from countinghouse.monitoring.checks import AHEAD

# Below this, a migration is not worth a number.
AT_ONCE_SECONDS = 0.5
# Of one index of three columns of the audit log, measured on two busy cores.
INDEX_SECONDS_PER_MILLION = 6.0


def migrate(
    plan: Annotated[
        bool, typer.Option("--plan", help="Only say what would be done, and how long it would take.")
    ] = False,
) -> None:
    """Bring the database to the newest migration. `serve` and most other commands do that by themselves as well."""
    with opened_database() as database:
        asyncio.run(refuse_unfinished(database))
        revision = _read_revision(database)
        if revision is not None and asyncio.run(database.read(read_schema_state)) is SchemaState.AHEAD:
            out.print(f"{AHEAD} There is nothing to migrate.", soft_wrap=True)
            return
        steps = list_steps(revision)
        indexes = [] if database.is_sqlite else asyncio.run(database.read(find_unbuilt))
        pending = [] if steps else asyncio.run(database.read(find_pending))
        misnumbered = [] if steps else asyncio.run(database.read(find_misnumbering))
        if not steps and not indexes and not pending and not misnumbered:
            out.print(f"The database is at the newest migration, {newest_revision()}.")
            return
        out.print(f"From {revision or 'an empty database'} to {newest_revision()}: {len(steps)} to apply.")
        if not plan:
            _apply(steps, indexes, database)
            return
        if steps:
            _say_plan(steps, database)
        if indexes:
            _say_indexes(indexes, database)


def _read_revision(database: Database) -> str | None:
    if database.file is not None and not database.file.exists():
        return None
    return asyncio.run(database.read(read_revision))


def _apply(steps: Sequence[Step], indexes: Sequence[Index], database: Database) -> None:
    titles = {step.revision: step.title for step in steps}
    titles |= {str(index.name): "Built while requests went on." for index in indexes}
    began = before = time.monotonic()

    def say(revision: str) -> None:
        nonlocal before
        took, before = time.monotonic() - before, time.monotonic()
        out.print(f"  {revision}  {took:7.1f} s  {titles.get(revision, '')}", markup=False, soft_wrap=True)

    def say_recorded(kind: str, records: int) -> None:
        titles[kind] = f"Recorded what the audit log did not tell of {records:,} of them."
        say(kind)

    sentences = upgrade(database, say, say_recorded)
    out.print(f"Done in {time.monotonic() - began:.1f} s.")
    for sentence in sentences:
        complain(sentence)


def _say_plan(steps: Sequence[Step], database: Database) -> None:
    engine = "sqlite" if database.is_sqlite else "postgresql"
    counts = _count({name for step in steps for name in step.tables}, database)
    expected, is_known = 0.0, True
    for step in steps:
        rows = sum(counts.get(name, 0) for name in step.tables)
        if step.seconds_per_million is None:
            is_known = False
            duration = "not measured"
        else:
            seconds = step.seconds_per_million[engine] * rows / 1_000_000
            expected += seconds
            duration = f"about {seconds:,.0f} s" if seconds >= AT_ONCE_SECONDS else "at once"
        out.print(f"  {step.revision}  {duration:>13}  {step.title}", markup=False, soft_wrap=True)
        if rows and duration != "at once":
            out.print(f"{'':21}{rows:,} rows of {', '.join(step.tables)}", markup=False, soft_wrap=True)
    limit = "" if is_known else "at least "
    out.print(
        f"In all {limit}about {max(expected, 1.0):,.0f} s, all in one transaction: all of it is applied, or nothing."
    )
    out.print(
        "Requests wait or get 503 meanwhile. To measure it on a copy: countinghouse backup FILE, "
        "then countinghouse backup --check FILE.",
        soft_wrap=True,
    )


def _say_indexes(indexes: Sequence[Index], database: Database) -> None:
    """Behind the migrations, which make small tables only."""
    tables = {str(index.name): index.table.name for index in indexes if index.table is not None}
    counts = _count(set(tables.values()), database)
    for name, of_table in tables.items():
        rows = counts.get(of_table, 0)
        seconds = INDEX_SECONDS_PER_MILLION * rows / 1_000_000
        duration = f"about {seconds:,.0f} s" if seconds >= AT_ONCE_SECONDS else "at once"
        out.print(f"  {name}  {duration}, {rows:,} rows of {of_table}", markup=False, soft_wrap=True)
    out.print(
        f"{'These indexes are' if len(tables) > 1 else 'This index is'} built concurrently: nobody waits for it. "
        "If it is interrupted, the next countinghouse migrate, or start of a server, builds it again.",
        soft_wrap=True,
    )


def _count(names: Collection[str], database: Database) -> dict[str, int]:
    """Of those tables that exist."""

    async def count(reader: Reader) -> dict[str, int]:
        there = [name for name in sorted(names) if await has_table(reader, name)]
        return {name: int(await reader.scalar(select(func.count()).select_from(table(name)))) for name in there}

    if _read_revision(database) is None:
        return {}
    return asyncio.run(database.read(count, Cost.LONG, snapshot=True))
