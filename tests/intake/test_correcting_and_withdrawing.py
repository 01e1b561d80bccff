"""The service corrects what it owns, and its clients withdraw claims, while a claim is Pending."""

from typing import Any

import pytest
from sqlalchemy import select, text, update

from countinghouse.claims.tables import claim_transitions, claims
from countinghouse.users.tables import users
from tests.cli.command import countinghouse
from tests.desk import ROADS, Desk
from tests.intake.pushing import a_claim, a_user, add_key, outcomes, push_one_of_each, pushed

CLAIM = "/api/intake/claims/c-1"
USER = "/api/intake/users/u-1"
OTHER_ACCOUNT = {"accountNo": "998877665544", "ifsc": "SBIN0000001"}


@pytest.fixture
def key(desk: Desk) -> str:
    return add_key(desk)


@pytest.fixture
def claim_id(desk: Desk, key: str) -> str:
    return push_one_of_each(desk, key)


def test_a_pending_claim_is_corrected_with_an_audit_row_of_before_and_after(
    desk: Desk, key: str, claim_id: str
) -> None:
    answer = desk.call("PUT", CLAIM, by=key, json={"version": 0, "address": "1 New Road"} | OTHER_ACCOUNT)
    assert answer.json() == {"_id": claim_id, "externalId": "c-1", "version": 1}
    shown = desk.get(f"/api/claims/{claim_id}").json()
    assert (shown["accountNo"], shown["ifsc"], shown["address"]) == ("998877665544", "SBIN0000001", "1 New Road")
    (row,) = desk.audit("claim.corrected")
    assert (row.actor, row.subject_id) == ("key app", claim_id)
    assert row.before == {
        "address": "14 MG Road, Kochi 682016",
        "accountNo": "004500000001",
        "ifsc": "HDFC0001234",
        "version": 0,
    }
    assert row.after == {"address": "1 New Road", "version": 1} | OTHER_ACCOUNT
    assert len(desk.get("/api/claims/all?q=998877665544&limit=5").json()) == 1


def test_an_admin_who_saw_the_old_account_cannot_accept_it_unawares(
    desk: Desk, key: str, claim_id: str, database_url: str
) -> None:
    assert desk.call("PUT", CLAIM, by=key, json={"version": 0} | OTHER_ACCOUNT).status_code == 200
    examined = countinghouse(database_url, "doctor")
    assert "wrong" not in examined.stdout, examined.stdout
    stale = desk.move(claim_id, "Accepted", version=0)
    assert (stale.status_code, stale.json()["fields"]["version"]) == (409, "1")
    assert "changed since you loaded it" in stale.json()["message"]
    assert desk.move(claim_id, "Accepted", version=1).json()["version"] == 2
    assert desk.move(claim_id, "Paid", version=2).status_code == 200


def test_a_user_is_corrected_and_a_stale_version_is_refused(desk: Desk, key: str, claim_id: str) -> None:
    assert desk.call("PUT", USER, by=key, json={"version": 0, "username": "Asha Rao"}).json()["version"] == 1
    refused = desk.call("PUT", USER, by=key, json={"version": 0, "mobile": "9811111111"})
    assert (refused.status_code, refused.json()["fields"]) == (409, {"version": "1"})
    # A retry after a lost reply finds its change made.
    assert desk.call("PUT", USER, by=key, json={"version": 0, "username": "Asha Rao"}).json()["version"] == 1
    assert desk.call("PUT", USER, by=key, json={"version": 1, "mobile": "9811111111"}).json()["version"] == 2
    assert desk.get(f"/api/claims/{claim_id}").json()["user"]["username"] == "Asha Rao"
    rows = [(row.before, row.after) for row in desk.audit("user.corrected")]
    assert rows == [
        ({"username": "Client 1", "version": 0}, {"username": "Asha Rao", "version": 1}),
        ({"mobile": "9800000001", "version": 1}, {"mobile": "9811111111", "version": 2}),
    ]
    assert outcomes(pushed(desk, key, "users", a_user(1))) == ["conflict"]


