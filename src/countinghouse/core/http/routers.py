"""Routers of the API. Those that need a session are made by `admins.dependencies.desk_router`."""

from typing import Any

from fastapi import APIRouter

from countinghouse.core.http.answers import described_error
from countinghouse.core.http.json_route import JsonRoute
from countinghouse.core.http.open_route import OpenRoute

# The error responses in the OpenAPI description.
Answers = dict[int | str, dict[str, Any]]
UNSIGNED: Answers = {401: described_error("No session, or the session has ended")}
FORBIDDEN: Answers = {403: described_error("The role or the key does not allow this")}
INVALID: Answers = {422: described_error("The request is not valid")}
# Any route may answer with these, before its own code runs.
ANY: Answers = {
    400: described_error("The request could not be read"),
    413: described_error("The request is too large"),
    503: described_error("The server is busy or the database does not answer; see Retry-After"),
}


def open_router(
    prefix: str,
    tag: str,
    responses: Answers | None = None,
    route_class: type[JsonRoute] = OpenRoute,
    **options: Any,
) -> APIRouter:
    """A router that checks nothing, unless its routes do. A test holds the list of all routes that need no token."""
    return APIRouter(
        prefix=prefix,
        tags=[tag],
        responses={**ANY, **(responses or {})},
        generate_unique_id_function=lambda route: route.name,
        route_class=route_class,
        **options,
    )
