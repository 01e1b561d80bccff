"""Where logins may come from, if the operator says so: every way in is refused from elsewhere, and counted."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from countinghouse.admins.tables import invitations, sessions
from tests.admins.second_factors import enter_password, log_in
from tests.databases import PASSWORD
from tests.desk import Desk

OFFICE = {"login_networks": "10.0.0.0/8,2001:db8:7::/48"}
TOKEN = "x" * 43
WAYS_IN: dict[str, tuple[str, dict[str, Any]]] = {
    "password": ("/api/admin/login", {"username": "asha", "password": PASSWORD}),
    "code": ("/api/admin/login", {"challenge": TOKEN, "code": "123456"}),
    "passkey alone": ("/api/admin/login", {"begin": "passkey"}),
    "opening an invitation": ("/api/invitations/open", {"token": TOKEN}),
    "invitation": ("/api/invitations/accept", {"token": TOKEN, "password": PASSWORD}),
}


@pytest.mark.parametrize("way", WAYS_IN)
def test_every_way_in_is_refused_from_elsewhere_and_counted(open_desk: Callable[..., Desk], way: str) -> None:
    desk = open_desk("203.0.113.9", **OFFICE)
    path, body = WAYS_IN[way]
    before = len(desk.rows(select(sessions)))
    for _ in range(10):
        refused = desk.call("POST", path, by=None, json=body)
        assert (refused.status_code, refused.json()["code"]) == (403, "login_network")
        assert refused.json()["message"].startswith("You cannot log in from this network (203.0.113.9).")
    assert len(desk.rows(select(sessions))) == before
    rows = desk.audit("login.refused")
    assert [(row.address, row.after["refused"]) for row in rows] == [("203.0.113.9", 1), ("203.0.113.9", 10)]
    assert all((row.after["name"] == "asha") == (way == "password") for row in rows)
    # Sessions that are open, and the rest of the desk, are not concerned.
    assert desk.get("/api/admin/me").status_code == 200


def test_a_link_is_not_used_up_from_elsewhere(open_desk: Callable[..., Desk]) -> None:
    outside, office = open_desk("203.0.113.9", **OFFICE), open_desk("10.1.2.3", **OFFICE)
    made = outside.call("POST", "/api/admins", json={"username": "Meera", "role": "viewer"}).json()
    body = {"token": made["link"].partition("#")[2], "password": PASSWORD}
    assert outside.call("POST", "/api/invitations/accept", by=None, json=body).status_code == 403
    assert len(outside.rows(select(invitations))) == 1
    assert office.call("POST", "/api/invitations/accept", by=None, json=body).status_code == 201
    assert log_in(outside, username="Meera", password=PASSWORD).status_code == 403
    assert log_in(office, username="Meera", password=PASSWORD).status_code == 200


@pytest.mark.parametrize(
    ("peer", "forwarded", "status"),
    [
        ("10.1.2.3", "", 200),
        ("::ffff:10.1.2.3", "", 200),
        ("2001:db8:7::9", "", 200),
        ("2001:db8:8::9", "", 403),
        ("192.0.2.1", "10.1.2.3", 200),
        ("192.0.2.1", "203.0.113.9", 403),
        # What stands before it in the header may be forged.
        ("192.0.2.1", "10.1.2.3, 203.0.113.9", 403),
        # Not a trusted proxy.
        ("203.0.113.9", "10.1.2.3", 403),
    ],
)
def test_the_address_is_that_of_the_client(
    open_desk: Callable[..., Desk], peer: str, forwarded: str, status: int
) -> None:
    desk = open_desk(peer, trusted_proxies="192.0.2.1", **OFFICE)
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    body = {"username": "asha", "password": PASSWORD}
    assert desk.call("POST", "/api/admin/login", by=None, json=body, headers=headers).status_code == status


def test_without_the_setting_logins_come_from_anywhere(desk: Desk) -> None:
    assert enter_password(desk).status_code == 200
