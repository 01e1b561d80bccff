"""PostgreSQL: the sequence that numbers the audit log must give one number at a time, each higher than the last.

With a CACHE, an idle session keeps numbers that it uses later: its rows would appear in gaps that were given up, and
never be sealed. While that is so, no gap is given up. Setting it back discards the numbers that sessions keep.
"""

from typing import NamedTuple

from psycopg.errors import LockNotAvailable, QueryCanceled
from sqlalchemy import Boolean, ColumnElement, literal_column, text

from countinghouse.audit.actions import COMMAND, record
from countinghouse.core.db import Database, Reader, Statement, Transaction
from countinghouse.core.resource import Verb

_SEQUENCE = "to_regclass(pg_get_serial_sequence('audit_log', 'seq'))"
_SET_BACK = "INCREMENT BY 1 CACHE 1 NO CYCLE"
# For the sealer as well.
IS_IN_ORDER: ColumnElement[bool] = literal_column(
    f"EXISTS (SELECT FROM pg_sequence WHERE seqrelid = {_SEQUENCE} "
    "AND seqincrement = 1 AND seqcache = 1 AND NOT seqcycle)",
    Boolean(),
)
_FIND = Statement(
    text(
        "SELECT seqrelid::regclass::text, seqincrement, seqcache, seqcycle, pg_has_role(relowner, 'MEMBER') "  # noqa: S608 - constant
        f"FROM pg_sequence JOIN pg_class ON oid = seqrelid WHERE seqrelid = {_SEQUENCE}"
    )
)


class NumberingVerb(Verb):
    """The subject is the sequence."""

    SET_BACK = "audit.numbering_set_back", "Set the numbering of the log back"


class Numbering(NamedTuple):
    # Quoted, if it has to be.
    sequence: str
    increment: int
    cache: int
    is_cycle: bool
    is_own: bool

    @property
    def is_in_order(self) -> bool:
        return (self.increment, self.cache, self.is_cycle) == (1, 1, False)


async def find_misnumbering(reader: Reader) -> list[str]:
    """Sentences for `doctor`, with the command to run."""
    found = await _find(reader)
    return [] if found is None or found.is_in_order else [_said(found)]


async def set_numbering_back(database: Database) -> list[str]:
    """Sentences: what was set back, or why not and what to do. The sequence of another role stays as it is."""
    try:
        said = await database.write(_set_back)
    except (LockNotAvailable, QueryCanceled):
        # Some transaction has a number and stays open.
        said = None
    return [said] if said else await database.read(find_misnumbering)


async def _set_back(transaction: Transaction) -> str | None:
    found = await _find(transaction)
    if found is None or found.is_in_order or not found.is_own:
        return None
    # It waits for transactions that have a number and are still open.
    await transaction.command(f"ALTER SEQUENCE {found.sequence} {_SET_BACK}")
    was = {"increment": found.increment, "cache": found.cache, "cycle": found.is_cycle}
    set_to = {"increment": 1, "cache": 1, "cycle": False}
    await record(transaction, COMMAND, NumberingVerb.SET_BACK, found.sequence, before=was, after=set_to)
    return f"The sequence {found.sequence} of the audit log was altered, and was set back to: {_SET_BACK}."


async def _find(reader: Reader) -> Numbering | None:
    if reader.is_sqlite:
        return None
    rows = await reader.all(_FIND)
    return Numbering(*rows[0]) if rows else None


def _said(found: Numbering) -> str:
    return (
        f"The sequence {found.sequence} of the audit log was altered (INCREMENT {found.increment}, CACHE {found.cache}"
        f"{', CYCLE' if found.is_cycle else ''}), so rows may never be sealed: as its owner, run ALTER SEQUENCE "
        f"{found.sequence} {_SET_BACK}."
    )
