"""`countinghouse audit verify` reports everything that it finds, and tells what is wrong from what it cannot check."""

from pathlib import Path

from sqlalchemy import delete, select, update

from countinghouse.audit.checkpoints import Checkpoints
from countinghouse.audit.tables import audit_log, audit_seals
from tests.audit.sealed import seal_and_sign, verified
from tests.desk import Desk


def test_a_missing_key_is_not_called_a_forgery(desk: Desk, database_url: str, tmp_path: Path) -> None:
    seal_and_sign(desk, tmp_path)
    key = (tmp_path / "audit-key.pem").rename(tmp_path / "elsewhere.pem")
    code, said = verified(database_url, tmp_path)
    assert code == 2, said
    assert "1 checkpoints cannot be checked, because the key that signed them is missing" in said
    assert "forged" not in said
    assert "not signed" not in said
    public = str(Checkpoints(key, tmp_path / "audit-checkpoints.jsonl").find_public_key())
    assert verified(database_url, tmp_path, "--public-key", public)[0] == 0
    desk.let_history_be_altered("audit_log")
    desk.change(update(audit_log).values(actor="nobody"))
    code, said = verified(database_url, tmp_path)
    assert code == 1, said
    assert "because the key that signed them is missing" in said


def test_every_bad_row_is_named_and_not_only_the_first(desk: Desk, database_url: str, tmp_path: Path) -> None:
    for _ in range(3):
        desk.add_claim_moved_to("Accepted")
    seal_and_sign(desk, tmp_path)
    desk.let_history_be_altered("audit_log")
    first, second, third = (row.seq for row in desk.audit("claim.moved")[:3])
    desk.change(update(audit_log).where(audit_log.c.seq.in_([first, third])).values(actor="nobody"))
    desk.change(delete(audit_log).where(audit_log.c.seq == second))
    code, said = verified(database_url, tmp_path)
    assert code == 1
    assert f"Row {first} (claim.moved by nobody" in said
    assert f"Row {second} is missing" in said
    assert f"Row {third} (claim.moved by nobody" in said
    assert said.count("does not match its seal") == 2


def test_a_seal_that_is_none_is_reported_and_so_is_what_comes_behind_it(
    desk: Desk, database_url: str, tmp_path: Path
) -> None:
    seal_and_sign(desk, tmp_path)
    desk.let_history_be_altered("audit_log")
    desk.let_history_be_altered("audit_seals")
    desk.change(update(audit_seals).where(audit_seals.c.position == 1).values(seal="no seal"))
    last = desk.rows(select(audit_seals.c.seq).order_by(audit_seals.c.position.desc()))[0].seq
    desk.change(update(audit_log).where(audit_log.c.seq == last).values(actor="nobody"))
    code, said = verified(database_url, tmp_path)
    assert code == 1, said
    assert "does not match its seal, number 1:" in said
    assert f"Row {last} " in said
