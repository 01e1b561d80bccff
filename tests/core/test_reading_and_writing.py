"""What a read and a transaction guarantee, on both engines."""

import asyncio
import sqlite3
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from sqlalchemy import func, insert, select, text

from countinghouse.core.db import Cost, Database, Reader, Statement, Transaction, connecting, sqlite
from countinghouse.core.ids import new_id
from countinghouse.core.times import now
from countinghouse.users.tables import users
from tests.core.connections import count_open
from tests.core.refusals import assert_refused
from tests.desk import Desk
from tests.direct_database import DirectDatabase
from tests.event_loop import run
from tests.waiting import eventually

COUNT = Statement(select(func.count()).select_from(users))
on_sqlite = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
on_postgres = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)


def _new_user() -> dict[str, object]:
    return {"id": new_id(), "created_at": now(), "username": "Ananya Iyer", "mobile": "0980575609"}


async def _add_user(transaction: Transaction) -> None:
    await transaction.execute(insert(users).values(_new_user()))


def _count(database: Database) -> int:
    counted: int = run(database.read(lambda reader: reader.scalar(COUNT)))
    return counted


async def _settings(reader: Reader, *names: str) -> list[Any]:
    return [await reader.scalar(text(f"SHOW {name}")) for name in names]


@on_sqlite
def test_sqlite_syncs_to_disk_and_checks_foreign_keys(database: DirectDatabase) -> None:
    async def read_settings(reader: Reader) -> list[Any]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return [await reader.scalar(text(f"PRAGMA {name}")) for name in names]

    full = 2
    for settings in (run(database.read(read_settings)), run(database.write(read_settings))):
        assert settings == ["wal", full, 1, 5000]


@on_postgres
@pytest.mark.parametrize(("is_patient", "statement_timeout", "standstill"), [(False, "8s", "10s"), (True, "0", "5min")])
def test_postgresql_has_lock_and_statement_timeouts(
    database: DirectDatabase, is_patient: bool, statement_timeout: str, standstill: str
) -> None:
    names = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout", "timezone")
    ours = DirectDatabase(database.plain_url, is_patient=is_patient)
    values = run(ours.write(lambda transaction: _settings(transaction, *names)))
    ours.close()
    assert values == ["5s", statement_timeout, standstill, "UTC"]


@on_postgres
def test_a_transaction_that_is_known_to_take_long_has_its_own_statement_timeout(database: DirectDatabase) -> None:
    def work(transaction: Transaction) -> Any:
        return _settings(transaction, "statement_timeout")

    assert run(database.write(work, silence_seconds=61.0)) == ["61s"]
    assert run(database.write(work)) == ["0"]


@on_postgres
def test_postgresql_notices_within_seconds_that_the_network_has_lost_a_connection(database: DirectDatabase) -> None:
    names = ("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout")
    assert run(database.read(lambda reader: _settings(reader, *names))) == ["5", "2", "3", "11000"]


def test_a_foreign_key_to_a_missing_row_is_refused(database: DirectDatabase) -> None:
    orphan = text("INSERT INTO claim_transitions VALUES ('a', 'none', 'Pending', 'Accepted', 'asha', :at, 1, 0, NULL)")
    with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError)):
        run(database.write(lambda transaction: transaction.execute(orphan, {"at": "2026-11-15T02:52:36.120Z"})))


def test_work_that_raises_is_rolled_back(database: DirectDatabase) -> None:
    async def fail_after_writing(transaction: Transaction) -> None:
        await _add_user(transaction)
        raise LookupError

    with pytest.raises(LookupError):
        run(database.write(fail_after_writing))
    assert _count(database) == 0


def test_work_that_succeeds_is_committed(database: DirectDatabase) -> None:
    run(database.write(_add_user))
    assert _count(database) == 1


