"""Step-up: which routes ask for a fresh second factor, and that one confirms exactly one request."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.routing import APIRoute, iter_route_contexts
from sqlalchemy import select, update

from countinghouse.admins.factors.step_up import ACTIONS, StepUp, what_is_confirmed
from countinghouse.admins.factors.tables import step_up_grants
from countinghouse.admins.permissions import Role
from countinghouse.admins.tables import admins
from countinghouse.core.http import checked_route
from countinghouse.core.times import now
from countinghouse.main import create_app
from countinghouse.settings import Settings
from tests.admins.asking import EVERY, Make, add_key, begin_passkey, change_policy, display_qr, export, is_asked, send
from tests.admins.authenticator import Authenticator
from tests.admins.second_factors import (
    Phone,
    challenge_of,
    confirm,
    give_factor,
    log_in,
    set_up_passkey,
    set_up_phone,
)
from tests.desk import Desk
from tests.engines import on_one_engine

# Written out, so that a route that no longer asks is a change of this test.
ASKING = {
    ("PUT", "/api/claims/{claim_id}/status"): "claims.pay",
    ("POST", "/api/batches/confirm"): "batches.pay",
    ("POST", "/api/batches/{batch_id}/run"): "batches.pay",
    ("PATCH", "/api/qr/status/{qr_id}"): "qr.display",
    ("PUT", "/api/policy"): "policy.change",
    ("POST", "/api/keys"): "keys.manage",
    ("POST", "/api/keys/{key_id}/revoke"): "keys.manage",
    ("POST", "/api/admins"): "admins.manage",
    ("DELETE", "/api/admins/invitations/{username}"): "admins.manage",
    ("POST", "/api/admins/{admin_id}/reset"): "admins.manage",
    ("POST", "/api/admins/{admin_id}/reset-factors"): "admins.manage",
    ("PUT", "/api/admins/{admin_id}/role"): "admins.manage",
    ("POST", "/api/admins/{admin_id}/disable"): "admins.manage",
    ("POST", "/api/admins/{admin_id}/enable"): "admins.manage",
    ("POST", "/api/exports"): "exports.numbers",
    ("PUT", "/api/admin/account/password"): "account.password",
    ("POST", "/api/admin/account/totp"): "account.factors",
    ("DELETE", "/api/admin/account/totp"): "account.factors",
    ("POST", "/api/admin/account/recovery-codes"): "account.factors",
    ("POST", "/api/admin/account/passkeys/challenge"): "account.factors",
    ("DELETE", "/api/admin/account/passkeys/{passkey_id}"): "account.factors",
}


def every_asking_route() -> Iterator[tuple[tuple[str, str], str]]:
    app = create_app(Settings(database_url="sqlite:///never-opened.db", _env_file=None))
    for context in iter_route_contexts(app.routes):
        route = context.original_route
        if isinstance(route, APIRoute):
            for check in (each.dependency for each in route.dependencies):
                if isinstance(check, StepUp):
                    yield from (((method, route.path), check.action) for method in sorted(route.methods or ()))


def test_the_router_names_the_routes_that_ask() -> None:
    assert dict(every_asking_route()) == ASKING
    assert set(ASKING.values()) == set(ACTIONS)


@pytest.fixture
def phone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Phone:
    phone = Phone(monkeypatch)
    set_up_phone(desk, phone)
    return phone


@on_one_engine
def test_a_request_that_is_slow_to_arrive_uses_up_one_confirmation(
    desk: Desk, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checked_route, "SLOW_SECONDS", 0)
    request = add_key(desk)
    assert confirm(desk, send(desk, request), phone.next_code()).status_code == 204
    assert send(desk, request).status_code == 201


@pytest.mark.parametrize("make", EVERY)
def test_an_action_is_refused_until_it_is_confirmed_and_a_confirmation_is_used_once(
    desk: Desk, phone: Phone, make: Make
) -> None:
    request = make(desk)
    refused = send(desk, request)
    assert is_asked(refused)
    assert confirm(desk, refused, phone.next_code()).status_code == 204
    granted = desk.audit("session.step_up_granted")[-1]
    assert granted.after == {"action": refused.json()["fields"]["action"], "factor": "totp"}
    assert desk.audit("session.step_up_used") == []
    done = send(desk, request)
    assert done.status_code in (200, 201, 202, 204), done.text
    (used,) = desk.audit("session.step_up_used")
    assert used.after == {"action": granted.after["action"], "request": f"{request[0]} {request[1]}"}
    spent = what_is_confirmed(**refused.json()["fields"])
    assert spent not in [row.confirms for row in desk.rows(select(step_up_grants))]


@on_one_engine
@pytest.mark.parametrize("make", [add_key, export, change_policy, begin_passkey])
def test_the_second_request_needs_a_second_confirmation(desk: Desk, phone: Phone, make: Make) -> None:
    request = make(desk)
    confirm(desk, send(desk, request), phone.next_code())
    assert not is_asked(send(desk, request))
    assert is_asked(send(desk, request))


@on_one_engine
@pytest.mark.parametrize("make", EVERY)
def test_an_admin_without_a_factor_is_not_asked(desk: Desk, make: Make) -> None:
    assert not is_asked(send(desk, make(desk)))


@on_one_engine
@pytest.mark.parametrize("make", EVERY)
def test_a_confirmation_of_something_else_is_of_no_use(desk: Desk, phone: Phone, make: Make) -> None:
    request = make(desk)
    other = ("POST", "/api/keys", {"name": "another", "scopes": ["read"]})
    assert confirm(desk, send(desk, other), phone.next_code()).status_code == 204
    assert is_asked(send(desk, request))


def test_a_changed_body_is_another_request(desk: Desk, phone: Phone) -> None:
    small = ("POST", "/api/exports", {"list": "claims", "format": "csv", "query": {"status": "Paid"}})
    assert confirm(desk, send(desk, small), phone.next_code()).status_code == 204
    assert is_asked(send(desk, ("POST", "/api/exports", {"list": "claims", "format": "csv"})))
    assert send(desk, small).status_code == 201


def test_a_confirmation_is_of_one_session(desk: Desk, phone: Phone) -> None:
    request = add_key(desk)
    other = log_in(desk, challenge=challenge_of(desk), code=phone.next_code()).json()["token"]
    refused = send(desk, request)
    assert confirm(desk, refused, phone.next_code()).status_code == 204
    assert is_asked(send(desk, request, by=other))
    assert confirm(desk, refused, phone.next_code(), by=other).status_code == 204
    assert is_asked(send(desk, request, by=other))


def test_a_confirmation_lasts_five_minutes(desk: Desk, phone: Phone) -> None:
    request = add_key(desk)
    confirm(desk, send(desk, request), phone.next_code())
    desk.change(update(step_up_grants).values(expires_at=now()))
    assert is_asked(send(desk, request))


def test_of_two_requests_at_the_same_time_one_has_the_confirmation(desk: Desk, phone: Phone) -> None:
    request = export(desk)
    confirm(desk, send(desk, request), phone.next_code())
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(lambda _: send(desk, request).status_code, range(2)))
    assert sorted(answers) == [201, 403]


def test_the_code_of_the_login_does_not_confirm_as_well(desk: Desk, phone: Phone) -> None:
    code = phone.next_code()
    token = log_in(desk, challenge=challenge_of(desk), code=code).json()["token"]
    refused = send(desk, add_key(desk), by=token)
    answer = confirm(desk, refused, code, by=token)
    assert (answer.status_code, answer.json()["code"]) == (403, "factor_refused")
    assert desk.audit("session.factor_refused")[-1].after == {"action": "keys.manage"}


def test_a_recovery_code_does_not_count(desk: Desk, phone: Phone) -> None:
    answer = confirm(desk, send(desk, add_key(desk)), phone.recovery[0])
    assert (answer.status_code, answer.json()["code"]) == (403, "factor_refused")
    assert desk.get("/api/admin/account").json()["recoveryCodesLeft"] == 10


def test_failures_are_counted_per_session(desk: Desk, phone: Phone) -> None:
    other = log_in(desk, challenge=challenge_of(desk), code=phone.next_code()).json()["token"]
    refused = send(desk, add_key(desk))
    answers = [confirm(desk, refused, f"00000{n}").status_code for n in range(7)]
    assert answers == [403] * 5 + [429] * 2
    assert confirm(desk, refused, phone.next_code()).status_code == 429
    assert confirm(desk, send(desk, add_key(desk), by=other), phone.next_code(), by=other).status_code == 204


def test_a_passkey_confirms_too_and_its_challenge_is_bound_to_the_action(desk: Desk) -> None:
    passkey = Authenticator()
    assert set_up_passkey(desk, passkey).status_code == 201
    wanted = send(desk, add_key(desk)).json()["fields"]
    other = send(desk, export(desk)).json()["fields"]
    challenge = desk.call("POST", "/api/admin/step-up/challenge", json=wanted).json()["challenge"]
    swapped = {**other, "challenge": challenge, "passkey": passkey.get(challenge)}
    assert desk.call("POST", "/api/admin/step-up", json=swapped).json()["code"] == "factor_refused"
    right = {**wanted, "challenge": challenge, "passkey": passkey.get(challenge)}
    assert desk.call("POST", "/api/admin/step-up", json=right).status_code == 204
    assert desk.call("POST", "/api/admin/step-up", json=right).json()["code"] == "factor_refused"
    assert send(desk, add_key(desk)).status_code == 201
    assert is_asked(send(desk, export(desk)))


@on_one_engine
def test_whoever_lacks_the_permission_is_told_so_and_not_asked(desk: Desk, phone: Phone) -> None:
    assert phone.secret
    desk.change(update(admins).where(admins.c.username == "asha").values(role=Role.VIEWER.value))
    for make in (display_qr, change_policy, add_key):
        assert send(desk, make(desk)).json()["code"] == "permission_missing"


@on_one_engine
def test_an_unknown_action_and_a_missing_factor_are_refused(desk: Desk) -> None:
    body = {"action": "keys.manage", "subject": "0" * 64, "code": "123456"}
    assert desk.call("POST", "/api/admin/step-up", json=body).json()["code"] == "no_factor"
    give_factor(desk, "asha")
    answer = desk.call("POST", "/api/admin/step-up", json=body | {"action": "magic"})
    assert (answer.status_code, set(answer.json()["fields"])) == (422, {"action"})