@pytest.mark.parametrize("status", [status for status in ROADS if status != "Pending"])
def test_only_a_pending_claim_is_corrected_or_withdrawn(desk: Desk, key: str, claim_id: str, status: str) -> None:
    for step in ROADS[status]:
        reason = {"reason": "Because."} if step in ("On hold", "Rejected", "Returned") else {}
        assert desk.move(claim_id, step, **reason).status_code == 200
    before = desk.get(f"/api/claims/{claim_id}").json()
    for answer in (
        desk.call("PUT", CLAIM, by=key, json={"version": before["version"]} | OTHER_ACCOUNT),
        desk.call("DELETE", CLAIM, by=key),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "claim_not_pending")
        assert answer.json()["fields"] == {"status": status}
    assert desk.get(f"/api/claims/{claim_id}").json() == before


def test_not_even_the_database_lets_a_paid_claims_account_change(desk: Desk, claim_id: str) -> None:
    for step in ("Accepted", "Paid"):
        desk.move(claim_id, step)
    with pytest.raises(Exception, match="never altered"):
        desk.change(update(claims).values(account_no="998877665544"))
    desk.change(update(claims).values(address="Elsewhere"))


def test_a_withdrawn_claim_is_rejected_once_and_nothing_is_deleted(desk: Desk, key: str, claim_id: str) -> None:
    first = desk.call("DELETE", CLAIM, by=key)
    assert first.json() == {"_id": claim_id, "externalId": "c-1", "status": "Rejected", "version": 1}
    assert desk.call("DELETE", CLAIM, by=key).json() == first.json()
    (move,) = desk.rows(select(claim_transitions))
    assert (move.moved_by, move.reason, move.from_status) == ("key app", "Withdrawn by client", "Pending")
    (row,) = desk.audit("claim.moved")
    assert (row.actor, row.after["reason"]) == ("key app", "Withdrawn by client")
    assert outcomes(pushed(desk, key, "claims", a_claim())) == ["unchanged"]


BAD: list[tuple[str, dict[str, Any], str]] = [
    (CLAIM, {"address": "x"}, "version"),
    (CLAIM, {"version": 0}, "body"),
    (CLAIM, {"version": "0", "address": "x"}, "version"),
    (CLAIM, {"version": 0, "amount": 5}, "amount"),
    (CLAIM, {"version": 0, "status": "Paid"}, "status"),
    (CLAIM, {"version": 0, "user": "0" * 24}, "user"),
    (CLAIM, {"version": 0, "accountNo": "12"}, "accountNo"),
    (CLAIM, {"version": 0, "address": None}, "body"),
    (CLAIM, {"version": 2**31, "address": "x"}, "version"),
    (USER, {"version": 0, "externalId": "u-2"}, "externalId"),
    (USER, {"version": 0, "mobile": "12"}, "mobile"),
]


@pytest.mark.usefixtures("claim_id")
@pytest.mark.parametrize(("path", "body", "field"), BAD)
def test_nothing_else_can_be_corrected(desk: Desk, key: str, path: str, body: dict[str, Any], field: str) -> None:
    answer = desk.call("PUT", path, by=key, json=body)
    assert (answer.status_code, list(answer.json().get("fields", {}))) == (422, [field]), answer.text
    assert [row.verb for row in desk.audit() if row.verb.endswith("corrected")] == []


def test_what_is_unknown_is_not_found(desk: Desk, key: str) -> None:
    for method, path in (("PUT", "claims/no/body"), ("DELETE", "claims/no/body"), ("PUT", "users/nobody")):
        body = {"version": 0, "address" if "claims" in path else "username": "x"} if method == "PUT" else None
        answer = desk.call(method, f"/api/intake/{path}", by=key, json=body)
        assert answer.status_code == 404, (path, answer.text)
    assert desk.call("DELETE", "/api/intake/claims/a%00b", by=key).status_code == 422
    assert desk.call("PUT", "/api/intake/purchases/p-1", by=key, json={}).status_code in (404, 405)


def test_an_external_id_may_contain_anything_visible(desk: Desk, key: str) -> None:
    pushed(desk, key, "users", a_user(1, externalId="a/b ü?"))
    answer = desk.call("PUT", "/api/intake/users/a%2Fb%20%C3%BC%3F", by=key, json={"version": 0, "username": "New"})
    assert (answer.status_code, answer.json()["externalId"]) == (200, "a/b ü?")


def test_rows_without_an_external_id_cannot_be_reached(desk: Desk, key: str) -> None:
    desk.add_claim()
    assert desk.rows(select(users.c.external_id)) == [(None,)]
    for name in ("null", "None", ""):
        assert desk.call("DELETE", f"/api/intake/claims/{name}", by=key).status_code in (404, 405, 422)
    assert desk.rows(text("SELECT status FROM claims")) == [("Pending",)]
