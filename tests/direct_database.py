"""A database that a test also reads and changes directly, through SQLAlchemy: this stands for another program."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from threading import Event
from typing import Any, TypeVar

from sqlalchemy import Connection, create_engine, event

from countinghouse.core.db import Database, Transaction
from countinghouse.settings import with_driver
from tests.event_loop import DEADLINE_SECONDS, start

T = TypeVar("T")

LOCK_WAIT_MILLISECONDS = 5_000


class DirectDatabase(Database):
    """`read`, `change` and `write` are the program's own; `reading` and `writing` do not use its code."""

    def __init__(self, url: str, *, is_patient: bool = True) -> None:
        self.plain_url = url
        super().__init__(with_driver(url), is_patient=is_patient)
        # A database server that was restarted is not worth an error here: `pool_pre_ping` replaces dead connections.
        options: dict[str, Any] = {"pool_size": 4, "max_overflow": 40, "pool_pre_ping": True}
        if not self.is_sqlite:
            options["connect_args"] = {"options": f"-c lock_timeout={LOCK_WAIT_MILLISECONDS} -c timezone=UTC"}
        self._direct = create_engine(self.url, **options)
        if self.is_sqlite:
            event.listen(self._direct, "connect", _prepare_sqlite)
            event.listen(self._direct, "begin", _begin_sqlite)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One snapshot, taken at the first query."""
        with self._direct.connect() as connection:
            yield connection if self.is_sqlite else connection.execution_options(isolation_level="REPEATABLE READ")

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction: committed when the block succeeds, rolled back when it raises."""
        with self._direct.connect() as connection:
            writer = connection.execution_options(writes=True)
            with writer.begin():
                yield writer

    @contextmanager
    def uncommitted(self, work: Callable[[Transaction], Coroutine[Any, Any, T]]) -> Iterator[T]:
        """A transaction of the program that has done `work` and is committed when the block ends."""
        done, may_commit = Future[T](), Event()

        async def hold(transaction: Transaction) -> None:
            done.set_result(await work(transaction))
            if self.is_sqlite:
                # It has its own thread. PostgreSQL's runs on the event loop.
                may_commit.wait()
            while not may_commit.is_set():
                await asyncio.sleep(0.01)

        holding = start(self.write(hold))
        either: list[Future[Any]] = [done, holding]
        try:
            wait(either, return_when=FIRST_COMPLETED)
            if not done.done():
                # Raises what `work` raised.
                holding.result()
            yield done.result()
        finally:
            may_commit.set()
        holding.result(DEADLINE_SECONDS)

    def close(self) -> None:
        self._direct.dispose()
        super().close()


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # SQLAlchemy then begins transactions itself.
    connection.isolation_level = None
    connection.text_factory = lambda stored: stored.decode(errors="replace")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA busy_timeout = {LOCK_WAIT_MILLISECONDS}")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
