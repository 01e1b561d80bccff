"""Fills an empty database with made-up data in one transaction, so that an interruption leaves it empty."""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice
from random import Random

from sqlalchemy import Connection, select, text

from countinghouse.admins.actions import add_admin
from countinghouse.admins.passwords import hash_password
from countinghouse.admins.tables import admins
from countinghouse.audit.actions import COMMAND, Actor, record
from countinghouse.audit.tables import audit_log
from countinghouse.claims.tables import claim_transitions, claims, payout_references
from countinghouse.core.database import Database
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.resource import Verb
from countinghouse.core.times import now
from countinghouse.demo.clock import opening_ms, to_ms
from countinghouse.demo.counters import Counters
from countinghouse.demo.history import AUDIT_COLUMNS, REFERENCE_COLUMNS, TRANSITION_COLUMNS, History
from countinghouse.demo.orders import PURCHASE_COLUMNS, Orders
from countinghouse.demo.people import USER_COLUMNS, People
from countinghouse.demo.withdrawals import CLAIM_COLUMNS, Withdrawals
from countinghouse.demo.writers import Cells, Writer, roomy
from countinghouse.purchases.actions import list_unchecked, write_all_findings
from countinghouse.purchases.tables import purchases
from countinghouse.qr.tables import qr_codes
from countinghouse.users.tables import users

DEMO_USERNAME = "admin"
DEMO_PASSWORD = "countinghouse-demo"  # noqa: S105 - public on purpose, for made-up data only
COLLEAGUE_USERNAME = "asha"

# Addresses reserved for documentation; they belong to nobody.
_ADMIN = Actor(DEMO_USERNAME, "203.0.113.10")
_COLLEAGUE = Actor(COLLEAGUE_USERNAME, "203.0.113.24")

_MUST_BE_EMPTY = (users, purchases, claims, qr_codes, admins)
_BATCH = 5_000


class DemoVerb(Verb):
    FILLED = "demo.filled"


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


def fill_demo(
    database: Database, sizes: Sizes, seed: int, on_progress: OnProgress, until: datetime | None = None
) -> None:
    """The same seed, sizes and `until` make the same data, except for secrets and the admins' accounts."""
    until_ms = to_ms(until or now())
    demo_hash = hash_password(DEMO_PASSWORD)
    # Nobody learns this password: this admin exists only for the history.
    colleague_hash = hash_password(secrets.token_urlsafe(48))
    with database.writing() as connection:
        _refuse_unless_empty(connection)
        if not database.is_sqlite:
            _lock_tables(connection)
        rng = Random(seed)  # noqa: S311 - reproducible on purpose, and not used for security
        with roomy(connection):
            _fill(connection, sizes, rng, until_ms, on_progress)
        add_admin(connection, COMMAND, DEMO_USERNAME, demo_hash)
        add_admin(connection, COMMAND, COLLEAGUE_USERNAME, colleague_hash)
        record(connection, COMMAND, DemoVerb.FILLED, "demo", after={**asdict(sizes), "seed": seed})
        # Without it the planner assumes small tables until autovacuum analyses them.
        connection.execute(text("ANALYZE"))


def _refuse_unless_empty(connection: Connection) -> None:
    for table in _MUST_BE_EMPTY:
        if connection.execute(select(1).select_from(table).limit(1)).first() is not None:
            raise Conflict(
                "database_has_data",
                "The database has data already. Made-up data goes only into an empty database.",
            )


def _lock_tables(connection: Connection) -> None:
    """SQLite has only one writer. On PostgreSQL a second fill waits here, and then finds the data of the first."""
    connection.execute(text("SET LOCAL statement_timeout = 0"))
    connection.execute(text("SET LOCAL lock_timeout = 0"))
    names = ", ".join(table.name for table in _MUST_BE_EMPTY)
    connection.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))
    _refuse_unless_empty(connection)


def _fill(connection: Connection, sizes: Sizes, rng: Random, until_ms: int, on_progress: OnProgress) -> None:
    opened_ms = opening_ms(until_ms)
    history = History(rng)
    counters = Counters(rng, opened_ms)
    people = People(rng, sizes.users, opened_ms, until_ms)
    orders = Orders(rng, sizes.purchases, opened_ms, until_ms)
    withdrawals = Withdrawals(rng, sizes.claims, opened_ms, until_ms)
    counters.write(connection, history, _ADMIN)

    writer = Writer(connection, users, USER_COLUMNS)
    for batch in _batches(people.rows(), "users", sizes.users, on_progress):
        writer.write(batch)
    writer = Writer(connection, purchases, PURCHASE_COLUMNS)
    for batch in _batches(orders.rows(people, counters), "purchases", sizes.purchases, on_progress):
        writer.write(batch)
    write_all_findings(connection, list_unchecked(connection))
    writer = Writer(connection, claims, CLAIM_COLUMNS)
    transition_writer = Writer(connection, claim_transitions, TRANSITION_COLUMNS)
    reference_writer = Writer(connection, payout_references, REFERENCE_COLUMNS)
    log_writer = Writer(connection, audit_log, AUDIT_COLUMNS)

    def write_history(at_ms: int) -> None:
        happened = history.take_until(at_ms)
        transition_writer.write(happened.transitions)
        reference_writer.write(happened.references)
        log_writer.write(happened.log)

    rows = withdrawals.rows(people, orders, history, (_ADMIN, _COLLEAGUE))
    for batch in _batches(rows, "claims", sizes.claims, on_progress):
        writer.write(batch)
        write_history(withdrawals.reached_ms)
    write_history(until_ms)


def _batches(rows: Iterator[Cells], noun: str, total: int, on_progress: OnProgress) -> Iterator[list[Cells]]:
    done = 0
    on_progress(noun, done, total)
    while batch := list(islice(rows, _BATCH)):
        yield batch
        done += len(batch)
        on_progress(noun, done, total)
