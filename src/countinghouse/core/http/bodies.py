"""A limit on the size of request bodies, enforced while they stream in, so that a large body cannot use up memory."""

from collections.abc import Mapping

from fastapi import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from countinghouse.core.errors import TooLarge
from countinghouse.core.http.answers import SENTENCES, error_answer

DEFAULT_BODY_BYTES = 64 * 1024
# For calls without a token. A password of the greatest length is a quarter of it.
SHORT_BODY_BYTES = 4 * 1024


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
        is_read = scope["method"] in ("GET", "HEAD")

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received <= limit:
                return message
            if has_begun or is_read:
                # Discard the rest: no handler reads this body, or the response has begun and cannot become a 413.
                return {**message, "body": b""}
            raise HTTPException(413)

        async def send_noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        # Digits of bytes are ASCII digits only.
        if not announced.isdigit() or int(announced) > limit:
            refusal = body_too_large(limit)
            answer = error_answer(413, refusal.code, refusal.message, headers={"Connection": "close"})
            return await answer(scope, receive, send)
        return await self.app(scope, receive_counted, send_noted)


def body_too_large(limit: int) -> TooLarge:
    code, sentence = SENTENCES[413]
    return TooLarge(code, f"{sentence} The limit is {_readable_size(limit)}.")


def _readable_size(limit: int) -> str:
    """Rounded down: a body slightly larger than the stated size is accepted too."""
    kilobytes = limit // 1024
    return f"{kilobytes // 1024} MB" if kilobytes >= 1024 else f"{kilobytes} KB"