def test_a_snapshot_does_not_see_concurrent_writes_and_an_ordinary_read_does(database: DirectDatabase) -> None:
    async def count_twice(reader: Reader) -> list[int]:
        first = await reader.scalar(COUNT)
        # Another program, on its own connection.
        with database.writing() as writer:
            writer.execute(insert(users).values(_new_user()))
        return [first, await reader.scalar(COUNT)]

    assert run(database.read(count_twice, Cost.MEDIUM, snapshot=True)) == [0, 0]
    assert run(database.read(count_twice, Cost.MEDIUM)) == [1, 2]


def test_a_connection_can_write_after_it_was_used_for_reading(database: DirectDatabase) -> None:
    run(database.read(lambda reader: reader.rows(select(users)), snapshot=True))
    run(database.write(_add_user))
    assert _count(database) == 1


@on_sqlite
@pytest.mark.parametrize("way", ["read", "long read", "change", "write", "stream"])
def test_work_that_awaits_something_else_is_refused_on_sqlite(database: DirectDatabase, way: str) -> None:
    """SQLite's work runs without an event loop. On PostgreSQL the same work would hold its connection meanwhile."""

    async def work(_: Any) -> Any:
        await asyncio.sleep(0)

    async def stream() -> None:
        async with database.stream(work):
            pass

    ways: dict[str, Callable[[], Any]] = {
        "read": lambda: database.read(work),
        "long read": lambda: database.read(work, Cost.LONG),
        "change": lambda: database.change(work),
        "write": lambda: database.write(work),
        "stream": stream,
    }
    with pytest.raises(RuntimeError, match="may await only its reader or transaction"):
        run(ways[way]())
    run(database.write(_add_user))
    assert _count(database) == 1


@on_sqlite
def test_text_in_another_encoding_is_shown_with_replaced_bytes(database: DirectDatabase) -> None:
    """One row that another program wrote must not make the others unreadable."""
    with database.writing() as writer:
        writer.execute(insert(users).values(_new_user() | {"id": "1" * 24}))
        writer.execute(text("UPDATE users SET username = CAST(x'4173e9' AS TEXT)"))
    name = select(users.c.username)
    for cost in Cost.SHORT, Cost.LONG:
        assert run(database.read(lambda reader: reader.all(name), cost)) == [("As\ufffd",)]
        assert run(database.read(lambda reader: reader.scalar(name), cost, snapshot=True)) == "As\ufffd"
    assert run(database.write(lambda transaction: transaction.scalar(name))) == "As\ufffd"


def test_a_connection_in_use_when_the_database_closes_is_closed_on_return(database: DirectDatabase) -> None:
    async def close_meanwhile(reader: Reader) -> int:
        await reader.scalar(COUNT)
        database.close()
        counted: int = await reader.scalar(COUNT)
        return counted

    assert run(database.read(close_meanwhile)) == 0
    eventually(lambda: count_open(database) == 0)
    assert _count(database) == 0


@on_postgres
@pytest.mark.parametrize("snapshot", [False, True])
def test_postgresql_refuses_writes_in_a_snapshot(database: DirectDatabase, snapshot: bool) -> None:
    adding = text("INSERT INTO users (id, created_at, username, mobile) VALUES ('1', now(), 'a', '1') RETURNING id")
    if snapshot:
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            run(database.read(lambda reader: reader.all(adding), snapshot=True))
    else:
        run(database.write(lambda transaction: transaction.all(adding)))
    assert _count(database) == (0 if snapshot else 1)


def test_waiting_for_a_lock_times_out_with_503(open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch) -> None:
    for engine in (connecting, sqlite):
        monkeypatch.setattr(engine, "LOCK_WAIT_MILLISECONDS", 200)
    desk = open_desk()
    claim_id = desk.add_claim()
    with desk.database.writing() as other:
        other.execute(text("UPDATE claims SET address = 'held' WHERE id = :id"), {"id": claim_id})
        answer = desk.move(claim_id, "Accepted")
        assert_refused(answer, 503, "database_unavailable")
        assert answer.headers["retry-after"] == "5"
    assert desk.move(claim_id, "Accepted").status_code == 200
