"""Inserting purchases, and checking those that were inserted directly into the database."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Connection, func, insert, select

from countinghouse.core.database import Database
from countinghouse.core.ids import new_id
from countinghouse.core.listing.sql import number
from countinghouse.core.quick import Reader, Statement
from countinghouse.purchases.looking import lock_references, try_to_lock_references, write_findings
from countinghouse.purchases.tables import purchases

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


def record_purchases(connection: Connection, new: Sequence[NewPurchase]) -> list[str]:
    """The only way for our own code to insert purchases: they are checked before anybody sees them."""
    rows = [{"id": new_id(), **asdict(purchase)} for purchase in new]
    if not rows:
        return []
    lock_references(connection)
    connection.execute(insert(purchases), rows)
    ids = [str(row["id"]) for row in rows]
    write_all_findings(connection, ids)
    return ids


def write_all_findings(connection: Connection, purchase_ids: Sequence[str]) -> None:
    for start in range(0, len(purchase_ids), CHECKED_TOGETHER):
        write_findings(connection, purchase_ids[start : start + CHECKED_TOGETHER])


_unchecked = select(purchases.c.id).where(purchases.c.findings.is_(None)).order_by(purchases.c.id)
_ANY_UNCHECKED = Statement(_unchecked.limit(number(1)))


def has_unchecked(reader: Reader) -> bool:
    """Whether a purchase that was inserted directly into the database is still unchecked."""
    return bool(reader.all(_ANY_UNCHECKED, {}))


def list_unchecked(connection: Connection) -> Sequence[str]:
    return connection.execute(_unchecked).scalars().all()


def check_unchecked(database: Database) -> int:
    """Checks some of the unchecked purchases; none while another transaction is checking."""
    with database.writing() as connection:
        if not try_to_lock_references(connection):
            return 0
        ids = connection.execute(_unchecked.limit(number(CHECKED_TOGETHER))).scalars().all()
        write_findings(connection, ids)
        return len(ids)


def check_purchases(database: Database, on_progress: OnProgress, *, every: bool) -> int:
    """Checks all unchecked purchases, or every purchase again. Short transactions keep the server usable."""
    chosen = select(purchases.c.id).order_by(purchases.c.id)
    if not every:
        chosen = chosen.where(purchases.c.findings.is_(None))
    with database.reading() as connection:
        total = connection.execute(select(func.count()).select_from(chosen.subquery())).scalar_one()
    done, last = 0, ""
    while True:
        on_progress(done, max(total, done))
        with database.writing() as connection:
            lock_references(connection)
            following = chosen.where(purchases.c.id > last).limit(number(CHECKED_TOGETHER))
            ids = connection.execute(following).scalars().all()
            write_findings(connection, ids)
        if not ids:
            return done
        done, last = done + len(ids), ids[-1]
