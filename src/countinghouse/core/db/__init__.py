"""One way to read and one way to write: SQLAlchemy builds the statements, the driver runs them. See decision 0018."""

import sqlite3

import psycopg
from psycopg.errors import DeadlockDetected

from countinghouse.core.db.costs import Cost
from countinghouse.core.db.database import Database, metadata
from countinghouse.core.db.guarded import Guarded, NewRow
from countinghouse.core.db.reader import AlreadyThere, Change, Reader, Transaction, TransactionEnded
from countinghouse.core.db.rows import Chosen, Rows
from countinghouse.core.db.statement import Plan, Statement

# Database trouble. SQLAlchemy's own exceptions do not occur: the driver runs every statement.
DATABASE_ERRORS = (psycopg.Error, sqlite3.Error)

__all__ = [
    "DATABASE_ERRORS",
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
    "metadata",
]
