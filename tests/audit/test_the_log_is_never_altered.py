import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from tests.desk import Desk


@pytest.mark.parametrize("change", ["UPDATE audit_log SET actor = 'nobody'", "DELETE FROM audit_log"])
def test_the_database_refuses_changes_to_the_audit_log(desk: Desk, change: str) -> None:
    before = desk.audit()
    assert before
    with pytest.raises(DBAPIError, match="never altered"):
        desk.change(text(change))
    assert desk.audit() == before


def test_an_audit_row_has_actor_address_time_and_subject(desk: Desk) -> None:
    claim_id = desk.add_claim()
    desk.move(claim_id, "Accepted")
    row = desk.audit()[-1]
    assert row.actor == "asha"
    assert row.address == "203.0.113.9"
    assert row.at.utcoffset() is not None
    assert row.subject_id == claim_id
