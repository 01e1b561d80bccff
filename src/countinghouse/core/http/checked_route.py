"""The route class of the desk: who is calling is checked before the body is read, and nothing sent is ignored."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response

from countinghouse.core.errors import InvalidInput
from countinghouse.core.http.json_route import JsonRoute
from countinghouse.core.http.names import check_names, names_in_query
from countinghouse.core.http.requests import hides_numbers
from countinghouse.core.masked_answers import AnswerMask
from countinghouse.core.masking import mask_numbers

# A body that takes longer is followed by another check: the caller decides how long it takes, and meanwhile the session
# may have been ended, or the key revoked.
SLOW_SECONDS = 1.0

# What some clients send where there is nothing to send.
_EMPTY = (b"", b"{}", b"null")

# In the scope of a request.
_IS_CHECKED = "countinghouse.is_checked"


class Check(ABC):
    """A dependency of a whole route that takes only the request. `CheckedRoute` calls it before FastAPI does."""

    async def __call__(self, request: Request) -> Any:
        if _IS_CHECKED not in request.scope:
            await self.check(request)

    @abstractmethod
    async def check(self, request: Request) -> None: ...

    async def check_again(self, request: Request) -> None:
        """After a slow body."""
        await self.check(request)


class CheckedRoute(JsonRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        checks = [each.dependency for each in self.dependencies if isinstance(each.dependency, Check)]
        query_names = names_in_query(self)
        # A route that reads its body itself describes it.
        takes_body = self.body_field is not None or "requestBody" in (self.openapi_extra or {})

        # Without a type, each of its texts is masked.
        mask = AnswerMask(Any if self.response_model is None else self.response_model)

        async def check_and_handle(request: Request) -> Response:
            started_at = time.monotonic()
            for check in checks:
                await check.check(request)
            if request.scope["query_string"]:
                check_names(request.query_params, query_names)
            if request.method != "GET":
                # The request keeps it for whoever asks again.
                body = await request.body()
                if not takes_body and body.strip() not in _EMPTY:
                    raise InvalidInput({"body": "This call takes no body. Send none, or an empty object."})
                if time.monotonic() - started_at > SLOW_SECONDS:
                    for check in checks:
                        await check.check_again(request)
            # FastAPI runs the dependencies again.
            request.scope[_IS_CHECKED] = True
            answer = await handle(request)
            return _masked(answer, mask) if hides_numbers(request) else answer

        return check_and_handle


def _masked(answer: Response, mask: AnswerMask) -> Response:
    """For callers who see masked numbers. A stream has no body and masks its events itself. A picture cannot be
    masked: its route asks for a permission."""
    # An answer without this attribute could not be masked. It fails here, in the first test of its route.
    body, kind = bytes(answer.body), answer.headers.get("content-type", "")
    if not body or kind.startswith("image/"):
        return answer
    if kind.startswith("application/json"):
        answer.body = mask(body)
    else:
        answer.body = mask_numbers(body.decode()).encode()
    answer.headers["content-length"] = str(len(answer.body))
    return answer
