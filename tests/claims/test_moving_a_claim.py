"""All thirty-six pairs of current and target status, and what each move stores."""

from typing import Any

import pytest
from sqlalchemy import select, update

from countinghouse.claims.lifecycle import STATUSES
from countinghouse.claims.tables import claim_transitions, claims
from tests.desk import ROADS, Desk
from tests.engines import on_one_engine

# A deliberate copy: a move added by mistake must fail the test.
WITHOUT_REASON = {
    ("Pending", "Accepted"),
    ("Accepted", "Paid"),
    ("Accepted", "Pending"),
    ("Rejected", "Pending"),
    ("Returned", "Accepted"),
}
WITH_REASON = {
    ("Pending", "On hold"),
    ("Accepted", "On hold"),
    ("Returned", "On hold"),
    ("On hold", "Pending"),
    ("Pending", "Rejected"),
    ("Accepted", "Rejected"),
    ("On hold", "Rejected"),
    ("Returned", "Rejected"),
    ("Paid", "Returned"),
}
ONLY_BY_THE_SAME_ADMIN = {("Accepted", "Pending"), ("Rejected", "Pending")}
# A second payment is prepared by somebody else than the admin who marked the first one as returned.
ONLY_BY_ANOTHER_ADMIN = {("Returned", "Accepted")}
REASON = "The bank asked for it."


def history(desk: Desk, claim_id: str) -> list[tuple[str, str, str, int, str | None]]:
    rows = desk.rows(select(claim_transitions).where(claim_transitions.c.claim_id == claim_id).order_by("number"))
    return [(row.from_status, row.to_status, row.moved_by, row.number, row.reason) for row in rows]


def claim_row(desk: Desk, claim_id: str) -> Any:
    return desk.rows(select(claims).where(claims.c.id == claim_id))[0]


def status_of(desk: Desk, claim_id: str) -> str:
    return str(claim_row(desk, claim_id).status)


def left_behind(desk: Desk, claim_id: str) -> tuple[Any, ...]:
    return tuple(claim_row(desk, claim_id)), history(desk, claim_id), len(desk.audit())


@pytest.mark.parametrize("start", STATUSES)
def test_every_pair_of_status_and_target_is_allowed_or_refused_as_listed(desk: Desk, start: str) -> None:
    for target in STATUSES:
        for admin in ("asha", "ravi"):
            check_pair(desk, start, target, admin)


def check_pair(desk: Desk, start: str, target: str, admin: str) -> None:
    pair = (start, target)
    claim_id = desk.add_claim_moved_to(start, by="asha")
    version = len(ROADS[start])
    before = left_behind(desk, claim_id)
    if pair in WITH_REASON:
        assert desk.move(claim_id, target, by=admin).status_code == 422
        assert left_behind(desk, claim_id) == before

    answer = desk.move(claim_id, target, by=admin, reason=REASON)

    if (
        pair not in WITHOUT_REASON | WITH_REASON
        or (pair in ONLY_BY_THE_SAME_ADMIN and admin != "asha")
        or (pair in ONLY_BY_ANOTHER_ADMIN and admin == "asha")
    ):
        assert answer.status_code == 409, answer.text
        assert answer.json()["code"] == "claim_cannot_move"
        assert left_behind(desk, claim_id) == before
        return
    assert answer.status_code == 200, answer.text
    row = claim_row(desk, claim_id)
    assert (row.status, row.version, row.payout_round) == (target, version + 1, int("Returned" in (start, target)))
    assert history(desk, claim_id) == [*before[1], (start, target, admin, version + 1, REASON)]
    moves = select(claim_transitions).where(claim_transitions.c.claim_id == claim_id)
    last = desk.rows(moves.where(claim_transitions.c.number == version + 1))[0]
    assert (last.moved_at, last.payout_round) == (row.moved_at, row.payout_round)
    audit_row = desk.audit()[-1]
    assert (audit_row.actor, audit_row.verb, audit_row.subject_id) == (admin, "claim.moved", claim_id)
    assert audit_row.before == {"status": start, "version": version}
    payout = {"accountNo": "004512345678", "ifsc": "HDFC0001234", "amount": 1937.5}
    payout |= {"user": row.user_id, "address": row.address}
    assert audit_row.after == {"status": target, "version": version + 1, "reason": REASON} | (
        payout if target in ("Accepted", "Paid") else {}
    )
    assert len(desk.audit()) == before[2] + 1


