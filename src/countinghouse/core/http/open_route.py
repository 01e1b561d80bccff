"""The route class of calls without a token that have a body: anybody can send them, as often as they like."""

from fastapi import Request

from countinghouse.core.http.json_route import JsonRoute
from countinghouse.core.http.requests import client_address, get_settings
from countinghouse.core.lanes import Lane, current_caller


class OpenRoute(JsonRoute):
    def lane_of(self, request: Request, _body: bytes, /) -> Lane | None:
        # Clients take turns by address, so that a flood from one address does not block the others.
        current_caller.set(str(client_address(request, get_settings(request).trusted_proxies)))
        lane: Lane = request.app.state.open_bodies
        return lane
