"""Rows that appeared in a gap after it was given up: `audit verify` reports each, until an owner accepts it."""

from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text, update

from countinghouse.audit.tables import audit_log
from tests.audit.sealed import INSERT, audit, seal, seal_and_sign, verified, write
from tests.desk import Desk

pytestmark = pytest.mark.parametrize("engine", ["postgresql"], indirect=True)


@pytest.fixture
def strangers(desk: Desk, database_url: str, tmp_path: Path) -> list[int]:
    """The numbers of two rows that were inserted into a gap after it was given up."""
    with psycopg.connect(database_url) as connection:
        for _ in range(2):
            connection.execute(INSERT)
        write(desk)
        seal_and_sign(desk, tmp_path)
        desk.change(text("DELETE FROM audit_open_gaps"))
        connection.commit()
    newest = desk.audit()[-1].seq
    assert seal(desk) == 0
    return [newest - 2, newest - 1]


def accept(database_url: str, folder: Path, *words: str) -> tuple[int, str]:
    ended = audit(database_url, folder, "accept", "--reason", "the clock was wrong", "--yes", *words)
    return ended.returncode, ended.stdout + ended.stderr


def test_each_is_reported_until_it_is_accepted(
    desk: Desk, database_url: str, tmp_path: Path, strangers: list[int]
) -> None:
    code, said = verified(database_url, tmp_path)
    assert code == 1
    for number in strangers:
        assert f"Row {number} (claim.revealed by ravi" in said
    assert said.count("was inserted later") == 2
    code, said = accept(database_url, tmp_path, str(strangers[0]))
    assert code == 0, said
    assert '"verb": "claim.revealed"' in said
    code, said = verified(database_url, tmp_path)
    assert code == 1
    assert f"Row {strangers[0]} " not in said
    assert f"Row {strangers[1]} (claim.revealed by ravi" in said
    assert accept(database_url, tmp_path, "--all")[0] == 0
    code, said = verified(database_url, tmp_path)
    assert code == 0, said
    assert "2 rows have no seal and were accepted" in said
    export = tmp_path / "export.jsonl"
    assert audit(database_url, tmp_path, "export", str(export)).returncode == 0
    assert verified("sqlite:///never.db", tmp_path / "elsewhere", "--export", str(export))[0] == 0
    logged = [(row.actor, row.subject_id, row.after["reason"]) for row in desk.audit("audit.accepted")]
    assert logged == [("command", str(number), "the clock was wrong") for number in strangers]


def test_what_was_accepted_must_stay_as_it_was(
    desk: Desk, database_url: str, tmp_path: Path, strangers: list[int]
) -> None:
    assert accept(database_url, tmp_path, "--all")[0] == 0
    desk.let_history_be_altered("audit_log")
    desk.change(update(audit_log).where(audit_log.c.seq == strangers[0]).values(actor="asha"))
    desk.change(audit_log.delete().where(audit_log.c.seq == strangers[1]))
    code, said = verified(database_url, tmp_path)
    assert code == 1
    assert f"Row {strangers[0]} (claim.revealed by asha" in said
    assert f"Row {strangers[1]}, which row {desk.audit()[-1].seq} accepted without a seal, is gone" in said


def test_only_rows_that_verify_reports_can_be_accepted(
    desk: Desk, database_url: str, tmp_path: Path, strangers: list[int]
) -> None:
    sealed = strangers[0] - 1
    code, said = accept(database_url, tmp_path, str(strangers[0]), str(sealed))
    assert code == 1
    assert str(sealed) in said
    assert accept(database_url, tmp_path)[0] == 1
    assert desk.audit("audit.accepted") == []


def test_a_row_without_a_seal_accepts_nothing(
    desk: Desk, database_url: str, tmp_path: Path, strangers: list[int]
) -> None:
    """Who inserts a row into a gap can insert its acceptance there as well."""
    assert accept(database_url, tmp_path, str(strangers[0]))[0] == 0
    [accepted] = desk.audit("audit.accepted")
    desk.let_history_be_altered("audit_log")
    desk.change(text(f"DELETE FROM audit_log WHERE seq = {accepted.seq}"))
    inserted = {"verb": "audit.accepted", "after": accepted.after}
    desk.change(update(audit_log).where(audit_log.c.seq == strangers[1]).values(inserted))
    code, said = verified(database_url, tmp_path)
    assert code == 1
    assert f"Row {strangers[0]} (claim.revealed by ravi" in said
