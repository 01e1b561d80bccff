"""Legacy clients without a token are accepted only from networks that the operator lists, and logged by address."""

from collections.abc import Callable

import pytest

from tests.desk import Desk
from tests.pictures import qr_png

NETWORKS = "10.1.0.0/16"
OURS = "https://desk.test"


@pytest.mark.usefixtures("one_admin_displays")
def test_a_trusted_peer_needs_no_token_for_qr_and_users(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(peer="10.1.2.3", tokenless_networks=NETWORKS, public_url=OURS)
    desk.add_user()
    code = desk.upload(qr_png(), by=None).json()
    assert desk.call("PATCH", f"/api/qr/status/{code['_id']}", by=None, json={"status": "display"}).status_code == 200
    assert desk.call("PATCH", f"/api/qr/status/{code['_id']}", by=None, json={"status": "hide"}).status_code == 200
    assert len(desk.get("/api/qr", by=None).json()) == 1
    assert len(desk.get("/api/users", by=None).json()) == 1
    assert desk.call("DELETE", f"/api/qr/{code['_id']}", by=None).status_code == 200
    actors = {row.actor for row in desk.audit() if row.verb.startswith("qr.")}
    assert actors == {"tokenless@10.1.2.3"}


def test_a_trusted_peer_without_a_token_cannot_access_claims_purchases_or_the_session(
    open_desk: Callable[..., Desk],
) -> None:
    desk = open_desk(peer="10.1.2.3", tokenless_networks=NETWORKS, public_url=OURS)
    claim_id = desk.add_claim()
    assert desk.get("/api/claims/all", by=None).status_code == 401
    assert desk.get("/api/purchases/all", by=None).status_code == 401
    assert desk.get("/api/admin/me", by=None).status_code == 401
    put = desk.call("PUT", f"/api/claims/{claim_id}/status", by=None, json={"status": "Accepted"})
    assert put.status_code == 401


def test_an_invalid_token_from_a_trusted_peer_is_still_refused(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(peer="10.1.2.3", tokenless_networks=NETWORKS, public_url=OURS)
    assert desk.get("/api/users", by="no such token").status_code == 401


def test_another_peer_is_refused_no_matter_which_headers_it_sends(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(peer="192.0.2.7", tokenless_networks=NETWORKS)
    for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Client-IP"):
        value = "for=10.1.2.3" if name == "Forwarded" else "10.1.2.3"
        assert desk.get("/api/users", by=None, headers={name: value}).status_code == 401
        assert desk.upload(qr_png(), by=None, headers={name: value}).status_code == 401


def test_a_trusted_address_in_a_forwarded_header_is_ignored(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(peer="192.0.2.7", tokenless_networks=NETWORKS, trusted_proxies="192.0.2.0/24")
    assert desk.get("/api/users", by=None, headers={"X-Forwarded-For": "10.1.2.3"}).status_code == 401


def test_a_trusted_peer_that_forwards_for_others_needs_a_token(open_desk: Callable[..., Desk]) -> None:
    """A proxy inside the network would otherwise let every visitor change the payment codes."""
    desk = open_desk(peer="10.1.2.3", tokenless_networks=NETWORKS, public_url=OURS)
    assert desk.get("/api/users", by=None).status_code == 200
    for name in ("X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "Via", "X-Real-IP", "True-Client-IP"):
        assert desk.get("/api/users", by=None, headers={name: "198.51.100.7"}).status_code == 401
        assert desk.upload(qr_png(), by=None, headers={name: "198.51.100.7"}).status_code == 401


def test_a_cross_site_request_from_a_trusted_peers_browser_is_refused(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(peer="10.1.2.3", tokenless_networks=NETWORKS, public_url=OURS, allowed_origins="https://app.test")
    unreadable = {"Origin": "https://[::1"}
    for foreign in ({"Origin": "https://evil.test"}, {"Origin": "null"}, unreadable, {"Sec-Fetch-Site": "cross-site"}):
        assert desk.upload(qr_png(), by=None, headers=foreign).status_code == 401
    for known in ({"Origin": OURS}, {"Origin": "https://app.test"}, {"Sec-Fetch-Site": "same-origin"}):
        assert desk.upload(qr_png(), by=None, headers=known).status_code == 200


def test_a_request_with_a_foreign_host_header_needs_a_token(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(peer="10.1.2.3", tokenless_networks=NETWORKS, public_url=OURS)
    for host in (
        "evil.test",
        "evil.test:8000",
        "desk.test.evil.test",
        "",
        "[::1",
        "[evil]",
        "localhost:port:port@evil",
    ):
        headers = {"Host": host, "Origin": f"http://{host}"}
        assert desk.upload(qr_png(), by=None, headers=headers).status_code == 401
    for host in ("desk.test", "10.1.0.5:8000", "localhost:8000", "[::1]:8000"):
        assert desk.get("/api/users", by=None, headers={"Host": host}).status_code == 200
