"""PostgreSQL: a number that is missing below a sealed row is remembered until no transaction can still have it.

Clocks tell nothing about that: they jump, and those of two servers differ.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import select, text

from countinghouse.audit import actions, sealing
from countinghouse.audit.sealing import SEALED_TOGETHER, has_unsealed, has_work, seal_some
from countinghouse.audit.tables import audit_open_gaps
from countinghouse.core.times import now
from tests.audit.sealed import INSERT, assert_chained, seal, seal_and_sign, verified, write
from tests.desk import Desk
from tests.event_loop import run
from tests.waiting import eventually

pytestmark = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)

CLOCKS = pytest.mark.parametrize(
    "wrong_by", [timedelta(minutes=20), -timedelta(minutes=20), timedelta(hours=20)], ids=str
)


def gaps(desk: Desk) -> list[tuple[int, int]]:
    return [(row.first_seq, row.last_seq) for row in desk.rows(select(audit_open_gaps))]


def set_clock(monkeypatch: pytest.MonkeyPatch, wrong_by: timedelta) -> None:
    def wrong_now() -> datetime:
        return now() + wrong_by

    # Of the process that writes, and of the one that seals.
    for module in (actions, sealing):
        monkeypatch.setattr(module, "now", wrong_now, raising=False)


@contextmanager
def uncommitted(database_url: str, rows: int = 1) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database_url) as connection:
        for _ in range(rows):
            connection.execute(INSERT)
        yield connection


def assert_all_is_sealed(desk: Desk, database_url: str, folder: Path) -> None:
    assert seal(desk) > 0
    assert_chained(desk)
    seal_and_sign(desk, folder)
    code, said = verified(database_url, folder)
    assert code == 0, said


@CLOCKS
def test_a_row_is_sealed_that_commits_after_the_clock_of_the_sealer_jumped(
    desk: Desk, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong_by: timedelta
) -> None:
    with uncommitted(database_url) as connection:
        write(desk)
        seal(desk)
        set_clock(monkeypatch, wrong_by)
        write(desk)
        seal(desk)
        connection.commit()
    assert_all_is_sealed(desk, database_url, tmp_path)


@CLOCKS
def test_a_row_is_sealed_whose_next_row_was_written_by_a_server_with_a_wrong_clock(
    desk: Desk, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong_by: timedelta
) -> None:
    with uncommitted(database_url) as connection:
        with monkeypatch.context() as wrong:
            set_clock(wrong, wrong_by)
            write(desk)
        seal(desk)
        connection.commit()
    assert_all_is_sealed(desk, database_url, tmp_path)


def test_a_gap_is_remembered_while_its_transaction_has_a_number_and_no_change_yet(
    desk: Desk, database_url: str, tmp_path: Path
) -> None:
    """PostgreSQL numbers a row before the transaction has an id, and may then wait for a lock, as here in a trigger."""
    with psycopg.connect(database_url) as other:
        other.execute("SELECT pg_advisory_xact_lock(41)")
        desk.change(
            text(
                "CREATE FUNCTION wait_for_it() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN PERFORM pg_advisory_xact_lock(41); RETURN new; END $$"
            )
        )
        desk.change(
            text(
                "CREATE TRIGGER waits BEFORE INSERT ON audit_log FOR EACH ROW WHEN (new.subject_id = 'x') "
                "EXECUTE FUNCTION wait_for_it()"
            )
        )

        def insert() -> None:
            # The sequence is logged for each 32 numbers, and gives that transaction an id.
            with psycopg.connect(database_url, autocommit=True) as connection:
                connection.execute(INSERT)

        write(desk)
        thread = threading.Thread(target=insert)
        thread.start()
        waiting = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = 41")
        eventually(lambda: desk.rows(waiting)[0][0] == 1)
        for _ in range(3):
            write(desk)
            seal(desk)
        assert len(gaps(desk)) == 1
        other.rollback()
        thread.join(30)
    assert_all_is_sealed(desk, database_url, tmp_path)


def test_a_rolled_back_number_is_given_up_although_nothing_is_written_any_more(desk: Desk, database_url: str) -> None:
    with uncommitted(database_url) as other, uncommitted(database_url) as connection:
        number = connection.execute("SELECT max(seq) FROM audit_log").fetchone()
        assert number is not None
        connection.rollback()
        write(desk)
        seal(desk)
        # The other one began before the gap was seen.
        assert (number[0], number[0]) in [(last, last) for _, last in gaps(desk)]
        other.commit()
    seal(desk)
    assert not run(desk.app_database.read(has_unsealed))

    def is_given_up() -> bool:
        if run(desk.app_database.read(has_work)):
            run(desk.app_database.write(seal_some))
        return gaps(desk) == []

    eventually(is_given_up)


def test_gaps_of_another_postgresql_are_given_up_when_what_they_have_is_sealed(
    desk: Desk, database_url: str, tmp_path: Path
) -> None:
    """As after pg_restore on another machine, where the ids of transactions begin again."""
    with uncommitted(database_url) as connection, uncommitted(database_url) as never_restored:
        write(desk)
        seal(desk)
        connection.commit()
        desk.change(text("UPDATE audit_open_gaps SET cluster = cluster + 1, seen_by = seen_by + 1000000000"))
        assert_all_is_sealed(desk, database_url, tmp_path)
        assert gaps(desk) == []
        never_restored.rollback()


def test_many_late_rows_are_sealed_in_order_and_before_newer_ones(
    desk: Desk, database_url: str, tmp_path: Path
) -> None:
    with uncommitted(database_url, SEALED_TOGETHER + 100) as connection:
        write(desk)
        seal(desk)
        connection.commit()
    write(desk)
    assert run(desk.app_database.write(seal_some)) == SEALED_TOGETHER
    assert len(gaps(desk)) == 1
    assert_all_is_sealed(desk, database_url, tmp_path)
