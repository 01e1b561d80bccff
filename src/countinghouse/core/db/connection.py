"""A PostgreSQL connection that never waits without a deadline.

Statements go to libpq through psycopg's own parts, without its cursor: the cursor costs as much as all the rest of a
short statement, and we need little of what it does. Streams and `executemany` use it.

The server's `statement_timeout` does not help when the server is frozen or the network is down: then nothing arrives at
all. So every wait, ours and those of psycopg, is one of `_ready`, which has a deadline.
"""

import asyncio
import select
import time
from collections.abc import Sequence
from threading import Event
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus, Format, TransactionStatus
from psycopg.pq.abc import PGresult
from psycopg.waiting import WAIT_R, WAIT_RW, Ready, Wait

from countinghouse.core.db.statement import Cells
from countinghouse.core.db.watched_socket import WatchedSocket

T = TypeVar("T")

# How often a waiting call checks its deadline.
POLL_SECONDS = 0.1
# The longest time for a whole answer, in times of the silence that is allowed within it.
LONGEST_ANSWER = 3
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
        self._socket = WatchedSocket(self.pgconn)
        self._began_at = 0.0
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
        """The last one. Raises the first error."""
        pgconn = self.pgconn
        self._began_at = time.monotonic()
        last: PGresult | None = None
        try:
            while pgconn.flush():
                await self._ready(WAIT_RW)
            while True:
                while pgconn.is_busy():
                    await self._ready(WAIT_R)
                result = pgconn.get_result()
                if result is None:
                    break
                if not _is_error(last):
                    last = result
        except BaseException as error:
            # Cancelled, silent or broken: nobody knows what the server would still send.
            self.close_now()
            # A server that closes the connection may have said why before.
            if not (_is_error(last) and isinstance(error, psycopg.Error)):
                raise
        if last is None:
            raise psycopg.OperationalError("the server sent no result")
        if _is_error(last):
            refusal = error_from_result(last, encoding=self.info.encoding)
            if not self.closed:
                raise refusal
            self.close_now()
            # Without a code it is no error of the statement, but what PostgreSQL would never send.
            raise refusal if refusal.sqlstate else psycopg.OperationalError(str(refusal))
        return last

    async def close(self) -> None:
        self.close_now()

    def close_now(self) -> None:
        """Needs no event loop. PostgreSQL rolls back an open transaction."""
        loop = self._socket.loop_elsewhere()
        if loop is None:
            self._socket.close()
        else:
            loop.call_soon_threadsafe(self.close_now)

    def is_closed_by_server(self) -> bool:
        """Data on an idle connection, where none is expected, means that the server has closed it."""
        if self.closed:
            return True
        poll = select.poll()
        poll.register(self.fileno(), select.POLLIN)
        return bool(poll.poll(0))

    async def wait(self, gen: PQGen[T], interval: float = 0, timeout: float | None = None) -> T:  # noqa: ARG002
        """What psycopg's own functions wait with. The deadline is ours, whatever they say."""
        self._began_at = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                wanted = gen.send(await self._ready(wanted))
        except StopIteration as ended:
            result: T = ended.value
            return result
        except BaseException as error:
            # If it was cancelled, psycopg would wait until the server confirms that it has cancelled the statement.
            if self.closed or isinstance(error, asyncio.CancelledError):
                self.close_now()
            raise

    async def _ready(self, wanted: Wait) -> Ready:
        heard_at = time.monotonic()
        while True:
            ready = await self._socket.ready(wanted, POLL_SECONDS)
            self._raise_if_overdue(heard_at, has_data=bool(ready))
            if ready:
                return ready

    def _raise_if_overdue(self, heard_at: float, *, has_data: bool) -> None:
        now = time.monotonic()
        if self.closing is not None and self.closing.is_set() and not has_data:
            reason = "the server is stopping"
        elif self.silence_seconds is None:
            return
        elif now - heard_at >= self.silence_seconds and not has_data:
            reason = f"no answer for {now - heard_at:.1f} seconds"
        elif now - self._began_at >= self.silence_seconds * LONGEST_ANSWER:
            reason = f"no whole answer for {now - self._began_at:.1f} seconds"
        else:
            return
        # The state of the connection is unknown, so it cannot be used again.
        self.close_now()
        raise DatabaseSilent(reason)


# Looking it up in the enumeration costs more than the comparison.
_ERROR = int(ExecStatus.FATAL_ERROR)


def _is_error(result: PGresult | None) -> bool:
    return result is not None and result.status == _ERROR
