"""All rows of one client, found through the index on the client and only then sorted."""

from sqlalchemy import CTE, Select, Table, bindparam, select

from countinghouse.core.listing.sql import number


def rows_of_client(table: Table) -> CTE:
    """Binds `user_id`."""
    own = select(table).where(table.c.user_id == bindparam("user_id")).cte("own")
    # Without MATERIALIZED, PostgreSQL would look for the newest rows by walking through everybody's rows by time, and
    # through all of them for a client who has been inactive for long.
    return own.prefix_with("MATERIALIZED", dialect="postgresql")


def newest_of(own: CTE, most: int) -> Select[tuple[object, ...]]:
    return select(own).order_by(own.c.created_at.desc(), own.c.id.desc()).limit(number(most))
