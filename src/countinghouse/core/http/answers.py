"""One JSON shape for every error response, including 404, 422 and 500."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, cast

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from countinghouse.core.db import DATABASE_UNAVAILABLE
from countinghouse.core.errors import (
    Busy,
    Conflict,
    Forbidden,
    Gone,
    InvalidInput,
    NotFound,
    NotSignedIn,
    Refusal,
    SlowDown,
    TooLarge,
)
from countinghouse.core.http.methods import allowed_methods
from countinghouse.core.http.requests import hides_numbers
from countinghouse.core.inputs import invalid_input
from countinghouse.core.logs import without_row_values
from countinghouse.core.masking import mask_numbers

log = structlog.get_logger()

STATUS_OF: dict[type[Refusal], HTTPStatus] = {
    InvalidInput: HTTPStatus.UNPROCESSABLE_ENTITY,
    NotFound: HTTPStatus.NOT_FOUND,
    Conflict: HTTPStatus.CONFLICT,
    Gone: HTTPStatus.GONE,
    NotSignedIn: HTTPStatus.UNAUTHORIZED,
    Forbidden: HTTPStatus.FORBIDDEN,
    TooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    SlowDown: HTTPStatus.TOO_MANY_REQUESTS,
    Busy: HTTPStatus.SERVICE_UNAVAILABLE,
}

# Our messages for errors that the web framework or server raises.
SENTENCES: dict[int, tuple[str, str]] = {
    400: ("bad_request", "The request could not be read. Check what was sent and try again."),
    404: ("not_found", "There is nothing at this address."),
    405: ("method_not_allowed", "This address does not accept that kind of request."),
    413: ("body_too_large", "The request is too large for this address. Send less."),
    414: ("address_too_long", "The address is too long. At most 8 KB and 200 query fields are accepted."),
    415: ("unsupported_media_type", "This address does not accept that kind of content."),
    431: ("headers_too_large", "The request's address and headers are too large. Send fewer or shorter ones."),
}


_MESSAGE = "limit must be at most 1000."
_TOO_MANY: dict[str, Any] = {"code": "invalid_input", "message": _MESSAGE, "fields": {"limit": _MESSAGE}}


class ErrorAnswer(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [_TOO_MANY]})

    code: str
    message: str
    fields: dict[str, str] = {}


# By reference and not as `model`: FastAPI would build a validator for each error of each route, which nothing uses.
_CONTENT = {"application/json": {"schema": {"$ref": f"#/components/schemas/{ErrorAnswer.__name__}"}}}


def described_error(description: str) -> dict[str, Any]:
    """An error response in the OpenAPI description."""
    return {"content": _CONTENT, "description": description}


def errors(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """These responses in the OpenAPI description of a route."""
    return {status: {"content": _CONTENT} for status in statuses}


def add_error_schema(description: dict[str, Any]) -> None:
    schemas: dict[str, Any] = description["components"]["schemas"]
    schemas[ErrorAnswer.__name__] = ErrorAnswer.model_json_schema()
    description["components"]["schemas"] = dict(sorted(schemas.items()))


# The key in the request's state under which the log and the metrics find it.
ERROR_CODE = "error_code"


class _ErrorResponse(JSONResponse):
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})[ERROR_CODE] = self.code
        await super().__call__(scope, receive, send)

    code: str


def error_answer(
    status: int,
    code: str,
    message: str,
    fields: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    content: dict[str, object] = {"code": code, "message": message}
    if fields:
        content["fields"] = dict(fields)
    answer = _ErrorResponse(content, status, dict(headers or {}))
    answer.code = code
    return answer


def internal_error() -> JSONResponse:
    return error_answer(500, "internal_error", "Something went wrong on the server. It has been written to its log.")


def refused(request: Request, error: Exception) -> JSONResponse:
    refusal = cast(Refusal, error)
    message, fields = refusal.message, refusal.fields
    if hides_numbers(request):
        message, fields = mask_numbers(message), {name: mask_numbers(text) for name, text in fields.items()}
    status = next(status for kind, status in STATUS_OF.items() if isinstance(refusal, kind))
    headers: dict[str, str] = {}
    if isinstance(refusal, SlowDown | Busy):
        headers["Retry-After"] = str(refusal.retry_after_seconds)
    if isinstance(refusal, NotSignedIn):
        headers["WWW-Authenticate"] = "Bearer"
    return error_answer(status, refusal.code, message, fields, headers)


def _invalid(request: Request, error: Exception) -> JSONResponse:
    details = cast(list[ErrorDetails], cast(RequestValidationError, error).errors())
    return refused(request, invalid_input(details))


def _http_exception(request: Request, error: Exception) -> JSONResponse:
    refused = cast(HTTPException, error)
    status, headers = refused.status_code, dict(refused.headers or {})
    if status in (404, 405):
        allowed = allowed_methods(request)
        if allowed and request.method not in allowed:
            status, headers = 405, {"Allow": ", ".join(allowed)}
    if status == 413:
        # The unread rest of a refused body must not be parsed as the next request.
        headers["Connection"] = "close"
    code, message = SENTENCES.get(status, ("refused", str(refused.detail)))
    return error_answer(status, code, message, headers=headers)


def database_failed(_request: Request, error: Exception) -> JSONResponse:
    log.error("database_failed", error=without_row_values(str(error.__cause__ or error)))
    return error_answer(
        503,
        "database_unavailable",
        "The database did not answer. Reload to see what is stored, then try again.",
        headers={"Retry-After": "5"},
    )


def _client_gone(_request: Request, _error: Exception) -> JSONResponse:
    """Nobody reads it. It is for the log and the metrics, in which a 500 would count as a fault of the server."""
    return error_answer(400, *SENTENCES[400])


def install_error_answers(app: FastAPI) -> None:
    app.add_exception_handler(Refusal, refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_exception)
    app.add_exception_handler(ClientDisconnect, _client_gone)
    # Other database errors are answered with 500.
    for trouble in DATABASE_UNAVAILABLE:
        app.add_exception_handler(trouble, database_failed)
