"""One structured line per event; readable on a terminal, JSON where machines read it."""

import logging
import sys
from typing import Literal

import structlog


def configure_logs(form: Literal["console", "json"]) -> None:
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *(_machine_lines() if form == "json" else _terminal_lines()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=False,
    )


def _machine_lines() -> tuple[structlog.types.Processor, ...]:
    return structlog.processors.format_exc_info, structlog.processors.JSONRenderer()


def _terminal_lines() -> tuple[structlog.types.Processor, ...]:
    # Plain on purpose: the richer traceback writes the values of variables out, tokens and passwords among them.
    plain = structlog.dev.plain_traceback
    return (structlog.dev.ConsoleRenderer(colors=sys.stdout.isatty(), exception_formatter=plain),)