@pytest.mark.parametrize("status", [status for status in STATUSES if ROADS[status]])
def test_repeating_a_move_changes_nothing_for_the_same_admin_and_is_refused_to_others(desk: Desk, status: str) -> None:
    claim_id = desk.add_claim_moved_to(status, by="asha")
    reason = history(desk, claim_id)[-1][-1]
    more = {} if reason is None else {"reason": reason}
    before = left_behind(desk, claim_id)
    seen = claim_row(desk, claim_id).version
    for version in ({}, {"version": seen}, {"version": seen - 1}):
        again = desk.move(claim_id, status, by="asha", **more, **version)
        assert again.status_code == 200, again.text
        assert again.json() == desk.get(f"/api/claims/{claim_id}").json()
    assert desk.move(claim_id, status, by="asha", reason="Another reason.").status_code == 409
    assert desk.move(claim_id, status, by="ravi", **more).status_code == 409
    assert left_behind(desk, claim_id) == before


def test_undoing_an_accept_twice_undoes_it_once(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Accepted", by="asha")
    assert desk.move(claim_id, "Pending", by="asha").status_code == 200
    before = left_behind(desk, claim_id)
    assert desk.move(claim_id, "Pending", by="asha").status_code == 200
    assert desk.move(claim_id, "Pending", by="ravi").status_code == 409
    assert left_behind(desk, claim_id) == before


def next_move(to: str, label: str, permission: str, **unlike: bool | str) -> dict[str, object]:
    plain = {"to": to, "label": label, "needsReason": False, "isUndo": False, "tone": "neutral"}
    return plain | {"permission": permission} | unlike


ACCEPT = next_move("Accepted", "Accept", "claims.accept")
PAY = next_move("Paid", "Paid Success", "claims.pay", tone="primary")
UNDO = next_move("Pending", "Undo Accept", "claims.accept", isUndo=True)
UNDO_REJECT = next_move("Pending", "Undo Reject", "claims.reject", isUndo=True)
HOLD = next_move("On hold", "Put on hold", "claims.hold", needsReason=True)
RELEASE = next_move("Pending", "Release", "claims.hold", needsReason=True)
REJECT = next_move("Rejected", "Reject", "claims.reject", needsReason=True)
RETURNED = next_move("Returned", "Mark as returned", "claims.return", needsReason=True)


@pytest.mark.parametrize(
    ("status", "moves"),
    [
        ("Pending", [ACCEPT, HOLD, REJECT]),
        ("Accepted", [PAY, UNDO, HOLD, REJECT]),
        ("Paid", [RETURNED]),
        ("On hold", [RELEASE, REJECT]),
        ("Rejected", [UNDO_REJECT]),
        ("Returned", [ACCEPT, HOLD, REJECT]),
    ],
)
def test_a_claim_names_its_next_moves_and_what_they_need(desk: Desk, status: str, moves: list[Any]) -> None:
    claim_id = desk.add_claim_moved_to(status)
    assert desk.get(f"/api/claims/{claim_id}").json()["moves"] == moves


def test_a_claim_that_came_in_as_rejected_has_no_reject_to_undo(desk: Desk) -> None:
    claim_id = desk.add_claim(status="Rejected")
    refusal = desk.move(claim_id, "Pending")
    assert (refusal.status_code, status_of(desk, claim_id)) == (409, "Rejected")
    assert refusal.json()["message"] == "Nobody rejected this claim at the desk, so nobody can undo that."


def test_the_response_is_the_claim_with_its_next_moves(desk: Desk) -> None:
    claim_id = desk.add_claim()
    listed = desk.get("/api/claims/all?with=more").json()[0]
    assert (listed["version"], listed["moves"]) == (0, [ACCEPT, HOLD, REJECT])
    assert listed["user"]["_id"] == claim_row(desk, claim_id).user_id
    answer = desk.move(claim_id, "Accepted").json()
    after = {"status": "Accepted", "version": 1, "moves": [PAY, UNDO, HOLD, REJECT]}
    assert answer == listed | after
    paid = desk.move(claim_id, "Paid").json()
    payout = {"by": "asha", "at": paid["payout"]["at"], "reference": None}
    assert paid == listed | {"payout": payout} | {"status": "Paid", "version": 2, "moves": [RETURNED]}


def test_only_the_admin_who_accepted_last_can_undo_it(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Accepted", by="asha")
    assert desk.move(claim_id, "Pending", by="asha").status_code == 200
    assert desk.move(claim_id, "Accepted", by="ravi").status_code == 200
    refusal = desk.move(claim_id, "Pending", by="asha")
    assert refusal.status_code == 409
    assert refusal.json()["fields"]["by"] == "ravi"
    assert refusal.json()["message"] == "ravi accepted this claim, and only they can undo that."
    assert desk.move(claim_id, "Pending", by="ravi").status_code == 200


def test_a_claim_inserted_as_accepted_cannot_be_undone(desk: Desk) -> None:
    claim_id = desk.add_claim(status="Accepted")
    assert desk.move(claim_id, "Pending").status_code == 409
    assert desk.move(claim_id, "Paid").json()["version"] == 1


def test_a_returned_claim_can_be_paid_again_once(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Returned")
    assert desk.move(claim_id, "Accepted", by="ravi").status_code == 200
    assert desk.move(claim_id, "Paid").status_code == 200
    assert desk.move(claim_id, "Paid", by="ravi").status_code == 409
    paid = desk.rows(select(claim_transitions).where(claim_transitions.c.to_status == "Paid").order_by("number"))
    assert [(row.number, row.payout_round) for row in paid] == [(2, 0), (5, 1)]


def test_a_conflict_names_who_moved_the_claim_and_when(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Paid", by="asha")
    refusal = desk.move(claim_id, "Paid", by="ravi").json()
    moved = desk.rows(select(claim_transitions).where(claim_transitions.c.to_status == "Paid"))[0]
    assert refusal["code"] == "claim_cannot_move"
    assert refusal["fields"]["by"] == "asha"
    assert (refusal["fields"]["status"], refusal["fields"]["version"]) == ("Paid", "2")
    assert refusal["fields"]["at"].startswith(moved.moved_at.strftime("%Y-%m-%dT%H:%M:%S"))
    assert refusal["message"].startswith("asha moved this claim to Paid at ")


def test_the_refusal_for_a_claim_inserted_as_paid_names_no_admin(desk: Desk) -> None:
    claim_id = desk.add_claim(status="Paid")
    refusal = desk.move(claim_id, "Accepted").json()
    assert refusal["fields"] == {"status": "Paid", "version": "0"}
    sentence = "A claim that is Paid cannot become Accepted; only one that is Pending or Returned can."
    assert refusal["message"] == sentence


@on_one_engine
@pytest.mark.parametrize("claim_id", ["0" * 24, "nonsense", "%00", "é" * 24, "A" * 5000])
@pytest.mark.parametrize("key", [None, "k-1"])
def test_an_unknown_claim_is_not_found(desk: Desk, claim_id: str, key: str | None) -> None:
    answer = desk.move(claim_id, "Accepted", key=key)
    assert answer.status_code == 404
    assert answer.json()["code"] in ("claim_not_found", "not_found")


@on_one_engine
@pytest.mark.parametrize(
    "body",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"status": null}',
        '{"status": "paid"}',
        '{"status": ["Paid"]}',
        "{",
        '"Paid"',
        '{"status": "Accepted", "version": -1}',
        '{"status": "Accepted", "version": 2147483648}',
        '{"status": "Accepted", "version": "x"}',
        '{"status": "Accepted", "version": "0"}',
        '{"status": "Accepted", "version": false}',
        '{"status": "Accepted", "Reference": "N319260012345678"}',
        '{"status": "Accepted", "reason": ""}',
        '{"status": "Accepted", "reason": " "}',
        '{"status": "Accepted", "reason": "a\\u0000b"}',
        '{"status": "Rejected"}',
    ],
)
def test_an_invalid_body_is_refused_with_a_message(desk: Desk, body: str) -> None:
    claim_id = desk.add_claim()
    answer = desk.call(
        "PUT", f"/api/claims/{claim_id}/status", content=body, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid_input"
    assert answer.json()["message"].endswith(".")
    assert status_of(desk, claim_id) == "Pending"


def test_a_reason_has_at_most_five_hundred_characters(desk: Desk) -> None:
    claim_id = desk.add_claim()
    assert desk.move(claim_id, "Rejected", reason="अ" * 501).status_code == 422
    assert desk.move(claim_id, "Rejected", reason="अ" * 500).status_code == 200


@pytest.mark.parametrize("version", [2, 7])
def test_resetting_the_status_directly_in_the_database_does_not_allow_a_second_payout(desk: Desk, version: int) -> None:
    """The unique constraints are the second line of defence, in case the guarded update is bypassed."""
    claim_id = desk.add_claim_moved_to("Paid")
    desk.change(update(claims).where(claims.c.id == claim_id).values(status="Accepted", version=version))
    before = left_behind(desk, claim_id)
    answer = desk.move(claim_id, "Paid", by="ravi")
    assert answer.status_code == 409
    assert "has been Paid before" in answer.json()["message"]
    assert left_behind(desk, claim_id) == before


def test_resetting_the_version_directly_in_the_database_does_not_reuse_a_transition_number(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    desk.change(update(claims).where(claims.c.id == claim_id).values(status="Pending", version=0))
    before = left_behind(desk, claim_id)
    assert desk.move(claim_id, "Accepted", by="ravi").status_code == 409
    assert left_behind(desk, claim_id) == before
