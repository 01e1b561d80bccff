"""What a transaction guarantees, on both engines."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event, func, insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from countinghouse.core import database as machinery
from countinghouse.core.database import Database
from countinghouse.core.ids import new_id
from countinghouse.core.quick import Statement
from countinghouse.core.times import now
from countinghouse.users.tables import users
from tests.core.refusals import assert_refused
from tests.desk import Desk


def _new_user() -> dict[str, object]:
    return {"id": new_id(), "created_at": now(), "username": "Ananya Iyer", "mobile": "0980575609"}


def _count(database: Database) -> int:
    with database.reading() as connection:
        return connection.execute(select(func.count()).select_from(users)).scalar_one()


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_sqlite_syncs_to_disk_and_checks_foreign_keys(database: Database) -> None:
    with database.reading() as connection:
        values = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    full = 2
    assert values == {"journal_mode": "wal", "synchronous": full, "foreign_keys": 1, "busy_timeout": 5000}


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_postgresql_has_lock_and_statement_timeouts(database: Database) -> None:
    names = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout", "timezone")
    with database.writing() as connection:
        values = [connection.exec_driver_sql(f"SHOW {name}").scalar() for name in names]
    assert values == ["5s", "1min", "5min", "UTC"]


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_postgresql_notices_within_seconds_that_the_network_has_lost_a_connection(database: Database) -> None:
    names = ("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout")
    with database.writing() as connection:
        values = [connection.exec_driver_sql(f"SHOW {name}").scalar() for name in names]
    shown = [Statement(text(f"SELECT current_setting('{name}')")) for name in names]
    quick = asyncio.run(database.quick.read(lambda reader: [reader.all(each, {})[0][0] for each in shown]))
    assert values == quick == ["5", "2", "3", "11000"]


def test_a_foreign_key_to_a_missing_row_is_refused(database: Database) -> None:
    orphan = "INSERT INTO claim_transitions VALUES ('a', 'none', 'Pending', 'Accepted', 'asha', :at, 1, 0, NULL)"
    with pytest.raises(IntegrityError), database.writing() as connection:
        connection.execute(text(orphan), {"at": "2026-11-15T02:52:36.120Z"})


def test_a_block_that_raises_is_rolled_back(database: Database) -> None:
    def fail_after_writing() -> None:
        with database.writing() as connection:
            connection.execute(insert(users).values(_new_user()))
            raise LookupError

    with pytest.raises(LookupError):
        fail_after_writing()
    assert _count(database) == 0


def test_a_block_that_succeeds_is_committed(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(insert(users).values(_new_user()))
    assert _count(database) == 1


def test_a_reader_sees_one_snapshot_during_concurrent_writes(database: Database) -> None:
    counted = select(func.count()).select_from(users)
    with database.reading() as reader:
        before = reader.execute(counted).scalar_one()
        with database.writing() as writer:
            writer.execute(insert(users).values(_new_user()))
        assert reader.execute(counted).scalar_one() == before
    assert _count(database) == before + 1


def test_a_connection_can_write_after_it_was_used_for_reading(database: Database) -> None:
    with database.reading() as connection:
        connection.execute(select(users))
    with database.writing() as connection:
        connection.execute(insert(users).values(_new_user()))
    assert _count(database) == 1


def test_a_connection_in_use_when_the_database_closes_is_closed_on_return(database: Database) -> None:
    closed: list[Any] = []
    event.listen(database.engine, "close", lambda connection, _entry: closed.append(connection))
    with database.reading() as connection:
        driver = connection.connection.dbapi_connection
        database.close()
        assert connection.execute(select(func.count()).select_from(users)).scalar_one() == 0
        assert closed == []
    assert closed == [driver]


@pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
def test_postgresql_refuses_writes_in_a_read_transaction(database: Database) -> None:
    with pytest.raises(DBAPIError, match="read-only"), database.reading() as connection:
        connection.execute(insert(users).values(_new_user()))


def test_waiting_for_a_lock_times_out_with_503(open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machinery, "LOCK_WAIT_MILLISECONDS", 200)
    desk = open_desk()
    claim_id = desk.add_claim()
    with desk.database.writing() as other:
        other.execute(text("UPDATE claims SET address = 'held' WHERE id = :id"), {"id": claim_id})
        answer = desk.move(claim_id, "Accepted")
        assert_refused(answer, 503, "database_unavailable")
        assert answer.headers["retry-after"] == "5"
    assert desk.move(claim_id, "Accepted").status_code == 200
