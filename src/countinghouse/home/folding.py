"""While the server runs, folds what triggers have appended to `day_changes` into `day_tallies`, within seconds."""

from sqlalchemy import func, select, text

from countinghouse.core.db import Database, Reader, Statement, Transaction
from countinghouse.core.listing.sql import number
from countinghouse.core.poller import Poller
from countinghouse.home.tables import day_changes

POLL_SECONDS = 2.0
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


def day_tally_poller(database: Database) -> Poller:
    async def fold_some() -> bool:
        is_behind = await database.read(has_changes)
        if is_behind:
            await database.write(fold)
        return is_behind

    return Poller("day_tallies", fold_some, every_seconds=POLL_SECONDS)
