"""A limit on the size of request bodies, enforced while they stream in, so that a large body cannot use up memory."""

import asyncio
from collections.abc import Mapping

from fastapi import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from countinghouse.core.errors import TooLarge
from countinghouse.core.http.answers import SENTENCES, error_answer

DEFAULT_BODY_BYTES = 64 * 1024
# For calls without a token. A password of the greatest length is a quarter of it.
SHORT_BODY_BYTES = 4 * 1024

# A client or proxy that is still sending when the connection closes never reads the error response. So the server keeps
# reading for a while: at most this many bytes, at most this long, and only while data keeps arriving.
LINGER_BYTES = 16 * 1024 * 1024
LINGER_SECONDS = 30
LINGER_IDLE_SECONDS = 1


class BodyLimit:
    """`limits` are those of paths that have others. A `*` in a path stands for any text."""

    def __init__(self, app: ASGIApp, limits: Mapping[str, int]) -> None:
        self.app = app
        self.limits = {path: limit for path, limit in limits.items() if "*" not in path}
        self.patterns = [(path.partition("*"), limit) for path, limit in limits.items() if "*" in path]

    def limit_of(self, path: str) -> int:
        for (start, _, end), limit in self.patterns:
            if path.startswith(start) and path.endswith(end):
                return limit
        return self.limits.get(path, DEFAULT_BODY_BYTES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        limit = self.limit_of(scope["path"])
        announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        received = 0
        has_begun = False
        # Digits of bytes are ASCII digits only.
        is_refused = not announced.isdigit() or int(announced) > limit
        is_read = scope["method"] in ("GET", "HEAD")

        async def receive_counted() -> Message:
            nonlocal received, is_refused
            message = await receive()
            received += len(message.get("body", b""))
            if received <= limit:
                return message
            if has_begun or is_read:
                # Discard the rest: no handler reads this body, or the response has begun and cannot become a 413.
                return {**message, "body": b""}
            is_refused = True
            raise HTTPException(413)

        async def send_noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            is_end = message["type"] == "http.response.body" and not message.get("more_body", False)
            if is_refused and is_end:
                await send({**message, "more_body": True})
                await _linger(receive)
                message = {"type": "http.response.body", "body": b""}
            await send(message)

        if is_refused:
            refusal = body_too_large(limit)
            answer = error_answer(413, refusal.code, refusal.message, headers={"Connection": "close"})
            return await answer(scope, receive, send_noted)
        return await self.app(scope, receive_counted, send_noted)


def body_too_large(limit: int) -> TooLarge:
    code, sentence = SENTENCES[413]
    return TooLarge(code, f"{sentence} The limit is {_readable_size(limit)}.")


def _readable_size(limit: int) -> str:
    """Rounded down: a body slightly larger than the stated size is accepted too."""
    kilobytes = limit // 1024
    return f"{kilobytes // 1024} MB" if kilobytes >= 1024 else f"{kilobytes} KB"


async def _linger(receive: Receive) -> None:
    """Discards what still arrives."""
    left = LINGER_BYTES
    try:
        async with asyncio.timeout(LINGER_SECONDS):
            while left > 0:
                async with asyncio.timeout(LINGER_IDLE_SECONDS):
                    message = await receive()
                if not message.get("more_body", False):
                    return
                left -= len(message.get("body", b""))
    except TimeoutError:
        return
