"""Routers of the API. Those that need a session are made by `admins.dependencies.desk_router`."""

from typing import Any

from fastapi import APIRouter

from countinghouse.core.http.answers import ErrorAnswer

# The error responses in the OpenAPI description.
Answers = dict[int | str, dict[str, Any]]
UNSIGNED: Answers = {401: {"model": ErrorAnswer, "description": "No session, or the session has ended"}}
INVALID: Answers = {422: {"model": ErrorAnswer, "description": "The request is not valid"}}


def open_router(prefix: str, tag: str, **options: Any) -> APIRouter:
    """A router whose routes need no token. A test holds the list of all open routes."""
    return APIRouter(prefix=prefix, tags=[tag], generate_unique_id_function=lambda route: route.name, **options)
