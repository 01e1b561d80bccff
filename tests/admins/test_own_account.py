"""An admin's own account: sessions, password, second factors. Each change is audited and ends the other sessions."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import select, update

from countinghouse.admins.factors import enrolling
from countinghouse.admins.factors.tables import passkeys, recovery_codes, totp_secrets
from countinghouse.admins.tables import admins, sessions
from countinghouse.audit.actions import COMMAND
from countinghouse.core.secrets import hash_secret
from countinghouse.core.times import now
from tests.admins.authenticator import Authenticator
from tests.admins.second_factors import (
    Phone,
    challenge_of,
    confirm,
    enter_password,
    log_in,
    set_up_passkey,
    set_up_phone,
)
from tests.databases import PASSWORD
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.event_loop import run

ACCOUNT = "/api/admin/account"
LONG_AGO = now().replace(year=2020, day=1)


@pytest.fixture
def phone(monkeypatch: pytest.MonkeyPatch) -> Phone:
    return Phone(monkeypatch)


def confirmed(desk: Desk, phone: Phone, method: str, path: str, **more: Any) -> Response:
    assert confirm(desk, desk.call(method, path, **more), phone.next_code()).status_code == 204
    return desk.call(method, path, **more)


def is_open(desk: Desk, token: str) -> bool:
    return desk.get("/api/admin/me", by=token).status_code == 200


@contextmanager
def ends_the_other_sessions(desk: Desk, other: str) -> Iterator[None]:
    assert is_open(desk, other)
    yield
    assert not is_open(desk, other)
    assert is_open(desk, "asha")
    assert is_open(desk, "ravi")


def test_sessions_are_listed_with_device_and_address(desk: Desk) -> None:
    body = {"username": "asha", "password": PASSWORD}
    answer = desk.call("POST", "/api/admin/login", by=None, json=body, headers={"User-Agent": "Firefox \x01 on Linux"})
    (newest, older) = desk.get(f"{ACCOUNT}/sessions", by=answer.json()["token"]).json()
    assert (newest["device"], newest["address"], newest["isCurrent"]) == ("Firefox ? on Linux", "203.0.113.9", True)
    assert (older["device"], older["address"], older["isCurrent"]) == (None, None, False)
    assert newest["_id"] == hash_secret(answer.json()["token"]).hex()[:24]


def test_ended_expired_and_idle_sessions_are_not_listed(desk: Desk) -> None:
    tokens = [enter_password(desk).json()["token"] for _ in range(3)]
    for token, values in zip(
        tokens, ({"ended_at": now()}, {"expires_at": now()}, {"last_seen_at": LONG_AGO}), strict=True
    ):
        desk.change(update(sessions).where(sessions.c.token_hash == hash_secret(token)).values(values))
    assert len(desk.get(f"{ACCOUNT}/sessions").json()) == 1


def test_one_session_is_ended_at_once(desk: Desk) -> None:
    other = enter_password(desk).json()["token"]
    third = enter_password(desk).json()["token"]
    session_id = hash_secret(other).hex()[:24]
    assert desk.call("DELETE", f"{ACCOUNT}/sessions/{session_id}").status_code == 204
    assert (is_open(desk, other), is_open(desk, third), is_open(desk, "asha")) == (False, True, True)
    assert desk.audit("session.ended")[-1].before == {"session": session_id}
    assert desk.call("DELETE", f"{ACCOUNT}/sessions/{session_id}").status_code == 404


def test_nobody_ends_the_session_of_somebody_else(desk: Desk) -> None:
    session_id = hash_secret(desk.tokens["ravi"]).hex()[:24]
    for wrong in (session_id, "0" * 24, "f" * 24, "short"):
        assert desk.call("DELETE", f"{ACCOUNT}/sessions/{wrong}").status_code == 404
    assert is_open(desk, "ravi")


def test_all_other_sessions_are_ended_at_once(desk: Desk) -> None:
    others = [enter_password(desk).json()["token"] for _ in range(2)]
    with ends_the_other_sessions(desk, others[0]):
        assert desk.call("DELETE", f"{ACCOUNT}/sessions").json() == {"ended": 2}
    assert not is_open(desk, others[1])
    assert desk.audit("session.ended")[-1].before == {"sessions": 2}
    assert desk.call("DELETE", f"{ACCOUNT}/sessions").json() == {"ended": 0}


def test_the_password_is_changed_and_the_other_sessions_end(desk: Desk) -> None:
    other = enter_password(desk).json()["token"]
    with ends_the_other_sessions(desk, other):
        body = {"current": PASSWORD, "new": "another long sentence"}
        assert desk.call("PUT", f"{ACCOUNT}/password", json=body).status_code == 204
    assert enter_password(desk).status_code == 401
    assert log_in(desk, username="asha", password="another long sentence").status_code == 200
    assert desk.audit("admin.password_changed")[-1].actor == "asha"


@on_one_engine
def test_a_wrong_current_password_or_a_short_new_one_is_refused(desk: Desk) -> None:
    wrong = desk.call("PUT", f"{ACCOUNT}/password", json={"current": "wrong", "new": "another long sentence"})
    assert (wrong.status_code, set(wrong.json()["fields"])) == (422, {"current"})
    short = desk.call("PUT", f"{ACCOUNT}/password", json={"current": PASSWORD, "new": "short"})
    assert (short.status_code, set(short.json()["fields"])) == (422, {"new"})
    assert enter_password(desk).status_code == 200


def test_a_stolen_token_does_not_guess_the_password(desk: Desk) -> None:
    body = {"current": "wrong", "new": "another long sentence"}
    answers = [desk.call("PUT", f"{ACCOUNT}/password", json=body).status_code for _ in range(7)]
    assert answers == [422] * 5 + [429] * 2


def test_an_authenticator_app_counts_from_its_first_code_on(desk: Desk, phone: Phone) -> None:
    begun = desk.call("POST", f"{ACCOUNT}/totp", json={"password": PASSWORD}).json()
    assert begun["link"].startswith("otpauth://totp/Countinghouse:asha?")
    assert begun["qr"].startswith("<svg xmlns=")
    assert enter_password(desk).status_code == 200
    wrong = desk.call("POST", f"{ACCOUNT}/totp/confirm", json={"code": "000000"})
    assert (wrong.status_code, set(wrong.json()["fields"])) == (422, {"code"})
    phone.secret = begun["secret"]
    other = enter_password(desk).json()["token"]
    with ends_the_other_sessions(desk, other):
        done = desk.call("POST", f"{ACCOUNT}/totp/confirm", json={"code": phone.code()})
    assert len(set(done.json()["recoveryCodes"])) == 10
    account = desk.get(ACCOUNT).json()
    assert (account["hasTotp"], account["recoveryCodesLeft"]) == (True, 10)
    assert enter_password(desk).status_code == 401
    assert desk.audit("admin.factor_added")[-1].after == {"factor": "totp"}
    assert [row.verb for row in desk.audit()[-2:]] == ["admin.factor_added", "admin.recovery_codes_made"]


def test_without_the_password_no_factor_is_set_up(desk: Desk) -> None:
    for path in ("totp", "passkeys/challenge"):
        answer = desk.call("POST", f"{ACCOUNT}/{path}", json={"password": "wrong"})
        assert (answer.status_code, set(answer.json()["fields"])) == (422, {"password"})
    assert desk.rows(select(totp_secrets)) == []


def test_a_second_app_replaces_none(desk: Desk, phone: Phone) -> None:
    set_up_phone(desk, phone)
    answer = confirmed(desk, phone, "POST", f"{ACCOUNT}/totp", json={"password": PASSWORD})
    assert (answer.status_code, answer.json()["code"]) == (409, "totp_exists")
    again = desk.call("POST", f"{ACCOUNT}/totp/confirm", json={"code": phone.next_code()})
    assert (again.status_code, again.json()["code"]) == (409, "totp_not_started")


def test_removing_the_last_factor_removes_the_recovery_codes_too(desk: Desk, phone: Phone) -> None:
    set_up_phone(desk, phone)
    other = log_in(desk, challenge=challenge_of(desk), code=phone.next_code()).json()["token"]
    with ends_the_other_sessions(desk, other):
        assert confirmed(desk, phone, "DELETE", f"{ACCOUNT}/totp").status_code == 204
    assert desk.rows(select(recovery_codes)) == []
    assert desk.get("/api/admin/me").json()["hasFactor"] is False
    assert enter_password(desk).status_code == 200
    assert desk.audit("admin.factor_removed")[-1].before == {"factor": "totp"}


def test_passkeys_are_listed_and_removed(desk: Desk, phone: Phone) -> None:
    set_up_phone(desk, phone)
    refused = desk.call("POST", f"{ACCOUNT}/passkeys/challenge", json={"password": PASSWORD})
    confirm(desk, refused, phone.next_code())
    other = log_in(desk, challenge=challenge_of(desk), code=phone.next_code()).json()["token"]
    with ends_the_other_sessions(desk, other):
        added = set_up_passkey(desk, Authenticator(), name="Desk key")
    assert added.json() == {"recoveryCodes": []}
    (shown,) = desk.get(ACCOUNT).json()["passkeys"]
    assert (shown["name"], shown["lastUsedAt"]) == ("Desk key", None)
    assert confirmed(desk, phone, "DELETE", f"{ACCOUNT}/passkeys/{shown['_id']}").status_code == 204
    assert desk.get(ACCOUNT).json()["passkeys"] == []
    assert desk.audit("admin.factor_removed")[-1].before == {"factor": "passkey", "name": "Desk key"}
    assert desk.get("/api/admin/me").json()["hasFactor"] is True


def test_nobody_removes_the_passkey_of_somebody_else(desk: Desk) -> None:
    set_up_passkey(desk, Authenticator(), by="ravi")
    (row,) = desk.rows(select(passkeys))
    assert desk.call("DELETE", f"{ACCOUNT}/passkeys/{row.id}").status_code == 404
    assert len(desk.rows(select(passkeys))) == 1


def test_new_recovery_codes_end_the_old_ones(desk: Desk, phone: Phone) -> None:
    set_up_phone(desk, phone)
    made = confirmed(desk, phone, "POST", f"{ACCOUNT}/recovery-codes").json()["recoveryCodes"]
    assert len(made) == 10
    assert log_in(desk, challenge=challenge_of(desk), code=phone.recovery[0]).status_code == 401
    assert log_in(desk, challenge=challenge_of(desk), code=made[0]).status_code == 200


def test_without_a_factor_there_are_no_recovery_codes(desk: Desk) -> None:
    answer = desk.call("POST", f"{ACCOUNT}/recovery-codes")
    assert (answer.status_code, answer.json()["code"]) == (409, "no_factor")


def test_a_reset_removes_everything_and_ends_the_sessions(desk: Desk, phone: Phone) -> None:
    set_up_phone(desk, phone)
    challenge = challenge_of(desk)
    run(desk.database.write(lambda transaction: enrolling.reset_factors(transaction, COMMAND, "asha")))
    assert not is_open(desk, "asha")
    assert log_in(desk, challenge=challenge, code=phone.next_code()).status_code == 401
    assert enter_password(desk).status_code == 200
    assert desk.audit("admin.factors_reset")[-1].actor == "command"
    assert not any(row.has_factor for row in desk.rows(select(admins)))


def require(desk: Desk) -> None:
    assert desk.call("PUT", "/api/policy", by="ravi", json={"secondFactorRequired": True}).status_code == 200


WORKS_BEFORE = ("/api/admin/me", ACCOUNT, f"{ACCOUNT}/sessions")


def test_where_a_factor_is_required_only_the_own_account_works_before_there_is_one(desk: Desk, phone: Phone) -> None:
    require(desk)
    old_session, new_session = desk.tokens["asha"], enter_password(desk).json()
    assert new_session["mustEnrol"] is True
    for token in (old_session, new_session["token"]):
        for path in WORKS_BEFORE:
            assert desk.get(path, by=token).status_code == 200
        for path in ("/api/claims/all", "/api/qr", "/api/users", "/api/policy", "/api/openapi.json"):
            answer = desk.get(path, by=token)
            assert (answer.status_code, answer.json()["code"]) == (403, "factor_missing"), path
        assert desk.call("HEAD", "/api/live", by=token).status_code == 403
    set_up_phone(desk, phone)
    assert desk.get("/api/claims/all?limit=5").status_code == 200
    assert desk.get("/api/admin/me").json()["mustEnrol"] is False


def test_where_a_factor_is_required_the_last_one_stays(desk: Desk, phone: Phone) -> None:
    set_up_phone(desk, phone)
    require(desk)
    answer = confirmed(desk, phone, "DELETE", f"{ACCOUNT}/totp")
    assert (answer.status_code, answer.json()["code"]) == (409, "factor_required")
    assert desk.get(ACCOUNT).json()["hasTotp"] is True


@on_one_engine
def test_a_password_change_is_no_way_around_the_factor(desk: Desk, phone: Phone) -> None:
    set_up_phone(desk, phone)
    body = {"current": PASSWORD, "new": "another long sentence"}
    assert desk.call("PUT", f"{ACCOUNT}/password", json=body).json()["code"] == "step_up_required"
    assert confirmed(desk, phone, "PUT", f"{ACCOUNT}/password", json=body).status_code == 204
    answer = log_in(desk, username="asha", password="another long sentence")
    assert answer.json()["code"] == "second_factor_needed"
