"""Records every statement that reaches the database during a test, as the drivers see it."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from countinghouse.core.db.connection import DeadlineConnection

Plan = dict[str, Any]


class Statements:
    def __init__(self) -> None:
        self.on_sqlite: list[str] = []
        self.on_postgres: list[tuple[str, Any]] = []

    def clear(self) -> None:
        self.on_sqlite.clear()
        self.on_postgres.clear()

    def note_on_sqlite(self, sql: str) -> None:
        # SQLite also traces the statements that a search index runs on its own tables; they begin with two dashes.
        if not sql.startswith("--"):
            self.on_sqlite.append(sql)

    @property
    def page_on_sqlite(self) -> str:
        """The one statement that reads a page's rows: no other statement selects `created_at` under that name."""
        (page,) = [sql for sql in self.on_sqlite if ".created_at AS created_at" in sql]
        return page

    @property
    def count(self) -> int:
        return len(self.on_sqlite) + len(self.on_postgres)


def watch(monkeypatch: pytest.MonkeyPatch) -> Statements:
    """Call it before the first connection is opened: SQLite traces statements per connection."""
    seen = Statements()
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect
    run: Callable[..., Any] = DeadlineConnection.run
    command: Callable[..., Any] = DeadlineConnection.command
    execute: Callable[..., Any] = psycopg.AsyncCursor.execute

    def connect_watched(*arguments: Any, **more: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **more)
        connection.set_trace_callback(seen.note_on_sqlite)
        return connection

    async def run_watched(connection: Any, sql: str, values: Any, **more: Any) -> Any:
        seen.on_postgres.append((sql, values))
        return await run(connection, sql, values, **more)

    async def command_watched(connection: Any, sql: str) -> None:
        seen.on_postgres.append((sql, None))
        await command(connection, sql)

    async def execute_watched(cursor: Any, query: Any, params: Any = None, **more: Any) -> Any:
        seen.on_postgres.append((query if isinstance(query, str) else str(query), params))
        return await execute(cursor, query, params, **more)

    monkeypatch.setattr(sqlite3, "connect", connect_watched)
    monkeypatch.setattr(DeadlineConnection, "run", run_watched)
    monkeypatch.setattr(DeadlineConnection, "command", command_watched)
    monkeypatch.setattr(psycopg.AsyncCursor, "execute", execute_watched)
    return seen


def plan_on_sqlite(file: Any, sql: str) -> list[str]:
    with sqlite3.connect(file) as connection:
        steps = [str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}")]
    connection.close()
    return steps


def plan_on_postgres(url: str, sql: str, params: Any, *, as_if_large: bool = False) -> Plan:
    """The plan as it was executed (EXPLAIN ANALYZE), with the rows that passed through each step."""
    with psycopg.connect(url) as connection:
        if as_if_large:
            # A full scan of a small table is cheap, and hides the plan that a large table would get.
            connection.execute("SET enable_seqscan = off")
        cursor = psycopg.RawCursor(connection)
        found = cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}", params or None).fetchone()
    assert found is not None
    plan: Plan = (found[0] if isinstance(found[0], list) else json.loads(found[0]))[0]["Plan"]
    return plan


def steps_of(plan: Plan) -> Iterator[Plan]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from steps_of(below)


def rows_into(step: Plan) -> float:
    """The rows that came from the largest child step, summed over its loops."""
    return max((below["Actual Rows"] * below["Actual Loops"] for below in step.get("Plans", ())), default=0)
