"""Writing the audit log. Call `record` inside the transaction of the change that it describes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import insert

from countinghouse.audit.tables import audit_log
from countinghouse.core.db import NewRow, Statement, Transaction
from countinghouse.core.db.bulk import insert_rows
from countinghouse.core.resource import Verb
from countinghouse.core.times import now, stored_text


@dataclass(frozen=True, slots=True)
class Actor:
    """An admin's user name, `key NAME`, `tokenless@ADDRESS`, `command` for the command line, or `webhooks`."""

    name: str
    address: str | None = None


COMMAND = Actor("command")

# Inline: nobody needs the number that the row gets, so it is not read back.
_RECORD = Statement(insert(audit_log).inline())
_COLUMNS = ("at", "actor", "address", "verb", "subject_id", "before", "after")


async def record(
    transaction: Transaction,
    actor: Actor,
    verb: Verb,
    subject_id: str,
    *,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    await transaction.execute(_RECORD, _row(actor, verb, subject_id) | {"before": before, "after": after})


async def record_many(
    transaction: Transaction, actor: Actor, verb: Verb, subjects: Mapping[str, Mapping[str, Any]]
) -> None:
    """One row for each subject, by its id; the value is what is stored as `after`."""
    row = _row(actor, verb, "") | {"at": stored_text(now())}
    rows = [{**row, "subject_id": one, "after": msgspec.json.encode(after).decode()} for one, after in subjects.items()]
    await insert_rows(transaction, audit_log, rows)


# For a guarded change, which writes its audit row together with the change.
INSERT_AUDIT_ROW = NewRow(audit_log, {name: f"audit_{name}" for name in _COLUMNS})


def record_values(
    actor: Actor, verb: Verb, subject_id: str, *, before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, Any]:
    """The values that INSERT_AUDIT_ROW binds."""
    row = _row(actor, verb, subject_id) | {"before": before, "after": after}
    return {f"audit_{name}": value for name, value in row.items()}


def _row(actor: Actor, verb: Verb, subject_id: str) -> dict[str, Any]:
    return {"at": now(), "actor": actor.name, "address": actor.address, "verb": str(verb), "subject_id": subject_id}
