"""A request names exactly one host, and no link follows a host that the client made up, unless design asks for it."""

import pytest

from tests.core.sockets import connected, served
from tests.desk import Desk
from tests.engines import on_one_engine


@on_one_engine
@pytest.mark.parametrize(
    ("hosts", "status"),
    [(b"", b"400"), (b"Host: desk\r\nHost: other\r\n", b"400"), (b"Host: desk\r\n", b"200")],
    ids=["none", "two", "one"],
)
def test_a_request_names_exactly_one_host(desk: Desk, hosts: bytes, status: bytes) -> None:
    with served(desk.client.app) as port, connected(port) as client:
        client.sendall(b"GET /healthz HTTP/1.1\r\n" + hosts + b"Connection: close\r\n\r\n")
        assert client.recv(65_536).split(b" ")[1] == status


@on_one_engine
def test_the_link_of_an_export_does_not_follow_the_host_header(desk: Desk) -> None:
    desk.add_claim()
    asked = {"list": "claims", "format": "csv"}
    made = desk.call("POST", "/api/exports", json=asked, headers={"Host": "evil.example.invalid"})
    assert made.json()["url"].startswith("/api/exports/")
