"""Fills an empty database with made-up data in one transaction, so that an interruption leaves it empty."""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from itertools import islice
from random import Random

from sqlalchemy import select

from countinghouse.admins.actions import add_admin
from countinghouse.admins.passwords import hash_password
from countinghouse.admins.tables import admins
from countinghouse.audit.actions import COMMAND, Actor, record
from countinghouse.claims.tables import claims
from countinghouse.core.db import Database, Reader, Transaction
from countinghouse.core.db.bulk import Cells, insert_rows
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.listing.sql import number
from countinghouse.core.resource import Verb
from countinghouse.core.times import now
from countinghouse.demo.claims import Claims
from countinghouse.demo.clock import Timeline, first_opening
from countinghouse.demo.history import History
from countinghouse.demo.people import make_users
from countinghouse.demo.purchases import Made, make_purchases
from countinghouse.demo.qr_codes import draw_all, write_counters
from countinghouse.purchases.actions import list_unchecked, write_all_findings
from countinghouse.purchases.tables import purchases
from countinghouse.qr.picture_client import Examined
from countinghouse.qr.tables import qr_codes
from countinghouse.users.tables import users

DEMO_USERNAME = "admin"
DEMO_PASSWORD = "countinghouse-demo"  # noqa: S105 - public on purpose, for made-up data only
COLLEAGUE_USERNAME = "asha"

# Addresses reserved for documentation; they belong to nobody.
_ADMIN = Actor(DEMO_USERNAME, "203.0.113.10")
_COLLEAGUE = Actor(COLLEAGUE_USERNAME, "203.0.113.24")

_MUST_BE_EMPTY = (users, purchases, claims, qr_codes, admins)
_HAS_DATA = "The database has data already. Made-up data goes only into an empty database."
_BATCH = 5_000
# How long one statement may take: ANALYZE, or the wait for another fill.
_SILENCE_SECONDS = 3600.0


class DemoVerb(Verb):
    FILLED = "demo.filled", "Filled the desk with made-up data"


OnProgress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Sizes:
    users: int = 200
    purchases: int = 420
    claims: int = 640

    def __post_init__(self) -> None:
        if min(self.users, self.purchases, self.claims) < 0:
            raise InvalidInput({"sizes": "A size cannot be negative."})
        if self.purchases and not self.users:
            raise InvalidInput({"users": "Purchases need at least one user."})
        if self.claims and not self.purchases:
            raise InvalidInput({"purchases": "Claims need at least one purchase."})


async def fill_demo(
    database: Database, sizes: Sizes, seed: int, on_progress: OnProgress, until: datetime | None = None
) -> None:
    """The same seed, sizes and `until` make the same data, except for secrets and the admins' accounts.

    For commands only: it blocks the event loop.
    """
    await database.read(_refuse_unless_empty)
    demo_hash = hash_password(DEMO_PASSWORD)
    # Nobody learns this password: this admin exists only for the history.
    colleague_hash = hash_password(secrets.token_urlsafe(48))
    drawn = draw_all()

    def report(noun: str, done: int, total: int) -> None:
        # An interrupted command closes the database. On SQLite only this stops the thread that writes.
        if database.closing.is_set():
            raise InterruptedError
        on_progress(noun, done, total)

    async def fill(transaction: Transaction) -> None:
        if transaction.is_sqlite:
            # 64 MB instead of 2: unordered index inserts would otherwise go to disk and back.
            await transaction.command("PRAGMA cache_size = -65536")
        else:
            # A second fill waits here, and then finds the data of the first.
            await transaction.command("SET LOCAL lock_timeout = 0")
            names = ", ".join(table.name for table in _MUST_BE_EMPTY)
            await transaction.command(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE")
        await _refuse_unless_empty(transaction)
        rng = Random(seed)  # noqa: S311 - reproducible on purpose, and not used for security
        await _fill(transaction, sizes, rng, until or now(), drawn, report)
        await add_admin(transaction, COMMAND, DEMO_USERNAME, demo_hash)
        await add_admin(transaction, COMMAND, COLLEAGUE_USERNAME, colleague_hash)
        await record(transaction, COMMAND, DemoVerb.FILLED, "demo", after={**asdict(sizes), "seed": seed})
        # Without it the planner assumes small tables until autovacuum analyses them.
        await transaction.command("ANALYZE")

    await database.write(fill, silence_seconds=_SILENCE_SECONDS)


async def _refuse_unless_empty(reader: Reader) -> None:
    for table in _MUST_BE_EMPTY:
        if await reader.all(select(table.c.id).limit(number(1))):
            raise Conflict("database_has_data", _HAS_DATA)


async def _fill(
    transaction: Transaction, sizes: Sizes, rng: Random, until: datetime, drawn: list[Examined], report: OnProgress
) -> None:
    opened, history = first_opening(until), History()
    made: list[Made] = []

    def spread(count: int, first: timedelta, minutes_before_end: int) -> Timeline:
        return Timeline(rng, count, opened + first, until - timedelta(minutes=minutes_before_end))

    came = spread(sizes.users, timedelta(minutes=30), 9)
    bought = spread(sizes.purchases, timedelta(hours=2), 6)
    # Claims start when there is income to claim.
    claimed = spread(sizes.claims, timedelta(days=8, hours=2), 3)

    await write_counters(transaction, rng, opened, drawn, history, _ADMIN)
    for batch in _batches(make_users(rng, came), "users", sizes.users, report):
        await insert_rows(transaction, users, batch)
    rows = make_purchases(rng, opened, bought, came, made)
    for batch in _batches(rows, "purchases", sizes.purchases, report):
        await insert_rows(transaction, purchases, batch)
    await write_all_findings(transaction, await list_unchecked(transaction))
    rows = Claims(rng, claimed, came, bought, made, history, (_ADMIN, _COLLEAGUE), until).rows()
    written = 0
    for batch in _batches(rows, "claims", sizes.claims, report):
        await insert_rows(transaction, claims, batch)
        written += len(batch)
        await history.write_until(transaction, claimed.moments[written - 1])
    await history.write_until(transaction, until)


def _batches(rows: Iterator[Cells], noun: str, total: int, report: OnProgress) -> Iterator[list[Cells]]:
    done = 0
    report(noun, done, total)
    while batch := list(islice(rows, _BATCH)):
        yield batch
        done += len(batch)
        report(noun, done, total)
