"""The headers of every answer, successful or not."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response as Answer
from starlette.routing import Route

from countinghouse.core.http.bodies import DEFAULT_BODY_BYTES
from tests.core.refusals import assert_refused
from tests.desk import Desk

TOO_MUCH = b"x" * (DEFAULT_BODY_BYTES + 1)
ANSWERS: list[tuple[int, str, str, dict[str, Any]]] = [
    (200, "GET", "/", {}),
    (200, "GET", "/Settings", {}),
    (200, "GET", "/healthz", {}),
    (200, "GET", "/api/users", {}),
    (200, "GET", "/api/qr", {"by": None}),
    (401, "GET", "/api/users", {"by": None}),
    (404, "GET", "/api/nothing", {}),
    (404, "GET", "/assets/nothing.js", {}),
    (405, "DELETE", "/healthz", {}),
    (413, "POST", "/api/admin/login", {"content": TOO_MUCH}),
    (422, "POST", "/api/admin/login", {"json": {}}),
    (500, "GET", "/api/breaks", {}),
]
ALWAYS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def _breaks(_request: Request) -> Answer:
    raise RuntimeError("a secret detail")


@pytest.fixture
def breaking_desk(desk: Desk) -> Desk:
    desk.client.app.router.routes.insert(0, Route("/api/breaks", _breaks))
    return desk


def _policy(value: str) -> dict[str, str]:
    return dict((part.strip() + " ").split(" ", 1) for part in value.split(";"))


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_every_kind_of_answer_has_the_security_headers(breaking_desk: Desk) -> None:
    ids = set()
    for status, method, path, more in ANSWERS:
        answer = breaking_desk.call(method, path, **more)
        where = f"{method} {path}"
        assert answer.status_code == status, where
        assert {name: answer.headers.get(name) for name in ALWAYS} == ALWAYS, where
        policy = _policy(answer.headers["content-security-policy"])
        assert policy["default-src"].strip() == "'none'", where
        assert policy["frame-ancestors"].strip() == "'none'", where
        assert "sandbox" in policy, where
        assert not re.search("unsafe|\\*|http:|data:", answer.headers["content-security-policy"]), where
        assert "permissions-policy" in answer.headers, where
        assert "server" not in answer.headers, where
        assert "strict-transport-security" not in answer.headers, where
        ids.add(answer.headers["x-request-id"])
    assert len(ids) == len(ANSWERS)
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in ids)


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_an_internal_error_has_the_common_shape_and_no_details(breaking_desk: Desk) -> None:
    answer = breaking_desk.get("/api/breaks")
    assert_refused(answer, 500, "internal_error")
    assert "secret" not in answer.text


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_api_answers_are_never_cached(desk: Desk) -> None:
    for path in ("/api/users", "/api/qr", "/api/claims/all", "/api/admin/me", "/api/nothing"):
        assert desk.get(path).headers["cache-control"] == "no-store", path


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_the_page_can_run_only_its_own_scripts(desk: Desk) -> None:
    policy = _policy(desk.get("/").headers["content-security-policy"])
    assert policy["script-src"].strip() == "'self'"
    assert policy["style-src"].strip() == "'self'"
    assert policy["connect-src"].strip() == "'self'"
    assert policy["img-src"].strip() == "'self' blob:"
    assert policy["base-uri"].strip() == "'none'"
    assert policy["require-trusted-types-for"].strip() == "'script'"
    allowed = {"allow-scripts", "allow-same-origin", "allow-forms", "allow-downloads", "allow-modals"}
    assert set(policy["sandbox"].split()) == allowed
    assert "script-src" not in _policy(desk.get("/api/qr").headers["content-security-policy"])


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_only_an_https_desk_sends_strict_transport_security(open_desk: Callable[..., Desk]) -> None:
    for url in ("https://desk.example.in", "HTTPS://Desk.example.in/"):
        answer = open_desk(public_url=url).get("/")
        assert answer.headers["strict-transport-security"] == "max-age=31536000; includeSubDomains", url
        assert "img-src 'self' blob: https://desk.example.in;" in answer.headers["content-security-policy"]
    for url in ("", "http://localhost:8000"):
        assert "strict-transport-security" not in open_desk(public_url=url).get("/").headers
