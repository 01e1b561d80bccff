"""A desk whose audit log and history of claims become partitions: everything works as before."""

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import select, text

from countinghouse.audit.tables import audit_log
from countinghouse.core.upgrade_connections import patient_transaction
from countinghouse.partitions import switching
from tests.audit.sealed import audit, seal, seal_and_sign
from tests.cli.command import countinghouse
from tests.core.tallies import assert_tallies_are_true
from tests.databases import Template
from tests.desk import Desk
from tests.home.recount import assert_days_are_true
from tests.partitions.history import PAGES, ROWS, TABLES, grow_log, known_to_code, partitioned, parts_of, read_all, work

on_postgres = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("with history", work)


@on_postgres
def test_lists_seals_and_numbers_go_on_as_before(desk: Desk, database_url: str, tmp_path: Path) -> None:
    seal_and_sign(desk, tmp_path)
    before = {path: read_all(desk, path) for path in PAGES}
    logged = desk.audit()
    with desk.database.reading() as connection:
        known = {table: known_to_code(connection, table) for table in TABLES}
    partitioned(database_url)
    with desk.database.reading() as connection:
        assert {table: known_to_code(connection, table) for table in TABLES} == known
    assert desk.audit()[: len(logged)] == logged
    assert {path: read_all(desk, path) for path in PAGES if "audit" not in path} == {
        path: found for path, found in before.items() if "audit" not in path
    }
    for path, found in before.items():
        if "audit" in path:
            assert [row for row in read_all(desk, path) if row["verb"] != "partition.made"] == found
    work(desk)
    grow_log(desk, 60)
    # Through the first partition into the next ones.
    assert sum(1 for count in parts_of(desk, "audit_log").values() if count) > 1
    assert [row.seq for row in desk.audit()] == [*range(1, len(desk.audit()) + 1)], "the numbering continues"
    assert_tallies_are_true(desk.database)
    assert_days_are_true(desk)
    seal_and_sign(desk, tmp_path)
    verified = audit(database_url, tmp_path, "verify")
    assert (verified.returncode, verified.stderr) == (0, ""), verified.stdout


@on_postgres
def test_no_claim_is_paid_twice_and_history_is_append_only_in_each_partition(desk: Desk, database_url: str) -> None:
    partitioned(database_url)
    work(desk)
    again = (
        "INSERT INTO claim_transitions "
        "(id, claim_id, from_status, to_status, moved_by, moved_at, number, payout_round) "
        "SELECT md5(id)::varchar(24), claim_id, from_status, to_status, moved_by, moved_at, number + {more}, "
        "payout_round FROM claim_transitions WHERE to_status = 'Paid' LIMIT 1"
    )
    with psycopg.connect(database_url, autocommit=True) as owner:
        for more in (0, 100):
            with pytest.raises(psycopg.errors.UniqueViolation):
                owner.execute(again.format(more=more))
        for table in TABLES:
            for name in (table, *parts_of(desk, table)):
                for change in (
                    f"UPDATE {name} SET {'actor' if table == TABLES[0] else 'moved_by'} = 'x'",
                    f"DELETE FROM {name}",
                    f"TRUNCATE {name}",
                ):
                    with pytest.raises(psycopg.errors.RaiseException, match="never altered"):
                        owner.execute(change)
        owner.execute("INSERT INTO audit_log (at, actor, verb, subject_id) VALUES (now(), 'x', 'claim.moved', 'x')")
        with pytest.raises(psycopg.errors.RaiseException):
            owner.execute(
                "INSERT INTO audit_log (seq, at, actor, verb, subject_id) OVERRIDING SYSTEM VALUE "
                "VALUES (3, now(), 'x', 'claim.moved', 'x')"
            )


@on_postgres
def test_the_switch_reads_no_rows(desk: Desk) -> None:
    """Everybody waits meanwhile, so it must not take longer for more rows."""
    read = text("SELECT seq_tup_read FROM pg_stat_xact_user_tables WHERE relname = :name")
    for table, column, upper in (("audit_log", "seq", "5000"), ("claim_transitions", "claim_id", "ffff0000")):
        with patient_transaction(desk.database) as connection:
            switching.add_bound(connection, table, column, None, upper)
        with patient_transaction(desk.database) as connection:
            switching.validate(connection, table)
        with patient_transaction(desk.database) as connection:
            switching.make_partitioned(connection, table, column, upper)
            assert connection.execute(read, {"name": f"{table}_first"}).scalar_one() == 0
    assert desk.move(desk.add_claim(), "Accepted").status_code == 200


@on_postgres
def test_the_command_says_what_it_does_and_does_it_once(desk: Desk, database_url: str) -> None:
    logged = len(desk.audit())
    assert "left as it is until there are 5,000,000" in countinghouse(database_url, "partition").stdout
    planned = partitioned(database_url, is_plan=True)
    assert planned[0].startswith(
        "audit_log: would be checked, and then become the partition of audit_log for rows with"
    )
    assert planned[2].startswith("claim_transitions: would be checked, and then become")
    assert len(desk.audit()) == logged
    assert parts_of(desk, "audit_log") == {}
    ended = countinghouse(database_url, "partition", "--rows", str(ROWS))
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "audit_log: became audit_log_first" in ended.stdout
    made = {row.subject_id: row.after["partitions"] for row in desk.audit("partition.made")}
    for table in TABLES:
        assert {*made[table], f"{table}_rest"} == set(parts_of(desk, table))
    # Each row of the log counts as growth, in a log that is this small.
    countinghouse(database_url, "partition", "--rows", str(ROWS))
    logged = len(desk.audit())
    again = countinghouse(database_url, "partition", "--rows", str(ROWS))
    assert [line.partition(", and ")[2] for line in again.stdout.splitlines()] == [
        "the partitions of the next months are there."
    ] * 2
    assert len(desk.audit()) == logged


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_sqlite_has_no_partitions(database_url: str) -> None:
    ended = countinghouse(database_url, "partition")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "SQLite has no partitions, so there is nothing to do here.\n"


@on_postgres
def test_a_view_of_another_program_and_the_stored_rows_stay(desk: Desk, database_url: str) -> None:
    desk.change(
        text(
            "CREATE VIEW paid_moves WITH (security_barrier) AS "
            "SELECT claim_id FROM claim_transitions WHERE to_status = 'Paid'"
        )
    )
    before = desk.rows(text("SELECT * FROM paid_moves"))
    partitioned(database_url)
    assert desk.rows(text("SELECT * FROM paid_moves")) == before
    desk.add_claim_moved_to("Paid")
    assert len(desk.rows(text("SELECT * FROM paid_moves"))) == len(before) + 1
    options = text("SELECT reloptions FROM pg_class WHERE relname = 'paid_moves'")
    assert desk.rows(options) == [(["security_barrier=true"],)]
    assert seal(desk) == len(desk.rows(select(audit_log.c.seq)))
