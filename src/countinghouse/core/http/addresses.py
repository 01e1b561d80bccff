"""The caller's address: the peer of the TCP connection, and the client behind a trusted proxy."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.requests import Request

from countinghouse.settings import Network

Address = IPv4Address | IPv6Address


def peer_address(request: Request) -> Address | None:
    """Never read from a header, because access from tokenless networks depends on it."""
    if request.client is None:
        return None
    return _parse(request.client.host)


def client_address(request: Request, trusted_proxies: Iterable[Network]) -> Address | None:
    """The nearest address that is not a trusted proxy. Anything before it in the header may be forged."""
    address = peer_address(request)
    proxies = tuple(trusted_proxies)
    forwarded = [part.strip() for line in request.headers.getlist("x-forwarded-for") for part in line.split(",")]
    while address is not None and is_within(address, proxies) and forwarded:
        named = _parse(forwarded.pop())
        if named is None:
            break
        address = named
    return address


def is_within(address: Address | None, networks: Iterable[Network]) -> bool:
    return address is not None and any(address in network for network in networks)


@lru_cache(1000)
def _parse(text: str) -> Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv4Address):
        return address
    # A dual-stack socket reports 127.0.0.1 as ::ffff:127.0.0.1; the settings use the plain form. The zone after a
    # percent sign is dropped: it does not identify another host, and in a header it may be any text of any length.
    return address.ipv4_mapped or IPv6Address(int(address))
