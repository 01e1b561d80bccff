from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import insert, literal, select, type_coerce
from sqlalchemy.exc import StatementError

from countinghouse.core.ids import new_id
from countinghouse.core.listing.sql import whole_days
from countinghouse.core.times import Moment, MomentText, iso, now, stored_text
from countinghouse.india.days import day_of
from countinghouse.users.tables import users
from tests.direct_database import DirectDatabase

KOLKATA = timezone(timedelta(hours=5, minutes=30))


def _store(database: DirectDatabase, moment: datetime) -> str:
    user_id = new_id()
    with database.writing() as connection:
        connection.execute(insert(users).values(id=user_id, created_at=moment, username="A", mobile="1"))
    return user_id


def test_a_moment_is_stored_to_the_microsecond_and_shown_to_the_millisecond_in_utc(database: DirectDatabase) -> None:
    written = datetime(2026, 11, 15, 8, 22, 36, 120_999, tzinfo=KOLKATA)
    user_id = _store(database, written)
    with database.reading() as connection:
        read = connection.execute(select(users.c.created_at).where(users.c.id == user_id)).scalar_one()
        as_text = connection.execute(select(type_coerce(users.c.created_at, MomentText))).scalar_one()
    assert read == datetime(2026, 11, 15, 2, 52, 36, 120_999, tzinfo=UTC)
    assert read.utcoffset() == timedelta(0)
    assert as_text == iso(read) == "2026-11-15T02:52:36.120Z"


def test_now_survives_a_round_trip_through_the_database(database: DirectDatabase) -> None:
    moment = now()
    _store(database, moment)
    with database.reading() as connection:
        assert connection.execute(select(users.c.created_at)).scalar_one() == moment


def test_a_moment_without_a_time_zone_is_refused(database: DirectDatabase) -> None:
    with pytest.raises(StatementError, match="needs its time zone"):
        _store(database, datetime(2026, 11, 15, 2, 52, 36))


def test_the_database_orders_and_compares_moments_chronologically(database: DirectDatabase) -> None:
    first = datetime(2026, 11, 15, 2, 52, 36, tzinfo=UTC)
    microseconds = (0, 1, 999, 1_000, 1_001, 10_000, 120_345, 999_999, 1_000_000)
    steps = [timedelta(microseconds=step) for step in microseconds]
    for step in reversed(steps):
        # Written in another time zone, where the clock shows a later hour.
        _store(database, (first + step).astimezone(KOLKATA))
    later = select(users.c.created_at).where(users.c.created_at > first).order_by(users.c.created_at)
    with database.reading() as connection:
        assert list(connection.execute(later).scalars()) == [first + step for step in steps[1:]]


def test_text_order_is_chronological_order() -> None:
    first = datetime(999, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)
    moments = [first, *(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(microseconds=9**step) for step in range(15))]
    for text_of, width in ((stored_text, 27), (iso, 24)):
        texts = [text_of(moment) for moment in moments]
        assert texts == sorted(texts)
        assert {len(text) for text in texts} == {width}


def test_a_day_in_text_is_the_day_in_india() -> None:
    assert day_of(datetime(2026, 11, 3, 18, 29, 59, tzinfo=UTC)) == "3 Nov 2026"
    assert day_of(datetime(2026, 11, 3, 18, 30, tzinfo=UTC)) == "4 Nov 2026"


MICROSECOND = timedelta(microseconds=1)
WHOLE_DAYS = {
    timedelta(0): 0,
    timedelta(days=1) - MICROSECOND: 0,
    timedelta(days=1): 1,
    timedelta(days=1) + MICROSECOND: 1,
    timedelta(days=366): 366,
    timedelta(days=366) - MICROSECOND: 365,
    -timedelta(days=3): 0,
}


def test_a_day_counts_only_when_its_last_microsecond_has_passed(database: DirectDatabase) -> None:
    with database.reading() as connection:
        # From times that are not a round fraction of a day, where counting in fractions would be inexact.
        for microseconds in range(0, 86_400_000_000, 7_777_777_777):
            since = datetime(2026, 11, 15, tzinfo=UTC) + microseconds * MICROSECOND
            passed = [whole_days(literal(since, Moment), literal(since + elapsed, Moment)) for elapsed in WHOLE_DAYS]
            assert tuple(connection.execute(select(*passed)).one()) == tuple(WHOLE_DAYS.values())
