"""A PostgreSQL connection that never waits without a deadline.

The server's `statement_timeout` does not help when the server is frozen or the network is down: then nothing arrives at
all. psycopg runs every call as a generator, so one wrapper around it gives every call a deadline.
"""

import asyncio
import select
import time
from collections.abc import Generator
from threading import Event
from typing import Any, TypeVar

import psycopg
from psycopg import waiting
from psycopg.abc import PQGen

T = TypeVar("T")

# How often a waiting call checks its deadline.
POLL_SECONDS = 0.1


class DatabaseSilent(psycopg.OperationalError):
    """The server sent nothing for too long. The statement may or may not have been executed."""


class DeadlineConnection(psycopg.AsyncConnection[Any]):
    # The longest time without data from the server while a call waits; None waits forever, for commands.
    silence_seconds: float | None = None
    # When this event is set, every call ends at once: the process is about to stop.
    closing: Event | None = None

    def close_now(self) -> None:
        """Unlike `close`, needs no event loop. PostgreSQL rolls back an open transaction."""
        self.pgconn.finish()

    def is_closed_by_server(self) -> bool:
        """Data on an idle connection, where none is expected, means that the server has closed it."""
        poll = select.poll()
        poll.register(self.fileno(), select.POLLIN)
        return bool(poll.poll(0))

    async def wait(self, gen: PQGen[T], interval: float = POLL_SECONDS, timeout: float | None = None) -> T:
        try:
            return await waiting.wait_async(self._within_deadline(gen), self.pgconn.socket, interval, timeout)
        except asyncio.CancelledError:
            # psycopg would wait until the server confirms that it has cancelled the statement.
            self.close_now()
            raise

    def _within_deadline(self, gen: PQGen[T]) -> Generator[Any, Any, T]:
        heard_at = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    heard_at = time.monotonic()
                else:
                    self._raise_if_overdue(time.monotonic() - heard_at)
                wanted = gen.send(ready)
        except StopIteration as ended:
            result: T = ended.value
            return result

    def _raise_if_overdue(self, silence: float) -> None:
        is_closing = self.closing is not None and self.closing.is_set()
        if not is_closing and (self.silence_seconds is None or silence < self.silence_seconds):
            return
        # The state of the connection is unknown, so it cannot be used again.
        self.close_now()
        raise DatabaseSilent("the server is stopping" if is_closing else f"no answer for {silence:.1f} seconds")
