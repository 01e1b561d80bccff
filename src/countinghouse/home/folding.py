"""While the server runs, folds what triggers have appended to `day_changes` into `day_tallies`, within seconds."""

import asyncio
from contextlib import suppress

import structlog
from sqlalchemy import func, select, text

from countinghouse.core.db import Database, Reader, Statement, Transaction
from countinghouse.core.listing.sql import number
from countinghouse.home.tables import day_changes

log = structlog.get_logger()

POLL_SECONDS = 2.0
# Many may be waiting after an import; requests for pages have priority.
PAUSE_SECONDS = 0.05
FOLDED_TOGETHER = 5_000
# An arbitrary constant; nothing else in the database may use the same number.
_FOLD_LOCK = 6_317_052_205

_ANY = Statement(select(day_changes.c.id).order_by(day_changes.c.id).limit(number(1)))
_COLUMNS = "kind, day, name, entries, amount_paise"
_SUMMED = "SELECT kind, day, name, sum(entries), sum(amount_paise) FROM {} GROUP BY kind, day, name ORDER BY 1, 2, 3"
_RAISED = (
    "ON CONFLICT (kind, day, name) DO UPDATE SET entries = day_tallies.entries + excluded.entries, "
    "amount_paise = day_tallies.amount_paise + excluded.amount_paise"
)
_FOLD_ON_POSTGRES = Statement(
    text(
        "WITH gone AS (DELETE FROM day_changes WHERE id IN "  # noqa: S608 - only constants of this file
        f"(SELECT id FROM day_changes ORDER BY id LIMIT {FOLDED_TOGETHER}) RETURNING {_COLUMNS}) "
        f"INSERT INTO day_tallies ({_COLUMNS}) {_SUMMED.format('gone')} {_RAISED}"
    )
)
_LAST = Statement(
    select(func.max(select(day_changes.c.id).order_by(day_changes.c.id).limit(number(FOLDED_TOGETHER)).subquery().c.id))
)
_FOLD_ON_SQLITE = Statement(
    text(f"INSERT INTO day_tallies ({_COLUMNS}) {_SUMMED.format('day_changes WHERE id <= :last')} {_RAISED}")
)
_DELETE_ON_SQLITE = Statement(text("DELETE FROM day_changes WHERE id <= :last"))


async def has_changes(reader: Reader) -> bool:
    return bool(await reader.all(_ANY, {}))


async def fold(transaction: Transaction) -> None:
    """Folds some of the changes; none while another server does."""
    if not transaction.is_sqlite:
        is_free = await transaction.scalar(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": _FOLD_LOCK})
        if is_free:
            await transaction.execute(_FOLD_ON_POSTGRES)
        return
    last = await transaction.scalar(_LAST)
    if last is not None:
        await transaction.execute(_FOLD_ON_SQLITE, {"last": last})
        await transaction.execute(_DELETE_ON_SQLITE, {"last": last})


class Folder:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._ending = asyncio.Event()
        self._work: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._work = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Returns when the last fold has ended; only then may the database be closed."""
        self._ending.set()
        if self._work is not None:
            await self._work

    async def _run(self) -> None:
        is_troubled = False
        while not self._ending.is_set():
            is_behind = False
            try:
                is_behind = await self._database.read(has_changes)
                if is_behind:
                    await self._database.write(fold)
                is_troubled = False
            except Exception as error:
                # Whatever the error is, the server continues and this tries again. It is logged once.
                if not is_troubled:
                    log.warning("day_tallies_troubled", error=str(error))
                is_troubled, is_behind = True, False
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), PAUSE_SECONDS if is_behind else POLL_SECONDS)
