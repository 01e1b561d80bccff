"""Moments are always in UTC. This program writes and shows milliseconds, and keeps microseconds that others stored.

Both databases store microseconds. Filters and cursors compare them, so a row between two milliseconds is not skipped.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import DateTime, Dialect, String
from sqlalchemy.types import TypeDecorator, TypeEngine


def now() -> datetime:
    return to_milliseconds(datetime.now(UTC))


# A timestamp further in the future than servers' clocks differ was written before the clock was set back. Such a row
# must not count as recent until the clock reaches that time again.
CLOCKS_DIFFER = timedelta(minutes=1)


class Alive(NamedTuple):
    """Between which moments a heartbeat must lie."""

    since: datetime
    ahead: datetime

    def includes(self, beat_at: datetime) -> bool:
        return self.since < beat_at <= self.ahead


def alive(at: datetime, silence: timedelta) -> Alive:
    """For whoever has been silent for this long at most."""
    return Alive(at - silence, at + CLOCKS_DIFFER)


def to_milliseconds(moment: datetime) -> datetime:
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def iso(moment: datetime) -> str:
    """2026-11-15T02:52:36.120Z: the format of API responses."""
    # Ten times as fast as isoformat. A whole second comes without a fraction.
    written: str = msgspec.to_builtins(moment.astimezone(UTC))
    return (written[:-1] + ".000")[:23] + "Z"


def shown(moments: Sequence[datetime | str | None]) -> list[str | None]:
    """A column of a Moment in the format of API responses. In SQLite it is text already."""
    # The database returns moments in UTC.
    texts = msgspec.to_builtins(moments)
    return [None if text is None else (text[:-1] + ".000")[:23] + "Z" for text in texts]


def stored_text(moment: datetime) -> str:
    """2026-11-15T02:52:36.120345Z: the format in SQLite and in cursors. Fixed width, so that text sorts by time."""
    written: str = msgspec.to_builtins(moment.astimezone(UTC))
    whole, _, fraction = written[:-1].partition(".")
    return f"{whole}.{fraction:0<6}Z"


def shown_text(stored: str) -> str:
    """The text stored in SQLite, cut to milliseconds."""
    return stored[:23] + "Z"


_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def around(moment: datetime, span: timedelta) -> tuple[datetime, datetime]:
    """The interval of `span` on either side of the moment, clamped to the datetime range."""
    return moment - min(span, moment - _FIRST), moment + min(span, _LAST - moment)


def to_moment(stored: datetime | str) -> datetime:
    """Converts what a driver returns for a Moment column: SQLite's returns text."""
    return datetime.fromisoformat(stored) if isinstance(stored, str) else stored


class Moment(TypeDecorator[datetime]):
    """timestamptz on PostgreSQL; on SQLite ISO text, which sorts by time."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        # The text has 27 characters since migration 0008. SQLite never checked the length, and changing it would mean
        # rebuilding every table.
        return dialect.type_descriptor(String(24) if dialect.name == "sqlite" else DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs its time zone")
        return stored_text(value) if dialect.name == "sqlite" else value

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return datetime.fromisoformat(value) if dialect.name == "sqlite" else value.astimezone(UTC)


class MomentText(Moment):
    """Reads a Moment column directly as ISO text, for responses that only pass it on."""

    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        if value is None:
            return None
        return shown_text(value) if dialect.name == "sqlite" else iso(value)
