"""A PostgreSQL connection that never waits without a deadline.

Statements go to libpq through psycopg's own parts, without its cursor: the cursor costs as much as all the rest of a
short statement, and we need little of what it does. Streams and `executemany` use it.

The server's `statement_timeout` does not help when the server is frozen or the network is down: then nothing arrives at
all. psycopg runs every call as a generator, so one wrapper around it gives every call a deadline.
"""

import asyncio
import select
import time
from collections.abc import Generator, Sequence
from threading import Event
from typing import Any, TypeVar

import psycopg
from psycopg import waiting
from psycopg.abc import PQGen
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.generators import execute
from psycopg.pq import ExecStatus, Format, TransactionStatus
from psycopg.pq.abc import PGresult

from countinghouse.core.db.statement import Cells

T = TypeVar("T")

# How often a waiting call checks its deadline.
POLL_SECONDS = 0.1
# The limit of prepared statements on one connection. There are far fewer, unless lists are searched in very many ways.
MOST_PREPARED = 300


class DatabaseSilent(psycopg.OperationalError):
    """The server sent nothing for too long. The statement may or may not have been executed."""


class DeadlineConnection(psycopg.AsyncConnection[Any]):
    # The longest time without data from the server while a call waits; None waits forever, for commands.
    silence_seconds: float | None = None
    # When this event is set, every call ends at once: the process is about to stop.
    closing: Event | None = None
    # For a pooler that gives each transaction another connection to PostgreSQL: nothing is prepared, and every
    # transaction begins with these settings.
    is_pooled = False
    transaction_settings: tuple[str, ...] = ()
    # Each statement stays on the server of the one before it, though in a transaction of its own: see `hold`.
    is_held = False

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # Statements are written with $1, $2, …
        self.cursor_factory = psycopg.AsyncRawCursor
        self.server_cursor_factory = psycopg.AsyncRawServerCursor
        self._adapter = Transformer(self)
        # The names of prepared statements by their text and the types of their values.
        self._statement_names: dict[tuple[str, tuple[int, ...]], bytes] = {}

    async def run(self, sql: str, values: Sequence[Any], *, is_prepared: bool) -> PGresult:
        dumped = self._adapter.dump_sequence(values, [PyFormat.AUTO] * len(values))
        types, formats = self._adapter.types or (), self._adapter.formats
        if is_prepared and not self.is_pooled:
            name = self._statement_names.get((sql, types)) or await self._prepare(sql, types)
            self.pgconn.send_query_prepared(name, dumped, formats, Format.BINARY)
        else:
            self.pgconn.send_query_params(sql.encode(), dumped, types, formats, Format.BINARY)
        return await self._result()

    async def begin(self, kind: str, *settings: str) -> None:
        """`settings` are for this transaction only, such as `enable_sort = off`."""
        every = (*self.transaction_settings, *settings)
        # In one message: a pooler that saw a transaction end could give us another server.
        ended = ["ROLLBACK"] if self.is_held and self.pgconn.transaction_status != TransactionStatus.IDLE else []
        await self.command("; ".join([*ended, kind, *(f"SET LOCAL {setting}" for setting in every)]))
        self.is_held = False

    async def hold(self, *settings: str) -> None:
        """Begins a transaction for the next statement, and keeps the pooler on its server until `release`."""
        await self.begin("BEGIN READ ONLY", *settings)
        self.is_held = True

    async def release(self) -> None:
        """Raises no error, because everything has been read: a connection that cannot roll back is closed."""
        self.is_held = False
        try:
            await self.command("ROLLBACK")
        except psycopg.Error:
            self.close_now()

    async def command(self, sql: str) -> None:
        """One or several statements without values."""
        self.pgconn.send_query(sql.encode())
        await self._result()

    def rows(self, result: PGresult) -> list[Cells]:
        self._adapter.set_pgresult(result)
        return self._adapter.load_rows(0, result.ntuples, tuple)

    async def _prepare(self, sql: str, types: tuple[int, ...]) -> bytes:
        if len(self._statement_names) >= MOST_PREPARED:
            self._statement_names.clear()
            await self.command("DEALLOCATE ALL")
        name = b"s%d" % len(self._statement_names)
        self.pgconn.send_prepare(name, sql.encode(), types)
        await self._result()
        self._statement_names[sql, types] = name
        return name

    async def _result(self) -> PGresult:
        results: list[PGresult] = await self.wait(execute(self.pgconn))
        for result in results:
            if result.status == ExecStatus.FATAL_ERROR:
                raise error_from_result(result, encoding=self.info.encoding)
        return results[-1]

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
