"""How far the log of a PostgreSQL server goes, and which server and database that is."""

from typing import NamedTuple


class Identity(NamedTuple):
    """Of the database behind a connection: a replica has the same as its primary."""

    system: str
    oid: int
    name: str
    timeline: int


class Position(NamedTuple):
    """Where the log of a primary ends."""

    lsn: str
    primary: Identity
