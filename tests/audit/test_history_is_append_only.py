"""History tables are append-only: on both engines no SQL statement can change or delete a row."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import insert, select, text

from countinghouse.core.db import metadata
from countinghouse.core.ids import new_id
from countinghouse.purchases.tables import purchase_proofs, purchases
from countinghouse.qr.tables import qr_displays
from tests.contract.foreign_rows import foreign_connection, insert_rows
from tests.contract.rows import USERS, ids
from tests.core.tallies import assert_searches_are_true, assert_tallies_are_true
from tests.databases import Template
from tests.desk import NEWEST, Desk, days_before
from tests.pictures import qr_png

# (table, primary key, a column that an attacker might change)
HISTORY = (
    ("audit_log", "seq", "actor"),
    ("qr_images", "key", "sha256"),
    ("claim_transitions", "id", "moved_by"),
    ("payout_references", "id", "reference"),
    ("client_notes", "id", "text"),
    ("qr_displays", "id", "name"),
    ("purchase_proofs", "purchase_id", "sha256"),
)
TABLES = [table for table, _, _ in HISTORY]
on_sqlite = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
on_postgresql = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)
each_table = pytest.mark.parametrize(("table", "key", "column"), HISTORY, ids=TABLES)


def _make_history(desk: Desk) -> None:
    """At least one row in every history table, and two displays: one ended, one still open."""
    claim_id = desk.add_claim()
    assert desk.move(claim_id, "Accepted").status_code == 200
    assert desk.move(claim_id, "Paid", reference="UTR0001").status_code == 200
    ((purchase_id,),) = desk.rows(select(purchases.c.id))
    proof = {"received_by": "key app", "received_sha256": "0" * 64, "sha256": "1" * 64, "width": 9, "height": 9}
    proof |= {"purchase_id": purchase_id, "received_at": NEWEST, "content": b"picture"}
    desk.change(insert(purchase_proofs).values(proof))
    (user_id,) = ids(desk.get(USERS).json())
    assert desk.call("POST", f"/api/clients/{user_id}/notes", json={"text": "Called."}).status_code == 201
    code = desk.upload(qr_png()).json()
    shown = {"qr_id": code["_id"], "name": "Desk 1", "shown_at": days_before(3)}
    desk.change(insert(qr_displays).values(id=new_id(), hidden_at=days_before(2), **shown))
    desk.change(insert(qr_displays).values(id=new_id(), **shown | {"shown_at": days_before(1)}))


@pytest.fixture
def template(filled_desk: Callable[..., Template]) -> Template:
    return filled_desk("history", _make_history)


def _rows(desk: Desk, table: str) -> list[Any]:
    return sorted(map(tuple, desk.rows(select(metadata.tables[table]))), key=repr)


def _assert_refused(desk: Desk, table: str, statement: str) -> None:
    """Assert that a plain database connection, outside the application, cannot run the statement."""
    before = _rows(desk, table)
    assert before
    with pytest.raises(Exception, match=r"never altered|GENERATED ALWAYS"), foreign_connection(desk) as connection:
        connection.cursor().execute(statement)
    assert _rows(desk, table) == before


@each_table
def test_rows_cannot_be_updated(desk: Desk, table: str, key: str, column: str) -> None:
    _assert_refused(desk, table, f"UPDATE {table} SET {column} = 'nobody'")
    _assert_refused(desk, table, f"UPDATE {table} SET {key} = {key}")


@each_table
def test_rows_cannot_be_deleted(desk: Desk, table: str, key: str, column: str) -> None:
    assert key != column
    _assert_refused(desk, table, f"DELETE FROM {table}")


def _copied_newest_row(table: str, key: str, column: str) -> str:
    """An INSERT that copies the newest row with one column changed. {} is for an OVERRIDING clause."""
    # The newest row: a check on the highest sequence number alone would not protect it.
    columns = [one.name for one in metadata.tables[table].c if one.name not in (key, column)]
    names = ", ".join(f'"{name}"' for name in (key, column, *columns))
    values = ", ".join(f'"{name}"' for name in (key, *columns))
    values = values.replace(f'"{key}"', f"\"{key}\", 'nobody'", 1)
    return f"INTO {table} ({names}) {{}} SELECT {values} FROM {table} ORDER BY {key} DESC LIMIT 1"


@each_table
def test_rows_cannot_be_overwritten_by_an_upsert(desk: Desk, table: str, key: str, column: str) -> None:
    statement = f"INSERT {_copied_newest_row(table, key, column)}"
    overriding = "" if desk.database.is_sqlite or table != "audit_log" else "OVERRIDING SYSTEM VALUE"
    if desk.database.is_sqlite:
        # Without WHERE, SQLite parses ON as the start of a join condition.
        statement = f"INSERT INTO {table} SELECT * FROM {table} WHERE true"
    _assert_refused(
        desk, table, f"{statement.format(overriding)} ON CONFLICT ({key}) DO UPDATE SET {column} = 'nobody'"
    )


@on_sqlite
@each_table
def test_rows_cannot_be_replaced(desk: Desk, table: str, key: str, column: str) -> None:
    again = _copied_newest_row(table, key, column).format("")
    _assert_refused(desk, table, f"INSERT OR REPLACE {again}")
    _assert_refused(desk, table, f"REPLACE {again}")
    oldest = again.replace("DESC", "ASC")
    _assert_refused(desk, table, f"INSERT OR REPLACE {oldest}")
    _assert_refused(desk, table, f"UPDATE OR REPLACE {table} SET {key} = {key} || ''")


# Conflicts with a unique key other than the primary key.
OTHER_UNIQUE_KEYS = (
    "INTO claim_transitions SELECT 'f' || substr(id, 2), claim_id, from_status, to_status, 'nobody', moved_at, number, "
    "payout_round, reason FROM claim_transitions WHERE number = 1",
    "INTO claim_transitions SELECT 'f' || substr(id, 2), claim_id, from_status, to_status, 'nobody', moved_at, 99, "
    "payout_round, reason FROM claim_transitions WHERE to_status = 'Paid'",
    "INTO payout_references SELECT 'f' || substr(id, 2), claim_id, 99, reference, recorded_at FROM payout_references",
    "INTO qr_displays SELECT 'f' || substr(id, 2), qr_id, 'nobody', shown_at, NULL FROM qr_displays "
    "WHERE hidden_at IS NULL",
)


@on_sqlite
@pytest.mark.parametrize("again", OTHER_UNIQUE_KEYS)
def test_rows_cannot_be_replaced_through_another_unique_key(desk: Desk, again: str) -> None:
    _assert_refused(desk, again.split()[1], f"INSERT OR REPLACE {again}")


@on_sqlite
@pytest.mark.parametrize("table", [table for table in TABLES if table != "audit_log"])
def test_rows_cannot_be_replaced_through_their_rowid(desk: Desk, table: str) -> None:
    """All declared keys are new, so only the implicit rowid conflicts: the new row would silently replace the old."""
    columns = [column.name for column in metadata.tables[table].c]
    fresh = {"id": "'f' || substr(id, 2)", "key": "'f' || substr(key, 2)", "number": "99", "payout_round": "99"}
    fresh |= {"reference": "'FORGED0000000001'", "qr_id": "qr_id", "hidden_at": "shown_at"}
    fresh["purchase_id"] = "'f' || substr(purchase_id, 2)"
    values = ", ".join(fresh.get(name, f'"{name}"') for name in columns)
    names = ", ".join(f'"{name}"' for name in columns)
    _assert_refused(
        desk, table, f"INSERT OR REPLACE INTO {table} (rowid, {names}) SELECT rowid, {values} FROM {table} LIMIT 1"
    )


@on_sqlite
def test_a_qr_code_cannot_be_replaced_by_one_with_another_payee(desk: Desk) -> None:
    columns = [f'"{column.name}"' for column in metadata.tables["qr_codes"].c if column.name != "number"]
    for column, other in (("upi_id", "'thief@okbank'"), ("id", "'f' || substr(id, 2)")):
        values = ", ".join(other if name == f'"{column}"' else name for name in columns)
        _assert_refused(desk, "qr_codes", f"REPLACE INTO qr_codes ({', '.join(columns)}) SELECT {values} FROM qr_codes")


@on_postgresql
@pytest.mark.parametrize("table", TABLES)
def test_history_tables_cannot_be_truncated(desk: Desk, table: str) -> None:
    _assert_refused(desk, table, f"TRUNCATE {table} CASCADE")


@on_postgresql
@pytest.mark.parametrize("table", ["claims", "users", "qr_codes"])
def test_tables_that_history_references_cannot_be_truncated(desk: Desk, table: str) -> None:
    _assert_refused(desk, table, f"TRUNCATE {table} CASCADE")


def test_the_end_of_a_display_can_be_set_only_once(desk: Desk) -> None:
    _assert_refused(desk, "qr_displays", "UPDATE qr_displays SET hidden_at = NULL")
    _assert_refused(desk, "qr_displays", "UPDATE qr_displays SET hidden_at = shown_at WHERE hidden_at IS NOT NULL")
    later = "'2026-11-15T02:52:36.120000Z'"
    _assert_refused(
        desk, "qr_displays", f"UPDATE qr_displays SET hidden_at = {later}, name = 'x' WHERE hidden_at IS NULL"
    )
    desk.change(text(f"UPDATE qr_displays SET hidden_at = {later.replace(':', chr(92) + ':')} WHERE hidden_at IS NULL"))
    assert [row.hidden_at for row in desk.rows(select(qr_displays).order_by(qr_displays.c.shown_at))][1] == NEWEST


def test_the_audit_log_accepts_no_explicit_sequence_numbers(desk: Desk) -> None:
    """So no row can be inserted between others, and no number is so large that the next row cannot have one."""
    before = desk.audit()
    for seq in (0, -5, 10**6, 2**63 - 1, before[0].seq):
        with pytest.raises(Exception, match=r"(?i)never altered|always|unique"), foreign_connection(desk) as connection:
            connection.cursor().execute(
                "INSERT INTO audit_log (seq, at, actor, verb, subject_id) "
                f"VALUES ({seq}, '2026-11-15T02:52:36.120Z', 'asha', 'claim.moved', 'x')"
            )
    if not desk.database.is_sqlite:
        for seq in (before[-1].seq + 1, before[-1].seq + 10**6):
            with pytest.raises(Exception, match=r"never altered|lastval"), foreign_connection(desk) as connection:
                connection.execute(
                    "INSERT INTO audit_log (seq, at, actor, verb, subject_id) OVERRIDING SYSTEM VALUE "
                    f"VALUES ({seq}, now(), 'asha', 'claim.moved', 'x')"
                )
    assert desk.audit() == before
    claim_id = desk.add_claim()
    assert desk.move(claim_id, "Accepted").status_code == 200
    assert desk.audit()[-1].seq > before[-1].seq


def test_a_conflicting_insert_still_raises_the_usual_unique_violation(desk: Desk) -> None:
    """Moves rely on it to detect that a payout reference is taken."""
    claim_id = desk.add_claim()
    assert desk.move(claim_id, "Accepted").status_code == 200
    answer = desk.move(claim_id, "Paid", reference="UTR0001")
    assert (answer.status_code, answer.json()["code"]) == (409, "reference_taken")


@on_sqlite
@pytest.mark.parametrize("table", ["users", "purchases", "claims"])
def test_rows_of_tallied_tables_cannot_be_replaced_either(desk: Desk, table: str) -> None:
    # Without the number, which the database gives.
    names = ", ".join(column.name for column in metadata.tables[table].c if column.name != "number")
    _assert_refused(desk, table, f"REPLACE INTO {table} ({names}) SELECT {names} FROM {table}")
    desk.add_claim()
    smallest, largest = f"(SELECT min(id) FROM {table})", f"(SELECT max(id) FROM {table})"
    _assert_refused(desk, table, f"UPDATE OR REPLACE {table} SET id = {smallest} WHERE id = {largest}")
    assert_tallies_are_true(desk.database)
    assert_searches_are_true(desk.database)


def test_on_conflict_do_nothing_and_do_update_still_work(desk: Desk) -> None:
    """Other programs that insert directly into the tables may send the same rows again."""
    user_id = desk.add_user(username="Ravi")
    other_id = "f" * 24
    row = "('{}', '2026-11-15 02:52:36', '{}', '1')"
    into = "INSERT INTO users (id, created_at, username, mobile) VALUES"
    with foreign_connection(desk) as connection:
        cursor = connection.cursor()
        cursor.execute(f"{into} {row.format(user_id, 'Meera')} ON CONFLICT DO NOTHING")
        cursor.execute(f"{into} {row.format(other_id, 'Meera')} ON CONFLICT DO NOTHING")
        insert_rows(desk, connection, "users", [("e" * 24, "2026-11-15 02:52:36", "Asha", "1")])
        update = "ON CONFLICT (id) DO UPDATE SET username = excluded.username"
        cursor.execute(f"{into} {row.format(other_id, 'Meera Jo')} {update}")
    assert sorted(user["username"] for user in desk.get(USERS).json()) == ["Ananya Iyer", "Asha", "Meera Jo", "Ravi"]
    assert_tallies_are_true(desk.database)
    assert_searches_are_true(desk.database)
