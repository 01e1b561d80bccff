"""The address of the client, and the public origin of the desk."""

import pytest
from starlette.requests import Request

from countinghouse.core.http.requests import client_address, peer_address, public_origin
from countinghouse.settings import Settings

PROXIES = "10.0.0.0/8,2001:db8::/32"


def _request(peer: str | None, *headers: tuple[str, str], scheme: str = "http", **settings: str) -> Request:
    class App:
        class state:  # noqa: N801 - as the framework spells it
            pass

    App.state.settings = Settings(_env_file=None, **settings)  # type: ignore[attr-defined,arg-type]
    scope = {
        "type": "http",
        "app": App,
        "scheme": scheme,
        "method": "GET",
        "path": "/",
        "query_string": b"",
        "client": (peer, 50000) if peer else None,
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
    }
    return Request(scope)


def _client(peer: str | None, *forwarded: str, proxies: str = PROXIES) -> str:
    request = _request(peer, *(("x-forwarded-for", line) for line in forwarded))
    networks = Settings(_env_file=None, trusted_proxies=proxies).trusted_proxies
    return str(client_address(request, networks))


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.9", [], "203.0.113.9"),
        ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["1.1.1.1", "198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["1.1.1.1, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["198.51.100.1, garbage"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1, "], "10.0.0.1"),
        ("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["::ffff:198.51.100.1"], "198.51.100.1"),
        ("2001:db8::1", ["2001:db9::7"], "2001:db9::7"),
        ("10.0.0.1", [f"2001:db9::7%{'x' * 300}"], "2001:db9::7"),
        ("fe80::1%eth0", [], "fe80::1"),
        ("not an address", ["198.51.100.1"], "None"),
        (None, ["198.51.100.1"], "None"),
    ],
)
def test_the_client_is_the_nearest_address_that_is_not_a_trusted_proxy(
    peer: str | None, forwarded: list[str], client: str
) -> None:
    assert _client(peer, *forwarded) == client


def test_without_trusted_proxies_forwarded_headers_are_ignored() -> None:
    assert _client("10.0.0.1", "198.51.100.1", proxies="") == "10.0.0.1"
    assert _client("::ffff:10.0.0.1", "198.51.100.1", proxies="") == "10.0.0.1"


def test_the_peer_is_never_read_from_a_header() -> None:
    headers = [(name, "198.51.100.1") for name in ("x-forwarded-for", "x-real-ip", "forwarded", "true-client-ip")]
    assert str(peer_address(_request("10.0.0.1", *headers))) == "10.0.0.1"


def test_the_configured_public_url_overrides_the_host_header() -> None:
    request = _request("203.0.113.9", ("host", "evil.example"), public_url="https://desk.example.in/")
    assert public_origin(request) == "https://desk.example.in"


@pytest.mark.parametrize("host", ["desk.test", "desk.test:8000", "127.0.0.1:8000", "[::1]:8000", "[2001:db8::1]"])
def test_without_a_public_url_the_origin_comes_from_the_host_header(host: str) -> None:
    assert public_origin(_request("203.0.113.9", ("host", host))) == f"http://{host}"


@pytest.mark.parametrize(
    "host",
    [
        "",
        "[",
        "[::1",
        "]",
        "evil.example/path",
        "evil.example?",
        "user@evil.example",
        "a b",
        'x"onerror=1',
        "desk.test:port",
        "desk.test:1:2",
        "\xe9.example",
        "a" * 300,
        "desk.test\n",
    ],
)
def test_an_invalid_host_header_is_replaced_by_localhost(host: str) -> None:
    assert public_origin(_request("203.0.113.9", ("host", host))) == "http://localhost"
    assert public_origin(_request("203.0.113.9")) == "http://localhost"


def test_only_a_trusted_proxy_can_report_that_the_browser_used_https() -> None:
    headers = (("host", "desk.test"), ("x-forwarded-proto", "https"))
    assert public_origin(_request("10.0.0.1", *headers, trusted_proxies=PROXIES)) == "https://desk.test"
    assert public_origin(_request("203.0.113.9", *headers, trusted_proxies=PROXIES)) == "http://desk.test"
    assert public_origin(_request("10.0.0.1", *headers)) == "http://desk.test"
    odd = (("host", "desk.test"), ("x-forwarded-proto", "javascript"))
    assert public_origin(_request("10.0.0.1", *odd, trusted_proxies=PROXIES)) == "http://desk.test"
