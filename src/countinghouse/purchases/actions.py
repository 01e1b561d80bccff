"""Inserting purchases, and checking those that were inserted directly into the database."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import partial

from sqlalchemy import bindparam, func, select

from countinghouse.core.db import Cost, Database, Reader, Statement, Transaction
from countinghouse.core.db.bulk import Cells, insert_rows
from countinghouse.core.ids import new_id
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.listing.portions import Portions
from countinghouse.core.listing.sql import among, number
from countinghouse.core.times import stored_text
from countinghouse.india.references import reference_key
from countinghouse.purchases.checking import check_new, lock_references, try_to_lock_references, write_findings
from countinghouse.purchases.findings import Entry
from countinghouse.purchases.related import Days
from countinghouse.purchases.tables import purchases
from countinghouse.users.tables import users

# Few enough that others wait only for a moment, and that all related purchases fit into memory.
CHECKED_TOGETHER = 200

OnProgress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class NewPurchase:
    created_at: datetime
    user_id: str
    invest_paise: int
    daily_income_paise: int
    upi_id: str
    claim_type: str
    qr_name: str
    external_id: str | None = None
    id: str = field(default_factory=new_id)

    def entry(self, client: str) -> Entry:
        key = reference_key(self.upi_id)
        return Entry(self.id, self.created_at, client, self.invest_paise, key, self.qr_name)


_FIELDS = tuple(each.name for each in fields(NewPurchase))
_CLIENTS = Statement(select(users.c.id, users.c.username).where(among(users.c.id, bindparam("ids"))))


async def record_purchases(transaction: Transaction, new: Sequence[NewPurchase]) -> list[str]:
    """The only way for our own code to insert purchases: they are checked before anybody sees them.

    Raises `AlreadyThere` if a row has the same id or external id. To look that up first, lock the references first.
    """
    if not new:
        return []
    await lock_references(transaction)
    user_ids = bound_ids(sorted({purchase.user_id for purchase in new}), transaction.is_sqlite)
    clients: dict[str, str] = dict(await transaction.all(_CLIENTS, {"ids": user_ids}))
    days = Days(len(new))
    for start in range(0, len(new), CHECKED_TOGETHER):
        chunk = new[start : start + CHECKED_TOGETHER]
        checked = await check_new(transaction, [purchase.entry(clients[purchase.user_id]) for purchase in chunk], days)
        await insert_rows(transaction, purchases, [_cells(purchase, *checked[purchase.id]) for purchase in chunk])
    return [purchase.id for purchase in new]


def _cells(purchase: NewPurchase, key: str, found: str) -> Cells:
    cells = {name: getattr(purchase, name) for name in _FIELDS}
    return cells | {"created_at": stored_text(purchase.created_at), "reference_key": key, "findings": found}


async def write_all_findings(transaction: Transaction, purchase_ids: Sequence[str]) -> None:
    for start in range(0, len(purchase_ids), CHECKED_TOGETHER):
        await write_findings(transaction, purchase_ids[start : start + CHECKED_TOGETHER])


_unchecked = select(purchases.c.id).where(purchases.c.findings.is_(None)).order_by(purchases.c.id)
_ANY_UNCHECKED = Statement(_unchecked.limit(number(1)))


async def has_unchecked(reader: Reader) -> bool:
    """Whether a purchase that was inserted directly into the database is still unchecked."""
    return bool(await reader.all(_ANY_UNCHECKED, {}))


async def list_unchecked(reader: Reader) -> list[str]:
    return await reader.scalars(_unchecked)


async def check_unchecked(database: Database) -> int:
    """Checks some of the unchecked purchases; none while another transaction is checking."""

    async def check(transaction: Transaction) -> int:
        if not await try_to_lock_references(transaction):
            return 0
        ids = await transaction.scalars(_unchecked.limit(number(CHECKED_TOGETHER)))
        await write_findings(transaction, ids)
        return len(ids)

    return await database.write(check)


async def check_purchases(database: Database, on_progress: OnProgress, *, every: bool) -> int:
    """Checks all unchecked purchases, or every purchase again. Short transactions keep the server usable."""
    chosen = select(purchases.c.id)
    if not every:
        chosen = chosen.where(purchases.c.findings.is_(None))
    portions = Portions(chosen, purchases.c.id, CHECKED_TOGETHER)

    async def check_after(transaction: Transaction, last: str | None) -> list[str]:
        await lock_references(transaction)
        ids = await transaction.scalars(portions.first if last is None else portions.next, {"after": last})
        await write_findings(transaction, ids)
        return ids

    count = select(func.count()).select_from(chosen.subquery())
    total = await database.read(lambda reader: reader.scalar(count), Cost.LONG)
    done = 0
    last: str | None = None
    while True:
        on_progress(done, max(total, done))
        ids = await database.write(partial(check_after, last=last))
        if not ids:
            return done
        done, last = done + len(ids), ids[-1]
