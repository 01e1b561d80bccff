"""Pages of other origins may call the API only when the operator has named them."""

from collections.abc import Callable

import pytest
from httpx2 import Response

from tests.desk import Desk

NAMED = "https://app.example.in"
OTHERS = ("https://evil.example", "https://app.example.in.evil.example", "http://app.example.in", "null")

pytestmark = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)


def _ask(desk: Desk, origin: str, method: str = "PUT") -> Response:
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "authorization,content-type",
    }
    return desk.call("OPTIONS", "/api/claims/6917e2f4a1b2c3d4e5000003/status", by=None, headers=headers)


def test_a_named_origin_may_change_a_claim_with_its_token(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(allowed_origins="https://other.example.in, https://App.example.in")
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        allowed = _ask(desk, NAMED, method)
        assert allowed.status_code == 200
        assert allowed.headers["access-control-allow-origin"] == NAMED
        assert method in allowed.headers["access-control-allow-methods"]
        assert "authorization" in allowed.headers["access-control-allow-headers"].lower()
    answer = desk.get("/api/users", headers={"Origin": NAMED})
    assert answer.headers["access-control-allow-origin"] == NAMED
    assert "Origin" in answer.headers["vary"]
    assert "access-control-allow-credentials" not in answer.headers


def test_a_named_origin_can_read_a_refusal(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(allowed_origins=NAMED)
    for answer in (
        desk.get("/api/users", by=None, headers={"Origin": NAMED}),
        desk.get("/api/nothing", headers={"Origin": NAMED}),
        desk.call("POST", "/api/admin/login", content=b"x" * 100_000, headers={"Origin": NAMED}),
    ):
        assert answer.status_code >= 400
        assert answer.headers["access-control-allow-origin"] == NAMED


def test_a_preflight_is_guarded_as_every_answer_is(open_desk: Callable[..., Desk]) -> None:
    asked = _ask(open_desk(allowed_origins=NAMED), NAMED)
    assert asked.headers["x-content-type-options"] == "nosniff"
    assert asked.headers["x-request-id"]


def test_a_named_origin_can_read_of_a_failure_nobody_expected(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(allowed_origins=NAMED)
    # Without its settings the desk cannot answer anything.
    desk.client.app.state.settings = None
    answer = desk.get("/api/users", headers={"Origin": NAMED})
    assert answer.status_code == 500
    assert answer.json()["code"] == "internal_error"
    assert answer.headers["access-control-allow-origin"] == NAMED
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("origin", OTHERS)
def test_any_other_origin_is_allowed_nothing(open_desk: Callable[..., Desk], origin: str) -> None:
    desk = open_desk(allowed_origins=NAMED)
    for answer in (_ask(desk, origin), desk.get("/api/users", headers={"Origin": origin})):
        assert "access-control-allow-origin" not in answer.headers
    assert _ask(desk, origin).status_code == 400


def test_with_none_named_no_origin_is_allowed(desk: Desk) -> None:
    asked = _ask(desk, NAMED)
    assert asked.status_code == 405
    for answer in (asked, desk.get("/api/users", headers={"Origin": NAMED})):
        assert not [name for name in answer.headers if name.startswith("access-control")]
