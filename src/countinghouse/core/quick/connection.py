"""A PostgreSQL connection that never waits without a deadline.

The server's own `statement_timeout` does not help when the server is frozen or the network is silent: then nothing
arrives at all. psycopg drives every call by a generator, so one wrapper around it is the deadline of every call.
"""

import time
from collections.abc import Generator
from threading import Event
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen

T = TypeVar("T")

# How often a waiting call looks at the clock.
LOOK_SECONDS = 0.1


class DatabaseSilent(psycopg.OperationalError):
    """The server sent nothing for too long. What was asked may or may not have been done."""


class DeadlineConnection(psycopg.Connection[Any]):
    # The longest silence of the server while an answer is awaited; None waits for ever, for migrations and commands.
    silence_seconds: float | None = None
    # When set, every call ends at once: the process is about to stop.
    closing: Event | None = None

    def abandon(self) -> None:
        """From another thread: the call under way ends within a moment, and the connection with it."""
        self.closing = Event()
        self.closing.set()

    def wait(self, gen: PQGen[T], interval: float = LOOK_SECONDS, timeout: float | None = None) -> T:
        return super().wait(self._within_deadline(gen), min(interval, LOOK_SECONDS), timeout)

    def _within_deadline(self, gen: PQGen[T]) -> Generator[Any, Any, T]:
        heard_at = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    heard_at = time.monotonic()
                else:
                    self._give_up_if_due(time.monotonic() - heard_at)
                wanted = gen.send(ready)
        except StopIteration as ended:
            result: T = ended.value
            return result

    def _give_up_if_due(self, silence: float) -> None:
        is_closing = self.closing is not None and self.closing.is_set()
        if not is_closing and (self.silence_seconds is None or silence < self.silence_seconds):
            return
        # Nobody can tell what the server still does for this connection: it is of no use to anyone.
        self.pgconn.finish()
        raise DatabaseSilent("the server is stopping" if is_closing else f"no answer for {silence:.1f} seconds")
