"""Errors that business rules raise. The HTTP layer maps each class to a status code."""

from collections.abc import Mapping


class Refusal(Exception):
    """`code` is stable and meant for programs; `message` is a full sentence for the screen."""

    def __init__(self, code: str, message: str, fields: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.fields = dict(fields or {})


class InvalidInput(Refusal):
    """The input is invalid; `fields` names what to correct."""

    def __init__(self, fields: Mapping[str, str], code: str = "invalid_input") -> None:
        super().__init__(code, " ".join(dict.fromkeys(fields.values())), fields)


class NotFound(Refusal):
    pass


class Conflict(Refusal):
    """The request is valid, but the current state does not allow it."""


class Gone(Refusal):
    """The resource was available for a limited time or for one use, and will not come back."""


class NotSignedIn(Refusal):
    pass


class Forbidden(Refusal):
    """It is known who asks, and they may not do this."""


class TooLarge(Refusal):
    pass


class SlowDown(Refusal):
    def __init__(self, code: str, message: str, retry_after_seconds: int) -> None:
        super().__init__(code, message, {"retryAfter": str(retry_after_seconds)})
        self.retry_after_seconds = retry_after_seconds


class Busy(Refusal):
    """The server has too much work of this kind at the moment; the same request may succeed a little later."""

    def __init__(self, retry_after_seconds: int = 5) -> None:
        super().__init__("busy", "The server is busy with other requests of this kind. Try again in a few seconds.")
        self.retry_after_seconds = retry_after_seconds
