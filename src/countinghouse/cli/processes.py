"""The processes of `countinghouse serve`: all end within 15 seconds of a signal, and no worker outlives its parent."""

import gc
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import FrameType

import structlog
import uvicorn
from fastapi import FastAPI
from uvicorn.supervisors import Multiprocess

from countinghouse.core.descriptors import are_descriptors_used_up
from countinghouse.core.http.connections import ConnectionShares
from countinghouse.core.http.protocol import DeadlineProtocol
from countinghouse.core.logs import finish_logs, set_up_serving_logs
from countinghouse.main import DeskApp, create_app
from countinghouse.settings import Settings

log = structlog.get_logger()

# uvicorn waits this long for open responses; the rest of the shutdown (the database, threads) gets the remaining time.
GRACEFUL_SECONDS = 8
SERVING_PROCESS_SECONDS = 10.5
# Longer than the workers get; the parent then kills those that are still running.
PARENT_SECONDS = 12.0
LOG_PAUSE_SECONDS = 10.0
# Python looks for reference cycles whenever so many more objects exist. Its own 700 are fewer than a page makes.
NEW_OBJECTS = 20_000


def create_served_app() -> DeskApp:
    # A worker is a new process, in which nothing is set up yet.
    set_up_serving_logs()
    app = create_app()
    settings: Settings = app.state.settings
    DeadlineProtocol.shares = ConnectionShares(settings.connections_per_network, settings.trusted_proxies)
    desk_lifespan = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(started: FastAPI) -> AsyncIterator[object]:
        # Not earlier: by now uvicorn has installed its signal handlers, which this wraps.
        force_exit_after_signal(SERVING_PROCESS_SECONDS)
        _in_background(_log_when_descriptors_are_used_up)
        async with desk_lifespan(started) as state:
            keep_what_is_loaded()
            yield state
        # Here, because uvicorn then ends the process by the signal that it received.
        finish_logs()

    app.router.lifespan_context = lifespan  # type: ignore[assignment]
    return app


def keep_what_is_loaded() -> None:
    """The code and the routes stay until the process ends. Otherwise each full garbage collection would look through
    them, for 35 ms in which nobody is answered, and a request of many small parts could cause one."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])


def create_worker_app() -> DeskApp:
    _in_background(_stop_without_parent)
    return create_served_app()


class Workers(Multiprocess):
    """uvicorn's supervisor, which alone would wait forever for a hanging worker."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]) -> None:
        is_detached = _is_detached()
        super().__init__(config, sockets)
        if is_detached:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        force_exit_after_signal(PARENT_SECONDS, _kill_workers)


def force_exit_after_signal(seconds: float, before: Callable[[], None] = lambda: None) -> None:
    """Leaves a clean shutdown alone, and ends the process if it is still running after `seconds`."""
    is_counting = threading.Event()

    def count_down() -> None:
        time.sleep(seconds)
        log.error("shutdown_forced", seconds=seconds)
        finish_logs()
        before()
        os._exit(1)

    def chain(number: signal.Signals) -> None:
        inner = signal.getsignal(number)

        def handle(received: int, frame: FrameType | None) -> None:
            if not is_counting.is_set():
                is_counting.set()
                _in_background(count_down)
            if callable(inner):
                inner(received, frame)

        signal.signal(number, handle)

    chain(signal.SIGTERM)
    chain(signal.SIGINT)
    # The terminal was closed. uvicorn would start its workers again, and a process without workers would end at once.
    if not _is_detached():
        signal.signal(signal.SIGHUP, lambda _received, _frame: signal.raise_signal(signal.SIGTERM))


def _is_detached() -> bool:
    """Started with `nohup`."""
    return signal.getsignal(signal.SIGHUP) == signal.SIG_IGN


def _kill_workers() -> None:
    for worker in multiprocessing.active_children():
        worker.kill()


def _stop_without_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        log.error("parent_is_gone")
        os.kill(os.getpid(), signal.SIGTERM)


def _log_when_descriptors_are_used_up() -> None:
    while True:
        time.sleep(1.0)
        if are_descriptors_used_up():
            log.error("no_file_descriptors_left")
            time.sleep(LOG_PAUSE_SECONDS)


def _in_background(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread
