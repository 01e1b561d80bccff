"""Whoever runs a batch of payments has just given a second factor for it: in this session, at most five minutes ago."""

from collections.abc import Callable

import pytest
from httpx2 import Response
from sqlalchemy import select, update

from countinghouse.admins.factors.tables import step_up_grants
from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins
from countinghouse.batches import running
from countinghouse.claims.tables import claims
from countinghouse.core.times import now
from tests.admins.asking import is_asked
from tests.admins.second_factors import Phone, challenge_of, confirm, log_in, set_up_phone
from tests.batches.batches import add_claims, plan, seen
from tests.desk import Desk


@pytest.fixture
def phone(monkeypatch: pytest.MonkeyPatch) -> Phone:
    return Phone(monkeypatch)


def plan_payments(desk: Desk, count: int = 2) -> tuple[str, dict[str, str]]:
    """The id of the batch, and a reference for each of its claims."""
    ids = add_claims(desk, count, "Accepted")
    batch: str = plan(desk, claims=seen(desk, ids), status="Paid")["_id"]
    return batch, {claim_id: f"N31926{batch[-4:]}{place:06}" for place, claim_id in enumerate(ids)}


def send_confirmation(desk: Desk, batch: str, references: dict[str, str]) -> Response:
    return desk.call("POST", "/api/batches/confirm", json={"batch": batch, "references": references})


def confirmed(desk: Desk, phone: Phone, count: int = 2) -> str:
    batch, references = plan_payments(desk, count)
    confirm(desk, send_confirmation(desk, batch, references), phone.next_code())
    assert send_confirmation(desk, batch, references).status_code == 200
    return batch


def run(desk: Desk, batch: str, by: str = "asha") -> Response:
    return desk.call("POST", f"/api/batches/{batch}/run", by=by)


def paid(desk: Desk) -> int:
    return len(desk.rows(select(claims.c.id).where(claims.c.status == "Paid")))


def let_five_minutes_pass(desk: Desk) -> None:
    desk.change(update(step_up_grants).values(expires_at=now()))


def test_a_session_that_never_gave_a_factor_cannot_run_it(desk: Desk, phone: Phone) -> None:
    set_up_phone(desk, phone)
    batch = confirmed(desk, phone)
    # A recovery code logs in, and is good for nothing else.
    other = log_in(desk, challenge=challenge_of(desk), code=phone.recovery[0]).json()["token"]
    refused = run(desk, batch, by=other)
    assert is_asked(refused)
    assert refused.json()["fields"]["action"] == "batches.pay"
    assert confirm(desk, refused, phone.recovery[1], by=other).json()["code"] == "factor_refused"
    assert is_asked(run(desk, batch, by=other))
    assert paid(desk) == 0
    assert confirm(desk, run(desk, batch, by=other), phone.next_code(), by=other).status_code == 204
    assert run(desk, batch, by=other).json()["outcome"]["done"] == 2
    assert desk.audit("session.step_up_used")[-1].after["request"] == f"POST /api/batches/{batch}/run"


def test_it_is_asked_for_again_after_five_minutes_also_half_way(
    desk: Desk, phone: Phone, monkeypatch: pytest.MonkeyPatch, open_desk: Callable[..., Desk]
) -> None:
    monkeypatch.setattr(running, "SECONDS_A_CALL", 0.0)
    set_up_phone(desk, phone)
    batch = confirmed(desk, phone, 4)
    assert run(desk, batch).json()["outcome"]["done"] == 1
    # As after a restart, or on another server.
    assert run(open_desk(), batch).json()["outcome"]["done"] == 2
    let_five_minutes_pass(desk)
    refused = run(desk, batch)
    assert is_asked(refused)
    assert paid(desk) == 2
    assert confirm(desk, refused, phone.next_code()).status_code == 204
    assert run(desk, batch).json()["outcome"]["done"] == 3
    assert run(desk, batch).json()["outcome"]["done"] == 4
    assert len(desk.audit("session.step_up_used")) == 2


def test_an_ended_batch_tells_its_result_without_a_factor(desk: Desk, phone: Phone) -> None:
    set_up_phone(desk, phone)
    batch = confirmed(desk, phone)
    ended = run(desk, batch).json()
    assert ended["endedAt"]
    let_five_minutes_pass(desk)
    assert run(desk, batch).json() == ended


def test_a_factor_that_was_set_up_after_the_confirmation_is_asked_for(desk: Desk, phone: Phone) -> None:
    batch, references = plan_payments(desk)
    assert send_confirmation(desk, batch, references).status_code == 200
    assert desk.call("PUT", "/api/policy", by="ravi", json={"secondFactorRequired": True}).status_code == 200
    assert run(desk, batch).json()["code"] == "factor_missing"
    set_up_phone(desk, phone)
    refused = run(desk, batch)
    assert is_asked(refused)
    assert paid(desk) == 0
    assert confirm(desk, refused, phone.next_code()).status_code == 204
    assert run(desk, batch).json()["outcome"]["done"] == 2


def test_the_factor_given_for_one_batch_does_not_run_another(desk: Desk, phone: Phone) -> None:
    other, references = plan_payments(desk)
    assert send_confirmation(desk, other, references).status_code == 200
    set_up_phone(desk, phone)
    batch = confirmed(desk, phone)
    assert is_asked(run(desk, other))
    assert run(desk, batch).json()["outcome"]["done"] == 2


def test_a_refused_confirmation_does_not_let_the_batch_run_as_planned(desk: Desk, phone: Phone) -> None:
    set_up_phone(desk, phone)
    batch, references = plan_payments(desk)
    stranger = {**references, "0" * 24: "N319260099999999"}
    confirm(desk, send_confirmation(desk, batch, stranger), phone.next_code())
    assert send_confirmation(desk, batch, stranger).status_code == 422
    assert is_asked(run(desk, batch))
    assert paid(desk) == 0


def test_whoever_may_no_longer_pay_is_told_so_and_not_asked(desk: Desk, phone: Phone) -> None:
    set_up_phone(desk, phone)
    batch = confirmed(desk, phone)
    let_five_minutes_pass(desk)
    desk.change(update(admins).where(admins.c.username == "asha").values(role=Role.REVIEWER.value))
    assert run(desk, batch).json()["code"] == "permission_missing"


def test_accepting_many_claims_needs_no_factor(desk: Desk, phone: Phone) -> None:
    set_up_phone(desk, phone)
    batch = plan(desk, claims=seen(desk, add_claims(desk, 2)), status="Accepted")["_id"]
    let_five_minutes_pass(desk)
    assert run(desk, batch).json()["outcome"]["done"] == 2
