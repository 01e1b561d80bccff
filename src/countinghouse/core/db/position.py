"""How far the log of a PostgreSQL server goes, and which server and database that is."""

from typing import NamedTuple


class Position(NamedTuple):
    """Where the log of a primary ends, or how far a replica has replayed it.

    A replica has the same system, oid, name and timeline as its primary.
    """

    system: str
    oid: int
    name: str
    timeline: int
    is_replica: bool
    lsn: int
