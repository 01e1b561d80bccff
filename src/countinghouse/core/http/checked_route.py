"""The route class of the desk: who is calling is checked before the body is read."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute


class Check(ABC):
    """A dependency of a whole route that takes only the request. It runs once, before the body is read."""

    async def __call__(self, request: Request) -> Any:
        if not getattr(request.state, "is_checked", False):
            await self.check(request)

    @abstractmethod
    async def check(self, request: Request) -> None: ...


class CheckedRoute(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        checks = [each.dependency for each in self.dependencies if isinstance(each.dependency, Check)]

        async def check_and_handle(request: Request) -> Response:
            for check in checks:
                await check(request)
            # FastAPI runs the dependencies again.
            request.state.is_checked = True
            return await handle(request)

        return check_and_handle
