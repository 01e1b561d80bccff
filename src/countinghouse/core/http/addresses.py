"""Who is calling: the peer at the other end of the wire, and the client that a trusted proxy speaks for."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.requests import Request

from countinghouse.settings import Network

Address = IPv4Address | IPv6Address


def peer_address(request: Request) -> Address | None:
    """Never read from a header: this is what decides about tokenless networks."""
    if request.client is None:
        return None
    return _parse(request.client.host)


def client_address(request: Request, trusted_proxies: Iterable[Network]) -> Address | None:
    """The nearest address that is no proxy of ours; what lies beyond it anybody could have written."""
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
    # A dual-stack socket writes 127.0.0.1 as ::ffff:127.0.0.1; rules are written for the plain form. The zone behind
    # a percent sign goes: it names no other host, and in a header it may be any text of any length.
    return address.ipv4_mapped or IPv6Address(int(address))
