"""One attempt to deliver a message: a POST with a deadline, no redirects, and a bound on what is read."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from httpcore2 import (
    AsyncConnectionPool,
    ProtocolError,
    Response,
    TimeoutException,
    default_ssl_context,
)

from countinghouse.settings import Network
from countinghouse.webhooks.bounded import BoundedNetwork
from countinghouse.webhooks.targets import CheckedNetwork, Resolve, TargetRefused

# For everything together: the name, the connection, the request and the response.
ATTEMPT_SECONDS = 15.0
MOST_READ_BYTES = 4096
LONGEST_EXCERPT = 500
LONGEST_ERROR = 300
# As many as the sender has places.
MOST_CONNECTIONS = 100
MOST_IDLE_CONNECTIONS = 20
IDLE_SECONDS = 5.0

_HEADERS = (("Content-Type", "application/json"), ("User-Agent", "Countinghouse"))
_GONE = 410


@dataclass(frozen=True, slots=True)
class Outcome:
    """`error` is a sentence, if there was no response."""

    status: int | None = None
    excerpt: str = ""
    error: str | None = None
    retry_after: str | None = None

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        return self.status == _GONE


class WebhookClient:
    def __init__(
        self,
        private_targets: Sequence[Network],
        resolve: Resolve | None = None,
        attempt_seconds: float = ATTEMPT_SECONDS,
    ) -> None:
        self._attempt_seconds = attempt_seconds
        self._private_targets = private_targets
        self._resolve = resolve

    @cached_property
    def _pool(self) -> AsyncConnectionPool:
        """Made when it is first needed, because loading the certificates takes a moment."""
        return AsyncConnectionPool(
            ssl_context=default_ssl_context(),
            max_connections=MOST_CONNECTIONS,
            max_keepalive_connections=MOST_IDLE_CONNECTIONS,
            keepalive_expiry=IDLE_SECONDS,
            network_backend=BoundedNetwork(CheckedNetwork(self._private_targets, self._resolve)),
        )

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Outcome:
        sent = [*_HEADERS, *headers.items()]
        answered: Response | None = None
        excerpt = bytearray()
        try:
            async with (
                asyncio.timeout(self._attempt_seconds),
                self._pool.stream("POST", url, headers=sent, content=body) as answered,
            ):
                async for part in answered.aiter_stream():
                    excerpt += part[: MOST_READ_BYTES - len(excerpt)]
                    if len(excerpt) >= MOST_READ_BYTES:
                        break
        except Exception as error:
            # Whatever it is, the attempt has failed. But if there is a status, it decides, even if the rest of the
            # response does not arrive.
            if answered is None:
                return Outcome(error=_printable(self._sentence(error))[:LONGEST_ERROR])
        text = _printable(excerpt.decode(errors="replace"))[:LONGEST_EXCERPT]
        return Outcome(answered.status, text, retry_after=_retry_after(answered))

    def _sentence(self, error: Exception) -> str:
        reason = str(error).rstrip(".") or "it was closed"
        match error:
            case TimeoutError() | TimeoutException():
                return f"No answer within {self._attempt_seconds:g} seconds."
            case TargetRefused():
                return str(error)
            case ProtocolError():
                return f"There was no valid HTTP response: {reason}."
        return f"The connection failed: {reason}."

    async def close(self) -> None:
        if "_pool" in self.__dict__:
            with suppress(Exception):
                await self._pool.aclose()


def _retry_after(response: Response) -> str | None:
    return next((value.decode("latin-1") for name, value in response.headers if name.lower() == b"retry-after"), None)


def _printable(text: str) -> str:
    """Strangers wrote it, and databases refuse some control characters."""
    return "".join(one if one.isprintable() or one == "\n" else " " for one in text)
