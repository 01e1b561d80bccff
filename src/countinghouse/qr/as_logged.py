"""Refuses to decide about a code that somebody has changed directly in the database.

`audit verify` would find it, but by then customers may have paid; or the change may have been undone.
"""

from typing import Any

from sqlalchemy import Row, bindparam

from countinghouse.audit.records import in_words
from countinghouse.audit.replaying import read_logged
from countinghouse.core.db import Statement, Transaction
from countinghouse.core.errors import Conflict
from countinghouse.qr.proof import QR_KIND
from countinghouse.qr.tables import qr_codes

_STORED = Statement(QR_KIND.stored.where(qr_codes.c.id == bindparam("qr_id")))


async def check_as_logged(transaction: Transaction, code: Row[Any]) -> None:
    """Who uploaded it, who asked to display it, whom it pays and its pictures must be what the log says."""
    logged = await read_logged(transaction, QR_KIND, code.id)
    stored = QR_KIND.state(await transaction.one(_STORED, {"qr_id": code.id}))
    differing = {name: value for name, value in logged.items() if stored[name] != value}
    if differing:
        is_now = in_words({name: stored[name] for name in differing})
        raise Conflict(
            "qr_changed_directly",
            f"{code.name} was changed directly in the database: the audit log says {in_words(differing)}, and stored "
            f"is {is_now}. Nothing was done. Ask your operator to run countinghouse audit verify.",
        )
