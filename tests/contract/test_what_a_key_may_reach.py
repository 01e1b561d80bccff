"""A key with every scope tries every route. Whatever is not on this list answers 401 or 403."""

import re

import pytest
from sqlalchemy import select

from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claims
from tests.contract.test_every_route_needs_a_session import KEYED, OPEN, ROUTES
from tests.desk import Desk
from tests.engines import on_one_engine
from tests.intake.pushing import add_key

READABLE = {
    ("GET", "/api/claims/all"),
    ("GET", "/api/claims/{claim_id}"),
    ("GET", "/api/claims/{claim_id}/details"),
    ("GET", "/api/purchases/all"),
    ("GET", "/api/users"),
}
# Open to everybody, but a wrong token is refused rather than ignored.
REFUSED = tuple(route for route in ROUTES if route not in KEYED | READABLE | (OPEN - {("GET", "/api/qr")}))


@on_one_engine
@pytest.mark.parametrize(("method", "path"), REFUSED)
def test_no_key_reaches_what_only_admins_may_do(desk: Desk, method: str, path: str) -> None:
    key = add_key(desk)
    claim_id = desk.add_claim_moved_to("Accepted")
    concrete = path.replace("{claim_id}", claim_id).replace("{ifsc}", "HDFC0001234").replace("{username}", "meera")
    concrete = re.sub(r"\{\w+_id\}", "0" * 24, concrete)
    before = len(desk.rows(select(audit_log)))
    body = {"status": "Paid", "name": "more", "scopes": ["read"], "username": "x", "password": "y"}
    answer = desk.call(method, concrete, by=key, json=body)
    assert answer.status_code in (401, 403), (method, path, answer.text)
    assert len(desk.rows(select(audit_log))) == before
    assert desk.rows(select(claims.c.status)) == [("Accepted",)]


def test_a_key_with_the_scope_may_read_lists_and_claims_and_nothing_else(desk: Desk) -> None:
    key, writer = add_key(desk, scopes=["read"]), add_key(desk, "writer", scopes=["claims:write", "users:write"])
    claim_id = desk.add_claim()
    for _method, path in READABLE:
        concrete = path.replace("{claim_id}", claim_id)
        answer = desk.get(concrete, by=key)
        assert answer.status_code == 200
        mine = desk.get(concrete)
        assert answer.json() == mine.json()
        assert desk.get(concrete, by=writer).status_code == 403
        assert desk.get(f"{concrete}?limit=1" if concrete.endswith(("all", "users")) else concrete, by=key).is_success
    for method, path in KEYED:
        answer = desk.call(method, path.replace("{external_id:path}", "x"), by=key, json={})
        assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")
