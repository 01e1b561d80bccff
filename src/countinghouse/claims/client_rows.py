"""All rows of one client, found by the index on whose they are and only then put in order."""

from sqlalchemy import CTE, Select, Table, bindparam, select

from countinghouse.core.listing.sql import number


def rows_of_client(table: Table) -> CTE:
    """Bound by `user_id`."""
    own = select(table).where(table.c.user_id == bindparam("user_id")).cte("own")
    # Or PostgreSQL, when the newest are asked for, would rather walk through everybody's rows by time, and through all
    # of them for a client who has been quiet for long.
    return own.prefix_with("MATERIALIZED", dialect="postgresql")


def newest_of(own: CTE, most: int) -> Select[tuple[object, ...]]:
    return select(own).order_by(own.c.created_at.desc(), own.c.id.desc()).limit(number(most))
