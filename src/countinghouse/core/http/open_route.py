"""The route class of calls without a token that have a body: anybody can send them, as often as they like."""

from fastapi import Request

from countinghouse.core.http.callers import wait_with_network
from countinghouse.core.http.json_route import JsonRoute
from countinghouse.core.lanes import Lane


class OpenRoute(JsonRoute):
    def lane_of(self, request: Request, _body: bytes, /) -> Lane | None:
        # Clients take turns by network, so that a flood from one does not block the others.
        wait_with_network(request)
        lane: Lane = request.app.state.open_bodies
        return lane
