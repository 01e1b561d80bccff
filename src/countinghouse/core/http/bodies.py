"""A cap on what a request may carry, held while it streams in: one large body must not cost the memory of many."""

from collections.abc import Mapping

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from countinghouse.core.http.answers import SENTENCES, error_answer

DEFAULT_BODY_BYTES = 64 * 1024


class BodyLimit:
    def __init__(self, app: ASGIApp, larger: Mapping[str, int]) -> None:
        self.app = app
        self.larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        limit = self.larger.get(scope["path"], DEFAULT_BODY_BYTES)
        announced = Headers(scope=scope).get("content-length", "0")
        if not announced.isascii() or not announced.isdigit() or int(announced) > limit:
            code, message = SENTENCES[413]
            answer = error_answer(413, code, message, headers={"Connection": "close"})
            return await answer(scope, receive, send)
        received = 0
        has_begun = False
        is_read = scope["method"] in ("GET", "HEAD")

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received <= limit:
                return message
            if has_begun or is_read:
                # Nobody reads this body, and an answer on its way cannot become a refusal: the rest is thrown away.
                return {**message, "body": b""}
            raise HTTPException(413)

        async def send_noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        return await self.app(scope, receive_counted, send_noted)
