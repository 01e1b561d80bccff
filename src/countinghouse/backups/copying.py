"""Copies a whole database into a file and back: SQLite page by page, PostgreSQL with its own tools."""

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import text

from countinghouse.backups.archive import (
    POSTGRES_ENTRY,
    SQLITE_ENTRY,
    Archive,
    ArchiveWriter,
    BadBackup,
    OnProgress,
)
from countinghouse.backups.gzipped import Gunzipping, Gzipped
from countinghouse.backups.postgres_tools import dumping, restoring
from countinghouse.core.db import Database, Reader, Statement

_PAGES_AT_ONCE = 2_000
_LOCK_WAIT_SECONDS = 10.0
_HEADER = 100

_STAY = Statement(text("SELECT set_config('idle_in_transaction_session_timeout', '0', true)"))
_EXPORT = Statement(text("SELECT pg_export_snapshot()"))
_SERVER = Statement(text("SELECT current_setting('server_version_num')::int / 10000"))
_TABLES = Statement(text("SELECT count(*) FROM pg_stat_user_tables"))


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
        try:
            database.backup(
                copy, pages=_PAGES_AT_ONCE, progress=lambda _, left, total: on_progress("copy", total - left, total)
            )
        except sqlite3.OperationalError as error:
            # Nothing is written to the database itself.
            if error.sqlite_errorcode in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target.parent)) from error
            raise


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


async def load_database(archive: Archive, database: Database, file: Path, on_progress: OnProgress) -> None:
    """Everything or nothing. `file` is where a SQLite database goes."""
    name = SQLITE_ENTRY if database.is_sqlite else POSTGRES_ENTRY
    total = archive.size(name)
    done = 0

    def count(written: int) -> None:
        nonlocal done
        done += written
        on_progress("restore", done, total)

    if database.is_sqlite:
        with open_private(file) as loaded:
            pages = _Pages(loaded, file.parent)
            gunzipping = Gunzipping(pages)
            archive.copy(name, _Counted(gunzipping.write, gunzipping.flush, count))
            gunzipping.finish()
            pages.finish()
            loaded.flush()
        return
    server = await database.read(lambda reader: reader.scalar(_SERVER))
    # The idle connection has nothing prepared yet, but pg_restore is to be alone with the database.
    database.close()
    with restoring(database.url, server, lambda line: on_progress(_step(line), done, total)) as pipe:
        archive.copy(name, _Counted(pipe.write, pipe.flush, count))


def open_private(file: Path) -> BinaryIO:
    return os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


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


class _Pages:
    """Refuses what is no SQLite database, and more bytes than its header states: a small backup can contain terabytes.

    https://www.sqlite.org/fileformat.html#the_database_header
    """

    def __init__(self, file: BinaryIO, folder: Path) -> None:
        self._file = file
        self._folder = folder
        self._written = 0
        self._stated: int | None = None

    def write(self, data: bytes) -> int:
        if data and not self._written:
            self._stated = self._read_size(data)
        self._written += len(data)
        if self._stated is not None and self._written > self._stated:
            raise BadBackup("The backup is damaged: its database is larger than its header states.")
        return self._file.write(data)

    def flush(self) -> None:
        self._file.flush()

    def finish(self) -> None:
        if self._written != self._stated:
            raise BadBackup("The backup is damaged: its database is not as large as its header states.")

    def _read_size(self, start: bytes) -> int:
        if len(start) < _HEADER or not start.startswith(b"SQLite format 3\0"):
            raise BadBackup("The backup is damaged: its database is no SQLite database.")
        page = int.from_bytes(start[16:18])
        size = (65_536 if page == 1 else page) * int.from_bytes(start[28:32])
        free = shutil.disk_usage(self._folder).free
        if size > free:
            raise BadBackup(
                f"The database needs {size / 1e6:,.0f} MB, and where {self._folder} is, only {free / 1e6:,.0f} MB are "
                "free: free some space, and restore again."
            )
        return size
