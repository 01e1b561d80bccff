"""Where a restore goes: an empty place, marked so that nothing else uses it until the restore has ended."""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import URL

from countinghouse.backups.postgres_tools import APPLICATION, ToolFailed
from countinghouse.core.db.connecting import libpq_address
from countinghouse.core.encoding import refuse_encoding
from countinghouse.core.errors import Conflict
from countinghouse.core.unfinished import MARK

# An arbitrary fixed number that nothing else in the same database may use.
RESTORE_LOCK = 7_406_118_204
_PATIENCE_MILLISECONDS = 30_000
_LOCK = "lock"

# Not what extensions bring, for example the view of pg_stat_statements.
_OWN = (
    "JOIN pg_namespace ON pg_namespace.oid = {namespace} WHERE nspname NOT LIKE 'pg!_%' ESCAPE '!' "
    "AND nspname <> 'information_schema' AND NOT EXISTS "
    "(SELECT FROM pg_depend WHERE classid = '{catalog}'::regclass AND objid = {catalog}.oid AND deptype = 'e')"
)
_OWN_RELATIONS = f"FROM pg_class {_OWN.format(catalog='pg_class', namespace='relnamespace')}"
_OWN_ROUTINES = f"FROM pg_proc {_OWN.format(catalog='pg_proc', namespace='pronamespace')}"
# Tables take their sequences with them.
_KINDS = "CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END"
_DROPS = (
    f"WITH own AS (SELECT {_KINDS} AS kind, pg_class.oid::regclass::text AS name {_OWN_RELATIONS} "  # noqa: S608 - constant
    f"AND relkind IN ('r', 'p', 'v', 'S') UNION ALL SELECT 'ROUTINE', pg_proc.oid::regprocedure::text {_OWN_ROUTINES}) "
    "SELECT format('DROP %s IF EXISTS %s CASCADE', kind, name) FROM own ORDER BY kind <> 'TABLE', kind"
)
_END_EARLIER = (
    "SELECT pg_terminate_backend(pid, %s) FROM pg_stat_activity "
    "WHERE datname = current_database() AND application_name = %s AND pid <> pg_backend_pid()"
)

Connection = psycopg.Connection[tuple[Any, ...]]


@contextmanager
def locked_folder(folder: Path) -> Iterator[bool]:
    """A private folder for one restore, removed at the end. Yields whether one that was killed had left something."""
    missing = [parent for parent in (folder.parent, *folder.parent.parents) if not parent.exists()]
    if folder.is_file():
        folder.unlink()
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        with (folder / _LOCK).open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise _already_running() from error
            left = [found for found in folder.iterdir() if found.name != _LOCK]
            for found in left:
                found.unlink()
            try:
                yield bool(left)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
    finally:
        # Those that are in use by now stay.
        for parent in missing:
            with suppress(OSError):
                parent.rmdir()


def _already_running() -> Conflict:
    return Conflict("restore_running", "Another restore into this database is running.")


def refuse_existing_file(database_file: Path) -> None:
    # SQLite would apply a log that another database has left to the restored one.
    for suffix in ("", "-wal", "-journal"):
        file = Path(f"{database_file}{suffix}")
        if file.exists() and file.stat().st_size:
            raise Conflict(
                "database_has_data",
                f"There is a database already: {file}. A backup is restored only where there is none: move it away "
                "with the files -wal and -shm beside it, or name another place in COUNTINGHOUSE_DATABASE_URL.",
            )


@contextmanager
def marked_database(url: URL) -> Iterator[bool]:
    """PostgreSQL: an empty database with the mark. If that is still there at the end, everything is removed again.

    Yields whether a restore that was killed had left something.
    """
    address = libpq_address(url)
    with closing(psycopg.connect(address, autocommit=True, prepare_threshold=None)) as connection:
        refuse_encoding(connection.info.parameter_status("server_encoding"))
        # The connection is idle as long as the restore takes, and its lock ends with it.
        connection.execute("SET idle_session_timeout = 0")
        if not _scalar(connection, "SELECT pg_try_advisory_lock(%s)", RESTORE_LOCK):
            raise _already_running()
        is_left = _is_marked(connection)
        if is_left:
            _clear(connection)
        if _scalar(connection, f"SELECT count(*) {_OWN_RELATIONS}"):
            raise Conflict(
                "database_has_data",
                "The database has tables already. A backup is restored only into an empty one: "
                "create another, and name it in COUNTINGHOUSE_DATABASE_URL.",
            )
        connection.execute(f"CREATE TABLE {MARK} (begun_at timestamptz NOT NULL DEFAULT now())")
        try:
            yield is_left
        except BaseException as error:
            _clear_after(error, address)
            raise


def _clear_after(error: BaseException, address: str) -> None:
    """On a new connection: the error may be that the database was restarted."""
    try:
        with closing(psycopg.connect(address, autocommit=True, prepare_threshold=None)) as connection:
            if _is_marked(connection):
                _clear(connection)
    except psycopg.Error as trouble:
        reason = " ".join(f"{error or 'The restore was interrupted.'}".split())
        raise ToolFailed(
            f"{reason} What was loaded could not be removed ({' '.join(str(trouble).split())}). It is marked as "
            "unfinished, so no server starts on it: run `countinghouse restore` again."
        ) from error


def _is_marked(connection: Connection) -> bool:
    return bool(_scalar(connection, "SELECT to_regclass(%s) IS NOT NULL", MARK))


def _clear(connection: Connection) -> None:
    """Only of a database that was empty before a restore began. Extensions stay."""
    # A pg_restore that has outlived its restore would go on with what is removed here.
    connection.execute(_END_EARLIER, [_PATIENCE_MILLISECONDS, APPLICATION])
    with connection.transaction():
        for (drop,) in connection.execute(_DROPS).fetchall():
            connection.execute(drop)


def _scalar(connection: Connection, statement: str, *values: object) -> Any:
    # A percent sign means itself only if there are no values.
    (found,) = connection.execute(statement, values or None).fetchone() or (None,)
    return found
