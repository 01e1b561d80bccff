"""The first code of an authenticator app: guesses are limited, and its QR code does not wait for ever."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from countinghouse.admins.factors.tables import totp_secrets
from countinghouse.core.times import now
from tests.admins.authenticator import Authenticator
from tests.admins.second_factors import Phone, set_up_passkey
from tests.databases import PASSWORD
from tests.desk import Desk

TOTP = "/api/admin/account/totp"


@pytest.fixture
def phone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Phone:
    """It has scanned the code, and nothing is confirmed yet."""
    phone = Phone(monkeypatch)
    phone.secret = desk.call("POST", TOTP, json={"password": PASSWORD}).json()["secret"]
    return phone


def enter(desk: Desk, code: str) -> tuple[int, str]:
    answer = desk.call("POST", f"{TOTP}/confirm", json={"code": code})
    return answer.status_code, answer.json().get("code", "")


def test_five_guesses_at_the_first_code_then_a_pause(desk: Desk, phone: Phone) -> None:
    assert [enter(desk, f"00000{n}") for n in range(5)] == [(422, "invalid_input")] * 5
    refused = desk.call("POST", f"{TOTP}/confirm", json={"code": phone.code()})
    assert (refused.status_code, refused.json()["code"]) == (429, "login_throttled")
    assert refused.json()["message"] == "Too many attempts. Try again in 5 minutes."
    assert refused.headers["retry-after"] == "300"
    # The same counter as for passwords and step-ups of this session.
    assert desk.call("POST", TOTP, json={"password": PASSWORD}).status_code == 429
    phone.at += 300
    assert enter(desk, phone.code()) == (200, "")


def test_a_right_code_gives_its_attempt_back(desk: Desk, phone: Phone) -> None:
    assert [enter(desk, f"00000{n}")[0] for n in range(4)] == [422] * 4
    assert enter(desk, phone.code())[0] == 200
    refused = desk.call(
        "POST", "/api/admin/step-up", json={"action": "qr.display", "subject": "0" * 64, "code": "000000"}
    )
    assert refused.status_code == 403


def test_an_app_that_was_scanned_before_another_factor_was_added_is_set_up_again(desk: Desk, phone: Phone) -> None:
    """From then on, setting one up needs that factor."""
    assert set_up_passkey(desk, Authenticator()).status_code == 201
    assert enter(desk, phone.code()) == (409, "totp_not_started")


def test_a_code_that_was_scanned_ten_minutes_ago_has_expired(desk: Desk, phone: Phone) -> None:
    def scanned(ago: timedelta) -> None:
        desk.change(update(totp_secrets).values(created_at=now() - ago))

    scanned(timedelta(minutes=10, seconds=1))
    refused = desk.call("POST", f"{TOTP}/confirm", json={"code": phone.code()})
    assert (refused.status_code, refused.json()["code"]) == (409, "totp_expired")
    assert refused.json()["message"] == "This QR code is older than 10 minutes. Start again and scan a new one."
    assert not desk.get("/api/admin/account").json()["hasTotp"]
    scanned(timedelta(minutes=9, seconds=30))
    assert enter(desk, phone.code()) == (200, "")
