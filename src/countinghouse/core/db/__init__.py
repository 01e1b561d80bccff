"""One way to read and one way to write: SQLAlchemy builds the statements, the driver runs them. See decision 0018."""

import sqlite3

import psycopg
from psycopg.errors import DeadlockDetected, ReadOnlySqlTransaction

from countinghouse.core.db.clock import CLOCK, by_database, clock_of
from countinghouse.core.db.costs import Cost
from countinghouse.core.db.database import Database, metadata
from countinghouse.core.db.guarded import Guarded, NewRow
from countinghouse.core.db.reader import AlreadyThere, Change, Reader, Transaction, TransactionEnded, is_unreadable
from countinghouse.core.db.rows import Chosen, Rows
from countinghouse.core.db.sqlite_connection import wal_bytes
from countinghouse.core.db.statement import Plan, Statement

# Database trouble in requests. SQLAlchemy's own exceptions occur only in upgrades: here the driver runs the statements.
DATABASE_ERRORS = (psycopg.Error, sqlite3.Error)
# Of these, what ends by itself, so that the same request may succeed later; the others are bugs. A standby that has not
# been promoted yet is read-only.
DATABASE_UNAVAILABLE = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    ReadOnlySqlTransaction,
    sqlite3.OperationalError,
)

__all__ = [
    "CLOCK",
    "DATABASE_ERRORS",
    "DATABASE_UNAVAILABLE",
    "AlreadyThere",
    "Change",
    "Chosen",
    "Cost",
    "Database",
    "DeadlockDetected",
    "Guarded",
    "NewRow",
    "Plan",
    "Reader",
    "Rows",
    "Statement",
    "Transaction",
    "TransactionEnded",
    "by_database",
    "clock_of",
    "is_unreadable",
    "metadata",
    "wal_bytes",
]
