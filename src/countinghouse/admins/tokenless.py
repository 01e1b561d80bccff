"""Access without a token, for existing clients in networks that the operator names. QR and user calls only.

A client that gets in this way can change where customers pay. So it is refused at any sign that somebody else is behind
the request: a proxy that relays strangers, or a web page that uses the browser of a colleague inside the network.
"""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import Request

from countinghouse.audit.actions import Actor
from countinghouse.core.http.requests import get_settings, is_within, peer_address

_RELAYED = re.compile(r"forwarded|via|x-forwarded-.*|x-real-ip|.*-client-ip|.*-connecting-ip")


def find_tokenless_peer(request: Request) -> Actor | None:
    # The peer address comes from the connection itself; no header is trusted for this.
    peer = peer_address(request)
    if not is_within(peer, get_settings(request).tokenless_networks):
        return None
    if _is_relayed(request) or not _has_our_host(request) or _is_from_foreign_page(request):
        return None
    return Actor(f"tokenless@{peer}", str(peer))


def _is_relayed(request: Request) -> bool:
    return any(_RELAYED.fullmatch(name) for name in request.headers)


def _has_our_host(request: Request) -> bool:
    """Guards against DNS rebinding: a foreign name that resolves to this server bypasses the same-origin policy."""
    try:
        host = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
        return host in ("localhost", urlsplit(get_settings(request).public_url).hostname) or bool(ip_address(host))
    except ValueError:
        # Neither one of our names nor an IP address.
        return False


def _is_from_foreign_page(request: Request) -> bool:
    origin = request.headers.get("origin")
    if origin is None:
        return request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
    settings = get_settings(request)
    host = request.headers.get("host")
    return origin not in (f"http://{host}", f"https://{host}", *settings.allowed_origins, settings.public_url)
