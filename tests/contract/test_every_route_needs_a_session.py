"""Routes are closed by default: every route is called without a token."""

import re
from collections.abc import Iterator

import pytest
from fastapi.routing import iter_route_contexts

from countinghouse.main import create_app
from countinghouse.settings import Settings
from tests.desk import Desk
from tests.engines import on_one_engine

# The routes that need no token. A new route that is not listed here must require one.
OPEN = {
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("POST", "/api/admin/login"),
    ("GET", "/api/qr"),
    # The token of the link is the credential.
    ("POST", "/api/invitations/open"),
    ("POST", "/api/invitations/accept"),
    ("GET", "/qr-images/{key}.png"),
    # A download link sends no token: the single-use key in the URL is the credential.
    ("GET", "/api/exports/{export_id}/file"),
    ("GET", "/{path:path}"),
    ("HEAD", "/{path:path}"),
}

# These need an API key and accept no session.
KEYED = {
    ("POST", "/api/intake/users"),
    ("POST", "/api/intake/purchases"),
    ("POST", "/api/intake/claims"),
    ("PUT", "/api/intake/users/{external_id:path}"),
    ("PUT", "/api/intake/purchases/{external_id:path}/proof"),
    ("PUT", "/api/intake/claims/{external_id:path}"),
    ("DELETE", "/api/intake/claims/{external_id:path}"),
}

# Answers that never end; called with HEAD.
ENDLESS = {("GET", "/api/live")}

NINE_CALLS = {
    ("POST", "/api/admin/login"),
    ("GET", "/api/purchases/all"),
    ("GET", "/api/claims/all"),
    ("PUT", "/api/claims/{claim_id}/status"),
    ("GET", "/api/qr"),
    ("POST", "/api/qr/upload"),
    ("PATCH", "/api/qr/status/{qr_id}"),
    ("DELETE", "/api/qr/{qr_id}"),
    ("GET", "/api/users"),
}


def every_route() -> Iterator[tuple[str, str]]:
    app = create_app(Settings(database_url="sqlite:///never-opened.db", _env_file=None))
    for route in iter_route_contexts(app.routes):
        assert route.path is not None
        assert route.methods is not None
        yield from ((method, route.path) for method in sorted(route.methods))


ROUTES = tuple(every_route())
CLOSED = tuple(route for route in ROUTES if route not in OPEN | KEYED)


def test_the_nine_specified_calls_and_the_open_routes_exist() -> None:
    assert set(ROUTES) >= NINE_CALLS | OPEN | KEYED
    assert len(CLOSED) >= 10


@on_one_engine
@pytest.mark.parametrize(("method", "path"), CLOSED)
def test_a_closed_route_requires_a_token_before_it_checks_anything_else(desk: Desk, method: str, path: str) -> None:
    nouns = "claim|purchase|qr|export|view|user|batch|endpoint|delivery|key|import|admin|session|passkey"
    concrete = re.sub(rf"\{{({nouns})_id\}}", "0" * 24, path)
    concrete = concrete.replace("{ifsc}", "HDFC0001234").replace("{username}", "meera")
    assert "{" not in concrete
    for by, code in ((None, "session_required"), ("no such token", "session_ended")):
        answer = desk.call(method, concrete, by=by, json={})
        assert answer.status_code == 401, (method, path)
        assert answer.json()["code"] == code
    method = "HEAD" if (method, path) in ENDLESS else method
    assert desk.call(method, concrete, by="asha", json={}).status_code != 401


@on_one_engine
def test_the_intake_accepts_neither_a_stranger_nor_a_session(desk: Desk) -> None:
    for method, path in KEYED:
        for by in (None, "no such token", "asha"):
            answer = desk.call(method, path.replace("{external_id:path}", "u-1"), by=by, json={})
            assert (answer.status_code, answer.json()["code"]) == (401, "key_required"), (method, path)
        answer = desk.call(method, path.replace("{external_id:path}", "u-1"), by="ch_live_" + "x" * 32, json={})
        assert (answer.status_code, answer.json()["code"]) == (401, "key_unknown"), (method, path)


def test_a_token_in_the_url_or_in_a_cookie_is_not_accepted(desk: Desk) -> None:
    token = desk.tokens["asha"]
    assert desk.get(f"/api/claims/all?token={token}&access_token={token}", by=None).status_code == 401
    assert desk.get("/api/claims/all", by=None, headers={"Cookie": f"token={token}"}).status_code == 401
