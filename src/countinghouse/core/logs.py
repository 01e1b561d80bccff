"""Structured logs, one line per event: readable text on a terminal, or JSON for machines."""

import logging
import sys
from contextvars import ContextVar
from typing import Any, Literal

import structlog

# The id of the current request, so that all of its log lines can be found together.
request_id: ContextVar[str] = ContextVar("request_id", default="")


def configure_logs(form: Literal["console", "json"], level: Literal["info", "warning"] = "info") -> None:
    machine = structlog.processors.format_exc_info, structlog.processors.JSONRenderer()
    # Plain on purpose: the rich traceback prints the values of variables, including tokens and passwords.
    plain = structlog.dev.plain_traceback
    terminal = (structlog.dev.ConsoleRenderer(colors=sys.stdout.isatty(), exception_formatter=plain),)
    structlog.configure(
        processors=[
            _add_request_id,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *(machine if form == "json" else terminal),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        cache_logger_on_first_use=False,
    )


def logs_requests() -> bool:
    return bool(structlog.get_logger().is_enabled_for(logging.INFO))


def _add_request_id(_logger: Any, _method: str, event: structlog.types.EventDict) -> structlog.types.EventDict:
    if found := request_id.get():
        event["request_id"] = found
    return event
