"""A claim that the bank returned is prepared for a second payment by two persons, wherever there are two."""

from sqlalchemy import update

from countinghouse.admins.tables import admins
from countinghouse.claims.tables import claims
from tests.desk import Desk


def test_whoever_marked_it_as_returned_does_not_accept_it_again(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Returned", by="asha")
    refused = desk.move(claim_id, "Accepted", by="asha")
    assert refused.status_code == 409
    assert refused.json()["message"].startswith("You marked this claim as returned")
    (blocked,) = desk.get(f"/api/claims/{claim_id}/details", by="asha").json()["blocked"]
    assert blocked["status"] == "Accepted"
    version = desk.get(f"/api/claims/{claim_id}").json()["version"]
    chosen = {"status": "Accepted", "claims": [{"_id": claim_id, "version": version}]}
    sheet = desk.call("POST", "/api/batches", by="asha", json=chosen).json()
    assert sheet["blocked"]["count"] == 1 or sheet["movable"]["count"] == 0, sheet
    assert desk.move(claim_id, "Accepted", by="ravi").status_code == 200
    assert desk.move(claim_id, "Paid", by="asha").status_code == 200


def test_putting_it_on_hold_first_is_no_way_around(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Returned", by="asha")
    assert desk.move(claim_id, "On hold", by="asha", reason="Wait.").status_code == 200
    assert desk.move(claim_id, "Pending", by="asha", reason="Go on.").status_code == 200
    assert desk.move(claim_id, "Accepted", by="asha").status_code == 409
    assert desk.move(claim_id, "Accepted", by="ravi").status_code == 200


def test_a_round_that_was_changed_in_the_database_is_no_way_around(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Returned", by="asha")
    desk.change(update(claims).values(payout_round=0))
    assert desk.move(claim_id, "Accepted", by="asha").status_code == 409
    (blocked,) = desk.get(f"/api/claims/{claim_id}/details", by="asha").json()["blocked"]
    assert blocked["status"] == "Accepted"
    version = desk.get(f"/api/claims/{claim_id}").json()["version"]
    chosen = {"status": "Accepted", "claims": [{"_id": claim_id, "version": version}]}
    sheet = desk.call("POST", "/api/batches", by="asha", json=chosen).json()
    assert sheet["blocked"]["count"] == 1, sheet


def test_a_desk_of_one_person_can_pay_again(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Returned", by="asha")
    desk.change(update(admins).where(admins.c.username == "ravi").values(role="viewer"))
    assert desk.move(claim_id, "Accepted", by="asha").status_code == 200
