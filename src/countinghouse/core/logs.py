"""Structured logs, one line per event: readable text on a terminal, or JSON for machines."""

import logging
import re
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from io import StringIO
from typing import Any, Literal, TextIO

import msgspec
import structlog
from structlog.typing import EventDict, ExcInfo

# The id of the current request, so that all of its log lines can be found together.
request_id: ContextVar[str] = ContextVar("request_id", default="")


def configure_logs(form: Literal["console", "json"], level: Literal["info", "warning"] = "info") -> None:
    is_json = form == "json"
    terminal = structlog.dev.ConsoleRenderer(colors=sys.stdout.isatty(), exception_formatter=_write_exception)
    structlog.configure(
        processors=[_add_facts, _as_json if is_json else terminal],
        logger_factory=structlog.BytesLoggerFactory() if is_json else structlog.PrintLoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        cache_logger_on_first_use=False,
    )


_encoder = msgspec.json.Encoder(enc_hook=repr)


def _as_json(logger: Any, level: str, event: EventDict) -> bytes:
    """Half the cost of a line, compared with the standard library."""
    return _encoder.encode(_render_exception(logger, level, event) if "exc_info" in event else event)


# PostgreSQL adds the values of the row to some errors.
_ROW_VALUES = re.compile(r"^\s*DETAIL:.*$\n?", re.MULTILINE)


def without_row_values(text: str) -> str:
    return _ROW_VALUES.sub("", text)


def _write_exception(file: TextIO, exception: ExcInfo) -> None:
    """Plain on purpose: the rich traceback prints the values of variables, including tokens and passwords."""
    written = StringIO()
    structlog.dev.plain_traceback(written, exception)
    file.write(without_row_values(written.getvalue()))


def _format_exception(exc_info: ExcInfo) -> str:
    written = StringIO()
    _write_exception(written, exc_info)
    return written.getvalue().strip("\n")


_render_exception = structlog.processors.ExceptionRenderer(_format_exception)


class _Forwarding(logging.Handler):
    """Log lines of libraries, such as the web server's, in the format of ours."""

    def emit(self, record: logging.LogRecord) -> None:
        # `core.http.protocol` logs the same event, with more detail.
        if record.msg != "Invalid HTTP request received.":
            exception = record.exc_info or None
            structlog.get_logger().log(
                record.levelno, record.name, message=without_row_values(record.getMessage()), exc_info=exception
            )


def forward_library_logs() -> None:
    """For a process that serves; elsewhere, Python's own default applies."""
    root = logging.getLogger()
    if not any(isinstance(handler, _Forwarding) for handler in root.handlers):
        root.addHandler(_Forwarding())


def logs_requests() -> bool:
    return bool(structlog.get_logger().is_enabled_for(logging.INFO))


def _add_facts(_logger: Any, level: str, event: EventDict) -> EventDict:
    """In one function, because each request writes a line."""
    if found := request_id.get():
        event["request_id"] = found
    event["level"] = level
    # Left for the encoder to write, which is cheaper.
    event["timestamp"] = datetime.now(UTC)
    return event
