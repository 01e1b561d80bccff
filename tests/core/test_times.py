from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import insert, select, type_coerce
from sqlalchemy.exc import StatementError

from countinghouse.core.database import Database
from countinghouse.core.ids import new_id
from countinghouse.core.times import MomentText, iso, now
from countinghouse.users.tables import users

KOLKATA = timezone(timedelta(hours=5, minutes=30))


def _store(database: Database, moment: datetime) -> str:
    user_id = new_id()
    with database.writing() as connection:
        connection.execute(insert(users).values(id=user_id, created_at=moment, username="A", mobile="1"))
    return user_id


def test_a_moment_comes_back_to_the_millisecond_in_utc(database: Database) -> None:
    written = datetime(2026, 11, 15, 8, 22, 36, 120_999, tzinfo=KOLKATA)
    user_id = _store(database, written)
    with database.reading() as connection:
        read = connection.execute(select(users.c.created_at).where(users.c.id == user_id)).scalar_one()
        as_text = connection.execute(select(type_coerce(users.c.created_at, MomentText))).scalar_one()
    assert read == datetime(2026, 11, 15, 2, 52, 36, 120_000, tzinfo=UTC)
    assert read.utcoffset() == timedelta(0)
    assert as_text == iso(read) == "2026-11-15T02:52:36.120Z"


def test_now_is_what_the_database_gives_back(database: Database) -> None:
    moment = now()
    _store(database, moment)
    with database.reading() as connection:
        assert connection.execute(select(users.c.created_at)).scalar_one() == moment


def test_a_moment_without_a_time_zone_is_refused(database: Database) -> None:
    with pytest.raises(StatementError, match="needs its time zone"):
        _store(database, datetime(2026, 11, 15, 2, 52, 36))


def test_the_database_orders_and_compares_moments_as_time_does(database: Database) -> None:
    first = datetime(2026, 11, 15, 2, 52, 36, tzinfo=UTC)
    steps = (timedelta(0), timedelta(milliseconds=1), timedelta(milliseconds=10), timedelta(seconds=1))
    for step in reversed(steps):
        # Written in another zone, where the clock shows a later hour.
        _store(database, (first + step).astimezone(KOLKATA))
    later = select(users.c.created_at).where(users.c.created_at > first).order_by(users.c.created_at)
    with database.reading() as connection:
        assert list(connection.execute(later).scalars()) == [first + step for step in steps[1:]]


def test_text_order_is_time_order() -> None:
    first = datetime(999, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)
    moments = [first, *(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(milliseconds=9**step) for step in range(12))]
    texts = [iso(moment) for moment in moments]
    assert texts == sorted(texts)
    assert {len(text) for text in texts} == {24}
