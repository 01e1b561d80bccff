"""An empty place to restore a backup into, which is removed afterwards."""

import secrets
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy import make_url

from countinghouse.backups.folder import temporary_folder
from countinghouse.backups.manifest import Engine
from countinghouse.backups.postgres_tools import refuse_pooler
from countinghouse.core.db.connecting import libpq_address
from countinghouse.core.errors import InvalidInput
from countinghouse.settings import Settings

_PREFIX = "countinghouse_check_"
# A check does not take this long; a database that is older was left by one that was killed.
_LEFT_BEHIND_SECONDS = 24 * 60 * 60


@contextmanager
def throwaway_place(settings: Settings, engine: Engine) -> Iterator[Settings]:
    """A folder, and for PostgreSQL a database on the same server, for which the role needs the right to create one."""
    with temporary_folder(Path(tempfile.gettempdir()), "countinghouse-check-") as folder:
        elsewhere = {"data_dir": folder, "database_url": "", "audit_key": None, "audit_checkpoints": None}
        if engine == "sqlite":
            yield settings.model_copy(update=elsewhere)
            return
        if not settings.database.startswith("postgresql"):
            raise InvalidInput(
                {"database": "To check a backup of PostgreSQL, name a server in COUNTINGHOUSE_DATABASE_URL."}
            )
        refuse_pooler(settings)
        with _created_database(settings.database_url) as url:
            yield settings.model_copy(update=elsewhere | {"database_url": url})


@contextmanager
def _created_database(server_url: str) -> Iterator[str]:
    url = make_url(server_url)
    address = libpq_address(url)
    name = f"{_PREFIX}{int(time.time())}_{secrets.token_hex(4)}"
    with closing(psycopg.connect(address, autocommit=True)) as connection:
        _sweep(connection)
        try:
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(sql.Identifier(name))
            )
        except psycopg.errors.InsufficientPrivilege as error:
            raise InvalidInput(
                {"database": f"The check needs a database of its own: ALTER ROLE {url.username} CREATEDB."}
            ) from error
    try:
        yield url.set(database=name).render_as_string(hide_password=False)
    finally:
        with closing(psycopg.connect(address, autocommit=True)) as connection:
            _drop(connection, name)


def _sweep(connection: "psycopg.Connection[tuple[str]]") -> None:
    found = connection.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [_PREFIX]).fetchall()
    for (name,) in found:
        with suppress(ValueError, psycopg.Error):
            if int(name.removeprefix(_PREFIX).split("_")[0]) < time.time() - _LEFT_BEHIND_SECONDS:
                _drop(connection, name)


def _drop(connection: "psycopg.Connection[tuple[str]]", name: str) -> None:
    """Not WITH (FORCE): an ordinary role may not end PostgreSQL's own autovacuum, which a plain DROP sends away."""
    connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
