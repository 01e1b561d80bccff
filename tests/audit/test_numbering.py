"""PostgreSQL: somebody gave the sequence of the audit log a CACHE, so that idle sessions keep numbers for later."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import select, text

from countinghouse.audit.tables import audit_open_gaps
from tests.audit.sealed import INSERT, assert_chained, audit, seal, seal_and_sign, verified, write
from tests.audit.server_role import server_role
from tests.cli.command import countinghouse
from tests.desk import Desk
from tests.monitoring.test_checks import health

pytestmark = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)

SEQUENCE = "audit_log_seq_seq"
ALTERED = ("CACHE 50", "INCREMENT BY 2", "CYCLE")


def alter(desk: Desk, setting: str) -> None:
    desk.change(text(f"ALTER SEQUENCE {SEQUENCE} {setting}"))


def settings_of(desk: Desk) -> tuple[Any, ...]:
    found = text("SELECT increment_by, cache_size, cycle FROM pg_sequences WHERE sequencename = 'audit_log_seq_seq'")
    return tuple(desk.rows(found)[0])


@contextmanager
def idle_session(database_url: str) -> Iterator[psycopg.Connection[Any]]:
    """It inserts one row, and with a cache keeps further numbers."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(INSERT)
        yield connection


def test_rows_with_numbers_that_a_session_kept_are_sealed(desk: Desk, database_url: str, tmp_path: Path) -> None:
    alter(desk, "CACHE 50")
    with idle_session(database_url) as idle:
        with idle_session(database_url):
            seal(desk)
        seal(desk)
        for _ in range(5):
            idle.execute(INSERT)
        assert seal(desk) == 5
        # Set back, the session takes new numbers, and those that nobody has are given up.
        alter(desk, "CACHE 1")
        idle.execute(INSERT)
        seal(desk)
    write(desk)
    seal(desk)
    assert_chained(desk)
    assert desk.rows(select(audit_open_gaps)) == []
    seal_and_sign(desk, tmp_path)
    assert verified(database_url, tmp_path)[0] == 0


@pytest.mark.parametrize("setting", ALTERED)
def test_the_next_start_sets_the_sequence_back_and_logs_it(desk: Desk, database_url: str, setting: str) -> None:
    alter(desk, setting)
    state, said = health(desk)["Audit log"]
    assert state == "wrong"
    assert f"run ALTER SEQUENCE {SEQUENCE} INCREMENT BY 1 CACHE 1 NO CYCLE." in said
    assert countinghouse(database_url, "doctor").returncode == 1
    ended = countinghouse(database_url, "migrate")
    assert ended.returncode == 0
    assert "was set back" in ended.stderr
    assert settings_of(desk) == (1, 1, False)
    (logged,) = desk.audit("audit.numbering_set_back")
    assert (logged.actor, logged.subject_id) == ("command", SEQUENCE)
    assert logged.before != logged.after
    assert "Audit log" not in health(desk)
    assert countinghouse(database_url, "doctor").returncode == 0
    assert len(desk.audit("audit.numbering_set_back")) == 1


def test_who_does_not_own_the_sequence_is_told_the_command(desk: Desk, database_url: str) -> None:
    alter(desk, "CACHE 50")
    with server_role(database_url, database_url) as restricted:
        ended = countinghouse(restricted, "policy", "set", "two-persons", "on")
        assert ended.returncode == 0
        assert f"run ALTER SEQUENCE {SEQUENCE} INCREMENT BY 1 CACHE 1 NO CYCLE." in ended.stderr
        assert settings_of(desk) == (1, 50, False)


def test_a_start_does_not_wait_for_a_transaction_that_stays_open(desk: Desk, database_url: str) -> None:
    alter(desk, "CACHE 50")
    with psycopg.connect(database_url) as connection:
        connection.execute(INSERT)
        ended = countinghouse(database_url, "migrate")
        assert ended.returncode == 0
        assert "run ALTER SEQUENCE" in ended.stderr
    assert countinghouse(database_url, "migrate").returncode == 0
    assert settings_of(desk) == (1, 1, False)


def test_rows_that_were_lost_before_can_be_accepted(desk: Desk, database_url: str, tmp_path: Path) -> None:
    lost = 1_200
    with psycopg.connect(database_url) as connection:
        for _ in range(lost):
            connection.execute(INSERT)
        write(desk)
        seal_and_sign(desk, tmp_path)
        desk.change(text("DELETE FROM audit_open_gaps"))
        connection.commit()
    write(desk)
    seal_and_sign(desk, tmp_path)
    code, said = verified(database_url, tmp_path)
    assert (code, f"And {lost - 20:,} more." in said) == (1, True)
    accepted = audit(database_url, tmp_path, "accept", "--all", "--yes", "--reason", "the sequence had a cache")
    assert accepted.returncode == 0, accepted.stderr
    code, said = verified(database_url, tmp_path)
    assert code == 0, said
    assert f"{lost:,} rows have no seal and were accepted" in said
