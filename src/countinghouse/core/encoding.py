"""PostgreSQL: only a database in UTF8 can store every name and every index of this version."""

from sqlalchemy import text

from countinghouse.core.db import Database, Statement
from countinghouse.core.errors import Conflict

NEEDED = "UTF8"

_ENCODING = Statement(text("SELECT current_setting('server_encoding')"))


async def refuse_other_encoding(database: Database) -> None:
    if not database.is_sqlite:
        refuse_encoding(str(await database.read(lambda reader: reader.scalar(_ENCODING))))


def refuse_encoding(encoding: str | None) -> None:
    if encoding != NEEDED:
        raise Conflict(
            "database_encoding",
            f"This database has the encoding {encoding}, and Countinghouse needs UTF8. Nothing was changed, so a "
            "version that worked with it still does. Make a new database (CREATE DATABASE ... TEMPLATE template0 "
            "ENCODING 'UTF8'), stop all servers, copy everything with pg_dump and psql, and name the new one in "
            "COUNTINGHOUSE_DATABASE_URL.",
        )
