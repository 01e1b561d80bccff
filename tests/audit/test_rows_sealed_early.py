"""Release 0.1.0 could seal a change before the change that it was based on. That is no sign of a direct change."""

from pathlib import Path

import pytest
from sqlalchemy import delete, insert, select, update

from countinghouse.audit.chain import COLUMNS, GENESIS, canonical, row_of, seal_after
from countinghouse.audit.sealing import SEALED_TOGETHER
from countinghouse.audit.tables import audit_log, audit_seals
from countinghouse.claims.tables import claims
from tests.audit.sealed import checkpoints_in, disable_triggers, seal_and_sign, verified
from tests.desk import Desk
from tests.engines import on_one_engine

CORRECTION = {"ifsc": "HDFC0009999"}


def seal_in_order(desk: Desk, folder: Path, order: list[int]) -> None:
    """Seals the rows with these numbers last, in this order, and signs nothing of what was before."""
    rows = {row.seq: row_of(row) for row in desk.rows(select(*COLUMNS))}
    disable_triggers(desk, "audit_seals")
    desk.change(delete(audit_seals))
    checkpoints_in(folder).file.unlink(missing_ok=True)
    seal, seals = GENESIS, []
    for position, seq in enumerate([*sorted(set(rows) - set(order)), *order], start=1):
        seal = seal_after(seal, canonical(rows[seq]))
        seals.append({"position": position, "seq": seq, "seal": seal})
    desk.change(insert(audit_seals).values(seals))
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
def test_nor_is_one_whose_base_was_among_thousands_of_late_rows(desk: Desk, database_url: str, tmp_path: Path) -> None:
    """What 0.1.0 did while a large import and moves were committed together: it sealed late rows in portions."""
    _, rows = moved_twice(desk)
    seen = {"at": desk.audit()[-1].at, "actor": "ravi", "verb": "claim.revealed", "subject_id": "x"}
    for _ in range(12):
        desk.change(insert(audit_log).values([seen] * SEALED_TOGETHER))
    between = [row.seq for row in desk.audit() if row.subject_id == "x"]
    seal_in_order(desk, tmp_path, [rows[-1], *between, rows[-2]])
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
