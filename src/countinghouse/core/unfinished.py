"""The mark of a restore that has not ended. Until it has, nothing but another restore may use the database.

On SQLite the mark is the database itself, which is elsewhere until the restore ends; on PostgreSQL it is a table.
"""

from pathlib import Path

from sqlalchemy import Connection, bindparam, func, inspect, select

from countinghouse.core.db import Database, Statement
from countinghouse.core.errors import Conflict

MARK = "unfinished_restore"
UNFINISHED = (
    "A restore into this database has not ended. Wait for it; if it was interrupted, run `countinghouse restore` again."
)

_MARKS = Statement(select(func.count(func.to_regclass(bindparam("name")))))


def place_beside(database_file: Path) -> Path:
    """The folder in which a restore makes the database of this name."""
    return database_file.with_name(f"{database_file.name}.restoring")


def unfinished_file(place: Path) -> Path:
    return place / "countinghouse.db"


async def refuse_unfinished(database: Database) -> None:
    if database.file is not None:
        is_unfinished = unfinished_file(place_beside(database.file)).exists()
    else:
        is_unfinished = bool(await database.read(lambda reader: reader.scalar(_MARKS, {"name": MARK})))
    if is_unfinished:
        raise Conflict("restore_unfinished", UNFINISHED)


def is_unfinished_on(connection: Connection) -> bool:
    """Of PostgreSQL, on SQLAlchemy's connection."""
    return inspect(connection).has_table(MARK)
