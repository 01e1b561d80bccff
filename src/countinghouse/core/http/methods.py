"""The methods of an address, for the Allow header of a 405."""

import re

from fastapi import Request
from fastapi.routing import APIRoute

_PARAMETER = re.compile(r"\{.*?\}")


def allowed_methods(request: Request) -> list[str]:
    """Of the routes that match the path, those with the most literal path count: `/api/qr/history` is not a QR code.

    The router itself names only the methods of the first route, and takes the web app for one that accepts any GET.
    """
    matching = [
        route
        for route in request.app.routes
        if isinstance(route, APIRoute) and route.path_regex.match(request.scope["path"])
    ]
    path = max((route.path_format for route in matching), key=_literal_length, default=None)
    methods = {method for route in matching if route.path_format == path for method in route.methods or ()}
    # `core/http/edge.py` turns HEAD into GET.
    return sorted(methods | {"HEAD"} if "GET" in methods else methods)


def _literal_length(path: str) -> int:
    return len(_PARAMETER.sub("", path))
