"""All nine pairs of a status and a wish, and what each leaves behind."""

import pytest
from sqlalchemy import select, update

from countinghouse.claims.tables import claim_transitions, claims
from tests.desk import Desk

# (where the claim stands, what is asked) -> status code
BY_THE_SAME_ADMIN = {
    ("Pending", "Pending"): 422,
    ("Pending", "Accepted"): 200,
    ("Pending", "Paid"): 409,
    ("Accepted", "Pending"): 422,
    ("Accepted", "Accepted"): 200,
    ("Accepted", "Paid"): 200,
    ("Paid", "Pending"): 422,
    ("Paid", "Accepted"): 409,
    ("Paid", "Paid"): 200,
}
BY_ANOTHER_ADMIN = BY_THE_SAME_ADMIN | {("Accepted", "Accepted"): 409, ("Paid", "Paid"): 409}
MOVES = {("Pending", "Accepted"), ("Accepted", "Paid")}


def history(desk: Desk, claim_id: str) -> list[tuple[str, str, str]]:
    rows = desk.rows(select(claim_transitions).where(claim_transitions.c.claim_id == claim_id).order_by("moved_at"))
    return [(row.from_status, row.to_status, row.moved_by) for row in rows]


def status_of(desk: Desk, claim_id: str) -> str:
    return str(desk.rows(select(claims.c.status).where(claims.c.id == claim_id))[0].status)


@pytest.mark.parametrize("admin", ["asha", "ravi"])
@pytest.mark.parametrize(("start", "target"), BY_THE_SAME_ADMIN)
def test_every_pair_of_status_and_target(desk: Desk, start: str, target: str, admin: str) -> None:
    claim_id = desk.add_claim_moved_to(start, by="asha")
    history_before, audit_before = history(desk, claim_id), len(desk.audit())

    answer = desk.move(claim_id, target, by=admin)

    expected = (BY_THE_SAME_ADMIN if admin == "asha" else BY_ANOTHER_ADMIN)[start, target]
    assert answer.status_code == expected, answer.text
    if (start, target) in MOVES:
        assert status_of(desk, claim_id) == target
        assert history(desk, claim_id) == [*history_before, (start, target, admin)]
        row = desk.audit()[-1]
        assert (row.actor, row.verb, row.subject_id) == (admin, "claim.moved", claim_id)
        assert (row.before, row.after) == ({"status": start}, {"status": target})
        assert len(desk.audit()) == audit_before + 1
    else:
        assert status_of(desk, claim_id) == start
        assert history(desk, claim_id) == history_before
        assert len(desk.audit()) == audit_before


def test_the_answer_is_the_claim_with_its_next_moves(desk: Desk) -> None:
    claim_id = desk.add_claim()
    listed = desk.get("/api/claims/all").json()[0]
    assert listed["moves"] == ["Accepted"]
    answer = desk.move(claim_id, "Accepted").json()
    assert answer == listed | {"status": "Accepted", "moves": ["Paid"]}
    assert desk.move(claim_id, "Paid").json() == listed | {"status": "Paid", "moves": []}


def test_a_conflict_names_who_moved_it_and_when(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Paid", by="asha")
    refusal = desk.move(claim_id, "Paid", by="ravi").json()
    moved = desk.rows(select(claim_transitions).where(claim_transitions.c.to_status == "Paid"))[0]
    assert refusal["code"] == "claim_cannot_move"
    assert refusal["fields"]["by"] == "asha"
    assert refusal["fields"]["status"] == "Paid"
    assert refusal["fields"]["at"].startswith(moved.moved_at.strftime("%Y-%m-%dT%H:%M:%S"))
    assert refusal["message"].startswith("asha moved this claim to Paid at ")


def test_a_claim_that_came_in_paid_is_refused_without_a_name(desk: Desk) -> None:
    claim_id = desk.add_claim(status="Paid")
    refusal = desk.move(claim_id, "Accepted").json()
    assert refusal["fields"] == {"status": "Paid"}
    assert refusal["message"] == "A claim that is Paid cannot become Accepted; only one that is Pending can."


@pytest.mark.parametrize("claim_id", ["0" * 24, "nonsense", "%00", "é" * 24, "A" * 5000])
def test_an_unknown_claim_is_not_found(desk: Desk, claim_id: str) -> None:
    answer = desk.move(claim_id, "Accepted")
    assert answer.status_code == 404
    assert answer.json()["code"] in ("claim_not_found", "not_found")


@pytest.mark.parametrize(
    "body", ["", "null", "[]", "{}", '{"status": null}', '{"status": "paid"}', '{"status": ["Paid"]}', "{", '"Paid"']
)
def test_a_body_that_names_no_status_is_refused_in_words(desk: Desk, body: str) -> None:
    claim_id = desk.add_claim()
    answer = desk.call(
        "PUT", f"/api/claims/{claim_id}/status", content=body, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid_input"
    assert answer.json()["message"].endswith(".")
    assert status_of(desk, claim_id) == "Pending"


def test_a_status_set_back_behind_the_desks_back_does_not_pay_twice(desk: Desk) -> None:
    """The unique constraint is the second lock, for the day the first one is circumvented."""
    claim_id = desk.add_claim_moved_to("Paid")
    desk.change(update(claims).where(claims.c.id == claim_id).values(status="Accepted"))
    before = history(desk, claim_id), len(desk.audit())
    answer = desk.move(claim_id, "Paid", by="ravi")
    assert answer.status_code == 409
    assert "has been Paid before" in answer.json()["message"]
    assert status_of(desk, claim_id) == "Accepted"
    assert (history(desk, claim_id), len(desk.audit())) == before
