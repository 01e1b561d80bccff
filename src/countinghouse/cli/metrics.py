"""Metrics of `countinghouse serve`: the folder in which workers count, and the port of their own."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread

import uvicorn

from countinghouse.core.http.protocol import DeadlineProtocol
from countinghouse.core.metrics import FOLDER_VARIABLE, process_metrics, workers_registry
from countinghouse.monitoring.exposition import own_port_app
from countinghouse.settings import Settings

STOPPING_SECONDS = 2.0


@contextmanager
def served_metrics(settings: Settings, host: str, workers: int) -> Iterator[None]:
    """Around everything that serves: workers inherit the folder, and `prometheus_client` reads it at its import."""
    with ExitStack() as stack:
        if settings.has_metrics and workers > 1:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="countinghouse-metrics-"))
            os.environ[FOLDER_VARIABLE] = folder
        if settings.metrics_port is not None:
            stack.enter_context(_own_port(settings, host, settings.metrics_port))
        yield


@contextmanager
def _own_port(settings: Settings, host: str, port: int) -> Iterator[None]:
    folder = os.environ.get(FOLDER_VARIABLE)
    # The parent of workers serves no requests, so it has no numbers of its own.
    registry = (lambda: workers_registry(folder)) if folder else (lambda: process_metrics().registry())
    config = uvicorn.Config(
        own_port_app(settings, registry),
        host=host,
        port=port,
        http=DeadlineProtocol,
        ws="none",
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_level="warning",
        log_config=None,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    # Bound here, so that a port that is taken ends the start and not only this thread.
    socket = config.bind_socket()
    thread = Thread(target=server.run, args=([socket],), name="metrics", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(STOPPING_SECONDS)
