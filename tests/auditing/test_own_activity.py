"""Every admin sees what they did last, and nothing that somebody else did."""

import pytest
from sqlalchemy import update

from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins
from countinghouse.auditing.queries import MOST_RECENT
from tests.admins.test_own_account import require
from tests.desk import Desk

ACTIVITY = "/api/admin/account/activity"


def set_role(desk: Desk, role: Role) -> None:
    desk.change(update(admins).where(admins.c.username == "asha").values(role=role.value))


def test_the_own_rows_are_shown_newest_first_as_the_audit_screen_shows_them(desk: Desk) -> None:
    claim_id = desk.add_claim()
    assert desk.move(claim_id, "Accepted").status_code == 200
    assert desk.move(claim_id, "Paid", by="ravi").status_code == 200
    newest, *earlier = desk.get(ACTIVITY).json()
    assert (newest["verb"], newest["subjectId"], newest["address"]) == ("claim.moved", claim_id, "203.0.113.9")
    assert (newest["after"]["status"], newest["after"]["version"]) == ("Accepted", 1)
    assert {row["actor"] for row in (newest, *earlier)} == {"asha"}
    assert desk.get(ACTIVITY).json() == desk.get("/api/audit?limit=20&actor=asha", by="ravi").json()
    assert [row["after"]["status"] for row in desk.get(ACTIVITY, by="ravi").json()[:1]] == ["Paid"]


def test_only_the_last_twenty(desk: Desk) -> None:
    user_id = desk.add_user()
    for number in range(MOST_RECENT + 3):
        assert desk.call("POST", f"/api/clients/{user_id}/notes", json={"text": f"Note {number}"}).status_code == 201
    shown = desk.get(ACTIVITY).json()
    assert [row["after"]["text"] for row in shown] == [f"Note {number}" for number in range(22, 2, -1)]


@pytest.mark.parametrize("role", Role)
def test_every_role_sees_its_own_and_numbers_as_that_role_does(desk: Desk, role: Role) -> None:
    user_id = desk.add_user()
    note = {"text": "The account is 0045 1234 5678."}
    # As a role that may, which is changed afterwards.
    assert desk.move(desk.add_claim(), "Accepted").status_code == 200
    assert desk.call("POST", f"/api/clients/{user_id}/notes", json=note).status_code == 201
    set_role(desk, role)
    is_masked = role in (Role.VIEWER, Role.QR_MANAGER)
    noted, moved = desk.get(ACTIVITY).json()[:2]
    assert noted["after"]["text"] == ("The account is ••••5678." if is_masked else note["text"])
    assert moved["after"]["accountNo"] == ("••••5678" if is_masked else "004512345678")


def test_it_works_before_a_required_factor_is_set_up(desk: Desk) -> None:
    require(desk)
    assert desk.get("/api/claims/all?limit=5").status_code == 403
    assert desk.get(ACTIVITY).status_code == 200
