"""The route class of every route that can read a body: JSON is read strictly, and not as FastAPI would read it."""

from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from countinghouse.core.errors import InvalidInput
from countinghouse.core.strict_json import read_json


class _StrictRequest(Request):
    """The same request. What was read of its body is kept by the original."""

    def __init__(self, original: Request) -> None:
        super().__init__(original.scope, original.receive)
        self._original = original

    def stream(self) -> AsyncGenerator[bytes, None]:
        return self._original.stream()

    async def body(self) -> bytes:
        return await self._original.body()

    async def json(self) -> Any:
        return read_json(await self.body())


class JsonRoute(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        if self.body_field is None:
            return handle

        async def read_and_handle(request: Request) -> Response:
            try:
                return await handle(_StrictRequest(request))
            except HTTPException as error:
                # FastAPI makes a 400 of whatever is raised while it reads a body.
                if isinstance(error.__cause__, InvalidInput):
                    raise error.__cause__ from None
                raise

        return read_and_handle
