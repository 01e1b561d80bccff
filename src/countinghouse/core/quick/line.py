"""One connection to PostgreSQL that the event loop watches instead of a thread.

Questions are put together and go out in one go; the answers come back together. Whoever holds the line lets it go in
the end, and it is free for others once everything that was asked on it has been answered, wanted or not.
"""

from asyncio import AbstractEventLoop, Future
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import lookup
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus, Format
from psycopg.pq.abc import PGresult

# Some shapes of a list are asked for all day, odd ones once. When there are more, a new connection forgets them all.
MOST_PREPARED = 100

# The server no longer knows a statement, or not as it was prepared.
_FORGOTTEN = ("26000", "0A000")


class LineLost(Exception):
    """Nothing was told about the question; it may be asked again by another way."""


class Line:
    def __init__(
        self, connection: psycopg.Connection[Any], loop: AbstractEventLoop, on_free: Callable[[Any], None]
    ) -> None:
        self._connection = connection
        self._wire = connection.pgconn
        self._loop = loop
        self._on_free = on_free
        self._transformer = Transformer(connection)
        self._prepared: dict[tuple[bytes, tuple[int, ...]], bytes] = {}
        # For each statement on its way, whether somebody asked it; nobody asks to prepare one.
        self._is_wanted: deque[bool] = deque()
        self._answers: list[PGresult] = []
        self._waiter: Future[list[PGresult]] | None = None
        self._is_asked = False
        self._is_awaited = False
        self._is_spent = False
        self.is_lost = False
        self._wire.nonblocking = 1
        self._wire.enter_pipeline_mode()
        self._socket = self._wire.socket
        # Watched for as long as it is open: to begin and to end watching would cost more than a question.
        loop.add_reader(self._socket, self._on_readable)

    def ask(self, sql: bytes, values: Sequence[Any]) -> None:
        """Goes out with `answers`."""
        params: Sequence[Any] | None = None
        types: tuple[int, ...] = ()
        formats: Sequence[Any] | None = None
        if values:
            params = self._transformer.dump_sequence(values, [PyFormat.AUTO] * len(values))
            types, formats = self._transformer.types or (), self._transformer.formats
        try:
            name = self._prepared.get((sql, types))
            if name is None:
                name = b"line_%d" % len(self._prepared)
                self._wire.send_prepare(name, sql, types)
                self._is_wanted.append(False)
                self._prepared[sql, types] = name
            self._wire.send_query_prepared(name, params, formats, result_format=Format.BINARY)
            self._is_wanted.append(True)
        except psycopg.OperationalError as error:
            self.hang_up()
            raise LineLost from error
        self._is_asked = True

    def answers(self) -> "Future[list[PGresult]]":
        """One for each question, in order, up to the first that failed; what comes behind that one is no good."""
        self._waiter = self._loop.create_future()
        self._send()
        return self._waiter

    def let_go(self) -> None:
        """What has not been answered yet is waited for and thrown away, before anybody else may ask."""
        self._waiter = None
        if self._is_asked:
            self._send()
        if not self._is_awaited:
            self._free()

    def hang_up(self) -> None:
        if self.is_lost:
            return
        self.is_lost = True
        self._is_asked = False
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        self._connection.close()
        was_awaited, self._is_awaited = self._is_awaited, False
        if self._waiter is not None:
            # Whoever waits will let go.
            if not self._waiter.done():
                self._waiter.set_exception(LineLost())
        elif was_awaited:
            self._free()

    def rows(self, answer: PGresult) -> list[tuple[Any, ...]]:
        self._transformer.set_pgresult(answer)
        return self._transformer.load_rows(0, answer.ntuples, tuple)

    def _send(self) -> None:
        self._is_asked, self._is_awaited = False, True
        try:
            self._wire.pipeline_sync()
            if self._wire.flush():
                self._loop.add_writer(self._socket, self._on_writable)
        except psycopg.OperationalError:
            self.hang_up()

    def _on_writable(self) -> None:
        try:
            if not self._wire.flush():
                self._loop.remove_writer(self._socket)
        except psycopg.OperationalError:
            self.hang_up()

    def _on_readable(self) -> None:
        try:
            self._wire.consume_input()
            if not self._is_awaited:
                # Nothing is awaited on a line that is free: when there is something to read, it is a farewell.
                self.hang_up()
                return
            while not self._wire.is_busy():
                answer = self._wire.get_result()
                if answer is not None and self._is_the_last(answer):
                    return
                if answer is None and self._wire.status != ConnStatus.OK:
                    self.hang_up()
                    return
        except psycopg.OperationalError:
            self.hang_up()

    def _is_the_last(self, answer: PGresult) -> bool:
        if answer.status == ExecStatus.PIPELINE_SYNC:
            self._is_awaited = False
            answers, self._answers = self._answers, []
            if self._waiter is None:
                self._free()
            elif not self._waiter.done():
                self._waiter.set_result(answers)
            return True
        has_failed = answer.status not in (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK)
        # After a failure, which statements are prepared is not worth finding out.
        self._is_spent = self._is_spent or has_failed
        if self._is_wanted.popleft() or has_failed:
            self._answers.append(answer)
        return False

    def _free(self) -> None:
        if self._is_spent or len(self._prepared) >= MOST_PREPARED:
            self.hang_up()
        self._on_free(self)


def checked(answer: PGresult) -> PGresult:
    if answer.status == ExecStatus.TUPLES_OK:
        return answer
    state = (answer.error_field(DiagnosticField.SQLSTATE) or b"").decode("ascii")
    if not state or state in _FORGOTTEN:
        raise LineLost
    raise lookup(state)(answer.get_error_message())
