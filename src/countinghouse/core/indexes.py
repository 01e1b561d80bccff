"""Builds large indexes on PostgreSQL after the migrations, while everybody goes on reading and writing.

A migration is one transaction that locks all tables, which is too long for the index of a large one. Such an index is
declared as `built_later` in `tables.py`, and its migration makes it on SQLite only. A build that is interrupted leaves
an index that is not valid; the next one removes it and begins again.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from psycopg.errors import DeadlockDetected, LockNotAvailable
from sqlalchemy import Connection, Index, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.schema import CreateIndex

from countinghouse.core.db import Database, Reader, Statement, metadata
from countinghouse.core.upgrade_connections import LOCK_ATTEMPT_MILLISECONDS, patient_connection

# An arbitrary fixed number that nothing else on the same server may use.
BUILDING_LOCK = 7_406_118_221
PAUSE_SECONDS = 0.5

_LATER = "built_later"
_VALID = text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(quote_ident(:name))")
_VALID_NAMES = Statement(text("SELECT relname FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indisvalid"))
_IS_BUILDING = text(
    "SELECT count(*) FROM pg_stat_progress_create_index WHERE index_relid = to_regclass(quote_ident(:name))"
)
_IS_OWN = text("SELECT pg_has_role(relowner, 'MEMBER') FROM pg_class WHERE oid = to_regclass(quote_ident(:name))")
_PARTS = text(
    "SELECT relname FROM pg_partition_tree(to_regclass(quote_ident(:name))) JOIN pg_class ON oid = relid "
    "WHERE isleaf AND parentrelid IS NOT NULL ORDER BY relname"
)
_IS_ATTACHED = text("SELECT count(*) FROM pg_inherits WHERE inhrelid = to_regclass(quote_ident(:name))")


def built_later(index: Index) -> Index:
    index.info[_LATER] = True
    return index


def _declared() -> list[Index]:
    indexes = (index for table in metadata.sorted_tables for index in table.indexes if index.info.get(_LATER))
    return sorted(indexes, key=lambda index: str(index.name))


async def find_unbuilt(reader: Reader) -> list[Index]:
    """Also those of tables that a pending migration makes."""
    declared = _declared()
    if reader.is_sqlite or not declared:
        return []
    built = {row[0] for row in await reader.all(_VALID_NAMES)}
    return [index for index in declared if index.name not in built]


def build_indexes(database: Database, on_built: Callable[[str], None]) -> None:
    """What another process is building is left to it."""
    if database.is_sqlite or not _declared():
        return
    with patient_connection(database) as connection:
        for index in _declared():
            name = str(index.name)
            if connection.execute(_VALID, {"name": name}).scalar() or not is_own(connection, _table_of(index)):
                continue
            with _alone(database) as is_alone:
                if not is_alone:
                    return
                _build(connection, index)
            on_built(name)


def _table_of(index: Index) -> str:
    assert index.table is not None  # noqa: S101 - it is one of a table
    return index.table.name


def is_own(connection: Connection, table: str) -> bool:
    """Whether the role of this connection may change the table's definition."""
    return bool(connection.execute(_IS_OWN, {"name": table}).scalar())


@contextmanager
def _alone(database: Database) -> Iterator[bool]:
    """A lock in a transaction of its own, because an index is not built in one. It ends with this process."""
    with patient_connection(database) as connection:
        connection.exec_driver_sql("BEGIN")
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        # Without a bound value: PostgreSQL keeps the snapshot of such a statement, and the build would wait for it.
        yield bool(connection.exec_driver_sql(f"SELECT pg_try_advisory_xact_lock({BUILDING_LOCK})").scalar())


def _build(connection: Connection, index: Index) -> None:
    assert index.table is not None  # noqa: S101 - it is one of a table
    name, table = str(index.name), index.table.name
    kind = "UNIQUE INDEX" if index.unique else "INDEX"
    # The same on the table itself, and on each of its partitions.
    compiled = str(CreateIndex(index).compile(dialect=connection.dialect))
    definition = compiled.partition(f" ON {table} ")[2]
    parts = {part: f"{name}_of_{part}"[:63] for part in connection.execute(_PARTS, {"name": table}).scalars()}
    for part, of_part in (parts or {table: name}).items():
        _build_one(connection, kind, of_part, part, definition)
    if not parts:
        return
    # Not valid until it has the index of each partition. New partitions get theirs from it.
    _at_once(connection, f'CREATE {kind} IF NOT EXISTS "{name}" ON ONLY "{table}" {definition}')
    for of_part in parts.values():
        if not connection.execute(_IS_ATTACHED, {"name": of_part}).scalar():
            _at_once(connection, f'ALTER INDEX "{name}" ATTACH PARTITION "{of_part}"')


def _at_once(connection: Connection, sql: str) -> None:
    """What needs a lock for a moment only; nobody waits behind it for long."""
    while True:
        try:
            connection.exec_driver_sql("BEGIN")
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {LOCK_ATTEMPT_MILLISECONDS}")
            connection.exec_driver_sql(sql.replace("%", "%%"))
            connection.exec_driver_sql("COMMIT")
        except OperationalError as error:
            connection.exec_driver_sql("ROLLBACK")
            if not isinstance(error.orig, LockNotAvailable | DeadlockDetected):
                raise
            time.sleep(PAUSE_SECONDS)
        else:
            return


def _build_one(connection: Connection, kind: str, name: str, table: str, definition: str) -> None:
    while connection.execute(_IS_BUILDING, {"name": name}).scalar():
        # By a connection whose process was killed.
        time.sleep(PAUSE_SECONDS)
    is_valid = connection.execute(_VALID, {"name": name}).scalar()
    if is_valid:
        return
    if is_valid is not None:
        connection.exec_driver_sql(f'DROP INDEX CONCURRENTLY IF EXISTS "{name}"')
    connection.exec_driver_sql(f'CREATE {kind} CONCURRENTLY "{name}" ON "{table}" {definition}'.replace("%", "%%"))
