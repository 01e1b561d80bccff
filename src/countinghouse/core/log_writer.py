"""Writes the log on a thread of its own: a program that stops reading the log must not stop the server."""

import os
import time
from collections.abc import Callable
from select import PIPE_BUF
from threading import Event, Lock, Thread

import structlog
from structlog.typing import EventDict

# What waits to be written. Further lines are left out and counted.
MOST_LINES = 10_000
# Lines of this time are written together, which takes a quarter of the processor time.
GATHER_SECONDS = 0.05


class LogWriter:
    """`render` makes the line of an event."""

    def __init__(self, descriptor: int, render: Callable[[EventDict], bytes]) -> None:
        self._render = render
        self._descriptor = descriptor
        self._events: list[EventDict] = []
        # Including those that are being written.
        self._waiting = 0
        self._lost = 0
        # The last line may be cut, by this process or by another worker that met the same full disk.
        self._has_failed = False
        self._lock = Lock()
        self._has_events = Event()
        Thread(target=self._run, name="log", daemon=True).start()

    def put(self, event: EventDict) -> None:
        with self._lock:
            if self._waiting >= MOST_LINES:
                self._lost += 1
                return
            self._events.append(event)
            self._waiting += 1
        if not self._has_events.is_set():
            self._has_events.set()

    def finish(self, seconds: float) -> None:
        """Returns when everything is written, or after this time."""
        deadline = time.monotonic() + seconds
        while self._waiting and time.monotonic() < deadline:
            time.sleep(0.01)

    def _run(self) -> None:
        while True:
            self._has_events.wait()
            time.sleep(GATHER_SECONDS)
            with self._lock:
                events, self._events = self._events, []
                self._has_events.clear()
            try:
                self._write_all([self._render(event) + b"\n" for event in events])
            except Exception:
                # The reader is gone, or the disk is full. There is nowhere to say so until something can be written,
                # and whatever it is, this thread has to go on.
                with self._lock:
                    self._lost += len(events)
                    self._waiting -= len(events)
                continue
            with self._lock:
                self._waiting -= len(events)
                lost, self._lost = self._lost, 0
            if lost:
                structlog.get_logger().error("log_lines_lost", lines=lost)

    def _write_all(self, lines: list[bytes]) -> None:
        """In pieces that a pipe takes whole, so that lines of several workers are not mixed."""
        piece = b"\n" if self._has_failed else b""
        self._has_failed = True
        for line in lines:
            if piece and len(piece) + len(line) > PIPE_BUF:
                self._write(piece)
                piece = b""
            piece += line
        self._write(piece)
        self._has_failed = False

    def _write(self, piece: bytes) -> None:
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
