"""The route of a list. It runs every dependency and is described in OpenAPI like any other route.

It does itself what FastAPI does more generally, because a page is the most frequent request. Its dependencies take only
the request. Its query is parsed once and kept, because screens send the same few queries again and again. Together this
halves the cost of a page outside the database.
"""

import inspect
from collections.abc import Awaitable, Callable
from functools import lru_cache
from types import GenericAlias
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import ValidationError
from starlette.datastructures import QueryParams
from starlette.types import Receive, Scope, Send

from countinghouse.core.http.names import check_names
from countinghouse.core.http.pages import PAGE_HEADERS, SEARCH_REFUSED, answer_list
from countinghouse.core.listing import Listing, ListQuery
from countinghouse.core.masked_answers import AnswerMask

# Limits of the cache, because anybody can send different queries.
MOST_QUERIES = 500
LONGEST_QUERY = 200


class ListRoute(APIRoute):
    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        self._checks = [_check_of(dependency) for dependency in self.dependant.dependencies]
        self.app = self._answer

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        for check in self._checks:
            await check(request)
        answer: Response = await self.endpoint(request)
        await answer(scope, receive, send)


def _check_of(dependency: Dependant) -> Callable[[Request], Awaitable[Any]]:
    """Refuses to start with a dependency that would not run as written: it must never be skipped silently."""
    call = dependency.call
    is_async = inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(type(call).__call__)
    if call is None or not is_async or list(inspect.signature(call).parameters) != [dependency.request_param_name]:
        raise TypeError(f"a dependency of a list must be async and take only the request: {call}")
    return call


def add_list_route(
    router: APIRouter, path: str, listing: Listing, query: type[ListQuery], item: type, *, name: str, summary: str
) -> None:
    """`item` describes one row: for OpenAPI, and for those who see masked numbers."""
    shown: Any = GenericAlias(list, (item,))
    mask = AnswerMask(shown)

    async def answer(request: Request) -> Response:
        return await answer_list(request, listing, read_query(request.scope["query_string"], query), mask)

    router.add_api_route(
        path,
        answer,
        name=name,
        summary=summary,
        response_model=shown,
        responses={200: {"headers": PAGE_HEADERS}, **SEARCH_REFUSED},
        openapi_extra={"parameters": _described(query)},
        route_class_override=ListRoute,
    )


def read_query(query_string: bytes, query: type[ListQuery]) -> ListQuery:
    read = _read if len(query_string) <= LONGEST_QUERY else _read.__wrapped__
    return read(query_string, query)


@lru_cache(MOST_QUERIES)
def _read(query_string: bytes, query: type[ListQuery]) -> ListQuery:
    sent = QueryParams(query_string)
    check_names(sent)
    try:
        return query.model_validate(dict(sent))
    except ValidationError as error:
        found = error.errors(include_url=False)
        raise RequestValidationError([{**one, "loc": ("query", *one["loc"])} for one in found]) from error


def _described(query: type[ListQuery]) -> list[dict[str, Any]]:
    """The parameters as FastAPI describes them."""

    def endpoint(asked: Annotated[Any, Query()]) -> None: ...

    endpoint.__annotations__["asked"] = Annotated[query, Query()]
    described = get_openapi(title="", version="", routes=[APIRoute("/", endpoint)])
    parameters: list[dict[str, Any]] = described["paths"]["/"]["get"]["parameters"]
    return parameters
