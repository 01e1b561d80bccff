"""Some routes ask for a step-up only in some cases: for large payments, payments of batches, numbers in full."""

import pytest
from sqlalchemy import update

from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins
from tests.admins.asking import display_qr, export, is_asked, pay_batch, pay_claim, planned, send
from tests.admins.second_factors import Phone, confirm, set_up_phone
from tests.desk import Desk


@pytest.fixture(autouse=True)
def phone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Phone:
    phone = Phone(monkeypatch)
    set_up_phone(desk, phone)
    return phone


def test_below_the_amount_and_for_other_moves_nobody_is_asked(desk: Desk) -> None:
    pay_claim(desk)
    accepted = desk.add_claim()
    assert desk.move(accepted, "Accepted").status_code == 200
    small = desk.add_claim("Accepted", amount_paise=100_000)
    assert desk.move(small, "Paid").status_code == 200
    large = desk.add_claim("Accepted", amount_paise=100_001)
    assert is_asked(desk.move(large, "Paid"))
    assert desk.get(f"/api/claims/{large}").json()["status"] == "Accepted"


def test_a_retry_after_a_lost_reply_is_not_asked_again(desk: Desk, phone: Phone) -> None:
    _, path, body = pay_claim(desk)
    claim_id = path.split("/")[3]
    confirm(desk, desk.move(claim_id, "Paid", key="k1"), phone.next_code())
    first = desk.move(claim_id, "Paid", key="k1")
    assert first.status_code == 200
    again = desk.move(claim_id, "Paid", key="k1")
    assert (again.status_code, again.json()) == (200, first.json())
    assert desk.call("PUT", path, json=body).status_code == 200


def test_a_batch_is_asked_for_once_and_only_if_it_pays(desk: Desk, phone: Phone) -> None:
    pending = desk.add_claim()
    accept = planned(desk, [pending], "Accepted")
    assert desk.call("POST", f"/api/batches/{accept}/run").status_code == 200
    request = pay_batch(desk)
    confirm(desk, send(desk, request), phone.next_code())
    assert send(desk, request).status_code == 200
    assert send(desk, request).status_code == 200


def test_hiding_a_code_and_exports_without_numbers_are_free(desk: Desk) -> None:
    method, path, body = display_qr(desk)
    assert is_asked(send(desk, (method, path, body)))
    assert send(desk, (method, path, {"status": "hide"})).status_code == 200
    desk.change(update(admins).where(admins.c.username == "asha").values(role=Role.VIEWER.value))
    assert send(desk, export(desk)).status_code == 201
