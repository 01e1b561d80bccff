"""One address, or one /64 of IPv6, gets a share of the connections that a process can have."""

import json
import socket
from contextlib import ExitStack
from ipaddress import ip_network
from typing import Any

from countinghouse.core.http.connections import MOST_PER_NETWORK, ConnectionShares
from countinghouse.core.http.protocol import DeadlineProtocol
from countinghouse.settings import Settings
from tests.core.sockets import read_to_the_end, served, wait_until

SHARE = 5
UNFINISHED = b"POST /api/admin/login HTTP/1.1\r\nHost: desk\r\nContent-Length: 300\r\n\r\n{"
WHOLE = b"GET / HTTP/1.1\r\nHost: desk\r\nConnection: close\r\n\r\n"


async def _greet(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"hi"})


def _protocol(*exempt: str) -> type[DeadlineProtocol]:
    class Shared(DeadlineProtocol):
        shares = ConnectionShares(SHARE, [ip_network(each) for each in exempt])

    return Shared


def _open(stack: ExitStack, port: int, sent: bytes, peer: str) -> socket.socket:
    client = stack.enter_context(socket.create_connection(("127.0.0.1", port), 30, source_address=(peer, 0)))
    client.sendall(sent)
    return client


def test_an_address_with_too_many_connections_is_refused_and_others_are_not() -> None:
    protocol = _protocol()
    with ExitStack() as stack, served(_greet, protocol) as port:
        silent = [_open(stack, port, UNFINISHED, "127.0.0.2") for _ in range(SHARE)]
        head, _, body = read_to_the_end(_open(stack, port, WHOLE, "127.0.0.2")).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 ")
        assert b"\r\nretry-after: 5" in head.lower()
        answer = json.loads(body)
        assert answer["code"] == "busy"
        assert answer["message"] == "Too many connections are open from your network. Try again in a few seconds."
        assert read_to_the_end(_open(stack, port, WHOLE, "127.0.0.3")).endswith(b"hi")
        for client in silent:
            client.close()
        wait_until(lambda: protocol.shares.count("127.0.0.2") == 0)
        assert read_to_the_end(_open(stack, port, WHOLE, "127.0.0.2")).endswith(b"hi")


def test_a_trusted_proxy_may_have_any_number() -> None:
    with ExitStack() as stack, served(_greet, _protocol("127.0.0.2/32")) as port:
        for _ in range(3 * SHARE):
            _open(stack, port, UNFINISHED, "127.0.0.2")
        assert read_to_the_end(_open(stack, port, WHOLE, "127.0.0.2")).endswith(b"hi")


def test_addresses_of_one_network_share() -> None:
    shares = ConnectionShares()
    one = [shares.add(f"2001:db8::{number:x}") for number in range(3)]
    mapped = [shares.add("::ffff:192.0.2.7"), shares.add("192.0.2.7"), shares.add("192.0.2.8")]
    assert [shares.count(each) for each in (one[0], mapped[0], mapped[2])] == [3, 2, 1]
    for network in (*one, *mapped):
        shares.remove(network)
    assert [shares.count(each) for each in (one[0], mapped[0], mapped[2])] == [0, 0, 0]


def test_an_office_behind_one_address_fits() -> None:
    screens, connections_of_a_browser = 40, 6
    most = Settings(_env_file=None).connections_per_network
    assert most == MOST_PER_NETWORK
    assert most >= screens * connections_of_a_browser
