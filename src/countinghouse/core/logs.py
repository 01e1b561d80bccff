"""Structured logs, one line per event: readable text on a terminal, or JSON for machines."""

import logging
import re
import sys
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from io import StringIO
from typing import Any, Literal

import msgspec
import structlog
from structlog.typing import EventDict, ExcInfo

from countinghouse.core.log_writer import LogWriter

# How long the end of a process waits until its last lines are written.
FINISH_SECONDS = 0.5

# The id of the current request, so that all of its log lines can be found together.
request_id: ContextVar[str] = ContextVar("request_id", default="")


def configure_logs(form: Literal["console", "json"], level: Literal["info", "warning"] = "info") -> None:
    _output.render = _as_json if form == "json" else _as_text(has_colors=sys.stdout.isatty())
    structlog.configure(
        processors=[add_facts],
        logger_factory=lambda *_: _output,
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        cache_logger_on_first_use=False,
    )


class _Output:
    """A logger for structlog, which calls the method of the line's level."""

    # Until `configure_logs` is called.
    render: Callable[[EventDict], bytes] = staticmethod(lambda event: _as_text(has_colors=False)(event))
    # Of a process that serves; other commands write their lines themselves.
    writer: LogWriter | None = None

    def info(self, **event: Any) -> None:
        log_event(event)

    debug = warning = error = critical = info


_output = _Output()


def log_event(event: EventDict) -> None:
    """With all its facts. For the line of a request: structlog's own way takes three times as long."""
    if _output.writer is None:
        sys.stdout.buffer.write(_output.render(event) + b"\n")
        sys.stdout.buffer.flush()
    else:
        _output.writer.put(event)


def set_up_serving_logs() -> None:
    """Lines are then written in the background, and those of libraries look like ours."""
    if _output.writer is None:
        _output.writer = LogWriter(sys.stdout.fileno(), lambda event: _output.render(event))
        logging.getLogger().addHandler(_Forwarding())


def finish_logs() -> None:
    """Before a process ends: writes what is waiting, unless that takes too long."""
    if _output.writer is not None:
        _output.writer.finish(FINISH_SECONDS)


_encoder = msgspec.json.Encoder(enc_hook=repr)


def _as_json(event: EventDict) -> bytes:
    """Half the cost of a line, compared with the standard library."""
    return _encoder.encode(event)


def _as_text(*, has_colors: bool) -> Callable[[EventDict], bytes]:
    renderer = structlog.dev.ConsoleRenderer(colors=has_colors)
    return lambda event: renderer(None, event["level"], event).encode(errors="backslashreplace")


# PostgreSQL adds the values of the row to some errors.
_ROW_VALUES = re.compile(r"^\s*DETAIL:.*$\n?", re.MULTILINE)


def without_row_values(text: str) -> str:
    return _ROW_VALUES.sub("", text)


def _format_exception(exc_info: ExcInfo) -> str:
    """Plain on purpose: the rich traceback prints the values of variables, including tokens and passwords."""
    written = StringIO()
    structlog.dev.plain_traceback(written, exc_info)
    return without_row_values(written.getvalue()).strip("\n")


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


def logs_requests() -> bool:
    return bool(structlog.get_logger().is_enabled_for(logging.INFO))


def add_facts(logger: Any, level: str, event: EventDict) -> EventDict:
    if "exc_info" in event:
        # Now: a waiting line must not keep the variables of a failed request in memory.
        event = _render_exception(logger, level, event)
    if found := request_id.get():
        event["request_id"] = found
    event["level"] = level
    # Left for the encoder to write, which is cheaper.
    event["timestamp"] = datetime.now(UTC)
    return event
