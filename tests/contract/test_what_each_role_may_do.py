"""Every role calls every route: with a session, with an expired one, and with none. Keys have their own test."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.routing import APIRoute, iter_route_contexts
from sqlalchemy import select, update

from countinghouse.admins.permissions import OWN, PERMISSIONS, Permission, Role
from countinghouse.admins.tables import admins, sessions
from countinghouse.audit.tables import audit_log
from countinghouse.batches.resource import MOVE
from countinghouse.claims.lifecycle import MOVES
from countinghouse.main import create_app
from countinghouse.settings import Settings
from tests.contract.test_every_route_needs_a_session import ENDLESS, KEYED, OPEN
from tests.desk import Desk
from tests.engines import on_one_engine

READ = {
    "own.use",
    "claims.read",
    "claims.reveal",
    "purchases.read",
    "users.read",
    "clients.read",
    "clients.reveal",
    "qr.read",
    "policy.read",
    "home.read",
}
REVIEW = {"claims.accept", "claims.hold", "claims.reject", "clients.note", "batches.move", "purchases.check"}
# Written out, so that a change of what a role may do is a change of this test.
MAY = {
    Role.OWNER: set(PERMISSIONS),
    Role.PAYER: READ | REVIEW | {"claims.pay", "claims.return", "numbers.read"},
    Role.REVIEWER: READ | REVIEW | {"numbers.read"},
    Role.QR_MANAGER: READ | {"qr.upload", "qr.display", "qr.delete"},
    Role.VIEWER: READ,
    Role.AUDITOR: READ | {"admins.read", "audit.read", "keys.read", "webhooks.read", "imports.read", "numbers.read"},
}

Groups = tuple[tuple[Permission, ...], ...]


def every_closed_route() -> Iterator[tuple[str, str, Groups]]:
    app = create_app(Settings(database_url="sqlite:///never-opened.db", _env_file=None))
    for context in iter_route_contexts(app.routes):
        route = context.original_route
        if not isinstance(route, APIRoute):
            continue
        checks = [each.dependency for each in route.dependencies]
        groups = tuple(found for check in checks if (found := getattr(check, "permissions", ())))
        for method in sorted(route.methods or ()):
            if (method, route.path) not in OPEN | KEYED:
                yield method, route.path, groups


ROUTES = tuple(every_closed_route())


def test_a_role_may_do_what_its_list_says() -> None:
    for role, names in MAY.items():
        assert {each.name for each in PERMISSIONS.values() if role in each.roles} == names, role


def test_every_route_names_a_permission_and_every_change_its_own() -> None:
    assert len(ROUTES) > 50
    for method, path, groups in ROUTES:
        assert groups, (method, path)
        if method not in ("GET", "HEAD") and groups[0] not in ((OWN,), (MOVE,)):
            assert len(groups) > 1, f"{method} {path} changes something and needs no more than to read"
    named = {each for _, _, groups in ROUTES for group in groups for each in group}
    assert {each.name for each in named} == set(PERMISSIONS)


def set_role(desk: Desk, role: Role) -> None:
    desk.change(update(admins).where(admins.c.username == "asha").values(role=role.value))


@on_one_engine
@pytest.mark.parametrize("role", Role)
def test_a_role_reaches_exactly_the_routes_it_has_the_permissions_for(desk: Desk, role: Role) -> None:
    set_role(desk, role)
    claim_id = desk.add_claim()
    for method, path, groups in ROUTES:
        concrete = path.replace("{claim_id}", claim_id).replace("{ifsc}", "HDFC0001234").replace("{username}", "meera")
        concrete = re.sub(r"\{\w+_id\}", "0" * 24, concrete)
        if path.endswith("/logout"):
            continue
        before = len(desk.rows(select(audit_log.c.seq)))
        # A body that is not JSON: whoever may not call the route does not get as far as having it read.
        sent: Any = (
            {} if method in ("GET", "HEAD") else {"content": b"{", "headers": {"Content-Type": "application/json"}}
        )
        answer = desk.call("HEAD" if (method, path) in ENDLESS else method, concrete, **sent)
        is_allowed = all(any(role in each.roles for each in group) for group in groups)
        assert (answer.status_code == 403) == (not is_allowed), (role, method, path, answer.text)
        assert answer.status_code != 401, (role, method, path)
        if not is_allowed:
            lacking = next(group for group in groups if not any(role in each.roles for each in group))
            assert answer.json()["code"] == "permission_missing"
            assert answer.json()["fields"] == {"permission": lacking[0].name}
            assert len(desk.rows(select(audit_log.c.seq))) == before


@on_one_engine
@pytest.mark.parametrize("role", Role)
def test_a_role_makes_exactly_the_moves_it_has_the_permissions_for(desk: Desk, role: Role) -> None:
    for move in MOVES:
        set_role(desk, Role.OWNER)
        by = "asha" if move.is_undo else "ravi"
        claim_id = desk.add_claim_moved_to(move.source, by=by)
        set_role(desk, role)
        is_allowed = role in move.permission.roles
        answer = desk.move(claim_id, move.target, reason="Because.")
        assert answer.status_code == (200 if is_allowed else 403), (role, move, answer.text)
        if move.target in ("Accepted", "Paid") and is_allowed is False:
            planned = desk.call(
                "POST", "/api/batches", json={"claims": [{"_id": claim_id, "version": 1}], "status": move.target}
            )
            assert planned.status_code == 403


@on_one_engine
def test_no_session_and_an_expired_one_reach_nothing(desk: Desk) -> None:
    desk.change(update(sessions).values(expires_at=sessions.c.created_at))
    for method, path, _groups in ROUTES:
        concrete = re.sub(r"\{\w+\}", "0" * 24, path)
        for by in (None, "asha"):
            answer = desk.call(method, concrete, by=by, content=b"{", headers={"Content-Type": "application/json"})
            assert answer.status_code == 401, (method, path, answer.text)


@on_one_engine
def test_a_batch_is_not_run_by_an_admin_who_may_no_longer_make_its_moves(desk: Desk) -> None:
    claim_id = desk.add_claim_moved_to("Accepted")
    planned = desk.call("POST", "/api/batches", json={"claims": [{"_id": claim_id, "version": 1}], "status": "Paid"})
    assert planned.status_code == 201
    set_role(desk, Role.REVIEWER)
    answer = desk.call("POST", f"/api/batches/{planned.json()['_id']}/run")
    assert (answer.status_code, answer.json()["fields"]) == (403, {"permission": "claims.pay"})
    assert desk.get(f"/api/claims/{claim_id}").json()["status"] == "Accepted"
