"""The days of the tallies are those of the setting COUNTINGHOUSE_TIME_ZONE. When it changes, all is counted again."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import delete, insert, select, text

from countinghouse.core.db import Database
from countinghouse.core.upgrade_connections import patient_transaction
from countinghouse.home.tables import day_changes, day_tallies, desk_zone

# Summer time before and after is not known: rows from there count on the days of the first and the last offset.
_FIRST_YEAR, _LAST_YEAR = 1990, 2090
_BEGINNING = datetime(1, 1, 1, tzinfo=UTC)


def follow_zone(database: Database, zone: str) -> bool:
    """Whether the zone was another one. Writers wait meanwhile, about half a minute for a million claims."""
    with patient_transaction(database) as connection:
        known = connection.execute(select(desk_zone.c.zone).limit(1)).scalar()
        if known == zone:
            return False
        if not database.is_sqlite:
            connection.execute(text("LOCK TABLE claims, purchases, claim_transitions IN SHARE MODE"))
        for table in (desk_zone, day_changes, day_tallies):
            connection.execute(delete(table))
        rows = [{"since_at": at, "seconds": seconds, "zone": zone} for at, seconds in offsets_of(ZoneInfo(zone))]
        connection.execute(insert(desk_zone), rows)
        connection.execute(
            text("INSERT INTO day_tallies (kind, day, name, entries, amount_paise) SELECT * FROM day_counts")
        )
    return True


def offsets_of(zone: ZoneInfo) -> list[tuple[datetime, int]]:
    """From when on the zone is how many seconds ahead of UTC."""
    start, end = datetime(_FIRST_YEAR, 1, 1, tzinfo=UTC), datetime(_LAST_YEAR, 1, 1, tzinfo=UTC)
    offsets = [(_BEGINNING, _seconds(zone, start))]
    day = start
    while day < end:
        following = day + timedelta(days=1)
        if _seconds(zone, following) != _seconds(zone, day):
            offsets.append((_first_moment_of(zone, day, following), _seconds(zone, following)))
        day = following
    return offsets


def _seconds(zone: ZoneInfo, moment: datetime) -> int:
    offset = moment.astimezone(zone).utcoffset()
    return 0 if offset is None else round(offset.total_seconds())


def _first_moment_of(zone: ZoneInfo, before: datetime, after: datetime) -> datetime:
    """When, within a day, the offset of `after` begins; clocks change on a whole second."""
    while after - before > timedelta(seconds=1):
        middle = before + timedelta(seconds=(after - before).total_seconds() // 2)
        before, after = (middle, after) if _seconds(zone, middle) == _seconds(zone, before) else (before, middle)
    return after
