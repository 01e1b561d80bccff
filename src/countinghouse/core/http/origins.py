"""The origin that the browser used to reach the server, for absolute links."""

import re

from starlette.requests import Request

from countinghouse.core.http.addresses import is_within, peer_address
from countinghouse.core.http.requests import get_settings

_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?")


def public_origin(request: Request) -> str:
    settings = get_settings(request)
    if settings.public_url:
        return settings.public_url
    host = request.headers.get("host", "")
    if not _HOST.fullmatch(host):
        host = "localhost"
    scheme = str(request.scope["scheme"])
    is_forwarded = request.headers.get("x-forwarded-proto") == "https"
    if is_forwarded and is_within(peer_address(request), settings.trusted_proxies):
        scheme = "https"
    return f"{scheme}://{host}"
