"""Where webhooks may go: only addresses that the internet can reach, unless the operator allows a private network.

The check is made when the connection is opened, on the very address that is connected to: a name could pass a check
when it is saved and resolve to another address later.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from re import compile as pattern
from urllib.parse import urlsplit

from httpcore2 import SOCKET_OPTION, AnyIOBackend, AsyncNetworkBackend, AsyncNetworkStream, ConnectError, ConnectTimeout

from countinghouse.settings import Network

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]

LONGEST_URL = 500
# If the first address of a host does not respond, there is time for the next.
CONNECT_SECONDS = 5.0
MOST_ADDRESSES = 4
# Names that do not resolve must not delay others. Threads are started only when they are needed.
RESOLVING_THREADS = 80

_VISIBLE = pattern(r"[!-~]+")
_HOST = pattern(r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]")
_NAT64 = IPv6Network("64:ff9b::/96")
# Which addresses Python counts as global depends on its version. The older ones miss these.
_NOT_GLOBAL = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"), IPv6Network("3fff::/20"))


class TargetRefused(Exception):
    """The message is a sentence for the delivery log."""


def find_problem(url: str, allowed: Iterable[Network]) -> str | None:
    """Why an endpoint cannot have this URL, as the end of a sentence that begins with "The address"."""
    if not _VISIBLE.fullmatch(url) or "\\" in url:
        return "must be an address like https://shop.example.in/hooks, without spaces."
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "cannot be read; check its host and port."
    if parts.scheme not in ("http", "https"):
        return "must begin with https:// or http://."
    if "@" in parts.netloc:
        return "must not contain a user name or password; receivers check the signature instead."
    if parts.fragment or "#" in url:
        return "must not contain a # part; it would never be sent."
    host = parts.netloc.rpartition(":")[0] if port is not None else parts.netloc.removesuffix(":")
    if not _HOST.fullmatch(host) or port == 0:
        return "cannot be read; check its host and port."
    address = _as_address(parts.hostname or "")
    if address is not None and not is_allowed(address, allowed):
        return refusal(address)
    return None


def refusal(address: Address) -> str:
    return (
        f"leads to {address}, which is not on the internet; the operator can allow a private network "
        "with COUNTINGHOUSE_WEBHOOK_PRIVATE_TARGETS."
    )


def is_allowed(address: Address, allowed: Iterable[Network]) -> bool:
    return all(
        _is_public(one) or any(one.version == network.version and one in network for network in allowed)
        for one in _meant(address)
    )


def _meant(address: Address) -> list[Address]:
    """The IPv4 addresses inside an IPv6 address that stands for them, or the address itself."""
    if isinstance(address, IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address.sixtofour is not None:
        return [address.sixtofour]
    if address.teredo is not None:
        return [*address.teredo]
    if address in _NAT64:
        return [IPv4Address(int(address) & 0xFFFF_FFFF)]
    return [address]


def _is_public(address: Address) -> bool:
    # Site-local addresses are deprecated, but networks that still use them are private.
    is_site_local = isinstance(address, IPv6Address) and address.is_site_local
    is_global = address.is_global and not any(address in network for network in _NOT_GLOBAL)
    return is_global and not address.is_multicast and not address.is_reserved and not is_site_local


def _as_address(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


class CheckedNetwork(AsyncNetworkBackend):
    """Opens connections to allowed addresses only. TLS still verifies the name of the host."""

    def __init__(self, allowed: Sequence[Network], resolve: Resolve | None = None) -> None:
        self._allowed = allowed
        self._resolve = resolve or Resolver().resolve
        self._network = AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,
    ) -> AsyncNetworkStream:
        found = [ip_address(text) for text in await self._resolve(host, port)]
        allowed = [address for address in found if is_allowed(address, self._allowed)]
        if not allowed:
            raise TargetRefused(f"{host} {refusal(found[0])}" if found else f"{host} has no address.")
        for address in allowed[:MOST_ADDRESSES]:
            try:
                return await self._network.connect_tcp(
                    str(address), port, timeout or CONNECT_SECONDS, local_address, socket_options
                )
            except (ConnectError, ConnectTimeout) as error:
                failure = error
        raise failure

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)


class Resolver:
    """Has its own threads: a name server that does not answer must not delay other parts of the server."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(RESOLVING_THREADS, "webhook-names")

    async def resolve(self, host: str, port: int) -> list[str]:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, _look_up, host, port)
        except (OSError, UnicodeError) as error:
            raise TargetRefused(f"{host} cannot be resolved: {getattr(error, 'strerror', None) or error}.") from error


def _look_up(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_rest, address in found))
