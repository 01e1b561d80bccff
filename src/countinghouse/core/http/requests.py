"""What a route reads from a request: the database, the settings, who sent it and through which origin.

A route runs its own transaction, with `await get_database(request).write(…)`. It is committed before the response is
built, so a 200 means stored.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import cast

from starlette.requests import Request

from countinghouse.core.db import Database
from countinghouse.settings import Network, Settings

Address = IPv4Address | IPv6Address

# With a zone, which is dropped. Of any length, it would be kept by the cache.
_LONGEST_ADDRESS = 100
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?")


def get_database(request: Request) -> Database:
    return cast(Database, request.app.state.database)


def get_settings(request: Request) -> Settings:
    return cast(Settings, request.app.state.settings)


def public_origin(request: Request) -> str:
    """The origin that the browser used to reach the server, for absolute links."""
    settings = get_settings(request)
    if settings.public_url:
        return settings.public_url
    host = request.headers.get("host", "")
    if not _HOST.fullmatch(host):
        host = "localhost"
    scheme = str(request.scope["scheme"])
    proxies = settings.trusted_proxies
    if proxies and request.headers.get("x-forwarded-proto") == "https" and is_within(peer_address(request), proxies):
        scheme = "https"
    return f"{scheme}://{host}"


@lru_cache(1000)
def accepts(accept_encoding: str, coding: str) -> bool:
    for part in accept_encoding.lower().replace(" ", "").split(","):
        name, _, quality = part.partition(";q=")
        if name == coding:
            return quality == "" or quality.strip("0.") != ""
    return False


def peer_address(request: Request) -> Address | None:
    """Never read from a header, because access from tokenless networks depends on it."""
    if request.client is None:
        return None
    return parse_address(request.client.host)


def client_address(request: Request, trusted_proxies: Iterable[Network]) -> Address | None:
    """The nearest address that is not a trusted proxy. Anything before it in the header may be forged."""
    address = peer_address(request)
    proxies = tuple(trusted_proxies)
    if not is_within(address, proxies):
        return address
    forwarded = [part.strip() for line in request.headers.getlist("x-forwarded-for") for part in line.split(",")]
    while address is not None and is_within(address, proxies) and forwarded:
        named = parse_address(forwarded.pop()[:_LONGEST_ADDRESS])
        if named is None:
            break
        address = named
    return address


def is_within(address: Address | None, networks: Iterable[Network]) -> bool:
    return address is not None and any(address in network for network in networks)


def network_key(address: Address | None) -> str:
    """What tells callers apart whom nothing else identifies. One home or one server gets a whole /64 of IPv6, so a
    limit of single addresses there would limit nothing."""
    return str(ip_network((address, 64), strict=False) if isinstance(address, IPv6Address) else address)


@lru_cache(1000)
def parse_address(text: str) -> Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv4Address):
        return address
    # A dual-stack socket reports 127.0.0.1 as ::ffff:127.0.0.1; the settings use the plain form. The zone after a
    # percent sign is dropped: it does not identify another host, and in a header it may be any text of any length.
    return address.ipv4_mapped or IPv6Address(int(address))


def hides_numbers(request: Request) -> bool:
    """Whether the caller sees only the last digits of account and mobile numbers."""
    return getattr(request.state, "hides_numbers", False)
