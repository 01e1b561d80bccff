"""A claim whose payee somebody has changed in the database is neither accepted nor paid: the log says what it was."""

from typing import Any

import pytest
from sqlalchemy import update

from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claims
from tests.batches import batches
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.intake.pushing import add_key, push_one_of_each

CHANGES: dict[str, dict[str, Any]] = {
    "account number": {"account_no": "009999999999"},
    "IFSC": {"ifsc": "SBIN0000001"},
    "amount": {"amount_paise": 99},
    "address": {"address": "1 Thief Road, Pune"},
    "number of returned payments": {"payout_round": 1},
}


@pytest.mark.parametrize("what", CHANGES)
def test_an_accepted_claim_is_not_paid(desk: Desk, what: str) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    desk.change(update(claims).where(claims.c.id == claim_id).values(CHANGES[what]))
    refused = desk.move(claim_id, "Paid", by="ravi")
    assert (refused.status_code, refused.json()["code"]) == (409, "claim_changed_directly"), refused.text
    assert refused.json()["message"].startswith(f"The {what} of this claim was changed directly")
    assert desk.get(f"/api/claims/{claim_id}").json()["status"] == "Accepted"
    assert desk.move(claim_id, "On hold", by="ravi", reason="Changed.").status_code == 200


def test_a_claim_of_another_client_is_not_accepted(desk: Desk) -> None:
    claim_id = push_one_of_each(desk, add_key(desk))
    thief = desk.add_user(username="Thief")
    desk.change(update(claims).where(claims.c.id == claim_id).values(user_id=thief, ifsc="SBIN0000001"))
    refused = desk.move(claim_id, "Accepted")
    assert (refused.status_code, refused.json()["code"]) == (409, "claim_changed_directly"), refused.text
    assert refused.json()["message"].startswith("The IFSC and the client of this claim were changed directly")


@on_one_engine
def test_a_corrected_claim_is_accepted_although_its_rows_were_numbered_in_another_order(desk: Desk) -> None:
    """As after somebody gave the sequence of the log a CACHE."""
    key = add_key(desk)
    claim_id = push_one_of_each(desk, key)
    corrected_to = {"version": 0, "ifsc": "SBIN0000001"}
    assert desk.call("PUT", "/api/intake/claims/c-1", by=key, json=corrected_to).status_code == 200
    desk.let_history_be_altered("audit_log")
    added, corrected = (desk.audit(verb)[-1].seq for verb in ("claim.added", "claim.corrected"))
    for number, other in ((added, -1), (corrected, added), (-1, corrected)):
        desk.change(update(audit_log).where(audit_log.c.seq == number).values(seq=other))
    assert desk.move(claim_id, "Accepted").status_code == 200


def test_a_batch_skips_it(desk: Desk) -> None:
    ids = batches.add_claims(desk, 2)
    for claim_id in ids:
        assert desk.move(claim_id, "Accepted").status_code == 200
    desk.change(update(claims).where(claims.c.id == ids[0]).values(account_no="009999999999"))
    batch = batches.plan(desk, claims=batches.seen(desk, ids), status="Paid")
    progress = batches.run_to_end(desk, batch)
    assert (progress["outcome"]["done"], progress["outcome"]["skipped"]) == (1, 1), progress
