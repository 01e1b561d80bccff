"""What a room can do with the database: `Reader` reads, `Change` makes atomic changes, `Transaction` groups them."""

import asyncio
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import Dialect, Row, select

from countinghouse.core.db.clock import CLOCK, clock_of
from countinghouse.core.db.guarded import Guarded
from countinghouse.core.db.statement import Cells, Compiled, Plan, Runnable, Statement, Values

NOTHING: Values = {}

_CLOCK = Statement(select(CLOCK))


class AlreadyThere(Exception):
    """The database refused a row because another row has the same key."""


class TransactionEnded(sqlite3.OperationalError):
    """The database has rolled the transaction back by itself, for example because the disk is full."""


class Reader(ABC):
    """One connection for the length of a piece of work. Outside a transaction each statement sees the newest rows."""

    is_sqlite: bool
    dialect: Dialect

    async def all(self, statement: Runnable, values: Values = NOTHING) -> list[Cells]:
        """Plain tuples, as the driver returns them: fastest, but a moment is text on SQLite."""
        if isinstance(statement, Statement):
            return await self._fetch(statement.compiled(self.dialect, values), values, statement.plan)
        return await self._fetch(Compiled(statement, self.dialect, values), values, Plan.BY_VALUE)

    async def rows(self, statement: Runnable, values: Values = NOTHING) -> list[Row[Any]]:
        """Rows with column names and Python types."""
        compiled = self._compiled(statement, values)
        return compiled.rows(await self._fetch(compiled, values, plan_of(statement)))

    async def first(self, statement: Runnable, values: Values = NOTHING) -> Row[Any] | None:
        """The first row, or None. It fetches all rows: limit the statement if there may be many."""
        found = await self.rows(statement, values)
        return found[0] if found else None

    async def one(self, statement: Runnable, values: Values = NOTHING) -> Row[Any]:
        """The only row."""
        (row,) = await self.rows(statement, values)
        return row

    async def scalars(self, statement: Runnable, values: Values = NOTHING) -> list[Any]:
        """The first column of every row."""
        compiled = self._compiled(statement, values)
        found = await self._fetch(compiled, values, plan_of(statement))
        return [row[0] for row in (compiled.rows(found) if compiled.has_columns else found)]

    async def scalar(self, statement: Runnable, values: Values = NOTHING) -> Any:
        """The first column of the first row; None if there is no row."""
        found = await self.scalars(statement, values)
        return found[0] if found else None

    async def now(self) -> datetime:
        """By the clock of the database: see `core/db/clock.py`."""
        return clock_of(None if self.is_sqlite else await self.scalar(_CLOCK))

    async def pause(self) -> None:
        """Lets other requests run during long work. On SQLite such work has its own thread, and this does nothing."""
        if not self.is_sqlite:
            await asyncio.sleep(0)

    def _compiled(self, statement: Runnable, values: Values) -> Compiled:
        if isinstance(statement, Statement):
            return statement.compiled(self.dialect, values)
        return Compiled(statement, self.dialect, values)

    @abstractmethod
    async def _fetch(self, compiled: Compiled, values: Values, plan: Plan, /) -> list[Cells]: ...


class Change(Reader):
    """A `Reader` that may also write. Outside a transaction each write is atomic and stored when it returns."""

    @abstractmethod
    async def execute(self, statement: Runnable, values: Values | Sequence[Values] = NOTHING) -> int:
        """Returns the number of changed rows. A sequence of values runs the statement once for each.

        Raises `AlreadyThere` if a row to insert already exists.
        """

    @abstractmethod
    async def guarded(self, guarded: Guarded, values: Values) -> Cells | None:
        """Returns the change's answer, or None if the UPDATE matched no row.

        Raises `AlreadyThere`, and changes nothing, if one of the rows to insert already exists.
        """


class Transaction(Change):
    """Everything is stored when the work ends, or nothing if it raises."""

    @asynccontextmanager
    async def savepoint(self) -> AsyncIterator[None]:
        """A block that can fail without affecting the rest of the transaction."""
        await self.command("SAVEPOINT block")
        try:
            yield
        except Exception:
            await self.command("ROLLBACK TO SAVEPOINT block")
            await self.command("RELEASE SAVEPOINT block")
            raise
        await self.command("RELEASE SAVEPOINT block")

    @abstractmethod
    async def command(self, sql: str) -> None:
        """A statement of one engine that SQLAlchemy does not build, without values."""


def is_unreadable(text: str) -> bool:
    """Whether another program stored it on SQLite in another encoding: what is not UTF-8 is read as this sign. Such a
    text is equal to no other, and is not found by what was read of it."""
    return "\ufffd" in text


def plan_of(statement: Runnable) -> Plan:
    return statement.plan if isinstance(statement, Statement) else Plan.BY_VALUE
