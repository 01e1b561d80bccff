"""Copies a whole database into a file and back: SQLite page by page, PostgreSQL with its own tools."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from countinghouse.backups.archive import Archive, ArchiveWriter, Gunzipping, Gzipped, OnProgress
from countinghouse.backups.postgres_tools import dumping, restoring
from countinghouse.core.db import Database, Reader, Statement
from countinghouse.core.errors import Conflict

SQLITE_ENTRY, POSTGRES_ENTRY = "database.sqlite.gz", "database.dump"
_PAGES_AT_ONCE = 2_000
_LOCK_WAIT_SECONDS = 10.0

_STAY = Statement(text("SELECT set_config('idle_in_transaction_session_timeout', '0', true)"))
_EXPORT = Statement(text("SELECT pg_export_snapshot()"))
_SERVER = Statement(text("SELECT current_setting('server_version_num')::int / 10000"))
_TABLES = Statement(text("SELECT count(*) FROM pg_stat_user_tables"))
# Not what extensions bring, for example the view of pg_stat_statements.
_OWN_RELATIONS = Statement(
    text(
        "SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace "
        "WHERE nspname NOT LIKE 'pg!_%' ESCAPE '!' AND nspname <> 'information_schema' AND NOT EXISTS "
        "(SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')"
    )
)


def copy_sqlite(source: Path, target: Path, on_progress: OnProgress) -> None:
    """In one read transaction: what others write meanwhile neither waits nor gets in, nor starts the copy again."""
    with (
        closing(sqlite3.connect(source, isolation_level=None, timeout=_LOCK_WAIT_SECONDS)) as database,
        closing(sqlite3.connect(target)) as copy,
    ):
        copy.execute("PRAGMA journal_mode = OFF")
        copy.execute("PRAGMA synchronous = OFF")
        database.execute("BEGIN")
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        database.backup(
            copy, pages=_PAGES_AT_ONCE, progress=lambda _, left, total: on_progress("copy", total - left, total)
        )


def add_sqlite(archive: ArchiveWriter, copy: Path, on_progress: OnProgress) -> None:
    done, total = 0, copy.stat().st_size

    def on_read(count: int) -> None:
        nonlocal done
        done += count
        on_progress("compress", done, total)

    with copy.open("rb") as file:
        archive.add(SQLITE_ENTRY, Gzipped(file, on_read))


async def add_postgres(archive: ArchiveWriter, database: Database, reader: Reader, on_progress: OnProgress) -> None:
    """`reader` is in a transaction whose snapshot is dumped, and which stays open meanwhile."""
    await reader.scalar(_STAY)
    server, snapshot = await reader.scalar(_SERVER), await reader.scalar(_EXPORT)
    tables = int(await reader.scalar(_TABLES))
    dumped = 0

    def on_line(line: str) -> None:
        nonlocal dumped
        dumped += "dumping contents of table" in line
        on_progress("tables", dumped, max(tables, dumped))

    with dumping(database.url, server, snapshot, on_line) as dump:
        archive.add(POSTGRES_ENTRY, dump)


async def refuse_unless_empty(database: Database) -> None:
    if database.file is None:
        if await database.read(lambda reader: reader.scalar(_OWN_RELATIONS)):
            raise Conflict(
                "database_has_data",
                "The database has tables already. A backup is restored only into an empty one: "
                "create another, and name it in COUNTINGHOUSE_DATABASE_URL.",
            )
        return
    # SQLite would apply a log that another database has left to the restored one.
    for suffix in ("", "-wal", "-journal"):
        file = Path(f"{database.file}{suffix}")
        if file.exists() and file.stat().st_size:
            raise Conflict(
                "database_has_data",
                f"There is a database already: {file}. A backup is restored only where there is none: move it away "
                "with the files -wal and -shm beside it, or name another place in COUNTINGHOUSE_DATABASE_URL.",
            )


async def restore_database(archive: Archive, database: Database, on_progress: OnProgress) -> None:
    """Everything or nothing: a restore that is interrupted leaves the target empty."""
    if database.file is not None:
        _restore_sqlite(archive, database.file, on_progress)
        return
    server = await database.read(lambda reader: reader.scalar(_SERVER))
    total = archive.size(POSTGRES_ENTRY)
    done = 0
    # The idle connection has nothing prepared yet, but pg_restore is to be alone with the database.
    database.close()
    with restoring(database.url, server, lambda line: on_progress(_step(line), done, total)) as pipe:

        def count(written: int) -> None:
            nonlocal done
            done += written
            on_progress("restore", done, total)

        archive.copy(POSTGRES_ENTRY, _Counted(pipe.write, pipe.flush, count))


def _restore_sqlite(archive: Archive, file: Path, on_progress: OnProgress) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = file.with_name(f"{file.name}.restoring")
    unfinished.unlink(missing_ok=True)
    total = archive.size(SQLITE_ENTRY)
    done = 0

    def count(written: int) -> None:
        nonlocal done
        done += written
        on_progress("restore", done, total)

    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as restored:
            gunzipping = Gunzipping(restored)
            archive.copy(SQLITE_ENTRY, _Counted(gunzipping.write, gunzipping.flush, count))
            gunzipping.finish()
            restored.flush()
            os.fsync(restored.fileno())
        unfinished.rename(file)
    finally:
        unfinished.unlink(missing_ok=True)
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """A new name survives a crash only then."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _step(line: str) -> str:
    """`creating INDEX "public.ix_claims_newest"` of a line of pg_restore."""
    return line.partition(": ")[2][:60]


class _Counted:
    def __init__(
        self, write: Callable[[bytes], int], flush: Callable[[], None], on_written: Callable[[int], None]
    ) -> None:
        self._write = write
        self._on_written = on_written
        self.flush = flush

    def write(self, data: bytes) -> int:
        self._write(data)
        self._on_written(len(data))
        return len(data)
