"""What was made while the clock was ahead and lasts for minutes does not last for hours once the clock is corrected."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from countinghouse.admins.factors.tables import factor_challenges, step_up_grants, totp_secrets
from countinghouse.admins.tables import invitations
from countinghouse.core.times import now
from tests.admins.asking import add_key, send
from tests.admins.second_factors import Phone, challenge_of, confirm, log_in, set_up_phone
from tests.admins.test_inviting import accept, invite
from tests.databases import PASSWORD
from tests.desk import Desk

AHEAD = timedelta(hours=20)


@pytest.fixture
def phone(monkeypatch: pytest.MonkeyPatch) -> Phone:
    return Phone(monkeypatch)


def test_a_challenge_is_over(desk: Desk, phone: Phone) -> None:
    set_up_phone(desk, phone)
    challenge = challenge_of(desk)
    desk.change(update(factor_challenges).values(expires_at=now() + AHEAD))
    assert log_in(desk, challenge=challenge, code=phone.next_code()).status_code == 401
    assert log_in(desk, challenge=challenge_of(desk), code=phone.next_code()).status_code == 200


def test_a_confirmation_is_over(desk: Desk, phone: Phone) -> None:
    set_up_phone(desk, phone)
    request = add_key(desk)
    assert confirm(desk, send(desk, request), phone.next_code()).status_code == 204
    desk.change(update(step_up_grants).values(expires_at=now() + AHEAD))
    assert send(desk, request).json()["code"] == "step_up_required"


def test_a_link_that_sets_a_password_is_over(desk: Desk) -> None:
    token = invite(desk)
    desk.change(update(invitations).values(expires_at=now() + timedelta(days=1) + AHEAD))
    assert accept(desk, token).status_code == 410
    assert accept(desk, invite(desk)).status_code == 201


def test_the_code_of_a_new_app_is_over(desk: Desk, phone: Phone) -> None:
    begun = desk.call("POST", "/api/admin/account/totp", json={"password": PASSWORD})
    phone.secret = begun.json()["secret"]
    desk.change(update(totp_secrets).values(created_at=now() + AHEAD))
    answer = desk.call("POST", "/api/admin/account/totp/confirm", json={"code": phone.code()})
    assert (answer.status_code, answer.json()["code"]) == (409, "totp_expired")
