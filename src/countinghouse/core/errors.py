"""Why the desk says no. Rules raise these; the web edge gives each kind its status code."""

from collections.abc import Mapping


class Refusal(Exception):
    """`code` is permanent and for programs, `message` is a whole sentence for the screen."""

    def __init__(self, code: str, message: str, fields: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.fields = dict(fields or {})


class InvalidInput(Refusal):
    """What was sent cannot be used; `fields` names what to correct."""

    def __init__(self, fields: Mapping[str, str], code: str = "invalid_input") -> None:
        super().__init__(code, " ".join(dict.fromkeys(fields.values())), fields)


class NotFound(Refusal):
    pass


class Conflict(Refusal):
    """The request is fine, but the state of things does not allow it."""


class Gone(Refusal):
    """It was there, for a while or for one use, and will not come back."""


class NotSignedIn(Refusal):
    pass


class SlowDown(Refusal):
    def __init__(self, code: str, message: str, retry_after_seconds: int) -> None:
        super().__init__(code, message, {"retryAfter": str(retry_after_seconds)})
        self.retry_after_seconds = retry_after_seconds


class Busy(Refusal):
    """There is more work of this kind than the server takes at once; the same request may succeed a little later."""

    def __init__(self, retry_after_seconds: int = 5) -> None:
        super().__init__("busy", "The server is busy with other requests of this kind. Try again in a few seconds.")
        self.retry_after_seconds = retry_after_seconds
