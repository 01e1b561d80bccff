"""Whether an admin has a second factor is decided by the factors, and not by a flag that somebody could switch."""

from pathlib import Path

import pytest
from sqlalchemy import update

from countinghouse.admins.tables import admins
from tests.admins.authenticator import Authenticator
from tests.admins.second_factors import Phone, enter_password, set_up_passkey, set_up_phone
from tests.audit.sealed import audit, seal_and_sign
from tests.desk import Desk


@pytest.fixture(params=["app", "passkey"])
def factor(desk: Desk, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    if request.param == "app":
        set_up_phone(desk, Phone(monkeypatch))
    else:
        assert set_up_passkey(desk, Authenticator()).status_code == 201
    return str(request.param)


def switch(desk: Desk, *, has_factor: bool) -> None:
    desk.change(update(admins).where(admins.c.username == "asha").values(has_factor=has_factor))


def test_an_admin_whose_flag_was_switched_off_is_still_asked_for_the_factor(desk: Desk, factor: str) -> None:
    switch(desk, has_factor=False)
    assert factor
    refused = enter_password(desk)
    assert (refused.status_code, refused.json()["code"]) == (401, "second_factor_needed")
    assert desk.get("/api/admin/me").json()["hasFactor"] is True
    assert desk.call("PUT", "/api/policy", json={"twoPersons": True}).json()["code"] == "step_up_required"


def test_a_flag_that_was_switched_on_keeps_nobody_out(desk: Desk) -> None:
    switch(desk, has_factor=True)
    assert enter_password(desk).status_code == 200
    assert desk.get("/api/admin/me").json()["hasFactor"] is False


def test_a_switched_flag_is_found(desk: Desk, database_url: str, tmp_path: Path, factor: str) -> None:
    assert factor
    seal_and_sign(desk, tmp_path)
    assert audit(database_url, tmp_path, "verify").returncode == 0
    switch(desk, has_factor=False)
    verified = audit(database_url, tmp_path, "verify")
    assert verified.returncode == 1, verified.stdout
    assert "is the last about the admin" in verified.stdout
