"""Requests that need a step-up. Each function prepares the desk and returns the request."""

from collections.abc import Callable
from typing import Any

from httpx2 import Response

from tests.batches.batches import plan, seen
from tests.databases import PASSWORD
from tests.desk import Desk
from tests.pictures import qr_png

Make = Callable[[Desk], tuple[str, str, Any]]


def pay_claim(desk: Desk) -> tuple[str, str, Any]:
    policy = desk.call("PUT", "/api/policy", by="ravi", json={"stepUpAbove": 1000})
    assert policy.status_code == 200
    claim_id = desk.add_claim_moved_to("Accepted", by="ravi")
    return "PUT", f"/api/claims/{claim_id}/status", {"status": "Paid"}


def planned(desk: Desk, ids: list[str], status: str) -> str:
    return str(plan(desk, claims=seen(desk, ids), status=status)["_id"])


def pay_batch(desk: Desk) -> tuple[str, str, Any]:
    claim_id = desk.add_claim_moved_to("Accepted", by="ravi")
    return "POST", f"/api/batches/{planned(desk, [claim_id], 'Paid')}/run", None


def confirm_batch(desk: Desk) -> tuple[str, str, Any]:
    claim_id = desk.add_claim_moved_to("Accepted", by="ravi")
    references = {claim_id: "N319260012345678"}
    return "POST", "/api/batches/confirm", {"batch": planned(desk, [claim_id], "Paid"), "references": references}


def display_qr(desk: Desk) -> tuple[str, str, Any]:
    qr_id = desk.upload(qr_png(), by="ravi").json()["_id"]
    return "PATCH", f"/api/qr/status/{qr_id}", {"status": "display"}


def change_policy(_desk: Desk) -> tuple[str, str, Any]:
    return "PUT", "/api/policy", {"twoPersons": True}


def add_key(_desk: Desk) -> tuple[str, str, Any]:
    return "POST", "/api/keys", {"name": "service", "scopes": ["read"]}


def revoke_key(desk: Desk) -> tuple[str, str, Any]:
    added = desk.call("POST", "/api/keys", by="ravi", json={"name": "service", "scopes": ["read"]})
    return "POST", f"/api/keys/{added.json()['shown']['_id']}/revoke", None


def export(_desk: Desk) -> tuple[str, str, Any]:
    return "POST", "/api/exports", {"list": "claims", "format": "csv"}


def change_own_password(_desk: Desk) -> tuple[str, str, Any]:
    return "PUT", "/api/admin/account/password", {"current": PASSWORD, "new": "another long sentence"}


def make_codes(_desk: Desk) -> tuple[str, str, Any]:
    return "POST", "/api/admin/account/recovery-codes", None


def remove_app(_desk: Desk) -> tuple[str, str, Any]:
    return "DELETE", "/api/admin/account/totp", None


def begin_passkey(_desk: Desk) -> tuple[str, str, Any]:
    return "POST", "/api/admin/account/passkeys/challenge", {"password": PASSWORD}


EVERY = [
    pay_claim,
    pay_batch,
    confirm_batch,
    display_qr,
    change_policy,
    add_key,
    revoke_key,
    export,
    change_own_password,
    make_codes,
    remove_app,
    begin_passkey,
]


def send(desk: Desk, request: tuple[str, str, Any], by: str = "asha") -> Response:
    method, path, body = request
    return desk.call(method, path, by=by, **({} if body is None else {"json": body}))


def is_asked(answer: Response) -> bool:
    return answer.status_code == 403 and answer.json()["code"] == "step_up_required"
