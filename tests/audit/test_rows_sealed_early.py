"""Release 0.1.0 could seal a change before the change that it was based on. That is no sign of a direct change."""

from pathlib import Path

import pytest
from sqlalchemy import delete, update

from countinghouse.audit.chain import COLUMNS, GENESIS, canonical, row_of, seal_after
from countinghouse.audit.tables import audit_seals
from countinghouse.claims.tables import claims
from tests.audit.sealed import checkpoints_in, disable_triggers, seal_and_sign, verified
from tests.desk import Desk
from tests.engines import on_one_engine

CORRECTION = {"ifsc": "HDFC0009999"}


def seal_in_order(desk: Desk, folder: Path, order: list[int]) -> None:
    """Seals the rows with these numbers last, in this order, and signs nothing of what was before."""
    from sqlalchemy import insert, select

    rows = {row.seq: row_of(row) for row in desk.rows(select(*COLUMNS))}
    disable_triggers(desk, "audit_seals")
    desk.change(delete(audit_seals))
    checkpoints_in(folder).file.unlink(missing_ok=True)
    position, sealed = 0, GENESIS
    for seq in [*sorted(set(rows) - set(order)), *order]:
        position, sealed = position + 1, seal_after(sealed, canonical(rows[seq]))
        desk.change(insert(audit_seals).values(position=position, seq=seq, seal=sealed))
    seal_and_sign(desk, folder)


def moved_twice(desk: Desk) -> tuple[str, list[int]]:
    claim_id = desk.add_claim_moved_to("Accepted")
    assert desk.move(claim_id, "Paid", by="ravi", reference="UTR000333444").status_code == 200
    return claim_id, [row.seq for row in desk.audit() if row.subject_id == claim_id]


@on_one_engine
@pytest.mark.parametrize("order", ["two moves", "all rows"])
def test_a_move_that_was_sealed_before_the_one_it_follows_is_no_finding(
    desk: Desk, database_url: str, tmp_path: Path, order: str
) -> None:
    _, rows = moved_twice(desk)
    seal_in_order(desk, tmp_path, rows[::-1] if order == "all rows" else [rows[-1], rows[-2]])
    code, said = verified(database_url, tmp_path)
    assert code == 0, said


@on_one_engine
def test_a_direct_change_between_such_rows_stays_a_finding(desk: Desk, database_url: str, tmp_path: Path) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    disable_triggers(desk, "claims")
    desk.change(update(claims).where(claims.c.id == claim_id).values(status="On hold"))
    assert desk.move(claim_id, "Pending", by="ravi", reason="Look again.").status_code == 200
    rows = [row.seq for row in desk.audit() if row.subject_id == claim_id]
    for sealed_last in ([], [rows[-1], rows[-2]]):
        seal_in_order(desk, tmp_path, sealed_last)
        code, said = verified(database_url, tmp_path)
        assert code == 1, said
        assert f"When row {rows[-1]} changed it, it had status On hold" in said
