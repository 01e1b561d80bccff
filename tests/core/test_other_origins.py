"""CORS: pages of another origin can call the API only if the operator has allowed that origin."""

from collections.abc import Callable

import pytest
from httpx2 import Response

from tests.desk import Desk

ALLOWED = "https://app.example.in"
OTHERS = ("https://evil.example", "https://app.example.in.evil.example", "http://app.example.in", "null")

pytestmark = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)


def _preflight(desk: Desk, origin: str, method: str = "PUT") -> Response:
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "authorization,content-type",
    }
    return desk.call("OPTIONS", "/api/claims/6917e2f4a1b2c3d4e5000003/status", by=None, headers=headers)


def test_an_allowed_origin_can_change_a_claim_with_its_token(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(allowed_origins="https://other.example.in, https://App.example.in")
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        allowed = _preflight(desk, ALLOWED, method)
        assert allowed.status_code == 200
        assert allowed.headers["access-control-allow-origin"] == ALLOWED
        assert method in allowed.headers["access-control-allow-methods"]
        assert "authorization" in allowed.headers["access-control-allow-headers"].lower()
    answer = desk.get("/api/users", headers={"Origin": ALLOWED})
    assert answer.headers["access-control-allow-origin"] == ALLOWED
    assert "Origin" in answer.headers["vary"]
    assert "access-control-allow-credentials" not in answer.headers


def test_an_allowed_origin_can_read_an_error(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(allowed_origins=ALLOWED)
    for answer in (
        desk.get("/api/users", by=None, headers={"Origin": ALLOWED}),
        desk.get("/api/nothing", headers={"Origin": ALLOWED}),
        desk.call("POST", "/api/admin/login", content=b"x" * 100_000, headers={"Origin": ALLOWED}),
    ):
        assert answer.status_code >= 400
        assert answer.headers["access-control-allow-origin"] == ALLOWED


def test_a_preflight_answer_has_the_security_headers(open_desk: Callable[..., Desk]) -> None:
    preflight = _preflight(open_desk(allowed_origins=ALLOWED), ALLOWED)
    assert preflight.headers["x-content-type-options"] == "nosniff"
    assert preflight.headers["x-request-id"]


def test_an_allowed_origin_can_read_an_unexpected_error(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(allowed_origins=ALLOWED)
    # Without its settings the desk cannot answer anything.
    desk.client.app.state.settings = None
    answer = desk.get("/api/users", headers={"Origin": ALLOWED})
    assert answer.status_code == 500
    assert answer.json()["code"] == "internal_error"
    assert answer.headers["access-control-allow-origin"] == ALLOWED
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("origin", OTHERS)
def test_any_other_origin_gets_no_cors_headers(open_desk: Callable[..., Desk], origin: str) -> None:
    desk = open_desk(allowed_origins=ALLOWED)
    for answer in (_preflight(desk, origin), desk.get("/api/users", headers={"Origin": origin})):
        assert "access-control-allow-origin" not in answer.headers
    assert _preflight(desk, origin).status_code == 400


def test_without_allowed_origins_there_are_no_cors_headers(desk: Desk) -> None:
    preflight = _preflight(desk, ALLOWED)
    assert preflight.status_code == 405
    for answer in (preflight, desk.get("/api/users", headers={"Origin": ALLOWED})):
        assert not [name for name in answer.headers if name.startswith("access-control")]
