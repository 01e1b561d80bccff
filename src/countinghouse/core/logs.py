"""One structured line per event; readable on a terminal, JSON where machines read it."""

import logging
import sys
from typing import Literal

import structlog


def configure_logs(form: Literal["console", "json"]) -> None:
    renderer: structlog.types.Processor = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stdout.isatty())
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info if form == "json" else _keep,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=False,
    )


def _keep(_logger: object, _name: str, event: structlog.types.EventDict) -> structlog.types.EventDict:
    return event
